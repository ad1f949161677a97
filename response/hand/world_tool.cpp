#include "response/hand/world_tool.hpp"

#include <algorithm>
#include <cmath>

#include "response/coupling/felt_stiffness.hpp"
#include "response/coupling/tool_step.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d centreOf(const World& world, std::size_t body) {
  return world.pose(body) * world.mass(body).centre;
}

/// A gain of the pivot's shifts and turns as one of the centre's: the pivot shifts by
/// shift + turn x arm, and a force there turns about the centre by arm x force.
Matrix6 aboutCentre(double shift, double turn, const Vector3d& arm) {
  const Matrix3d across = collision::crossing(arm);
  Matrix6 gain;
  gain.topLeftCorner<3, 3>() = shift * Matrix3d::Identity();
  gain.topRightCorner<3, 3>() = -shift * across;
  gain.bottomLeftCorner<3, 3>() = shift * across;
  gain.bottomRightCorner<3, 3>() = turn * Matrix3d::Identity() - shift * across * across;
  return gain;
}

}  // namespace

bool WorldTool::pull(World& world, const HandMotion& hand, const CouplingGains& gains,
                     const ToolShape& shape) noexcept {
  const Isometry3d sceneFromTool = world.pose(body_);
  const CouplingState coupling =
      couplingAt(gains, hand.sceneFromHand, sceneFromTool, shape.pivotInTool, turn_);
  const Vector3d arm = sceneFromTool * shape.pivotInTool - centreOf(world, body_);
  const Vector3d force = coupling.onTool.force + gains.damping * hand.velocity;
  const Vector3d torque = coupling.onTool.torque + gains.turnDamping * hand.spin;
  ExternalWrench external;
  external.wrench << force, torque + arm.cross(force);
  external.stiffness = aboutCentre(coupling.secant, coupling.turnSecant, arm);
  external.damping = aboutCentre(gains.damping, gains.turnDamping, arm);
  const bool isFinite = external.wrench.allFinite() && external.stiffness.allFinite();
  world.setExternal(body_, isFinite ? external : ExternalWrench{});
  return isFinite;
}

CoupledTool WorldTool::held(const World& world, const HandMotion& hand, const CouplingGains& gains,
                            const ToolShape& shape) noexcept {
  CoupledTool result;
  result.broughtEnergy = world.broughtTo(body_) - brought_;
  brought_ = world.broughtTo(body_);
  result.sceneFromTool = world.pose(body_);
  const World::ContactSum contacts = world.contactsOn(body_);
  const Vector3d centre = centreOf(world, body_);
  const Vector3d pivot = result.sceneFromTool * shape.pivotInTool;

  result.coupling =
      couplingAt(gains, hand.sceneFromHand, result.sceneFromTool, shape.pivotInTool, turn_);
  const Vector3d pushed = contacts.wrench.head<3>();
  const Vector3d toOrigin = result.sceneFromTool.translation() - centre;
  result.contact.energy = contacts.energy;
  result.contact.wrench =
      aboutPoint({pushed, contacts.wrench.tail<3>()}, Vector3d::Zero(), toOrigin);
  result.contact.stiffness = collision::turnedAbout(contacts.stiffness, pushed, -toOrigin);

  const StiffnessInSeries series(
      std::max(result.coupling.secant, kLeastSecant),
      std::max(result.coupling.turnSecant, kLeastTurnSecant),
      collision::turnedAbout(contacts.stiffness, pushed, centre - pivot));
  const Vector6 twist = world.twist(body_);
  result.isFinite = series.isFinite() && twist.allFinite() && pivot.allFinite() &&
                    std::isfinite(result.coupling.energy) && result.coupling.turn.allFinite();
  if (!result.isFinite) return result;
  turn_ = result.coupling.turn;
  result.felt = series.felt();
  result.stiffnessRatio = series.ratio();

  const Vector3d velocity = twist.head<3>() + twist.tail<3>().cross(pivot - centre);
  result.onHand.force = -result.coupling.onTool.force - gains.damping * (hand.velocity - velocity);
  result.onHand.torque =
      -result.coupling.onTool.torque - gains.turnDamping * (hand.spin - twist.tail<3>());
  const BodyMotion& motion = world.motion(body_);
  result.storedEnergy = result.coupling.energy + contacts.energyAfter +
                        0.5 * world.mass(body_).mass * motion.velocity.squaredNorm() +
                        0.5 * motion.spin.dot(twist.tail<3>());
  const Wrench contactAtPivot =
      aboutPoint({pushed, contacts.wrench.tail<3>()}, Vector3d::Zero(), pivot - centre);
  result.imbalance =
      (pushed + result.coupling.onTool.force).norm() +
      (contactAtPivot.torque + result.coupling.onTool.torque).norm() / std::max(shape.reach, 1e-6);
  return result;
}

}  // namespace tactus::response
