#include "collision/tree/lens_sums.hpp"

#include <Eigen/Geometry>

namespace tactus::collision {

void LensSums::blend(double share, const LensSums& to) noexcept {
  const auto go = [share](double& from, double towards) { from += share * (towards - from); };
  go(volume, to.volume);
  go(lower, to.lower);
  go(energy, to.energy);
  for (std::size_t k = 0; k < 3; ++k) {
    go(force[k], to.force[k]);
    go(torque[k], to.torque[k]);
  }
  for (std::size_t n = 0; n < stiffness.size(); ++n)
    go(stiffness[n], to.stiffness[n]);
}

LensSums& LensSums::operator+=(const LensSums& other) noexcept {
  volume += other.volume;
  lower += other.lower;
  energy += other.energy;
  for (std::size_t k = 0; k < 3; ++k) {
    force[k] += other.force[k];
    torque[k] += other.torque[k];
  }
  for (std::size_t n = 0; n < stiffness.size(); ++n)
    stiffness[n] += other.stiffness[n];
  return *this;
}

Eigen::Vector3d LensSums::torqueAbout(const Eigen::Vector3d& arm) const noexcept {
  return Eigen::Vector3d(torque[0], torque[1], torque[2]) + arm.cross(totalForce());
}

Stiffness LensSums::stiffnessAbout(const Eigen::Vector3d& arm) const noexcept {
  using Eigen::Matrix3d;
  using Eigen::Vector3d;
  std::size_t n = 0;
  Stiffness about = Stiffness::Zero();
  for (Eigen::Index i = 0; i < 6; ++i) {
    for (Eigen::Index j = i; j < 6; ++j)
      about(i, j) = about(j, i) = stiffness[n++];
  }
  const double beta = stiffness[n++];
  const Vector3d betaArm(stiffness[n], stiffness[n + 1], stiffness[n + 2]);
  n += 3;
  const auto symmetric = [&] {
    Matrix3d m;
    for (Eigen::Index i = 0; i < 3; ++i) {
      for (Eigen::Index j = i; j < 3; ++j)
        m(i, j) = m(j, i) = stiffness[n++];
    }
    return m;
  };
  const Matrix3d betaArms = symmetric();
  const Matrix3d gradientArms = symmetric();
  const auto crossing = [](const Vector3d& v) {
    Matrix3d m;
    m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
    return m;
  };
  // a turn w moves b by w x r + w x (w x r) / 2; the last term meets the gradient beta c
  const Matrix3d identity = Matrix3d::Identity();
  about.topLeftCorner<3, 3>() += beta * identity;
  about.topRightCorner<3, 3>() -= crossing(betaArm);
  about.bottomLeftCorner<3, 3>() += crossing(betaArm);
  about.bottomRightCorner<3, 3>() += betaArms.trace() * identity - betaArms;
  about.bottomRightCorner<3, 3>() += gradientArms - gradientArms.trace() * identity;

  // a turn about B's origin is one about the tree's and a shift w x arm + w x (w x arm) / 2
  Stiffness change = Stiffness::Identity();
  change.topRightCorner<3, 3>() = -crossing(arm);
  Stiffness moved = change.transpose() * about * change;
  const Matrix3d shift = -0.5 * (totalForce() * arm.transpose() + arm * totalForce().transpose());
  moved.bottomRightCorner<3, 3>() += shift - shift.trace() * identity;
  return 0.5 * (moved + moved.transpose());
}

}  // namespace tactus::collision
