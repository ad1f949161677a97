#include "render/scene_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/arrow_shape.hpp"

namespace tactus::render {

namespace {

// What moves gets this share of the box's size on each side before the box has to change.
constexpr double kRoom = 0.08;
// A box this many times as large as it need be is given up.
constexpr double kMuchTooLarge = 2.0;
// A line's soft edge, and half a pixel of rounding.
constexpr int kEdgePixels = 2;

std::vector<Eigen::Vector3d> cornersAround(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                           double margin) {
  const std::array<Eigen::Vector3d, 8> corners = cornersOf(
      {(a.cwiseMin(b).array() - margin).matrix(), (a.cwiseMax(b).array() + margin).matrix()});
  return {corners.begin(), corners.end()};
}

ChangedPart partOf(const DrawArrow& arrow) {
  return {cornersAround(arrow.from, arrow.to, ArrowSurface::kHeadRadius * arrow.shaftRadius), false,
          0};
}

ChangedPart partOf(const DrawTurn& turn) {
  return {cornersAround(turn.centre, turn.centre,
                        turn.radius + ArrowSurface::kHeadRadius * turn.shaftRadius),
          false, 0};
}

ChangedPart partOf(const DrawLine& line) {
  const int pixels = static_cast<int>(std::ceil(0.5F * std::max(line.width, 1.0F))) + kEdgePixels;
  return {{line.from, line.to}, false, pixels};
}

/// Signs are given in the world.
template <typename Sign>
void addSigns(const std::vector<Sign>& before, const std::vector<Sign>& now,
              const Eigen::Vector3d& origin, std::vector<ChangedPart>& parts) {
  const auto add = [&](const std::vector<Sign>& list, std::size_t k) {
    if (k >= list.size()) return;
    parts.push_back(partOf(list[k]));
    for (Eigen::Vector3d& point : parts.back().points)
      point -= origin;
  };
  for (std::size_t k = 0; k < std::max(before.size(), now.size()); ++k) {
    if (k < before.size() && k < now.size() && before[k] == now[k]) continue;
    add(before, k);
    add(now, k);
  }
}

bool contains(const models::Bounds& outer, const models::Bounds& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (outer.upper.array() >= inner.upper.array()).all();
}

}  // namespace

bool ShownBody::looksLike(const ShownBody& other) const {
  return mesh == other.mesh && pose.matrix() == other.pose.matrix() && colour == other.colour &&
         roughness == other.roughness && opacity == other.opacity && wireframe == other.wireframe &&
         castsShadow == other.castsShadow;
}

std::vector<ChangedPart> signsOf(const SceneView& view) {
  std::vector<ChangedPart> parts;
  addSigns({}, view.lines, view.camera.target, parts);
  addSigns({}, view.arrows, view.camera.target, parts);
  addSigns({}, view.turns, view.camera.target, parts);
  return parts;
}

SceneDifference SceneMemory::compare(const SceneView& view, std::vector<ShownBody> bodies) {
  SceneDifference difference;
  const bool hasOthers = !view.spheres.empty() || !view.points.empty() || !view.images.empty();
  difference.isWhole = !knows_ || hasOthers || hadOthers_ || !(camera_ == view.camera);
  const auto add = [&](const std::vector<ShownBody>& list, std::size_t k) {
    if (k >= list.size()) return;
    difference.parts.push_back(
        {{list[k].corners.begin(), list[k].corners.end()}, list[k].castsShadow, 0});
    difference.movesShadows = difference.movesShadows || list[k].castsShadow;
  };
  still_.resize(bodies.size(), 0);
  for (std::size_t k = 0; k < std::max(bodies_.size(), bodies.size()); ++k) {
    const bool isSame =
        knows_ && k < bodies_.size() && k < bodies.size() && bodies[k].looksLike(bodies_[k]);
    if (k < bodies.size()) still_[k] = isSame ? still_[k] + 1 : 0;
    if (isSame) continue;
    add(bodies_, k);
    add(bodies, k);
  }
  addSigns(lines_, view.lines, view.camera.target, difference.parts);
  addSigns(arrows_, view.arrows, view.camera.target, difference.parts);
  addSigns(turns_, view.turns, view.camera.target, difference.parts);

  knows_ = true;
  bodies_ = std::move(bodies);
  lines_ = view.lines;
  arrows_ = view.arrows;
  turns_ = view.turns;
  hadOthers_ = hasOthers;
  camera_ = view.camera;
  return difference;
}

const models::Bounds& SteadyBox::around(const models::Bounds& now) {
  if (now.isEmpty()) return kept_;
  const bool isOfUse = !kept_.isEmpty() && contains(kept_, now) &&
                       kept_.diagonal() <= kMuchTooLarge * (1.0 + 2.0 * kRoom) * now.diagonal();
  if (isOfUse) return kept_;
  // Joined with the last one, or it would change again as soon as what left comes back.
  models::Bounds next = joined(now, kept_);
  if (next.diagonal() > kMuchTooLarge * now.diagonal()) next = now;
  const Eigen::Vector3d room = Eigen::Vector3d::Constant(kRoom * next.diagonal());
  kept_ = {next.lower - room, next.upper + room};
  return kept_;
}

}  // namespace tactus::render
