#include "collision/cache/object_builder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "collision/cache/xxhash64.hpp"
#include "collision/exact/exact_body.hpp"
#include "collision/packing/inner_spheres.hpp"
#include "collision/packing/voxel_packing.hpp"
#include "collision/pointshell/thin_parts.hpp"
#include "collision/surface/thin_walls.hpp"
#include "collision/voxmap/voxmap_builder.hpp"
#include "models/report/duplicates.hpp"
#include "models/report/mesh_report.hpp"

namespace tactus::collision {
namespace {

// Cubes of the distance field's finest grid. The bounds of an overlap of a hundredth of the object
// are then less than twice as far apart as the overlap is large; with ten a sphere 0.6 times as
// far, for twice the time, a third of the whole query's.
constexpr double kCubesPerSphere = 2.5;

// Corners of the depth field: enough for 1 % of the force at an overlap of a hundredth of the
// object.
constexpr double kCornersPerSphere = 2.5;

// Walls thinner than so many cubes of the depth field are told of: from there on their force is off
// by more than a twentieth, and below one cube most of it is lost.
constexpr double kCubesInAWall = 2.0;

// A smooth body is full before all spheres are used, a ball by a single one; its fields are as fine
// as those of a body that takes all, or its contacts would be as coarse as its packing. Up to a
// hundred thousand spheres, beyond which fields bring memory and nothing that is felt.
constexpr std::uint64_t kFinest = 100'000;

double detailOf(std::uint64_t asked, std::size_t packed) {
  return static_cast<double>(std::max<std::uint64_t>(packed, std::min(asked, kFinest)));
}

// How far the sites of cells move. With 10,000 spheres the mean error of an overlap of a hundredth
// is 0.51 % without, 0.36 % with 1, 0.26 % with 1.7 and 0.23 % with 2; from 1.7 on the force turns
// away a little. A second round from 1 to 1 makes it 0.29 %, for a third more of the time.
constexpr double kRelaxation = 1.7;

// Bytes of the voxmap if none are asked for: as fine as the spheres, but no finer than some 300
// voxels along an object. Then they are as long as 100,000 points are apart, and what a contact
// touches of the map is fetched in two thirds of the time that 32 MB take.
constexpr std::uint64_t kVoxmapBytesPerSphere = 320;
constexpr std::uint64_t kLeastVoxmapBytes = 64'000;
constexpr std::uint64_t kMostVoxmapBytes = 16'000'000;

// Volumes that differ by less than this part are the same, but for their rounding.
constexpr double kSameVolume = 1e-9;

// Spheres that do not overlap take no more than the solid, but for the rounding of both volumes,
// which is far below this. If they do, the distances and the volume speak of two different bodies.
constexpr double kMostFilled = 1.001;

// Share of the time for the cells until they are divided; what is left is for their lower balls.
constexpr double kCellsDivided = 0.9;

std::uint64_t voxmapBytesOf(const BuildParameters& parameters) {
  if (parameters.voxmapBytes > 0) return parameters.voxmapBytes;
  const std::uint64_t spheres = std::min(parameters.spheres, kMostVoxmapBytes);
  return std::clamp(kVoxmapBytesPerSphere * spheres, kLeastVoxmapBytes, kMostVoxmapBytes);
}

/// Cold parts of an object that was built here.
class PartsInMemory final : public ColdParts {
 public:
  PartsInMemory(SolidMesh solid, PackedBalls packing)
      : solid_(std::move(solid)), packing_(std::move(packing)) {}
  [[nodiscard]] models::Result<SolidMesh> solid() const override { return solid_; }
  [[nodiscard]] models::Result<PackedBalls> packing() const override { return packing_; }

 private:
  SolidMesh solid_;
  PackedBalls packing_;
};

class Stopwatch {
 public:
  /// Since the last call, or since it was made.
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The mesh without triangles that lie on the corners of others, if that is clean and as large:
/// winding numbers would pack the same from it in many times the time.
std::optional<models::Mesh> withoutCopies(const models::Mesh& mesh,
                                          const models::MeshReport& report, unsigned threads) {
  if (report.duplicateTriangles.count == 0) return std::nullopt;
  models::Mesh once = mesh;
  static_cast<void>(models::dropDuplicates(once));
  const models::MeshReport left = models::reportOn(once, threads);
  const double apart = std::fabs(left.mass.volume - report.mass.volume);
  const bool isSame = apart <= report.volumeError + kSameVolume * left.mass.volume;
  if (!left.isClean() || !isSame) return std::nullopt;
  return once;
}

/// What decides about the content, without gaps between the numbers.
struct HashedHead {
  std::uint64_t builderVersion, spheres, packing, seed;
  double cellFineness;
  std::array<double, 3> origin;
  std::uint64_t positions, triangles, remainders;
  double voxelSize;
  std::uint64_t voxmapBytes, points;
};
static_assert(sizeof(HashedHead) == 14 * 8);

}  // namespace

ContentIdentity identityOf(const SolidMesh& solid, const BuildParameters& parameters) {
  const Eigen::Vector3d& origin = solid.mesh.origin;
  const HashedHead head = {kBuilderVersion,
                           parameters.spheres,
                           static_cast<std::uint64_t>(parameters.packing),
                           parameters.seed,
                           parameters.cellFineness,
                           {origin.x(), origin.y(), origin.z()},
                           solid.mesh.positions.size(),
                           solid.mesh.triangles.size(),
                           solid.remainders.size(),
                           parameters.voxelSize,
                           parameters.voxmapBytes,
                           parameters.points};
  ContentIdentity identity;
  for (std::size_t k = 0; k < identity.words.size(); ++k) {
    // each hash is the next one's seed; the first seeds make two hashes of one content
    std::uint64_t hash = xxhash64(std::as_bytes(std::span(&head, 1)), k);
    hash = xxhash64(std::as_bytes(std::span(solid.mesh.positions)), hash);
    hash = xxhash64(std::as_bytes(std::span(solid.mesh.triangles)), hash);
    hash = xxhash64(std::as_bytes(std::span(solid.remainders)), hash);
    // without one the identity is what it was before there were any
    if (parameters.pointsOffset != 0.0)
      hash = xxhash64(std::as_bytes(std::span(&parameters.pointsOffset, 1)), hash);
    identity.words[k] = hash;
  }
  return identity;
}

BuildOutcome buildObject(SolidMesh solid, const BuildSettings& settings) {
  const BuildParameters& parameters = settings.parameters;
  const auto goesOn = [&](BuildStage stage) {
    return !settings.progress || settings.progress({stage, {}, {}, 0.0});
  };
  bool wasEnded = false;
  const auto during = [&](BuildStage stage) -> models::GoesOn {
    if (!settings.progress) return {};
    return [&settings, &wasEnded, stage](double share) {
      wasEnded = wasEnded || !settings.progress({stage, {}, {}, share});
      return !wasEnded;
    };
  };
  BuildOutcome outcome;
  const auto endsAs = [&outcome](BuildEnd end) {
    outcome.end = end;
    return std::move(outcome);
  };
  CollisionObject& object = outcome.object;
  BuildFigures& figures = object.figures;
  object.parameters = parameters;
  figures.triangles = solid.mesh.triangles.size();

  const models::Bounds bounds = solid.mesh.bounds();
  if (!bounds.isEmpty() && parameters.voxelSize > (bounds.upper - bounds.lower).maxCoeff()) {
    return endsAs(BuildEnd::VoxelsTooLarge);
  }
  if (!goesOn(BuildStage::Checking)) return endsAs(BuildEnd::Cancelled);
  Stopwatch stopwatch;
  switch (solidityOf(solid.mesh, settings.threads)) {
    case Solidity::Solid:
      break;
    case Solidity::Open:
      return endsAs(BuildEnd::Open);
    case Solidity::InsideOut:
      return endsAs(BuildEnd::InsideOut);
  }
  const models::MeshReport report = models::reportOn(solid.mesh, settings.threads);
  figures.closed = report.closed;
  const std::optional<models::Mesh> once = withoutCopies(solid.mesh, report, settings.threads);
  const models::Mesh& mesh = once ? *once : solid.mesh;
  outcome.copies = solid.mesh.triangles.size() - mesh.triangles.size();
  figures.signRule = once || report.isClean() ? SignRule::Pseudonormal : SignRule::WindingNumber;
  if (!once) outcome.unclean = models::whyNotClean(report);
  object.identity = identityOf(solid, parameters);
  figures.checkSeconds = stopwatch.seconds();

  if (!goesOn(BuildStage::Packing)) return endsAs(BuildEnd::Cancelled);
  const SurfaceDistance surface(mesh, {.signRule = figures.signRule, .threads = settings.threads});
  const auto tell = [&](const PackingProgress& progress) {
    return !settings.progress || settings.progress({BuildStage::Packing, progress, {}, 0.0});
  };
  const PackingTarget target{.spheres = parameters.spheres, .filled = kMostFilled};
  SpherePacking packing =
      parameters.packing == PackingMethod::Voxel
          ? packVoxels(mesh, surface,
                       {.target = target, .threads = settings.threads, .progress = tell})
          : packSpheres(mesh, surface,
                        {.target = target,
                         .seed = parameters.seed,
                         .threads = settings.threads,
                         .progress = tell});
  figures.packSeconds = stopwatch.seconds();
  if (packing.end == PackingEnd::Cancelled) return endsAs(BuildEnd::Cancelled);
  if (packing.spheres.empty()) return endsAs(BuildEnd::NothingFits);
  figures.end = packing.end;
  figures.spheres = packing.spheres.size();
  figures.volume = packing.objectVolume;
  figures.sphereVolume = packing.sphereVolume;
  if (figures.filled() >= kMostFilled) return endsAs(BuildEnd::Overfull);

  if (!goesOn(BuildStage::Cells)) return endsAs(BuildEnd::Cancelled);
  PowerCellSettings cellSettings;
  cellSettings.fineness = parameters.cellFineness;
  cellSettings.relaxation = kRelaxation;
  cellSettings.threads = settings.threads;
  cellSettings.goesOn = models::partOf(during(BuildStage::Cells), 0.0, kCellsDivided);
  const PowerCells cells = powerCells(packing, surface, cellSettings);
  if (wasEnded) return endsAs(BuildEnd::Cancelled);
  const std::vector<InnerSphere> spheres =
      innerSpheres(packing, cells, surface, settings.threads,
                   models::partOf(during(BuildStage::Cells), kCellsDivided, 1.0));
  if (wasEnded) return endsAs(BuildEnd::Cancelled);
  figures.cellsSeconds = stopwatch.seconds();

  const double detail = detailOf(parameters.spheres, spheres.size());
  if (!goesOn(BuildStage::Tree)) return endsAs(BuildEnd::Cancelled);
  object.tree = InnerSphereTree(spheres, settings.threads);
  figures.treeSeconds = stopwatch.seconds();
  object.field = DistanceField(surface, kCubesPerSphere * detail, settings.threads);
  figures.fieldSeconds = stopwatch.seconds();
  figures.treeSeconds += figures.fieldSeconds;

  if (!goesOn(BuildStage::Facets)) return endsAs(BuildEnd::Cancelled);
  object.facets = FacetHierarchy(solid.mesh, settings.threads);
  object.cones = NormalCones(object.tree, surface, settings.threads);
  figures.facetsSeconds = stopwatch.seconds();
  object.depths = DepthField(surface, kCornersPerSphere * detail, settings.threads);
  figures.thinWalls = thinWallShare(
      surface, kCubesInAWall * static_cast<double>(object.depths.arrays().side), settings.threads);
  figures.depthsSeconds = stopwatch.seconds();
  figures.facetsSeconds += figures.depthsSeconds;

  VoxmapSettings voxmapSettings;
  voxmapSettings.voxelSize = parameters.voxelSize;
  voxmapSettings.bytes = voxmapBytesOf(parameters);
  voxmapSettings.threads = settings.threads;
  voxmapSettings.progress = [&](const VoxmapProgress& progress) {
    return !settings.progress || settings.progress({BuildStage::Voxmap, {}, progress, 0.0});
  };
  const auto putVoxmap = [&](VoxmapOutcome&& made) {
    object.voxmap = std::move(made.map);
    figures.voxmapBound = made.bound;
  };
  if (!goesOn(BuildStage::Voxmap)) return endsAs(BuildEnd::Cancelled);
  VoxmapOutcome voxmap = buildVoxmap(surface, voxmapSettings);
  if (voxmap.end == VoxmapEnd::Cancelled) return endsAs(BuildEnd::Cancelled);
  if (voxmap.end == VoxmapEnd::TooLarge) {
    if (parameters.voxelSize > 0.0) return endsAs(BuildEnd::VoxelsTooSmall);
    if (parameters.voxmapBytes > 0) return endsAs(BuildEnd::BytesTooFew);
  }
  putVoxmap(std::move(voxmap));
  figures.voxmapSeconds = stopwatch.seconds();

  if (!goesOn(BuildStage::Points)) return endsAs(BuildEnd::Cancelled);
  const std::uint64_t points =
      parameters.points == kPointsAsSpheres ? parameters.spheres : parameters.points;
  if (points > 0) {
    object.pointshell = Pointshell(mesh, {.points = points,
                                          .seed = parameters.seed,
                                          .offset = parameters.pointsOffset,
                                          .threads = settings.threads,
                                          .goesOn = during(BuildStage::Points)});
    if (wasEnded) return endsAs(BuildEnd::Cancelled);
  }
  figures.pointsSeconds = stopwatch.seconds();

  // thin parts get all the bytes that are given to any object, if nobody has asked for a number
  const bool isFree = parameters.voxelSize == 0.0 && parameters.voxmapBytes == 0;
  const auto unresolvedBy = [&](const Voxmap& map) {
    return unresolvedShare(object.pointshell, map, parameters.pointsOffset);
  };
  if (isFree && voxmapSettings.bytes < kMostVoxmapBytes &&
      unresolvedBy(object.voxmap) > kThinShare) {
    if (!goesOn(BuildStage::Voxmap)) return endsAs(BuildEnd::Cancelled);
    voxmapSettings.bytes = kMostVoxmapBytes;
    VoxmapOutcome finer = buildVoxmap(surface, voxmapSettings);
    if (finer.end == VoxmapEnd::Cancelled) return endsAs(BuildEnd::Cancelled);
    // what is too thin for these, too, keeps what is small and fast
    if (finer.end == VoxmapEnd::Built && unresolvedBy(finer.map) < unresolvedBy(object.voxmap)) {
      putVoxmap(std::move(finer));
    }
    figures.voxmapSeconds += stopwatch.seconds();
  }
  object.cold = std::make_shared<PartsInMemory>(
      std::move(solid),
      PackedBalls{packing.origin, std::move(packing.spheres), std::move(packing.medialAxis)});
  return outcome;
}

}  // namespace tactus::collision
