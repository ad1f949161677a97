#include "response/contact/bristle_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::response {
namespace {

using collision::ContactPatch;
using collision::ContactPatches;
using Eigen::Vector3d;

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

// Patches are the same if they are no further apart than this many of their radii, the root of the
// mean square: a disc's edge is at 1.4 of them.
constexpr double kReachInRadii = 2.0;

/// Across the normal, turned about it by half of an angle. The Cayley map keeps the length for any
/// angle; of the small ones of a tick it is the turn to the third order.
Vector3d spunHalf(const Vector3d& bend, const Vector3d& normal, double angle) noexcept {
  const double k = 0.25 * angle;
  return ((1.0 - k * k) * bend + 2.0 * k * normal.cross(bend)) / (1.0 + k * k);
}

/// By the shortest turn that leads from one normal to the other.
Vector3d carried(const Vector3d& bend, const Vector3d& from, const Vector3d& to) noexcept {
  const double cosine = from.dot(to);
  // a normal that is turned round has no shortest way: whatever it was bent by is gone
  constexpr double kTurnedRound = -0.999;
  if (!(cosine > kTurnedRound)) return Vector3d::Zero();
  const Vector3d axis = from.cross(to);
  const Vector3d turned =
      cosine * bend + axis.cross(bend) + axis * (axis.dot(bend) / (1.0 + cosine));
  // rounding must not leave a part along the normal, nor add to the length
  const Vector3d flat = turned - turned.dot(to) * to;
  const double length = flat.norm();
  const double before = bend.norm();
  return length > before ? Vector3d(flat * (before / length)) : flat;
}

struct Nearest {
  std::size_t which = kNobody;
  double distance = std::numeric_limits<double>::infinity();
};

}  // namespace

double storedEnergy(const Bristles& bristles, double stiffness) noexcept {
  double squares = 0.0;
  for (const Bristle& bristle : bristles.all())
    squares += bristle.square();
  return 0.5 * stiffness * squares;
}

double frictionAt(const Material& pair, double slipSpeed) noexcept {
  const double ratio = pair.slipSpeed > 0.0 ? slipSpeed / pair.slipSpeed : 0.0;
  return pair.kineticFriction +
         (pair.staticFriction - pair.kineticFriction) / (1.0 + ratio * ratio);
}

Vector3d bentBy(const Vector3d& state, const Vector3d& slide, double limit) noexcept {
  Vector3d bent = state + slide;
  const double length = bent.norm();
  if (!(length > limit)) return bent;
  return bent * (std::max(limit, 0.0) / length);
}

void followPatches(const ContactPatches& patches, const Vector3d& turnOfB, double path,
                   Bristles& bristles) noexcept {
  const std::size_t oldCount = bristles.count;
  const std::size_t newCount = std::min(patches.count, Bristles::kMost);
  const std::array<Bristle, Bristles::kMost>& old = bristles.bristles;
  const auto apart = [&](const ContactPatch& patch, const Bristle& bristle) {
    const double distance = (patch.centre - bristle.centre).norm();
    const double reach = kReachInRadii * (patch.radius + bristle.radius) + 2.0 * path;
    return distance <= reach ? distance : std::numeric_limits<double>::infinity();
  };

  std::array<std::size_t, Bristles::kMost> asked;  // by a new patch
  std::array<double, Bristles::kMost> askedBy{};   // normal force of all that ask an old one
  std::array<bool, Bristles::kMost> isAsked{};
  for (std::size_t i = 0; i < newCount; ++i) {
    Nearest nearest;
    for (std::size_t o = 0; o < oldCount; ++o) {
      const double distance = apart(patches.patches[i], old[o]);
      if (distance < nearest.distance) nearest = {o, distance};
    }
    asked[i] = nearest.which;
    if (nearest.which == kNobody) continue;
    isAsked[nearest.which] = true;
    askedBy[nearest.which] += patches.patches[i].normalForce;
  }
  std::array<std::size_t, Bristles::kMost> heir;  // of an old one that nobody asked
  heir.fill(kNobody);
  for (std::size_t o = 0; o < oldCount; ++o) {
    if (isAsked[o]) continue;
    Nearest nearest;
    for (std::size_t i = 0; i < newCount; ++i) {
      const double distance = apart(patches.patches[i], old[o]);
      if (distance < nearest.distance) nearest = {i, distance};
    }
    heir[o] = nearest.which;
  }

  std::array<Bristle, Bristles::kMost> next;
  for (std::size_t i = 0; i < newCount; ++i) {
    const ContactPatch& patch = patches.patches[i];
    Bristle& bristle = next[i];
    bristle.centre = patch.centre;
    bristle.normal = patch.normal;
    bristle.normalForce = patch.normalForce;
    bristle.radius = patch.radius;
    bristle.spinRadius = patch.spinRadius;
    double allowed = 0.0;  // twice the energy by the stiffness
    for (std::size_t o = 0; o < oldCount; ++o) {
      const bool asks = asked[i] == o;
      if (!asks && heir[o] != i) continue;
      double share = 1.0;
      if (asks) share = askedBy[o] > 0.0 ? patch.normalForce / askedBy[o] : 0.0;
      const Vector3d spun = spunHalf(old[o].bend, old[o].normal, turnOfB.dot(old[o].normal));
      bristle.bend += share * carried(spun, old[o].normal, patch.normal);
      bristle.twist += share * old[o].twist;
      bristle.slipSpeed = std::max(bristle.slipSpeed, old[o].slipSpeed);
      allowed += share * old[o].square();
    }
    const double square = bristle.square();
    if (square > allowed) {
      const double shorter = std::sqrt(allowed / square);
      bristle.bend *= shorter;
      bristle.twist *= shorter;
    }
  }
  std::copy_n(next.begin(), newCount, bristles.bristles.begin());
  bristles.count = newCount;
}

}  // namespace tactus::response
