#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tactus::collision {

/// A place on a surface and which way the surface looks there.
struct SurfaceSpot {
  Eigen::Vector3f place = Eigen::Vector3f::Zero();
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  ///< unit
};

/// How far apart two spots are on a surface, squared: the square of the distance in space and, for
/// what turns away, up to twice the square of `bend`. So the two sides of a plate that is thinner
/// than the points' spacing, or the faces of a box at an edge, are not near each other.
[[nodiscard]] inline float apartness(const SurfaceSpot& a, const SurfaceSpot& b,
                                     float squaredBend) noexcept {
  return (a.place - b.place).squaredNorm() + squaredBend * (1.0F - a.normal.dot(b.normal));
}

/// Points in the cells of a grid, for all near a place. Only cells with points take memory.
class PointGrid {
 public:
  /// Of `place(i)` for i < count, finite; cells are `side` > 0 wide, or as wide as it takes to
  /// count them.
  template <typename Place>
  PointGrid(std::size_t count, float side, const Place& place) : side_(side) {
    Eigen::Vector3f upper = Eigen::Vector3f::Zero();
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3f p = place(i);
      lower_ = i == 0 ? p : Eigen::Vector3f(lower_.cwiseMin(p));
      upper = i == 0 ? p : Eigen::Vector3f(upper.cwiseMax(p));
    }
    side_ = std::max(side_, (upper - lower_).maxCoeff() / kMostAlong);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(count);
    for (std::size_t i = 0; i < count; ++i)
      keyed[i] = {keyOf(cellOf(place(i))), static_cast<std::uint32_t>(i)};
    std::sort(keyed.begin(), keyed.end());
    order_.reserve(count);
    std::size_t cells = 0;
    for (std::size_t i = 0; i < count; ++i) {
      order_.push_back(keyed[i].second);
      cells += i == 0 || keyed[i].first != keyed[i - 1].first ? 1 : 0;
    }
    std::size_t size = 16;
    while (size < 2 * cells)
      size *= 2;
    table_.assign(size, Cell{});
    for (std::size_t i = 0; i < count;) {
      std::size_t end = i + 1;
      while (end < count && keyed[end].first == keyed[i].first)
        ++end;
      std::size_t slot = slotOf(keyed[i].first);
      while (table_[slot].key != kNone)
        slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = {keyed[i].first, static_cast<std::uint32_t>(i),
                      static_cast<std::uint32_t>(end)};
      i = end;
    }
  }

  /// The points' numbers as the cells have them: near ones follow each other.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_; }

  /// Calls visit(k), with order()[k] the point's number, for at least those within `reach`.
  template <typename Visit>
  void near(const Eigen::Vector3f& place, float reach, const Visit& visit) const {
    const Eigen::Vector3f around = Eigen::Vector3f::Constant(reach);
    const std::array<std::int64_t, 3> first = cellOf(place - around);
    const std::array<std::int64_t, 3> last = cellOf(place + around);
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x) {
          const std::uint64_t key = keyOf({x, y, z});
          std::size_t slot = slotOf(key);
          while (table_[slot].key != key && table_[slot].key != kNone)
            slot = (slot + 1) & (table_.size() - 1);
          for (std::uint32_t k = table_[slot].begin; k < table_[slot].end; ++k)
            visit(k);
        }
      }
    }
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  static constexpr float kMostAlong = 1e6F;  // cells: three such numbers fit a key
  struct Cell {
    std::uint64_t key = kNone;
    std::uint32_t begin = 0, end = 0;
  };

  /// Places far outside count as just outside, where no point is.
  [[nodiscard]] std::array<std::int64_t, 3> cellOf(const Eigen::Vector3f& p) const {
    std::array<std::int64_t, 3> cell;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      const float at = std::floor((p[axis] - lower_[axis]) / side_);
      cell[k] = static_cast<std::int64_t>(std::clamp(at, -1.0F, kMostAlong + 2.0F));
    }
    return cell;
  }
  [[nodiscard]] static std::uint64_t keyOf(const std::array<std::int64_t, 3>& cell) {
    return static_cast<std::uint64_t>(cell[2] + 1) << 42U |
           static_cast<std::uint64_t>(cell[1] + 1) << 21U | static_cast<std::uint64_t>(cell[0] + 1);
  }
  [[nodiscard]] std::size_t slotOf(std::uint64_t key) const {
    key = (key ^ (key >> 30U)) * 0xbf58476d1ce4e5b9ULL;  // as models/mesh/position_hash.hpp
    return (key ^ (key >> 29U)) & (table_.size() - 1);
  }

  Eigen::Vector3f lower_ = Eigen::Vector3f::Zero();
  float side_;
  std::vector<std::uint32_t> order_;
  std::vector<Cell> table_;
};

}  // namespace tactus::collision
