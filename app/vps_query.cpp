#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/figures_text.hpp"
#include "app/model_source.hpp"
#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/contact/contact_cells.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/exact/exact_body.hpp"
#include "collision/pointshell/point_cells.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/facet_winding.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::PointForce;
using collision::PointForceSettings;
using collision::VoxmapPointshell;
using Eigen::Vector3d;
using models::Error;
using models::Reason;
using models::Result;

constexpr double kMostTests = 1e9;

/// What a query needs of an object. Copies share the arrays.
struct PointsAndVoxels {
  collision::Pointshell shell;
  collision::Voxmap map;
  std::vector<Vector3d> pieces;  ///< see VoxmapPointshell::Body
  double offset = 0.0;           ///< of the shell from the surface [m]

  [[nodiscard]] VoxmapPointshell::Body body() const { return {&shell, &map, pieces}; }
};

std::vector<Vector3d> piecesOf(const collision::FacetHierarchy& surface) {
  std::vector<Vector3d> points = collision::pointOfEachPart(surface);
  for (Vector3d& point : points)
    point += surface.origin();
  return points;
}

Vector3d middleOf(const PointsAndVoxels& object) {
  if (object.map.empty()) return object.shell.origin();
  const collision::Voxmap::Arrays& map = object.map.arrays();
  const Vector3d places(map.size[0], map.size[1], map.size[2]);
  return map.origin + 0.5 * static_cast<double>(map.voxel) * collision::Voxmap::kCells * places;
}

/// Closed, but with nothing inside, as a plate that is modelled by both of its faces in one place.
bool isDoubledSheet(const models::Mesh& mesh) {
  // of the extent cubed: what rounding leaves of a volume that is none
  constexpr double kNoVolume = 1e-9;
  const double extent = mesh.bounds().diagonal();
  return std::fabs(models::massProperties(mesh).volume) <= kNoVolume * extent * extent * extent &&
         collision::solidityOf(mesh) == collision::Solidity::Solid;
}

/// Points need no inside: a mesh that has none gives its points, spread anew each time.
Result<PointsAndVoxels> openFor(NamedObject found, const QueryRequest& request, bool givesPoints) {
  const std::string name = found.name;
  const Result<CollisionObject> object = openObject(std::move(found));
  if (object) {
    return PointsAndVoxels{object.value().pointshell, object.value().voxmap,
                           piecesOf(object.value().facets), object.value().parameters.pointsOffset};
  }
  if (!givesPoints || isCacheName(name) || object.error().reason == Reason::Cancelled)
    return object.error();
  const Result<SourcedModel> source = openModel(name);
  if (!source) return object.error();
  const models::Mesh& mesh = source.value().mesh;
  if (isDoubledSheet(mesh)) {
    complain(
        fmt::format("{}: its two sides lie on each other, so that its points push as much one way "
                    "as the other; only distances are told.",
                    models::printable(name)));
  } else if (collision::solidityOf(mesh) != collision::Solidity::Open) {
    return object.error();
  }
  return PointsAndVoxels{
      collision::Pointshell(mesh, {.points = request.parameters.spheres}), {}, {}, 0.0};
}

/// Tests of nodes and points in a microsecond: the median over poses from the middles upon each
/// other to half way apart.
double testsPerUs(const PointsAndVoxels& a, const PointsAndVoxels& b, VoxmapPointshell& query,
                  PointForceSettings settings) {
  constexpr int kTimes = 25;
  const collision::Pointshell& shell =
      settings.pointsOf == collision::PointsOf::A ? a.shell : b.shell;
  const Vector3d apart = middleOf(a) - middleOf(b);
  std::vector<double> rates;
  for (int k = 0; k < kTimes; ++k) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = apart;
    pose.translation()[k % 3] += shell.arrays().radius * 0.02 * k;
    const auto start = std::chrono::steady_clock::now();
    const PointForce found = query.query(pose, settings);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    const double tests = static_cast<double>(found.nodeTests) + found.pointTests;
    if (tests > 0.0 && took.count() > 0.0) rates.push_back(tests / took.count());
  }
  if (rates.empty()) return 1.0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

QueryAnswer ask(VoxmapPointshell& query, const Eigen::Isometry3d& aFromB,
                const PointForceSettings& settings) noexcept {
  const PointForce found = query.query(aFromB, settings);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  QueryAnswer answer;
  answer.volume = answer.volumeLower = answer.volumeUpper = kUnknown;
  answer.distance = std::max(0.0, found.distance);
  answer.energy = found.energy;
  // no minus in front of a zero
  answer.force = found.force + Vector3d::Zero();
  answer.torque = found.torque + Vector3d::Zero();
  answer.isCut = found.isCut || found.isDistanceCut;
  answer.contacts = found.area > 0.0 ? 1 : 0;
  return answer;
}

/// How many patches an overlap has, by a query that is no part of the time.
std::size_t patchesAt(VoxmapPointshell& query, const Eigen::Isometry3d& aFromB,
                      const PointForceSettings& settings) {
  const PointForce found = query.query(aFromB, settings);
  std::vector<collision::PointContact> room(collision::kPointContacts);
  collision::ContactCells cells;
  collision::PatchScratch patches;
  collision::cellsOfPoints(query, found, settings.law == collision::PointLaw::Depth, room, cells);
  // what overlaps without a force is a contact all the same
  return std::max<std::size_t>(1, collision::contactPatches(cells, aFromB, patches).count);
}

Error lacks(const std::string& name, const char* what, const char* option) {
  return {Reason::BadValue, -1,
          fmt::format("{}: it has no {}, which --method vps needs; build it with '{}'.",
                      models::printable(name), what, option)};
}

}  // namespace

Result<std::vector<QueryAnswer>> askPoints(QueryRequest& request,
                                           const std::vector<Eigen::Isometry3d>& poses) {
  const bool isOfA = request.pointsOf == "a";
  Result<NamedObject> foundA = findObject(request.a, request.parameters);
  if (!foundA) return foundA.error();
  const bool isSame = request.a == request.b;
  Result<NamedObject> foundB = isSame ? NamedObject{} : findObject(request.b, request.parameters);
  if (!foundB) return foundB.error();
  const Result<PointsAndVoxels> a = openFor(std::move(foundA).value(), request, isOfA);
  if (!a) return a.error();
  const Result<PointsAndVoxels> b =
      isSame ? a : openFor(std::move(foundB).value(), request, !isOfA);
  if (!b) return b.error();
  if ((isOfA ? a : b).value().shell.empty()) {
    return lacks(isOfA ? request.a : request.b, "points", "--points");
  }
  const PointsAndVoxels& voxels = (isOfA ? b : a).value();
  const std::string& nameOfVoxels = isOfA ? request.b : request.a;
  if (voxels.map.empty()) return lacks(nameOfVoxels, "voxmap", "--voxel");
  if (const std::string thin = aboutThinParts(voxels.shell, voxels.map, voxels.offset);
      !thin.empty())
    complain(fmt::format("{}: {}.", models::printable(nameOfVoxels), thin));
  VoxmapPointshell query(
      a.value().body(), b.value().body(),
      request.isCoherent ? collision::Coherence::SmallSteps : collision::Coherence::None);
  PointForceSettings settings{
      .law = request.law == "depth" ? collision::PointLaw::Depth : collision::PointLaw::Volume,
      .pointsOf = isOfA ? collision::PointsOf::A : collision::PointsOf::B};
  if (request.budgetUs) {
    const double tests =
        std::floor(*request.budgetUs * testsPerUs(a.value(), b.value(), query, settings));
    request.budget = static_cast<std::uint32_t>(std::clamp(tests, 1.0, kMostTests));
    query.forget();
  }
  settings.pointTests = request.budget.value_or(collision::kAllPoints);
  // what is coherent begins with the first pose
  const WarmUp warmUp = request.isCoherent ? WarmUp::None : WarmUp::SomePoses;
  std::vector<QueryAnswer> answers =
      askAll(poses, request.repeat, warmUp,
             [&](const Eigen::Isometry3d& aFromB) { return ask(query, aFromB, settings); });
  settings.wantsContacts = true;
  for (std::size_t p = 0; p < poses.size(); ++p) {
    if (answers[p].contacts > 0) answers[p].contacts = patchesAt(query, poses[p], settings);
  }
  for (std::size_t p = 1; request.isSwept && p < poses.size(); ++p)
    answers[p].freeWay = query.sweep(poses[p - 1], poses[p], settings.pointsOf).time;
  return answers;
}

}  // namespace tactus::app
