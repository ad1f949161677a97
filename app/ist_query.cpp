#include <utility>

#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/tree/proximity.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::Proximity;
using collision::ProximityBody;
using collision::ProximityScratch;
using models::Result;

QueryAnswer ask(const ProximityBody& a, const ProximityBody& b, const Eigen::Isometry3d& aFromB,
                ProximityScratch& scratch) noexcept {
  const Proximity found = collision::proximity(a, b, aFromB, scratch);
  QueryAnswer answer;
  answer.volume = found.volume;
  answer.volumeLower = found.volumeLower;
  answer.volumeUpper = found.volumeUpper;
  answer.distance = found.distance;
  answer.force = found.force;
  answer.torque = found.torque;
  answer.contacts = found.volume > 0.0 ? 1 : 0;
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
  const ProximityBody bodyA = a.value().body();
  const ProximityBody bodyB = b.value().body();
  ProximityScratch scratch(
      bodyA, bodyB,
      request.isCoherent ? collision::Coherence::SmallSteps : collision::Coherence::None);
  return askAll(poses, request.repeat, [&](const Eigen::Isometry3d& aFromB) {
    if (!request.isCoherent) scratch.forget();
    return ask(bodyA, bodyB, aFromB, scratch);
  });
}

}  // namespace tactus::app
