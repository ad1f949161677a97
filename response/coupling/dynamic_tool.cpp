#include "response/coupling/dynamic_tool.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "response/coupling/tool_step.hpp"

namespace tactus::response {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = collision::Stiffness;

/// Of shifts of the pivot and turns about it, in the scene's frame.
Matrix6 massAtPivot(const ToolInertia& tool, const Eigen::Matrix3d& sceneFromTool,
                    const Eigen::Vector3d& pivotInTool) {
  const Eigen::Matrix3d arm =
      collision::crossing(sceneFromTool * (tool.centreInTool - pivotInTool));
  Matrix6 mass;
  mass.topLeftCorner<3, 3>() = tool.mass * Eigen::Matrix3d::Identity();
  mass.topRightCorner<3, 3>() = -tool.mass * arm;
  mass.bottomLeftCorner<3, 3>() = tool.mass * arm;
  mass.bottomRightCorner<3, 3>() =
      sceneFromTool * tool.inertia * sceneFromTool.transpose() - tool.mass * arm * arm;
  return mass;
}

Vector6 joined(const Eigen::Vector3d& shift, const Eigen::Vector3d& turn) {
  Vector6 both;
  both << shift, turn;
  return both;
}

}  // namespace

void DynamicTool::placeAt(const Eigen::Isometry3d& sceneFromTool) noexcept {
  *this = DynamicTool(sceneFromTool);
}

CoupledTool DynamicTool::tick(const HandMotion& hand, const CouplingGains& gains,
                              const ToolShape& shape, const ToolInertia& inertia,
                              const Wrench& external, const ContactQuery& contact,
                              const QuasiStaticTool::Settings& settings, double dt) noexcept {
  CoupledTool result;
  result.sceneFromTool = sceneFromTool_;
  result.isFinite = false;
  if (!settings.reusesLastLoad || !hasLoad_) {
    load_ = contact(sceneFromTool_);
    ++result.queries;
  }
  const LoadedTool start = loadedTool(hand, gains, shape, sceneFromTool_, load_, turn_);
  hasLoad_ = false;
  if (!start.isFinite()) return result;
  const StiffnessInSeries series(std::max(start.coupling.secant, kLeastSecant),
                                 std::max(start.coupling.turnSecant, kLeastTurnSecant),
                                 start.contactAtPivot);
  if (!series.isFinite()) return result;

  // one implicit step
  const Matrix6 mass = massAtPivot(inertia, sceneFromTool_.linear(), shape.pivotInTool);
  const Vector6 coupled = joined(Eigen::Vector3d::Constant(gains.damping),
                                 Eigen::Vector3d::Constant(gains.turnDamping));
  const Vector6 drag =
      joined(Eigen::Vector3d::Constant(inertia.drag), Eigen::Vector3d::Constant(inertia.turnDrag));
  const Vector6 handVelocity = joined(hand.velocity, hand.spin);
  const Vector6 velocity = joined(velocity_, spin_);
  const Vector6 force = start.push + joined(external.force, external.torque) +
                        coupled.cwiseProduct(handVelocity - velocity) - drag.cwiseProduct(velocity);
  const Matrix6 stiffness = series.sum();
  Matrix6 system = mass + dt * dt * stiffness;
  system.diagonal() += dt * (coupled + drag);
  const Vector6 change = system.llt().solve(dt * (force - dt * (stiffness * velocity)));
  Vector6 reached = velocity + change;
  const Vector6 step = dt * reached;
  reached *= trusted(shape, step);
  if (!reached.allFinite()) return result;
  const Eigen::Isometry3d pose = moved(sceneFromTool_, shape.pivotInTool, dt * reached);

  const ContactLoad load = contact(pose);
  ++result.queries;
  const LoadedTool end = loadedTool(hand, gains, shape, pose, load, turn_);
  if (!end.isFinite()) return result;
  sceneFromTool_ = pose;
  velocity_ = reached.head<3>();
  spin_ = reached.tail<3>();
  turn_ = end.coupling.turn;
  load_ = load;
  hasLoad_ = true;

  result.isFinite = true;
  result.sceneFromTool = pose;
  result.coupling = end.coupling;
  result.contact = load;
  result.storedEnergy = end.energy + 0.5 * reached.dot(mass * reached);
  result.stiffnessRatio = series.ratio();
  result.felt = series.felt();
  const double lever = std::max(shape.reach, 1e-6);
  result.imbalance = end.push.head<3>().norm() + end.push.tail<3>().norm() / lever;
  const Vector6 damping = coupled.cwiseProduct(handVelocity - reached);
  result.onHand = {-end.coupling.onTool.force - damping.head<3>(),
                   -end.coupling.onTool.torque - damping.tail<3>()};
  return result;
}

}  // namespace tactus::response
