#include "response/bodies/rigid_body.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/lanes/elementary.hpp"
#include "models/report/mass_properties.hpp"

namespace tactus::response {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

BodyMass bodyMassOf(const models::Mesh& mesh, double density) {
  const models::MassProperties solid = models::massProperties(mesh);
  BodyMass mass;
  mass.mass = density * solid.volume;
  mass.centre = solid.centre;
  mass.inertia = density * solid.inertia;
  double square = 0.0;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
    square = std::max(square, (mesh.position(v) - solid.centre).squaredNorm());
  // rounded up: what lies in the root's last bit must not stick out
  mass.radius = std::sqrt(square) * (1.0 + 1e-12);
  return mass;
}

Eigen::Isometry3d poseOf(const BodyMotion& motion, const BodyMass& mass) noexcept {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = motion.turn.toRotationMatrix();
  pose.translation() = motion.centre - pose.linear() * mass.centre;
  return pose;
}

Quaterniond turnedBy(const Vector3d& rotation, const Quaterniond& turn) noexcept {
  const double angle = rotation.norm();
  // sin(x / 2) / x, whose next term is x^2 / 48 of it
  constexpr double kSmall = 1e-8;
  const models::elementary::SinCos half = models::elementary::sinCos(0.5 * angle);
  const double scale = angle > kSmall ? half.sin / angle : 0.5;
  const Quaterniond by(half.cos, scale * rotation.x(), scale * rotation.y(), scale * rotation.z());
  Quaterniond result = by * turn;
  result.normalize();
  return result;
}

TurnedInertia::TurnedInertia(const BodyMass& mass)
    : inertia_(mass.inertia), inverse_(mass.inertia.inverse()) {}

Matrix3d TurnedInertia::at(const Quaterniond& turn) const noexcept {
  const Matrix3d r = turn.toRotationMatrix();
  return r * inertia_ * r.transpose();
}

Matrix3d TurnedInertia::inverseAt(const Quaterniond& turn) const noexcept {
  const Matrix3d r = turn.toRotationMatrix();
  return r * inverse_ * r.transpose();
}

Vector3d TurnedInertia::velocityAt(const Quaterniond& turn, const Vector3d& spin) const noexcept {
  const Matrix3d r = turn.toRotationMatrix();
  return r * (inverse_ * (r.transpose() * spin));
}

Quaterniond turnedFreely(const TurnedInertia& inertia, const Quaterniond& turn,
                         const Vector3d& spin, double dt) noexcept {
  Vector3d velocity = inertia.velocityAt(turn, spin);
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    const Quaterniond middle = turnedBy(0.5 * dt * velocity, turn);
    velocity = inertia.velocityAt(middle, spin);
  }
  return turnedBy(dt * velocity, turn);
}

}  // namespace tactus::response
