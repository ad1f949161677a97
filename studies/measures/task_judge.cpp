#include "studies/measures/task_judge.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d placeOf(const haptics::BodyRecord& body) {
  return {body.position[0], body.position[1], body.position[2]};
}

Isometry3d poseOf(const haptics::BodyRecord& body) {
  return Eigen::Translation3d(placeOf(body)) * Quaterniond(body.orientation[0], body.orientation[1],
                                                           body.orientation[2],
                                                           body.orientation[3]);
}

/// "rhino" of "builtin:rhino@3000".
std::string kindOf(const models::SceneBody& body) {
  std::string kind = body.model.source;
  const std::size_t colon = kind.find(':');
  if (colon == std::string::npos) return body.name;
  kind = kind.substr(colon + 1);
  return kind.substr(0, kind.find('@'));
}

}  // namespace

TaskJudge::TaskJudge(const ProtocolTask& task, const models::Scene& scene, double tickSeconds)
    : kind_(task.kind),
      distance_(task.withinDistance),
      angle_(task.withinAngle),
      holdTicks_(static_cast<std::uint64_t>(std::llround(task.holdSeconds / tickSeconds))) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (scene.bodies[k].kind != models::SceneBodyKind::Dynamic) continue;
    loose_.push_back(k);
    kindOf_.push_back(kindOf(scene.bodies[k]));
  }
  for (const TaskSide& side : task.sides) {
    Side made;
    made.within.resize(loose_.size());
    const auto well = std::ranges::find(task.wells, side.name, &TaskWell::side);
    if (well != task.wells.end()) {
      const auto body = std::ranges::find(scene.bodies, well->body, &models::SceneBody::name);
      made.well = static_cast<std::size_t>(body - scene.bodies.begin());
      made.radius = well->radius;
      made.height = well->height;
    }
    sides_.push_back(std::move(made));
  }
  for (const TaskTarget& target : task.targets) {
    const auto hand = std::ranges::find(scene.hands, target.hand, &models::SceneHand::name);
    targets_.push_back(
        {hand->tool, Isometry3d(Eigen::Translation3d(target.position) * target.orientation)});
  }
}

void TaskJudge::look(std::span<const haptics::BodyRecord> bodies, std::uint64_t ticks) noexcept {
  if (kind_ == TaskKind::Pocket) {
    for (Side& side : sides_) {
      const Isometry3d wellFromScene = poseOf(bodies[side.well]).inverse();
      for (std::size_t k = 0; k < loose_.size(); ++k) {
        const Vector3d place = wellFromScene * placeOf(bodies[loose_[k]]);
        const bool isWithin =
            place.y() > 0.0 && place.y() < side.height &&
            place.x() * place.x() + place.z() * place.z() < side.radius * side.radius;
        side.within[k] = isWithin ? 1 : 0;
        if (isWithin && !side.first) side.first = ticks;
      }
    }
    return;
  }
  if (targets_.empty() || kind_ == TaskKind::Press || doneTicks_) return;
  Isometry3d is = poseOf(bodies[targets_[0].body]);
  Isometry3d wanted = targets_[0].pose;
  if (targets_.size() > 1) {
    is = is.inverse() * poseOf(bodies[targets_[1].body]);
    wanted = wanted.inverse() * targets_[1].pose;
  }
  const double turn = Quaterniond(is.linear()).angularDistance(Quaterniond(wanted.linear()));
  const bool isThere =
      (is.translation() - wanted.translation()).norm() <= distance_ && turn <= angle_;
  heldTicks_ = isThere ? heldTicks_ + 1 : 0;
  if (heldTicks_ > holdTicks_) doneTicks_ = ticks;
}

bool TaskJudge::hasEachPocketed() const noexcept {
  return std::ranges::all_of(sides_, [](const Side& side) { return side.first.has_value(); });
}

std::uint64_t TaskJudge::score(std::size_t side) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(sides_[side].within, 1));
}

std::map<std::string, std::uint64_t> TaskJudge::kinds(std::size_t side) const {
  std::map<std::string, std::uint64_t> kinds;
  if (kind_ != TaskKind::Pocket) return kinds;
  for (std::size_t k = 0; k < loose_.size(); ++k)
    kinds[kindOf_[k]] += sides_[side].within[k] != 0 ? 1U : 0U;
  return kinds;
}

}  // namespace tactus::studies
