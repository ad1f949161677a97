#pragma once
#include <Eigen/Geometry>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::tests {

/// A pose of B in A's frame, turned anyhow, with the middles `apart` from each other.
inline Eigen::Isometry3d randomPose(SeededBits& random, const Eigen::Vector3d& middleA,
                                    const Eigen::Vector3d& middleB, double apart) {
  const auto number = [&] { return random.between(-1.0, 1.0); };
  Eigen::Quaterniond turn;
  do {
    turn = Eigen::Quaterniond(number(), number(), number(), number());
  } while (turn.norm() < 0.1);
  Eigen::Vector3d direction;
  do {
    direction = Eigen::Vector3d(number(), number(), number());
  } while (direction.norm() < 0.1);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = turn.normalized().toRotationMatrix();
  pose.translation() = middleA + apart * direction.normalized() - pose.linear() * middleB;
  return pose;
}

}  // namespace tactus::tests
