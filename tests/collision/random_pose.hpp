#pragma once
#include <Eigen/Geometry>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::tests {

/// A pose of B in A's frame, turned anyhow, with the middles `apart` from each other.
inline Eigen::Isometry3d randomPose(SeededBits& random, const Eigen::Vector3d& middleA,
                                    const Eigen::Vector3d& middleB, double apart) {
  const auto number = [&] { return random.between(-1.0, 1.0); };
  // Drawn from the last coordinate to the first: it once was the compiler's choice, and figures of
  // some tests hang on these poses.
  const auto drawn = [&](auto vector) {
    for (Eigen::Index k = vector.size(); k-- > 0;)
      vector[k] = number();
    return vector;
  };
  Eigen::Quaterniond turn;
  do {
    const Eigen::Vector4d wxyz = drawn(Eigen::Vector4d());
    turn = Eigen::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  } while (turn.norm() < 0.1);
  Eigen::Vector3d direction;
  do {
    direction = drawn(Eigen::Vector3d());
  } while (direction.norm() < 0.1);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = turn.normalized().toRotationMatrix();
  pose.translation() = middleA + apart * direction.normalized() - pose.linear() * middleB;
  return pose;
}

}  // namespace tactus::tests
