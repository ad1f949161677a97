#include "studies/held_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using response::ContactLoad;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kHalfSide = 0.015;  // of the box that has the face and the edge [m]
constexpr int kPointsASide = 5;
constexpr double kHalfPeg = 0.02;  // its length [m]
constexpr int kRings = 9;
constexpr double kPlay = 0.3e-3;  // of the peg in its hole, on each side [m]

// The rhinos' cells stick out of their surfaces here and there and share some volume millimetres
// before they push; they touch where they would with this force, of the default material [N] ...
constexpr double kFirstPush = 2e-3;
// ... and are pressed so much further by a newton or two [m].
constexpr double kPressed = 0.6e-3;

/// A depth with its first and second derivatives by the point.
struct Depth {
  double value = 0.0;
  Vector3d slope = Vector3d::Zero();
  Matrix3d bend = Matrix3d::Zero();
};

Depth inHalfSpace(const Vector3d& point) {
  return {-point.y(), -Vector3d::UnitY(), Matrix3d::Zero()};
}

/// How far a ring of the peg, its axis along x, is in the wall of its hole.
Depth inWall(const Vector3d& point) {
  const Vector3d off(0.0, point.y(), point.z());
  const double length = off.norm();
  if (!(length > kPlay)) return {};
  const Vector3d out = off / length;
  Matrix3d across = Matrix3d::Identity() - out * out.transpose();
  across(0, 0) = 0.0;
  return {length - kPlay, out, across / length};
}

/// Adds w d^p / p of a point with this arm from the tool's origin.
void addSpring(ContactLoad& load, const Depth& depth, double weight, int power,
               const Vector3d& arm) {
  const double d = depth.value;
  const double push = power == 2 ? weight * d : weight * d * d;
  const double stiffness = power == 2 ? weight : 2.0 * weight * d;
  load.energy += push * d / power;
  const Vector3d gradient = push * depth.slope;
  load.wrench.force -= gradient;
  load.wrench.torque -= arm.cross(gradient);
  // of a shift u and a turn w the point moves by u + w x arm + w x (w x arm) / 2
  const Matrix3d ofPoint = stiffness * depth.slope * depth.slope.transpose() + push * depth.bend;
  Matrix3d cross;
  cross << 0.0, arm.z(), -arm.y(), -arm.z(), 0.0, arm.x(), arm.y(), -arm.x(), 0.0;
  load.stiffness.topLeftCorner<3, 3>() += ofPoint;
  load.stiffness.topRightCorner<3, 3>() += ofPoint * cross;
  load.stiffness.bottomLeftCorner<3, 3>() += cross.transpose() * ofPoint;
  load.stiffness.bottomRightCorner<3, 3>() +=
      cross.transpose() * ofPoint * cross +
      0.5 * (gradient * arm.transpose() + arm * gradient.transpose()) -
      gradient.dot(arm) * Matrix3d::Identity();
}

/// One rhino astride the other, turned by 60 degrees, its legs on both sides: found as a place from
/// which a push of 1 N at its feet, straight down, leads nowhere, by descent of the energy over all
/// six freedoms from 300 places. So it is held even by a hand that has no spring of its own.
Isometry3d astride(double height) {
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() =
      Eigen::Quaterniond(0.86331, -0.05947, 0.50115, -0.00019).normalized().toRotationMatrix();
  pose.translation() = Vector3d(-0.00494, height, 0.01041);
  return pose;
}

response::ContactForce askRhinos(const RhinoPair& pair, const Isometry3d& pose,
                                 const response::Material& material,
                                 response::ContactScratch& scratch) {
  response::ContactSettings settings;
  settings.wantsPatches = false;
  settings.length = pair.solid.body.facets.radius();
  return response::contactForce(pair.solid, pair.solid, pose, material, settings, scratch, nullptr);
}

}  // namespace

std::string_view nameOf(HeldShape shape) noexcept {
  switch (shape) {
    case HeldShape::Plane:
      return "plane";
    case HeldShape::Edge:
      return "edge";
    case HeldShape::Peg:
      return "peg";
    case HeldShape::RhinoPair:
      return "rhino-pair";
  }
  return "?";
}

models::Result<RhinoPair> makeRhinoPair(std::uint64_t spheres, unsigned threads) {
  models::Result<models::Mesh> mesh = models::makeBuiltin("rhino", 20'000, threads);
  if (!mesh) return mesh.error();
  collision::BuildSettings settings;
  settings.parameters.spheres = spheres;
  settings.parameters.points = 0;
  settings.threads = threads;
  const collision::BuildOutcome outcome =
      collision::buildObject({std::move(mesh).value(), {}}, settings);
  if (outcome.end != collision::BuildEnd::Built)
    return models::Error{models::Reason::BadValue, -1, "No object could be built of 'rhino'."};
  RhinoPair pair;
  pair.solid = response::contactSolidOf(outcome.object);
  response::ContactScratch scratch({&pair.solid, 1});
  const auto pushes = [&](double height) {
    return askRhinos(pair, astride(height), {}, scratch).onB.force.y() > kFirstPush;
  };
  double above = 0.08;
  double below = 0.0;
  constexpr double kStep = 1e-3;
  for (below = above; below > 0.0; below -= kStep) {
    if (pushes(below)) break;
    above = below;
  }
  constexpr int kHalvings = 20;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (above + below);
    (pushes(middle) ? below : above) = middle;
  }
  pair.touching = astride(above);
  return pair;
}

HeldContact::HeldContact(HeldShape shape, double stiffness, double force, const RhinoPair* rhinos,
                         response::ContactScratch* scratch)
    : shape_(shape), rhinos_(rhinos), scratch_(scratch) {
  switch (shape) {
    case HeldShape::Plane:
      for (int i = 0; i < kPointsASide; ++i) {
        for (int k = 0; k < kPointsASide; ++k) {
          const double x = kHalfSide * (2.0 * i / (kPointsASide - 1) - 1.0);
          const double z = kHalfSide * (2.0 * k / (kPointsASide - 1) - 1.0);
          springs_.push_back(
              {Vector3d(x, -kHalfSide, z), stiffness / (kPointsASide * kPointsASide)});
        }
      }
      tool_.toolFromGrip.translation() = Vector3d(0.01, 0.03, 0.0);
      tool_.sceneFromTool.translation().y() = kHalfSide;
      break;
    case HeldShape::Edge: {
      // Down is along (-1, -1, 0) of the tool. The handle is under the edge, as a hook's: nobody
      // holds a box on its edge with a push from above.
      const double down = kHalfSide * std::sqrt(2.0);
      tool_.sceneFromTool.linear() << std::sqrt(0.5), -std::sqrt(0.5), 0, std::sqrt(0.5),
          std::sqrt(0.5), 0, 0, 0, 1;
      tool_.sceneFromTool.translation().y() = down;
      tool_.toolFromGrip.translation() = Vector3d(-0.025, -0.025, 0.005);
      // F = W d^2 and dF/dd = 2 W d
      const double whole = stiffness * stiffness / (4.0 * force);
      for (int k = 0; k < kPointsASide; ++k) {
        const double z = kHalfSide * (2.0 * k / (kPointsASide - 1) - 1.0);
        springs_.push_back({Vector3d(-kHalfSide, -kHalfSide, z), whole / kPointsASide});
      }
      break;
    }
    case HeldShape::Peg:
      for (int k = 0; k < kRings; ++k) {
        const double x = kHalfPeg * (2.0 * k / (kRings - 1) - 1.0);
        springs_.push_back({Vector3d(x, 0.0, 0.0), stiffness / kRings});
      }
      tool_.toolFromGrip.translation() = Vector3d(-0.04, 0.0, 0.0);
      tool_.sceneFromTool.translation().y() = -kPlay;
      break;
    case HeldShape::RhinoPair:
      tool_.sceneFromTool = rhinos->touching;
      tool_.centreInTool = Vector3d(0.0, 0.026, 0.0);
      tool_.toolFromGrip.translation() = Vector3d(0.0, 0.0, 0.0);
      tool_.thinnestPart = 0.0033;
      tool_.reach = 0.06;
      fitMaterial(stiffness);
      break;
  }
}

void HeldContact::fitMaterial(double stiffness) {
  Isometry3d pose = tool_.sceneFromTool;
  pose.translation().y() -= kPressed;
  const response::ContactForce found = askRhinos(*rhinos_, pose, {}, *scratch_);
  material_ = {};
  if (found.stiffness(1, 1) > 0.0) material_.stiffness *= stiffness / found.stiffness(1, 1);
}

ContactLoad HeldContact::ofSprings(const Isometry3d& pose) const noexcept {
  ContactLoad load;
  const int power = shape_ == HeldShape::Edge ? 3 : 2;
  for (const Spring& spring : springs_) {
    const Vector3d arm = pose.linear() * spring.point;
    const Vector3d point = pose.translation() + arm;
    const Depth depth = shape_ == HeldShape::Peg ? inWall(point) : inHalfSpace(point);
    if (depth.value > 0.0) addSpring(load, depth, factor_ * spring.weight, power, arm);
  }
  return load;
}

ContactLoad HeldContact::ofRhinos(const Isometry3d& pose) const noexcept {
  const response::ContactForce found = askRhinos(*rhinos_, pose, material_, *scratch_);
  ContactLoad load;
  if (!found.touches) return load;
  load.energy = factor_ * found.energy;
  load.wrench = {factor_ * found.onB.force, factor_ * found.onB.torque};
  // without patches the stiffness is about the tool's origin, as it is wanted
  load.stiffness = factor_ * found.stiffness;
  return load;
}

ContactLoad HeldContact::operator()(const Isometry3d& sceneFromTool) noexcept {
  return shape_ == HeldShape::RhinoPair ? ofRhinos(sceneFromTool) : ofSprings(sceneFromTool);
}

}  // namespace tactus::studies
