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
/// Cells come in bricks of 8 x 8 x 8, made with the first sphere in them: small spheres stand near
/// the surface only, and a grid of all cells would be mostly empty.
/// Insertion is for one thread, searches for many.
class SphereGrid {
 public:
  /// For centres within [-half, half], half > 0.
  explicit SphereGrid(const Eigen::Vector3d& half) : half_(half) {}

  void insert(const PackedSphere& sphere) {
    const auto number = static_cast<std::uint32_t>(spheres_.size());
    spheres_.push_back(sphere);
    Level& level = levelOf(sphere.radius);
    const Eigen::Vector3d p = sphere.centre.cast<double>();
    std::uint32_t& head =
        level.cellAt(level.index(p.x(), half_.x(), 0), level.index(p.y(), half_.y(), 1),
                     level.index(p.z(), half_.z(), 2));
    next_.push_back(head);
    head = number;
  }

  /// Calls visit(number, sphere) for at least those whose surface is within `reach` of the point.
  template <typename Visit>
  void near(const Eigen::Vector3d& point, double reach, Visit&& visit) const {
    for (const Level& level : levels_) {
      const double far = reach + level.largest;
      std::array<std::int64_t, 3> first, last;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        first[k] = level.index(point[axis] - far, half_[axis], k);
        last[k] = level.index(point[axis] + far, half_[axis], k);
      }
      for (std::int64_t bz = first[2] / kSide; bz <= last[2] / kSide; ++bz) {
        for (std::int64_t by = first[1] / kSide; by <= last[1] / kSide; ++by) {
          for (std::int64_t bx = first[0] / kSide; bx <= last[0] / kSide; ++bx) {
            const std::uint32_t brick = level.brickOf[level.brickNumber(bx, by, bz)];
            if (brick == kEnd) continue;
            nearInBrick(level.head.data() + std::size_t{brick} * kCells, {bx, by, bz}, first, last,
                        point, reach, visit);
          }
        }
      }
    }
  }

  [[nodiscard]] const Eigen::Vector3d& half() const noexcept { return half_; }
  [[nodiscard]] const std::vector<PackedSphere>& spheres() const noexcept { return spheres_; }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;
  static constexpr std::int64_t kSide = 8;
  static constexpr std::size_t kCells = 512;
  // 2 MB of brick numbers a level at most; smaller spheres share cells then
  static constexpr double kMostBricks = 5e5;

  struct Level {
    int exponent = 0;
    double largest = 0.0;  ///< no radius in it is larger
    double perLength = 0.0;
    std::array<std::int64_t, 3> size{}, bricks{};
    std::vector<std::uint32_t> brickOf;  ///< place in `head`, in bricks
    std::vector<std::uint32_t> head;     ///< last sphere of each cell

    [[nodiscard]] std::int64_t index(double x, double half, std::size_t axis) const {
      const auto cell = static_cast<std::int64_t>(std::floor((x + half) * perLength));
      return std::clamp<std::int64_t>(cell, 0, size[axis] - 1);
    }
    [[nodiscard]] std::size_t brickNumber(std::int64_t x, std::int64_t y, std::int64_t z) const {
      return static_cast<std::size_t>((z * bricks[1] + y) * bricks[0] + x);
    }
    [[nodiscard]] std::uint32_t& cellAt(std::int64_t x, std::int64_t y, std::int64_t z) {
      std::uint32_t& brick = brickOf[brickNumber(x / kSide, y / kSide, z / kSide)];
      if (brick == kEnd) {
        brick = static_cast<std::uint32_t>(head.size() / kCells);
        head.resize(head.size() + kCells, kEnd);
      }
      const std::int64_t cell = (z % kSide * kSide + y % kSide) * kSide + x % kSide;
      return head[std::size_t{brick} * kCells + static_cast<std::size_t>(cell)];
    }
  };

  template <typename Visit>
  void nearInBrick(const std::uint32_t* head, const std::array<std::int64_t, 3>& brick,
                   const std::array<std::int64_t, 3>& first,
                   const std::array<std::int64_t, 3>& last, const Eigen::Vector3d& point,
                   double reach, Visit& visit) const {
    std::array<std::int64_t, 3> from, to;
    for (std::size_t k = 0; k < 3; ++k) {
      from[k] = std::max<std::int64_t>(0, first[k] - brick[k] * kSide);
      to[k] = std::min(kSide - 1, last[k] - brick[k] * kSide);
    }
    for (std::int64_t z = from[2]; z <= to[2]; ++z) {
      for (std::int64_t y = from[1]; y <= to[1]; ++y) {
        for (std::int64_t x = from[0]; x <= to[0]; ++x) {
          std::uint32_t i = head[(z * kSide + y) * kSide + x];
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
    const auto bricks = [&](double side) {
      const double brick = side * static_cast<double>(kSide);
      return (std::floor(2.0 * half_.x() / brick) + 1.0) *
             (std::floor(2.0 * half_.y() / brick) + 1.0) *
             (std::floor(2.0 * half_.z() / brick) + 1.0);
    };
    while (bricks(cell) > kMostBricks)
      cell *= 1.25;
    level.perLength = 1.0 / cell;
    for (std::size_t k = 0; k < 3; ++k) {
      level.size[k] =
          static_cast<std::int64_t>(2.0 * half_[static_cast<Eigen::Index>(k)] / cell) + 1;
      level.bricks[k] = (level.size[k] - 1) / kSide + 1;
    }
    level.brickOf.assign(
        static_cast<std::size_t>(level.bricks[0] * level.bricks[1] * level.bricks[2]), kEnd);
    levels_.push_back(std::move(level));
    return levels_.back();
  }

  Eigen::Vector3d half_;
  std::vector<Level> levels_;
  std::vector<PackedSphere> spheres_;
  std::vector<std::uint32_t> next_;
};

}  // namespace tactus::collision
