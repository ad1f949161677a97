#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::collision {

/// Linear functions at 4 x 4 x 4 points of a cube, the middles of 64 small cubes. What divides the
/// object among its spheres is linear: the powers |x - c|^2 - r^2 of two of them differ by a linear
/// function, so that |x|^2 may be left out.
///
/// In the cube's own frame (its middle at 0, half of its side as unit), which floats serve well.
/// Keeps its memory, so one object a thread serves many cubes. Same bytes on every vector target.
class PowerPlanes {
 public:
  static constexpr std::size_t kPoints = 64;

  void clear();
  /// The function value + slope . x.
  void add(double value, const Eigen::Vector3d& slope);

  /// Which function is least at each point; of equal ones the first.
  void least(std::array<std::int32_t, kPoints>& which) const;

  /// Middle of a small cube; its half side is 1/4.
  [[nodiscard]] static Eigen::Vector3d middleOf(std::size_t cube) noexcept {
    const auto at = [](std::size_t step) { return -0.75 + 0.5 * static_cast<double>(step); };
    return {at(cube % 4), at(cube / 4 % 4), at(cube / 16)};
  }

 private:
  std::vector<std::array<float, 4>> planes_;  ///< slope x y z, value
};

}  // namespace tactus::collision
