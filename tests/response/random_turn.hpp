#pragma once
#include <Eigen/Core>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::tests {

/// Each coordinate between -1 and 1.
inline Eigen::Vector3d anyVector(SeededBits& random) {
  const double x = random.between(-1.0, 1.0);
  const double y = random.between(-1.0, 1.0);
  return {x, y, random.between(-1.0, 1.0)};
}

inline Eigen::Vector3d anyDirection(SeededBits& random) {
  Eigen::Vector3d direction;
  do {
    direction = anyVector(random);
  } while (direction.norm() < 0.1);
  return direction.normalized();
}

}  // namespace tactus::tests
