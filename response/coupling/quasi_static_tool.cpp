#include "response/coupling/quasi_static_tool.hpp"

#include <algorithm>
#include <cmath>

#include "response/coupling/tool_step.hpp"

namespace tactus::response {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

StiffnessInSeries seriesAt(const LoadedTool& tool) {
  return {std::max(tool.coupling.secant, kLeastSecant),
          std::max(tool.coupling.turnSecant, kLeastTurnSecant), tool.contactAtPivot};
}

/// D^1/2 felt D^1/2 v, D = damping / stiffness.
Vector6 dampingWrench(const CouplingGains& gains, const collision::Stiffness& felt,
                      const HandMotion& hand) {
  const double shift = gains.stiffness > 0.0 ? std::sqrt(gains.damping / gains.stiffness) : 0.0;
  const double turn =
      gains.turnStiffness > 0.0 ? std::sqrt(gains.turnDamping / gains.turnStiffness) : 0.0;
  Vector6 root;
  root << shift, shift, shift, turn, turn, turn;
  Vector6 velocity;
  velocity << hand.velocity, hand.spin;
  return root.cwiseProduct(felt * root.cwiseProduct(velocity));
}

}  // namespace

void QuasiStaticTool::placeAt(const Eigen::Isometry3d& sceneFromTool) noexcept {
  sceneFromTool_ = sceneFromTool;
  turn_.setZero();
  hasLoad_ = false;
}

CoupledTool QuasiStaticTool::tick(const HandMotion& hand, const CouplingGains& gains,
                                  const ToolShape& shape, const ContactQuery& contact,
                                  const Settings& settings) noexcept {
  CoupledTool result;
  result.sceneFromTool = sceneFromTool_;
  const auto loadedAt = [&](const Eigen::Isometry3d& pose, const ContactLoad& load) {
    return loadedTool(hand, gains, shape, pose, load, turn_);
  };
  const bool isReused = settings.reusesLastLoad && hasLoad_;
  if (!isReused) {
    load_ = contact(sceneFromTool_);
    ++result.queries;
  }
  LoadedTool now = loadedAt(sceneFromTool_, load_);
  LoadedTool best = now;
  bool isFinite = now.isFinite();
  for (std::uint32_t step = 0; step < settings.mostSteps && isFinite; ++step) {
    const StiffnessInSeries series = seriesAt(now);
    isFinite = series.isFinite();
    if (!isFinite) break;
    const Vector6 newton = series.solve(now.push);
    if (0.5 * now.push.dot(newton) < settings.tolerance) break;
    const Eigen::Isometry3d pose =
        moved(now.sceneFromTool, shape.pivotInTool, trusted(shape, newton) * newton);
    now = loadedAt(pose, contact(pose));
    ++result.queries;
    isFinite = now.isFinite();
    // a load of another tick says nothing about the energies of this one
    const bool isFirstAnswer = isReused && step == 0;
    if (isFinite && (isFirstAnswer || now.energy <= best.energy)) best = now;
  }
  const StiffnessInSeries series = seriesAt(best);
  if (!isFinite || !series.isFinite()) {
    result.isFinite = false;
    hasLoad_ = false;
    return result;
  }
  sceneFromTool_ = best.sceneFromTool;
  turn_ = best.coupling.turn;
  load_ = best.contact;
  hasLoad_ = true;

  result.sceneFromTool = sceneFromTool_;
  result.coupling = best.coupling;
  result.contact = load_;
  result.storedEnergy = best.energy;
  result.stiffnessRatio = series.ratio();
  result.felt = series.felt();
  const double lever = std::max(shape.reach, 1e-6);
  result.imbalance = best.push.head<3>().norm() + best.push.tail<3>().norm() / lever;
  const Vector6 damping = dampingWrench(gains, result.felt, hand);
  result.onHand = {-best.coupling.onTool.force - damping.head<3>(),
                   -best.coupling.onTool.torque - damping.tail<3>()};
  if (!result.onHand.force.allFinite() || !result.onHand.torque.allFinite()) {
    result.onHand = {};
    result.isFinite = false;
  }
  return result;
}

}  // namespace tactus::response
