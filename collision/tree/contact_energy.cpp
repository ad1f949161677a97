#include "collision/tree/contact_energy.hpp"

#include <Eigen/Eigenvalues>

namespace tactus::collision {

Stiffness turnedAbout(const Stiffness& stiffness, const Eigen::Vector3d& force,
                      const Eigen::Vector3d& arm) noexcept {
  // a turn w about the far point is one about the near one and a shift w x arm + w x (w x arm) / 2
  Stiffness change = Stiffness::Identity();
  change.topRightCorner<3, 3>() = -crossing(arm);
  Stiffness moved = change.transpose() * stiffness * change;
  const Eigen::Matrix3d shift = -0.5 * (force * arm.transpose() + arm * force.transpose());
  moved.bottomRightCorner<3, 3>() += shift - shift.trace() * Eigen::Matrix3d::Identity();
  return 0.5 * (moved + moved.transpose());
}

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
