// Balls without a solid around them, and what they share, pair by pair in doubles.
#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "collision/balls/ball_lens.hpp"
#include "collision/packing/inner_spheres.hpp"
#include "collision/tree/contact_energy.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::tests {

using collision::InnerSphere;

inline InnerSphere ball(const Eigen::Vector3d& centre, double radius) {
  return {centre, radius, radius, 0.25 * radius};
}

/// Balls of very different sizes, with smaller ones in them.
inline std::vector<InnerSphere> cloud(std::uint64_t seed, int count, const Eigen::Vector3d& size) {
  SeededBits random(seed);
  std::vector<InnerSphere> spheres;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d centre{size.x() * random.between(-1.0, 1.0),
                                 size.y() * random.between(-1.0, 1.0),
                                 size.z() * random.between(-1.0, 1.0)};
    const double share = random.between(0.1, 1.0);
    const double radius = 0.2 * share * share * share * share;
    spheres.push_back({centre, radius, radius * random.between(0.0, 1.0),
                       0.3 * radius * random.between(0.2, 1.0)});
  }
  return spheres;
}

inline Eigen::Isometry3d randomPoseWithin(SeededBits& random, double reach) {
  const auto number = [&] { return random.between(-1.0, 1.0); };
  Eigen::Quaterniond turn;
  do {
    turn = Eigen::Quaterniond{number(), number(), number(), number()};
  } while (turn.norm() < 0.1);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = turn.normalized().toRotationMatrix();
  pose.translation() = reach * Eigen::Vector3d{number(), number(), number()};
  return pose;
}

struct SumOfPairs {
  double volume = 0.0, lower = 0.0, energy = 0.0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

/// Volume and disc area of what is left of two leaves below a depth, summed over all depths.
inline collision::BallLens overDepths(const InnerSphere& a, const InnerSphere& b, double distance,
                                      collision::EnergyLaw law) {
  const auto left = [](const InnerSphere& sphere, double depth) {
    const double top = sphere.depth + 0.75 * sphere.cellRadius;
    return std::clamp(top - depth, 0.0, sphere.cellRadius);
  };
  const double end = std::max(a.depth + a.cellRadius, b.depth + b.cellRadius);
  constexpr int kSteps = 400;
  collision::BallLens sum;
  for (int k = 0; k < kSteps; ++k) {
    const double depth = end * (k + 0.5) / kSteps;
    const double ofA = law == collision::EnergyLaw::DepthOfB ? a.cellRadius : left(a, depth);
    const collision::BallLens lens = collision::ballLens(ofA, left(b, depth), distance);
    sum.volume += lens.volume * end / kSteps;
    sum.discArea += lens.discArea * end / kSteps;
  }
  return sum;
}

inline SumOfPairs overAllPairs(const std::vector<InnerSphere>& a, const std::vector<InnerSphere>& b,
                               const Eigen::Isometry3d& aFromB,
                               collision::EnergyLaw law = collision::EnergyLaw::Volume) {
  SumOfPairs sum;
  for (const InnerSphere& i : a) {
    for (const InnerSphere& j : b) {
      const Eigen::Vector3d arm = aFromB.linear() * j.centre;
      const Eigen::Vector3d apart = arm + aFromB.translation() - i.centre;
      const double distance = apart.norm();
      if (distance >= i.cellRadius + j.cellRadius) continue;
      const collision::BallLens lens = collision::ballLens(i.cellRadius, j.cellRadius, distance);
      sum.volume += lens.volume;
      sum.lower += collision::ballLens(i.lowerRadius, j.lowerRadius, distance).volume;
      const collision::BallLens ofLaw =
          law == collision::EnergyLaw::Volume ? lens : overDepths(i, j, distance, law);
      sum.energy += ofLaw.volume;
      if (distance > 0.0) {
        // nearly concentric balls: the force fades below a twentieth of the smaller radius
        const double part = std::min(1.0, distance / (0.05 * std::min(i.cellRadius, j.cellRadius)));
        const Eigen::Vector3d force = part * ofLaw.discArea / distance * apart;
        sum.force += force;
        sum.torque += arm.cross(force);
      }
    }
  }
  return sum;
}

}  // namespace tactus::tests
