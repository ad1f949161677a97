#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tactus::studies {

/// Seeded random numbers, the same everywhere; the distributions of <random> are not.
/// Source: S. Vigna, splitmix64, 2015 (public domain).
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// In [-1, 1), 53 random bits.
  double aroundZero() { return static_cast<double>(next() >> 11U) * 0x1p-52 - 1.0; }

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
  std::uint64_t state_;
};

}  // namespace tactus::studies
