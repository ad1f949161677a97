#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/mesh/split_mix.hpp"

namespace tactus::studies {

/// Seeded random numbers and what is made of them.
class RandomStream : public models::SplitMix {
 public:
  using SplitMix::SplitMix;

  /// Evenly distributed on the sphere: of a cube's points only those in the ball are taken.
  Eigen::Vector3d direction() {
    for (;;) {
      const double x = aroundZero();
      const double y = aroundZero();
      const double z = aroundZero();
      const double norm = x * x + y * y + z * z;
      if (norm > kLeastNorm && norm <= 1.0) return Eigen::Vector3d(x, y, z).normalized();
    }
  }

  /// Evenly distributed over all rotations, which the unit quaternions are.
  Eigen::Quaterniond rotation() {
    for (;;) {
      const double w = aroundZero();
      const double x = aroundZero();
      const double y = aroundZero();
      const double z = aroundZero();
      const double norm = w * w + x * x + y * y + z * z;
      if (norm > kLeastNorm && norm <= 1.0) return Eigen::Quaterniond(w, x, y, z).normalized();
    }
  }

  /// Fisher and Yates, in the form of R. Durstenfeld, 1964.
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[next() % i]);
  }

 private:
  // Shorter ones lose digits when they are normalised.
  static constexpr double kLeastNorm = 0.01;
};

}  // namespace tactus::studies
