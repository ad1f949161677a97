#include "app/session_picture.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::app {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

// Lengths of what is drawn over the scene, as parts of its size.
constexpr double kArrowPerNewton = 0.05;
constexpr double kLongestArrow = 0.5;
constexpr double kShaft = 0.006;
constexpr double kTurnRadius = 0.09;
constexpr double kTurnPerNewtonMetre = 30.0;  // [rad]: a millinewtonmetre is just seen
constexpr double kLongestTurn = 5.0;          // [rad]
// What is weaker is not worth an arrow.
constexpr double kLeastForce = 0.02;   // [N]
constexpr double kLeastTorque = 1e-3;  // [N m]
// A ghost as near as this to its tool only makes the tool look unclean.
constexpr double kLeastShift = 5e-4;  // [m]
constexpr double kLeastTurn = 0.01;   // [rad]
constexpr float kGhostOpacity = 0.35F;
constexpr std::size_t kTrail = 180;  // pictures: three seconds
constexpr float kPointDiameter = 4.0F;

Vector3d vectorOf(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

Isometry3d poseOf(const haptics::TickSnapshot::Pose& pose) {
  const Eigen::Quaterniond turn(pose.orientation[0], pose.orientation[1], pose.orientation[2],
                                pose.orientation[3]);
  return Eigen::Translation3d(vectorOf(pose.position)) * turn;
}

void enclose(models::Bounds& all, const models::Bounds& box) {
  if (all.isEmpty()) {
    all = box;
    return;
  }
  all.lower = all.lower.cwiseMin(box.lower);
  all.upper = all.upper.cwiseMax(box.upper);
}

/// Left hands blue, right ones vermilion, as the panel's curves.
render::Colour colourOf(haptics::Hand hand) {
  const bool isLeft = hand == haptics::Hand::Left || hand == haptics::Hand::Left2;
  return render::paletteColour(isLeft ? render::Paint::Blue : render::Paint::Vermilion);
}

}  // namespace

SessionPicture::SessionPicture(const OpenedSession& session, bool isInSoftware)
    : session_(&session), trails_(session.hands.size()) {
  const LoadedScene& loaded = session.loaded;
  structures_.resize(loaded.objects.size());
  const std::vector<std::shared_ptr<const models::Mesh>>& copies =
      isInSoftware && !session.drawingCopies.empty() ? session.drawingCopies : loaded.meshes;
  models::Bounds all;
  models::Bounds lively;
  for (std::size_t body = 0; body < loaded.objectOf.size(); ++body) {
    const std::size_t object = loaded.objectOf[body];
    copies_.push_back(copies[object]);
    poses_.push_back(loaded.scene.bodies[body].pose());
    const models::Bounds box = render::transformed(loaded.meshes[object]->bounds(), poses_.back());
    enclose(all, box);
    if (loaded.scene.bodies[body].kind != models::SceneBodyKind::Fixed) enclose(lively, box);
  }
  const models::Bounds& measured = lively.isEmpty() ? all : lively;
  if (!measured.isEmpty()) size_ = measured.diagonal();
  if (!all.isEmpty()) floor_ = all.lower.y();
}

render::OrbitCamera SessionPicture::camera() const {
  const models::SceneCamera& wanted = session_->loaded.scene.camera;
  render::OrbitCamera camera;
  const Vector3d back = wanted.eye - wanted.target;
  camera.target = wanted.target;
  camera.distance = std::max(back.norm(), 1e-3);
  camera.yaw = std::atan2(back.x(), back.z());
  camera.pitch =
      std::clamp(std::asin(std::clamp(back.y() / camera.distance, -1.0, 1.0)),
                 -render::OrbitCamera::kSteepestPitch, render::OrbitCamera::kSteepestPitch);
  camera.verticalFieldOfView = wanted.verticalFieldOfView;
  return camera;
}

void SessionPicture::fill(const haptics::TickSnapshot& now, const ViewLayers& layers,
                          render::SceneView& view) {
  for (std::size_t body = 0; body < std::min<std::size_t>(now.bodyCount, poses_.size()); ++body)
    poses_[body] = poseOf(now.bodies[body]);
  fillStart(layers, view);
  fillForces(now, layers, view);
  fillHands(now, layers, view);
}

void SessionPicture::fillStart(const ViewLayers& layers, render::SceneView& view) {
  view.meshes.clear();
  view.spheres.clear();
  view.points.clear();
  view.lines.clear();
  view.arrows.clear();
  view.turns.clear();
  view.images.clear();
  if (view.floor) view.floor->height = floor_;
  fillBodies(layers, view);
  fillStructures(layers, view);
}

void SessionPicture::addTarget(std::size_t body, const Isometry3d& pose,
                               render::SceneView& view) const {
  // a green that no body of the shipped scenes has
  constexpr std::uint32_t kTargetColour = 0x2faa55;
  render::DrawMesh ghost;
  ghost.mesh = copies_[body];
  ghost.worldFromMesh = pose;
  ghost.colour = render::colourFromHex(kTargetColour);
  ghost.opacity = kGhostOpacity;
  ghost.castsShadow = false;
  view.meshes.push_back(std::move(ghost));
}

void SessionPicture::fillBodies(const ViewLayers& layers, render::SceneView& view) const {
  if (!layers.showsBodies) return;
  const std::vector<models::SceneBody>& bodies = session_->loaded.scene.bodies;
  const bool hasLook = layers.showsSpheres || layers.showsSlice;
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    render::DrawMesh drawn;
    drawn.mesh = copies_[body];
    drawn.worldFromMesh = poses_[body];
    drawn.colour = render::colourFromHex(bodies[body].colour);
    drawn.wireframe = layers.showsEdges;
    // What is looked into is a ghost of itself.
    const bool isLookedInto =
        hasLook && (layers.bodyOfLayers < 0 || layers.bodyOfLayers == static_cast<int>(body));
    if (isLookedInto) drawn.opacity = kGhostOpacity;
    view.meshes.push_back(std::move(drawn));
  }
}

void SessionPicture::fillStructures(const ViewLayers& layers, render::SceneView& view) {
  const LoadedScene& loaded = session_->loaded;
  for (std::size_t body = 0; body < loaded.objectOf.size(); ++body) {
    if (layers.bodyOfLayers >= 0 && layers.bodyOfLayers != static_cast<int>(body)) continue;
    const std::size_t place = loaded.objectOf[body];
    const collision::CollisionObject& object = loaded.objects[place];
    Structures& made = structures_[place];
    if (layers.showsSpheres) {
      if (made.level != layers.treeLevel) {
        made.spheres = sphereCloudOf(object.tree, layers.treeLevel);
        made.level = layers.treeLevel;
      }
      view.spheres.push_back({.cloud = made.spheres, .worldFromCloud = poses_[body]});
    }
    if (layers.showsPoints) {
      if (made.points == nullptr) made.points = pointCloudOf(object.pointshell);
      view.points.push_back(
          {.cloud = made.points, .worldFromCloud = poses_[body], .diameter = kPointDiameter});
    }
    if (layers.showsSlice && !object.voxmap.empty()) {
      if (!made.slice || made.sliceAt != layers.sliceAt) {
        made.slice = sliceOf(object.voxmap, loaded.meshes[place]->bounds(),
                             static_cast<double>(layers.sliceAt));
        made.sliceAt = layers.sliceAt;
      }
      view.images.push_back({.texture = made.slice->texture,
                             .worldFromImage = poses_[body] * made.slice->meshFromImage,
                             .width = made.slice->width,
                             .height = made.slice->height});
    }
  }
}

void SessionPicture::fillForces(const haptics::TickSnapshot& now, const ViewLayers& layers,
                                render::SceneView& view) const {
  const auto arrowOf = [&](const Vector3d& at, const Vector3d& force,
                           const render::Colour& colour) {
    const double newtons = force.norm();
    if (!(newtons >= kLeastForce)) return;
    const double length = size_ * std::min(kArrowPerNewton * newtons, kLongestArrow);
    view.arrows.push_back({.from = at,
                           .to = at + force * (length / newtons),
                           .shaftRadius = kShaft * size_,
                           .colour = colour});
  };
  if (layers.showsContacts) {
    for (std::size_t k = 0; k < now.contactCount; ++k) {
      arrowOf(vectorOf(now.contacts[k].point), vectorOf(now.contacts[k].forceOnB),
              render::paletteColour(render::Paint::Yellow));
    }
  }
  if (!layers.showsForces) return;
  for (std::size_t hand = 0; hand < now.handCount; ++hand) {
    const haptics::TickSnapshot::Hand& of = now.hands[hand];
    const render::Colour colour = colourOf(session_->hands[hand].hand);
    arrowOf(vectorOf(of.contactPoint), vectorOf(of.contactForce), colour);
    // What of the torque is not the force's own lever.
    const Vector3d toolOrigin = vectorOf(of.tool.position);
    const Vector3d force = vectorOf(of.contactForce);
    const Vector3d torque =
        vectorOf(of.contactTorque) - (vectorOf(of.contactPoint) - toolOrigin).cross(force);
    const double newtonMetres = torque.norm();
    if (!(newtonMetres >= kLeastTorque)) continue;
    view.turns.push_back({.centre = toolOrigin,
                          .axis = torque,
                          .radius = kTurnRadius * size_,
                          .angle = std::min(kTurnPerNewtonMetre * newtonMetres, kLongestTurn),
                          .shaftRadius = kShaft * size_});
  }
}

void SessionPicture::fillHands(const haptics::TickSnapshot& now, const ViewLayers& layers,
                               render::SceneView& view) {
  for (std::size_t hand = 0; hand < std::min<std::size_t>(now.handCount, trails_.size()); ++hand) {
    const haptics::TickSnapshot::Hand& of = now.hands[hand];
    const std::size_t body = session_->setup.hands[hand].body;
    const Isometry3d tool = poseOf(of.tool);
    const Isometry3d wanted = poseOf(of.wanted);
    const double turn = Eigen::AngleAxisd(tool.linear().transpose() * wanted.linear()).angle();
    const bool isApart =
        (tool.translation() - wanted.translation()).norm() > kLeastShift || turn > kLeastTurn;
    if (layers.showsGhosts && isApart) {
      render::DrawMesh ghost;
      ghost.mesh = copies_[body];
      ghost.worldFromMesh = wanted;
      ghost.colour = colourOf(session_->hands[hand].hand);
      ghost.opacity = kGhostOpacity;
      ghost.castsShadow = false;
      view.meshes.push_back(std::move(ghost));
    }
    std::deque<Vector3d>& trail = trails_[hand];
    if (trail.empty() || trail.back() != vectorOf(of.grip)) trail.push_back(vectorOf(of.grip));
    if (trail.size() > kTrail) trail.pop_front();
    if (!layers.showsTrails) continue;
    for (std::size_t k = 1; k < trail.size(); ++k) {
      view.lines.push_back(
          {.from = trail[k - 1], .to = trail[k], .colour = colourOf(session_->hands[hand].hand)});
    }
  }
}

}  // namespace tactus::app
