#include "response/coupling/coupling_spring.hpp"

#include <algorithm>

#include "response/rotation_vector.hpp"

namespace tactus::response {
namespace {

struct Saturated {
  double secant = 0.0, energy = 0.0;
};

/// Of a spring that is `extent` long and saturates at `limit`.
Saturated saturated(double stiffness, double extent, double limit) {
  if (extent <= limit) return {stiffness, 0.5 * stiffness * extent * extent};
  return {stiffness * (limit / extent), stiffness * limit * (extent - 0.5 * limit)};
}

}  // namespace

CouplingState couplingAt(const CouplingGains& gains, const Eigen::Isometry3d& sceneFromHand,
                         const Eigen::Isometry3d& sceneFromTool, const Eigen::Vector3d& pivotInTool,
                         const Eigen::Vector3d& previousTurn) noexcept {
  CouplingState state;
  state.shift = sceneFromHand * pivotInTool - sceneFromTool * pivotInTool;
  state.turn = continued(
      rotationVector(sceneFromHand.linear() * sceneFromTool.linear().transpose()), previousTurn);
  // without stiffness nothing saturates, and nothing is divided by it
  const double k = gains.stiffness;
  const double r = gains.turnStiffness;
  const double mostShift = k > 0.0 ? gains.mostForce / k : 0.0;
  const double mostTurn = r > 0.0 ? std::min(kSaturationAngle, gains.mostTorque / r) : 0.0;
  const Saturated shift = saturated(k, state.shift.norm(), mostShift);
  const Saturated turn = saturated(r, state.turn.norm(), mostTurn);
  state.secant = shift.secant;
  state.turnSecant = turn.secant;
  state.energy = shift.energy + turn.energy;
  // The gradient of the angle is along the rotation vector itself: no inverse of the left Jacobian,
  // because a vector is an eigenvector of its own cross product.
  state.onTool = {shift.secant * state.shift, turn.secant * state.turn};
  return state;
}

}  // namespace tactus::response
