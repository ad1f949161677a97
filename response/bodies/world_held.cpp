// Friction of bodies that are asked of by loadOn(): of tools without mass.
#include "collision/surface/separation_list.hpp"
#include "response/bodies/world.hpp"

namespace tactus::response {

using Eigen::Isometry3d;

void World::beginLoads(std::size_t body, double dt) noexcept {
  loaded_ = body;
  timeOfLoads_ = dt;
  isFirstLoad_ = true;
  for (Held& held : held_) {
    if (held.body == body) held.touches = false;
  }
}

/// The patches of the pair, as they are, take its bristles.
void World::holdBy(std::size_t body, std::size_t other, const Isometry3d& aFromB,
                   const Material& material) noexcept {
  Held* found = nullptr;
  for (Held& held : held_) {
    if (held.isTaken && held.body == body && held.other == other) {
      found = &held;
      break;
    }
    if (!held.isTaken && found == nullptr) found = &held;
  }
  if (found == nullptr) {
    ++frictionlessLoads_;
    return;
  }
  if (!found->isTaken) {
    found->body = static_cast<std::uint32_t>(body);
    found->other = static_cast<std::uint32_t>(other);
    found->isTaken = true;
    found->friction.begin(aFromB);
  }
  found->touches = true;
  const Body& b = bodies_[std::max(body, other)];
  const double path =
      collision::farthestMove(found->friction.takenAt(), aFromB, b.mass.centre, b.mass.radius);
  found->friction.moved(aFromB, timeOfLoads_);
  found->friction.taken(patches_, material, aFromB, path);
}

/// After all pairs have been asked.
void World::addHeld(std::size_t body, const Isometry3d& pose, ContactLoad& load) noexcept {
  if (isFirstLoad_) letGoUntouched(body);
  isFirstLoad_ = false;
  for (const Held& held : held_) {
    if (!held.isTaken || held.body != body) continue;
    const bool isToolA = body < held.other;
    const Isometry3d& other = bodies_[held.other].seen();
    held.friction.addTo(load, isToolA ? pose : other, isToolA ? other : pose, isToolA);
  }
}

void World::letGoUntouched(std::size_t body) noexcept {
  for (Held& held : held_) {
    if (held.body == body && !held.touches) held.isTaken = false;
  }
}

void World::letGo(std::size_t body) noexcept {
  for (Held& held : held_) {
    if (held.body == body || held.other == body) held.isTaken = false;
  }
}

void World::endLoads(std::size_t body, const Isometry3d& pose) noexcept {
  if (loaded_ != body) return;
  loaded_ = kMostBodies;
  bodies_[body].settled = pose;
  bodies_[body].isSettled = true;
  for (Held& held : held_) {
    if (!held.isTaken || held.body != body) continue;
    const Isometry3d& other = bodies_[held.other].seen();
    const bool isToolA = body < held.other;
    held.friction.settled(
        isToolA ? pose.inverse(Eigen::Isometry) * other : other.inverse(Eigen::Isometry) * pose,
        timeOfLoads_);
  }
}

}  // namespace tactus::response
