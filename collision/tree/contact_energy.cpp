#include "collision/tree/contact_energy.hpp"

#include <Eigen/Eigenvalues>

namespace tactus::collision {

Stiffness withoutNegative(const Stiffness& stiffness, double length) noexcept {
  Eigen::Matrix<double, 6, 1> unit;
  unit << 1.0, 1.0, 1.0, length, length, length;
  const auto perUnit = unit.cwiseInverse().asDiagonal();
  const Stiffness scaled = perUnit * stiffness * perUnit;
  const Eigen::SelfAdjointEigenSolver<Stiffness> of(scaled);
  if (of.info() != Eigen::Success) return Stiffness::Zero();
  const Stiffness positive = of.eigenvectors() * of.eigenvalues().cwiseMax(0.0).asDiagonal() *
                             of.eigenvectors().transpose();
  return unit.asDiagonal() * (0.5 * (positive + positive.transpose())) * unit.asDiagonal();
}

}  // namespace tactus::collision
