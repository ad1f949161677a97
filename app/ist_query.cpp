#include <algorithm>
#include <utility>

#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/surface/facet_distance.hpp"
#include "collision/tree/penetration_volume.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::FacetDistanceScratch;
using collision::PenetrationScratch;
using collision::PenetrationVolume;
using models::Result;

// Of the smaller object's volume: it is all of it inside, and next to nothing where only balls
// stick out of surfaces that do not meet.
constexpr double kShareInside = 0.5;

/// Room for the queries of one pair of objects.
struct Scratch {
  PenetrationScratch volume;
  FacetDistanceScratch distance;
};

/// The unified query: volume, bounds and wrench of an overlap, else the distance.
///
/// Balls stick out of their object a little, so that they may overlap where the objects do not:
/// unless an overlap is certain, the surfaces are asked as well. One object within the other, whose
/// surfaces are apart too, is told by the volume.
QueryAnswer ask(const CollisionObject& a, const CollisionObject& b, const Eigen::Isometry3d& aFromB,
                Scratch& scratch) noexcept {
  QueryAnswer answer;
  const PenetrationVolume overlap =
      collision::penetrationVolume(a.tree, b.tree, aFromB, scratch.volume);
  const double smaller = std::min(a.tree.arrays().volume, b.tree.arrays().volume);
  const bool isInside = overlap.volume > kShareInside * smaller;
  if (!(overlap.volumeLower > 0.0) && !isInside) {
    answer.distance =
        collision::facetDistance(a.facets, b.facets, aFromB, scratch.distance).distance;
    if (answer.distance > 0.0) return answer;
  }
  answer.volumeLower = overlap.volumeLower;
  answer.volumeUpper = std::max(overlap.volumeLower, overlap.volumeUpper);
  answer.volume = std::clamp(overlap.volume, answer.volumeLower, answer.volumeUpper);
  answer.force = overlap.force;
  answer.torque = overlap.torque;
  answer.contacts = answer.volume > 0.0 ? 1 : 0;
  return answer;
}

}  // namespace

Result<std::vector<QueryAnswer>> askTrees(const QueryRequest& request,
                                          const std::vector<Eigen::Isometry3d>& poses) {
  const Result<CollisionObject> a = openObject(request.a, request.parameters);
  if (!a) return a.error();
  // where caches cannot be kept, an object against itself is still built once
  const Result<CollisionObject> b =
      request.a == request.b ? a : openObject(request.b, request.parameters);
  if (!b) return b.error();
  Scratch scratch{PenetrationScratch(a.value().tree, b.value().tree), {}};
  return askAll(poses, request.repeat, [&](const Eigen::Isometry3d& aFromB) {
    if (!request.isCoherent) scratch.distance.forget();
    return ask(a.value(), b.value(), aFromB, scratch);
  });
}

}  // namespace tactus::app
