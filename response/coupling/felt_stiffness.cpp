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

StiffnessInSeries::Vector6 StiffnessInSeries::solveWithin(const Vector6& b,
                                                          double radius) const noexcept {
  // From 0 each round gains digits; what is then still too long is cut.
  constexpr int kRounds = 8;
  const Vector6 along = directions_.transpose() * b.cwiseQuotient(root_);
  Vector6 stiffness = 1.0 + values_.array();
  Vector6 solved = along.cwiseQuotient(stiffness);
  for (int round = 0; round < kRounds; ++round) {
    const double square = solved.squaredNorm();
    const double length = std::sqrt(square);
    if (!(length > radius)) break;
    const double slope = solved.cwiseProduct(solved).cwiseQuotient(stiffness).sum();
    stiffness.array() += square / slope * ((length - radius) / radius);
    solved = along.cwiseQuotient(stiffness);
  }
  const double length = solved.norm();
  if (length > radius) solved *= radius / length;
  return (directions_ * solved).cwiseQuotient(root_);
}

double StiffnessInSeries::gainOf(const Vector6& b, const Vector6& x) const noexcept {
  const Vector6 along = directions_.transpose() * root_.cwiseProduct(x);
  return b.dot(x) - 0.5 * along.cwiseProduct(along).dot((1.0 + values_.array()).matrix());
}

collision::Stiffness StiffnessInSeries::along(const Vector6& x, double ratio) const noexcept {
  const Vector6 scaled = root_.cwiseProduct(x);
  const double square = scaled.squaredNorm();
  if (!(square > 0.0)) return collision::Stiffness::Zero();
  const Vector6 push = root_.cwiseProduct(scaled);
  return (ratio / square) * push * push.transpose();
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
