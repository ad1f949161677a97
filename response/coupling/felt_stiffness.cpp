#include "response/coupling/felt_stiffness.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace tactus::response {

StiffnessInSeries::StiffnessInSeries(double secant, double turnSecant,
                                     const collision::Stiffness& contact) noexcept {
  const double shift = std::sqrt(secant);
  const double turn = std::sqrt(turnSecant);
  root_ << shift, shift, shift, turn, turn, turn;
  values_.setZero();
  directions_.setIdentity();
  const auto perRoot = root_.cwiseInverse().asDiagonal();
  const collision::Stiffness scaled = perRoot * contact * perRoot;
  isFinite_ = scaled.allFinite() && root_.allFinite();
  // in free space, most of the time, there is nothing to decompose
  if (!isFinite_ || scaled.isZero(0.0)) return;
  const Eigen::SelfAdjointEigenSolver<collision::Stiffness> of(scaled);
  if (of.info() != Eigen::Success) {
    isFinite_ = false;
    return;
  }
  values_ = of.eigenvalues().cwiseMax(0.0);
  directions_ = of.eigenvectors();
}

StiffnessInSeries::Vector6 StiffnessInSeries::solve(const Vector6& b) const noexcept {
  const Vector6 along = directions_.transpose() * b.cwiseQuotient(root_);
  const Vector6 solved = along.array() / (1.0 + values_.array());
  return (directions_ * solved).cwiseQuotient(root_);
}

collision::Stiffness StiffnessInSeries::withValues(const Vector6& values) const noexcept {
  const collision::Stiffness inner = directions_ * values.asDiagonal() * directions_.transpose();
  return root_.asDiagonal() * (0.5 * (inner + inner.transpose())) * root_.asDiagonal();
}

collision::Stiffness StiffnessInSeries::sum() const noexcept {
  return withValues(1.0 + values_.array());
}

collision::Stiffness StiffnessInSeries::felt() const noexcept {
  return withValues(values_.array() / (1.0 + values_.array()));
}

}  // namespace tactus::response
