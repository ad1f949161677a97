#include "collision/cache/object_cache.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "collision/cache/array_checks.hpp"
#include "collision/cache/object_builder.hpp"
#include "collision/tree/ball_hierarchy.hpp"
#include "collision/voxmap/large_pages.hpp"

namespace tactus::collision {
namespace {

using models::Error;
using models::Reason;
using models::Result;
using models::say;

using Three = std::array<double, 3>;

// What stands alone in a section, one element each. Numbers of one size, so that there are no gaps.

/// Section "build".
struct BuildHead {
  std::uint64_t spheresWanted, packing, seed;
  double cellFineness;
  std::uint64_t closed, signRule, end, triangles, spheres;
  double volume, sphereVolume;
  double checkSeconds, packSeconds, cellsSeconds, treeSeconds, facetsSeconds;
};

/// Section "tree".
struct TreeHead {
  Three origin;
  double volume;
  std::uint64_t leafCount, depth;
};

/// Section "facets".
struct FacetsHead {
  Three origin;
  double radius;
};

/// Section "field".
struct FieldHead {
  Three origin;
  std::uint64_t levels;
};

/// Section "depths".
struct DepthsHead {
  Three origin;
  std::array<std::uint64_t, 3> size;
  double side, unit;
};

/// Section "build.voxmap".
struct VoxmapBuildHead {
  double voxelSize;
  std::uint64_t bytes;
  double seconds;
};

/// Section "voxmap".
struct VoxmapHead {
  Three origin;
  std::array<std::uint64_t, 3> size;
  double voxel, unit;
  std::uint64_t coarseUnits;
  double nearMost, nearRms, anywhereMost, anywhereRms;
  std::uint64_t nearPoints, anywherePoints;
};

/// Section "depths.thin".
struct ThinWallsHead {
  double share;
};

/// Section "voxmap.bound".
struct VoxmapBoundHead {
  double inBricks, elsewhere;
};

/// Section "build.points".
struct PointsBuildHead {
  std::uint64_t points;
  double seconds;
};

/// Section "points".
struct PointsHead {
  Three origin;
  double area, radius;
  double leastSpacing, meanSpacing, latticeSpacing;
};

/// Section "mesh".
struct MeshHead {
  Three origin;
  std::uint64_t mergedByRounding;
};

/// Section "packing".
struct PackingHead {
  Three origin;
};

static_assert(sizeof(BuildHead) == 16 * 8 && sizeof(TreeHead) == 6 * 8 &&
              sizeof(FacetsHead) == 4 * 8 && sizeof(FieldHead) == 4 * 8 &&
              sizeof(DepthsHead) == 8 * 8 && sizeof(VoxmapBuildHead) == 3 * 8 &&
              sizeof(VoxmapHead) == 15 * 8 && sizeof(VoxmapBoundHead) == 2 * 8 &&
              sizeof(ThinWallsHead) == 8 && sizeof(PointsBuildHead) == 2 * 8 &&
              sizeof(PointsHead) == 8 * 8 && sizeof(MeshHead) == 4 * 8 &&
              sizeof(PackingHead) == 3 * 8);

// Elements of arrays. If one of these sizes changes, the format does: raise kFormatVersion.
static_assert(sizeof(InnerSphereTree::Bounds) == 64 && sizeof(InnerSphereTree::Contents) == 64 &&
              sizeof(InnerSphereTree::Sums) == 32 && sizeof(NormalCones::Four) == 16 &&
              sizeof(FacetHierarchy::Caps) == 128 && sizeof(Pointshell::Level) == 16 &&
              sizeof(Pointshell::Block) == 448 && sizeof(Pointshell::Balls) == 256 &&
              sizeof(Pointshell::Sums) == 448 && sizeof(Pointshell::Cones) == 256 &&
              sizeof(DistanceField::Level) == 24 && sizeof(PackedSphere) == 16 &&
              sizeof(Eigen::Vector3f) == 12 && sizeof(models::Triangle) == 12);

Three toThree(const Eigen::Vector3d& v) noexcept {
  return {v.x(), v.y(), v.z()};
}

Eigen::Vector3d toVector(const Three& v) noexcept {
  return {v[0], v[1], v[2]};
}

/// Takes sections out of a file until something is wrong, and then remembers what.
class Reader {
 public:
  explicit Reader(const SectionFile& file) : file_(file) {}

  /// In the file's memory; nothing once something was wrong.
  template <typename T>
  std::span<const T> array(std::string_view name) {
    if (error_) return {};
    const Result<std::span<const std::byte>> bytes = file_.checked(name, sizeof(T));
    if (!bytes) {
      error_ = bytes.error();
      return {};
    }
    // sections begin at multiples of SectionFile::kAlignment of a map that begins at a page
    static_assert(alignof(T) <= SectionFile::kAlignment);
    return {reinterpret_cast<const T*>(bytes.value().data()), bytes.value().size() / sizeof(T)};
  }

  /// The only element of a section.
  template <typename T>
  T one(std::string_view name) {
    const std::span<const T> all = array<T>(name);
    T value{};
    if (all.size() == 1) {
      std::memcpy(&value, all.data(), sizeof(T));
    } else {
      refuse(name, "the number of its elements");
    }
    return value;
  }

  /// A copy.
  template <typename T>
  std::vector<T> copy(std::string_view name) {
    const std::span<const T> all = array<T>(name);
    return {all.begin(), all.end()};
  }

  /// Unless `flaw` is empty, or something was wrong before.
  void refuse(std::string_view section, std::string_view flaw) {
    if (error_ || flaw.empty()) return;
    error_ = file_.label().whole(
        Reason::Malformed, say("the cache is damaged (", section, ": ", flaw, "); build it again"));
  }

  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  const SectionFile& file_;
  std::optional<Error> error_;
};

/// Cold parts of an object from a file.
class PartsInFile final : public ColdParts {
 public:
  explicit PartsInFile(std::shared_ptr<const SectionFile> file) : file_(std::move(file)) {}

  [[nodiscard]] Result<SolidMesh> solid() const override {
    return guarded([this]() -> Result<SolidMesh> {
      Reader reader(*file_);
      SolidMesh solid;
      const auto head = reader.one<MeshHead>("mesh");
      solid.mesh.origin = toVector(head.origin);
      solid.mesh.mergedByRounding = head.mergedByRounding;
      solid.mesh.positions = reader.copy<Eigen::Vector3f>("mesh.positions");
      solid.mesh.triangles = reader.copy<models::Triangle>("mesh.triangles");
      solid.remainders = reader.copy<Eigen::Vector3f>("mesh.remainders");
      if (!reader.error()) reader.refuse("mesh", flawOf(solid));
      if (const std::optional<Error>& error = reader.error()) return *error;
      return solid;
    });
  }

  [[nodiscard]] Result<PackedBalls> packing() const override {
    return guarded([this]() -> Result<PackedBalls> {
      Reader reader(*file_);
      PackedBalls packing;
      packing.origin = toVector(reader.one<PackingHead>("packing").origin);
      packing.spheres = reader.copy<PackedSphere>("packing.spheres");
      packing.medialAxis = reader.copy<PackedSphere>("packing.medial");
      if (!reader.error()) reader.refuse("packing", flawOf(packing));
      if (const std::optional<Error>& error = reader.error()) return *error;
      return packing;
    });
  }

 private:
  template <typename Work>
  auto guarded(const Work& work) const -> decltype(work()) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return file_->label().whole(Reason::TooLarge,
                                  "the object does not fit into memory; close programs");
    }
  }

  std::shared_ptr<const SectionFile> file_;
};

BuildHead toHead(const BuildParameters& parameters, const BuildFigures& figures) {
  return {parameters.spheres,
          static_cast<std::uint64_t>(parameters.packing),
          parameters.seed,
          parameters.cellFineness,
          figures.closed ? 1U : 0U,
          static_cast<std::uint64_t>(figures.signRule),
          static_cast<std::uint64_t>(figures.end),
          figures.triangles,
          figures.spheres,
          figures.volume,
          figures.sphereVolume,
          figures.checkSeconds,
          figures.packSeconds,
          figures.cellsSeconds,
          figures.treeSeconds,
          figures.facetsSeconds};
}

/// What is wrong with the figures; empty: nothing.
std::string_view flawOf(const BuildHead& head) {
  if (head.packing > static_cast<std::uint64_t>(PackingMethod::Voxel)) return "the packing";
  if (head.signRule > static_cast<std::uint64_t>(SignRule::WindingNumber)) return "the sign rule";
  if (head.end > static_cast<std::uint64_t>(PackingEnd::Cancelled)) return "the end";
  if (head.closed > 1) return "whether it is closed";
  for (const double number :
       {head.cellFineness, head.volume, head.sphereVolume, head.checkSeconds, head.packSeconds,
        head.cellsSeconds, head.treeSeconds, head.facetsSeconds}) {
    if (!std::isfinite(number)) return "a number that is not finite";
  }
  return {};
}

void fromHead(const BuildHead& head, BuildParameters& parameters, BuildFigures& figures) {
  parameters.spheres = head.spheresWanted;
  parameters.packing = static_cast<PackingMethod>(head.packing);
  parameters.seed = head.seed;
  parameters.cellFineness = head.cellFineness;
  figures.closed = head.closed != 0;
  figures.signRule = static_cast<SignRule>(head.signRule);
  figures.end = static_cast<PackingEnd>(head.end);
  figures.triangles = head.triangles;
  figures.spheres = head.spheres;
  figures.volume = head.volume;
  figures.sphereVolume = head.sphereVolume;
  figures.checkSeconds = head.checkSeconds;
  figures.packSeconds = head.packSeconds;
  figures.cellsSeconds = head.cellsSeconds;
  figures.treeSeconds = head.treeSeconds;
  figures.facetsSeconds = head.facetsSeconds;
}

VoxmapHead toHead(const Voxmap::Arrays& map) {
  const auto wide = [&](std::size_t k) { return static_cast<std::uint64_t>(map.size[k]); };
  return {toThree(map.origin),
          {wide(0), wide(1), wide(2)},
          static_cast<double>(map.voxel),
          static_cast<double>(map.unit),
          static_cast<std::uint64_t>(map.coarseUnits),
          map.error.nearMost,
          map.error.nearRms,
          map.error.anywhereMost,
          map.error.anywhereRms,
          map.error.nearPoints,
          map.error.anywherePoints};
}

PointsHead toHead(const Pointshell::Arrays& shell) {
  return {toThree(shell.origin), shell.area,         shell.radius,
          shell.spacing.least,   shell.spacing.mean, shell.spacing.lattice};
}

Pointshell::Arrays readPointshell(Reader& reader) {
  const auto head = reader.one<PointsHead>("points");
  Pointshell::Arrays shell;
  shell.origin = toVector(head.origin);
  shell.area = head.area;
  shell.radius = head.radius;
  shell.spacing = {head.leastSpacing, head.meanSpacing, head.latticeSpacing};
  shell.levels = reader.array<Pointshell::Level>("points.levels");
  shell.blocks = reader.array<Pointshell::Block>("points.blocks");
  shell.balls = reader.array<Pointshell::Balls>("points.balls");
  shell.sums = reader.array<Pointshell::Sums>("points.sums");
  shell.cones = reader.array<Pointshell::Cones>("points.cones");
  shell.order = reader.array<std::uint32_t>("points.order");
  if (!reader.error()) reader.refuse("points", flawOf(shell));
  return shell;
}

Voxmap::Arrays readVoxmap(Reader& reader) {
  const auto head = reader.one<VoxmapHead>("voxmap");
  Voxmap::Arrays map;
  map.origin = toVector(head.origin);
  // what does not fit is refused, and so are these
  const auto held = [](std::uint64_t number) {
    return static_cast<std::int32_t>(
        std::min<std::uint64_t>(number, std::numeric_limits<std::int32_t>::max()));
  };
  for (std::size_t k = 0; k < map.size.size(); ++k)
    map.size[k] = held(head.size[k]);
  map.voxel = static_cast<float>(head.voxel);
  map.unit = static_cast<float>(head.unit);
  map.coarseUnits = held(head.coarseUnits);
  map.error = {head.nearMost,    head.nearRms,    head.anywhereMost,
               head.anywhereRms, head.nearPoints, head.anywherePoints};
  map.places = reader.array<std::int32_t>("voxmap.places");
  map.values = reader.array<std::int16_t>("voxmap.values");
  if (!reader.error()) reader.refuse("voxmap", flawOf(map));
  return map;
}

template <typename T>
SectionContent content(std::string_view name, Heat heat, std::span<const T> all) {
  return {name, sizeof(T), heat, std::as_bytes(all)};
}

template <typename T>
SectionContent content(std::string_view name, Heat heat, const std::vector<T>& all) {
  return content(name, heat, std::span<const T>(all));
}

/// Of a head, which must outlive what is returned.
template <typename T>
SectionContent alone(std::string_view name, Heat heat, const T& head) {
  return content(name, heat, std::span<const T>(&head, 1));
}

}  // namespace

Result<std::uint64_t> writeObject(const CollisionObject& object, const std::filesystem::path& file,
                                  bool overwrites) {
  const Result<SolidMesh> solid = object.cold->solid();
  if (!solid) return solid.error();
  const Result<PackedBalls> packing = object.cold->packing();
  if (!packing) return packing.error();
  const models::Mesh& mesh = solid.value().mesh;
  const InnerSphereTree::Arrays& tree = object.tree.arrays();
  const FacetHierarchy::Arrays& facets = object.facets.arrays();
  const DistanceField::Arrays& field = object.field.arrays();
  const DepthField::Arrays& depths = object.depths.arrays();

  const BuildHead buildHead = toHead(object.parameters, object.figures);
  const TreeHead treeHead = {toThree(tree.origin), tree.volume, tree.leafCount,
                             static_cast<std::uint64_t>(tree.depth)};
  const FacetsHead facetsHead = {toThree(facets.origin), facets.radius};
  const FieldHead fieldHead = {toThree(field.origin), field.levelCount};
  const DepthsHead depthsHead = {
      toThree(depths.origin),
      {static_cast<std::uint64_t>(depths.size[0]), static_cast<std::uint64_t>(depths.size[1]),
       static_cast<std::uint64_t>(depths.size[2])},
      static_cast<double>(depths.side),
      static_cast<double>(depths.unit)};
  const Voxmap::Arrays& voxmap = object.voxmap.arrays();
  const VoxmapBuildHead voxmapBuildHead = {
      object.parameters.voxelSize, object.parameters.voxmapBytes, object.figures.voxmapSeconds};
  const VoxmapHead voxmapHead = toHead(voxmap);
  const ThinWallsHead thinWallsHead = {object.figures.thinWalls};
  const VoxmapBoundHead voxmapBoundHead = {object.figures.voxmapBound.inBricks,
                                           object.figures.voxmapBound.elsewhere};
  const Pointshell::Arrays& shell = object.pointshell.arrays();
  const PointsBuildHead pointsBuildHead = {object.parameters.points, object.figures.pointsSeconds};
  const double pointsOffset = object.parameters.pointsOffset;
  const PointsHead pointsHead = toHead(shell);
  const MeshHead meshHead = {toThree(mesh.origin), mesh.mergedByRounding};
  const PackingHead packingHead = {toThree(packing.value().origin)};
  const std::array sections = {
      alone("build", Heat::Hot, buildHead),
      alone("tree", Heat::Hot, treeHead),
      alone("facets", Heat::Hot, facetsHead),
      content("tree.bounds", Heat::Hot, tree.bounds),
      content("tree.contents", Heat::Hot, tree.contents),
      content("tree.sums", Heat::Hot, tree.sums),
      content("tree.spheres", Heat::Hot, tree.sphereOfSlot),
      content("tree.cones", Heat::Hot, object.cones.arrays().cones),
      content("facets.caps", Heat::Hot, facets.caps),
      content("facets.links", Heat::Hot, facets.links),
      content("facets.slots", Heat::Hot, facets.slots),
      content("facets.triangles", Heat::Hot, facets.facets),
      content("facets.corners", Heat::Hot, facets.corners),
      alone("field", Heat::Hot, fieldHead),
      content("field.levels", Heat::Hot,
              std::span<const DistanceField::Level>(field.levels.data(), field.levelCount)),
      content("field.values", Heat::Hot, field.values),
      alone("depths", Heat::Hot, depthsHead),
      content("depths.values", Heat::Hot, depths.values),
      alone("build.voxmap", Heat::Hot, voxmapBuildHead),
      alone("voxmap", Heat::Hot, voxmapHead),
      alone("voxmap.bound", Heat::Hot, voxmapBoundHead),
      alone("depths.thin", Heat::Hot, thinWallsHead),
      content("voxmap.places", Heat::Hot, voxmap.places),
      content("voxmap.values", Heat::Hot, voxmap.values),
      alone("build.points", Heat::Hot, pointsBuildHead),
      alone("build.points.offset", Heat::Hot, pointsOffset),
      alone("points", Heat::Hot, pointsHead),
      content("points.levels", Heat::Hot, shell.levels),
      content("points.blocks", Heat::Hot, shell.blocks),
      content("points.balls", Heat::Hot, shell.balls),
      content("points.sums", Heat::Hot, shell.sums),
      content("points.cones", Heat::Hot, shell.cones),
      content("points.order", Heat::Hot, shell.order),
      alone("mesh", Heat::Cold, meshHead),
      content("mesh.positions", Heat::Cold, mesh.positions),
      content("mesh.triangles", Heat::Cold, mesh.triangles),
      content("mesh.remainders", Heat::Cold, solid.value().remainders),
      alone("packing", Heat::Cold, packingHead),
      content("packing.spheres", Heat::Cold, packing.value().spheres),
      content("packing.medial", Heat::Cold, packing.value().medialAxis)};
  return writeSections(file, object.identity, kBuilderVersion, sections, overwrites);
}

Result<CollisionObject> readObject(std::shared_ptr<const SectionFile> file) {
  try {
    Reader reader(*file);
    CollisionObject object;
    object.identity = file->head().identity;
    const auto buildHead = reader.one<BuildHead>("build");
    reader.refuse("build", flawOf(buildHead));

    const auto treeHead = reader.one<TreeHead>("tree");
    InnerSphereTree::Arrays tree;
    tree.origin = toVector(treeHead.origin);
    tree.volume = treeHead.volume;
    tree.leafCount = treeHead.leafCount;
    tree.bounds = reader.array<InnerSphereTree::Bounds>("tree.bounds");
    tree.contents = reader.array<InnerSphereTree::Contents>("tree.contents");
    tree.sums = reader.array<InnerSphereTree::Sums>("tree.sums");
    tree.sphereOfSlot = reader.array<std::uint32_t>("tree.spheres");
    if (treeHead.depth > BallHierarchy::kMaxDepth) reader.refuse("tree", "its depth");
    tree.depth = static_cast<std::int32_t>(treeHead.depth);
    if (!reader.error()) reader.refuse("tree", flawOf(tree));
    NormalCones::Arrays cones;
    // older builders made none
    const bool hasCones =
        file->head().builderVersion == kBuilderVersion || file->find("tree.cones") != nullptr;
    if (hasCones) {
      cones.cones = reader.array<NormalCones::Four>("tree.cones");
      if (!reader.error()) reader.refuse("tree.cones", flawOf(cones, tree));
    }

    const auto facetsHead = reader.one<FacetsHead>("facets");
    FacetHierarchy::Arrays facets;
    facets.origin = toVector(facetsHead.origin);
    facets.radius = facetsHead.radius;
    facets.caps = reader.array<FacetHierarchy::Caps>("facets.caps");
    facets.links = reader.array<std::int32_t>("facets.links");
    facets.slots = reader.array<std::int32_t>("facets.slots");
    facets.facets = reader.array<std::uint32_t>("facets.triangles");
    facets.corners = reader.array<std::array<float, 9>>("facets.corners");
    if (!reader.error()) reader.refuse("facets", flawOf(facets, buildHead.triangles));

    const auto fieldHead = reader.one<FieldHead>("field");
    DistanceField::Arrays field;
    field.origin = toVector(fieldHead.origin);
    const std::span<const DistanceField::Level> levels =
        reader.array<DistanceField::Level>("field.levels");
    if (fieldHead.levels != levels.size() || levels.size() > field.levels.size()) {
      reader.refuse("field", "its number of grids");
    } else {
      std::copy(levels.begin(), levels.end(), field.levels.begin());
      field.levelCount = static_cast<std::uint32_t>(levels.size());
    }
    field.values = reader.array<std::int8_t>("field.values");
    if (!reader.error()) reader.refuse("field", flawOf(field));

    const auto depthsHead = reader.one<DepthsHead>("depths");
    DepthField::Arrays depths;
    depths.origin = toVector(depthsHead.origin);
    for (std::size_t k = 0; k < depths.size.size(); ++k) {
      const std::uint64_t most = DepthField::kMaxAlong + 1;  // which is refused
      depths.size[k] = static_cast<std::int32_t>(std::min(depthsHead.size[k], most));
    }
    depths.side = static_cast<float>(depthsHead.side);
    depths.unit = static_cast<float>(depthsHead.unit);
    depths.values = reader.array<std::int16_t>("depths.values");
    if (!reader.error()) reader.refuse("depths", flawOf(depths));

    VoxmapBuildHead voxmapBuild{};
    Voxmap::Arrays voxmap;
    // caches of the builders before 4 have none, and are built again from their meshes
    const bool hasVoxmap = std::ranges::any_of(file->sections(), [](const SectionEntry& section) {
      return section.name.find("voxmap") != std::string::npos;
    });
    if (hasVoxmap || file->head().builderVersion >= 4) {
      voxmapBuild = reader.one<VoxmapBuildHead>("build.voxmap");
      if (!std::isfinite(voxmapBuild.voxelSize) || !std::isfinite(voxmapBuild.seconds)) {
        reader.refuse("build.voxmap", "a number that is not finite");
      }
      voxmap = readVoxmap(reader);
    }
    ThinWallsHead thinWalls{};
    // builders before 16 did not look for them
    if (file->head().builderVersion >= 16 || file->find("depths.thin") != nullptr) {
      thinWalls = reader.one<ThinWallsHead>("depths.thin");
      if (!(thinWalls.share >= 0.0 && thinWalls.share <= 1.0))
        reader.refuse("depths.thin", "a number that is no share");
    }

    VoxmapBoundHead voxmapBound{};
    // caches of the builders before 13 have none
    if (file->head().builderVersion >= 13 || file->find("voxmap.bound") != nullptr) {
      voxmapBound = reader.one<VoxmapBoundHead>("voxmap.bound");
      if (!(voxmapBound.inBricks >= 0.0) || !(voxmapBound.elsewhere >= 0.0) ||
          !std::isfinite(voxmapBound.inBricks + voxmapBound.elsewhere)) {
        reader.refuse("voxmap.bound", "a number that is no length");
      }
    }
    PointsBuildHead pointsBuild{kPointsAsSpheres, 0.0};
    Pointshell::Arrays shell;
    if (file->head().builderVersion >= 5 || file->find("points") != nullptr) {
      pointsBuild = reader.one<PointsBuildHead>("build.points");
      if (!std::isfinite(pointsBuild.seconds)) {
        reader.refuse("build.points", "a number that is not finite");
      }
      shell = readPointshell(reader);
    }
    double pointsOffset = 0.0;
    if (file->find("build.points.offset") != nullptr) {
      pointsOffset = reader.one<double>("build.points.offset");
      if (!std::isfinite(pointsOffset)) {
        reader.refuse("build.points.offset", "a number that is not finite");
      }
    }
    if (const std::optional<Error>& error = reader.error()) return *error;

    fromHead(buildHead, object.parameters, object.figures);
    object.parameters.voxelSize = voxmapBuild.voxelSize;
    object.parameters.voxmapBytes = voxmapBuild.bytes;
    object.figures.voxmapSeconds = voxmapBuild.seconds;
    object.figures.thinWalls = thinWalls.share;
    object.figures.voxmapBound = {voxmapBound.inBricks, voxmapBound.elsewhere};
    object.tree = InnerSphereTree(tree, file);
    object.cones = NormalCones(cones, file);
    object.field = DistanceField(field, file);
    object.facets = FacetHierarchy(facets, file);
    object.depths = DepthField(depths, file);
    object.parameters.points = pointsBuild.points;
    object.parameters.pointsOffset = pointsOffset;
    object.figures.pointsSeconds = pointsBuild.seconds;
    object.voxmap = inLargePages(Voxmap(voxmap, file));
    object.pointshell = Pointshell(shell, file);
    object.cold = std::make_shared<PartsInFile>(std::move(file));
    return object;
  } catch (const std::bad_alloc&) {
    return file->label().whole(Reason::TooLarge,
                               "the object does not fit into memory; close programs");
  }
}

Result<CollisionObject> readObject(const std::filesystem::path& file) {
  Result<std::shared_ptr<const SectionFile>> opened = SectionFile::open(file);
  if (!opened) return opened.error();
  return readObject(std::move(opened).value());
}

}  // namespace tactus::collision
