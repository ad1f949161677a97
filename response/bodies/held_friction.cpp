#include "response/bodies/held_friction.hpp"

#include <algorithm>
#include <cmath>

#include "response/rotation_vector.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// How soon the speed of sliding is believed [s]: some twenty ticks. Dragged at 1 cm/s and more, a
// tool then slides evenly.
constexpr double kFollows = 0.02;

/// What a way within a tick adds to the speed that is believed: of way / dt, so much as dt is of
/// kFollows and dt.
double believed(double way, double dt) noexcept {
  return way / (kFollows + dt);
}

/// The share of a bend that is left by its limit.
double shareOf(double length, double limit) noexcept {
  return length > limit ? limit / length : 1.0;
}

}  // namespace

double HeldFriction::Bend::length() const noexcept {
  return std::sqrt(across.squaredNorm() + twist * twist);
}

HeldFriction::Bend HeldFriction::bendOf(const Bristle& bristle,
                                        const Isometry3d& aFromB) const noexcept {
  Bend bend;
  bend.point = aFromB * (aFromB_.inverse(Eigen::Isometry) * bristle.centre);
  const Vector3d slide = bend.point - bristle.centre;
  bend.across = bristle.bend + slide - slide.dot(bristle.normal) * bristle.normal;
  const Vector3d turn = rotationVector(aFromB.linear() * aFromB_.linear().transpose());
  bend.twist = bristle.twist + bristle.spinRadius * turn.dot(bristle.normal);
  return bend;
}

/// Bends a bristle up to its limit; returns how far it has slid beyond.
double HeldFriction::slideTo(const Bend& bend, double limit, Bristle& bristle) noexcept {
  const double length = bend.length();
  const double share = shareOf(length, limit);
  bristle.bend = share * bend.across;
  bristle.twist = share * bend.twist;
  return (1.0 - share) * length;
}

void HeldFriction::moved(const Isometry3d& aFromB, double dt) noexcept {
  for (std::size_t k = 0; k < bristles_.count; ++k) {
    Bristle& bristle = bristles_.bristles[k];
    const double slid = slideTo(bendOf(bristle, aFromB), limits_[k], bristle);
    bristle.slipSpeed += believed(slid - bristle.slipSpeed * dt, dt);
  }
}

void HeldFriction::taken(const collision::ContactPatches& patches, const Material& pair,
                         const Isometry3d& aFromB, double path) noexcept {
  followPatches(patches, rotationVector(aFromB.linear() * takenAt_.linear().transpose()), path,
                bristles_);
  aFromB_ = takenAt_ = aFromB;
  stiffness_ = pair.bristleStiffness;
  for (std::size_t k = 0; k < bristles_.count; ++k) {
    const Bristle& bristle = bristles_.bristles[k];
    const double most = frictionAt(pair, bristle.slipSpeed) * bristle.normalForce;
    limits_[k] = stiffness_ > 0.0 ? std::max(0.0, most / stiffness_) : 0.0;
  }
}

void HeldFriction::addTo(ContactLoad& load, const Isometry3d& sceneFromA,
                         const Isometry3d& sceneFromB, bool isToolA) const noexcept {
  if (!(stiffness_ > 0.0)) return;
  const Isometry3d aFromB = sceneFromA.inverse(Eigen::Isometry) * sceneFromB;
  const Vector3d origin = isToolA ? sceneFromA.translation() : sceneFromB.translation();
  const double side = isToolA ? 1.0 : -1.0;
  for (std::size_t k = 0; k < bristles_.count; ++k) {
    const Bristle& bristle = bristles_.bristles[k];
    const double limit = limits_[k];
    if (!(limit > 0.0)) continue;
    const Bend bend = bendOf(bristle, aFromB);
    const double length = bend.length();
    const double secant = stiffness_ * shareOf(length, limit);
    const Vector3d normal = sceneFromA.linear() * bristle.normal;
    const Vector3d force = side * secant * (sceneFromA.linear() * bend.across);
    const Vector3d arm = sceneFromA * bend.point - origin;
    const double held = std::min(length, limit);
    const double lost = stiffness_ * limit * (length - held);
    load.energy += 0.5 * stiffness_ * held * held + lost;
    load.lost += lost;
    load.wrench.force += force;
    load.wrench.torque +=
        arm.cross(force) + (side * secant * bristle.spinRadius * bend.twist) * normal;
    // of a shift u and a turn w of the tool the point slides by (u + w x arm) across the normal
    const Matrix3d across = Matrix3d::Identity() - normal * normal.transpose();
    const Matrix3d cross = -collision::crossing(arm);
    collision::Stiffness stiffness;
    stiffness << across, across * cross, cross.transpose() * across,
        cross.transpose() * across * cross +
            bristle.spinRadius * bristle.spinRadius * normal * normal.transpose();
    stiffness *= secant;
    if (length > limit) {
      // along what it slides nothing grows
      const Vector3d along = sceneFromA.linear() * bend.across / length;
      Eigen::Matrix<double, 6, 1> slide;
      slide << along, arm.cross(along) + bristle.spinRadius * (bend.twist / length) * normal;
      stiffness -= secant * slide * slide.transpose();
    }
    load.friction += stiffness;
    load.stiffness += stiffness;
  }
}

void HeldFriction::settled(const Isometry3d& aFromB, double dt) noexcept {
  for (std::size_t k = 0; k < bristles_.count; ++k) {
    Bristle& bristle = bristles_.bristles[k];
    const Bend bend = bendOf(bristle, aFromB);
    bristle.slipSpeed += believed(slideTo(bend, limits_[k], bristle), dt);
    bristle.centre = bend.point;
  }
  aFromB_ = aFromB;
}

}  // namespace tactus::response
