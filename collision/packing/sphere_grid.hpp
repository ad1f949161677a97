#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/packing/sphere_packing.hpp"

namespace tactus::collision {

/// Spheres of any sizes, for all near a ball. One grid for each power of two of the radius, with
/// cells of four radii, so that a search sees few cells however much the radii differ.
///
/// Grids grow with the first sphere of their size. Insertion is for one thread, searches for many.
class SphereGrid {
 public:
  /// For centres within [-half, half], half > 0.
  explicit SphereGrid(const Eigen::Vector3d& half) : half_(half) {}

  void insert(const PackedSphere& sphere) {
    const auto number = static_cast<std::uint32_t>(spheres_.size());
    spheres_.push_back(sphere);
    Level& level = levelOf(sphere.radius);
    std::uint32_t& head = level.head[level.cellOf(sphere.centre.cast<double>(), half_)];
    next_.push_back(head);
    head = number;
  }

  /// Calls visit(number, sphere) for at least those whose surface is within `reach` of the point.
  template <typename Visit>
  void near(const Eigen::Vector3d& point, double reach, Visit&& visit) const {
    for (const Level& level : levels_) {
      const double far = reach + level.largest;
      std::array<std::int64_t, 3> first, last;
      bool isEmpty = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        first[k] = level.index(point[axis] - far, half_[axis], k);
        last[k] = level.index(point[axis] + far, half_[axis], k);
        isEmpty = isEmpty || last[k] < first[k];
      }
      if (isEmpty) continue;
      for (std::int64_t z = first[2]; z <= last[2]; ++z) {
        for (std::int64_t y = first[1]; y <= last[1]; ++y) {
          const std::int64_t row = (z * level.size[1] + y) * level.size[0];
          for (std::int64_t x = first[0]; x <= last[0]; ++x) {
            std::uint32_t i = level.head[static_cast<std::size_t>(row + x)];
            for (; i != kEnd; i = next_[i]) {
              const PackedSphere& sphere = spheres_[i];
              const double clear = reach + static_cast<double>(sphere.radius);
              if ((sphere.centre.cast<double>() - point).squaredNorm() <= clear * clear) {
                visit(i, sphere);
              }
            }
          }
        }
      }
    }
  }

  [[nodiscard]] const Eigen::Vector3d& half() const noexcept { return half_; }
  [[nodiscard]] const std::vector<PackedSphere>& spheres() const noexcept { return spheres_; }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;
  // 64 MB a level at most; smaller spheres share cells then
  static constexpr double kMostCells = 16e6;

  struct Level {
    int exponent = 0;
    double largest = 0.0;  ///< no radius in it is larger
    double perLength = 0.0;
    std::array<std::int64_t, 3> size{};
    std::vector<std::uint32_t> head;

    [[nodiscard]] std::int64_t index(double x, double half, std::size_t axis) const {
      const auto cell = static_cast<std::int64_t>(std::floor((x + half) * perLength));
      return std::clamp<std::int64_t>(cell, 0, size[axis] - 1);
    }
    [[nodiscard]] std::size_t cellOf(const Eigen::Vector3d& p, const Eigen::Vector3d& half) const {
      const std::int64_t x = index(p.x(), half.x(), 0);
      const std::int64_t y = index(p.y(), half.y(), 1);
      const std::int64_t z = index(p.z(), half.z(), 2);
      return static_cast<std::size_t>((z * size[1] + y) * size[0] + x);
    }
  };

  Level& levelOf(float radius) {
    int exponent = 0;
    std::frexp(radius, &exponent);  // radius < 2^exponent, exact
    for (Level& level : levels_) {
      if (level.exponent == exponent) return level;
    }
    Level level;
    level.exponent = exponent;
    level.largest = std::ldexp(1.0, exponent);
    double cell = 2.0 * level.largest;
    const auto cells = [&](double side) {
      return (std::floor(2.0 * half_.x() / side) + 1.0) *
             (std::floor(2.0 * half_.y() / side) + 1.0) *
             (std::floor(2.0 * half_.z() / side) + 1.0);
    };
    while (cells(cell) > kMostCells)
      cell *= 1.25;
    level.perLength = 1.0 / cell;
    for (std::size_t k = 0; k < 3; ++k) {
      level.size[k] =
          static_cast<std::int64_t>(2.0 * half_[static_cast<Eigen::Index>(k)] / cell) + 1;
    }
    level.head.assign(static_cast<std::size_t>(level.size[0] * level.size[1] * level.size[2]),
                      kEnd);
    levels_.push_back(std::move(level));
    return levels_.back();
  }

  Eigen::Vector3d half_;
  std::vector<Level> levels_;
  std::vector<PackedSphere> spheres_;
  std::vector<std::uint32_t> next_;
};

}  // namespace tactus::collision
