#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::collision {

/// The powers |x - c|^2 - r^2 of a few spheres at 4 x 4 x 4 points of a cube, the middles of 64
/// smaller cubes.
///
/// Powers of two spheres differ by a linear function, so |x|^2 is left out: what remains of each
/// sphere is a plane, a constant and a slope, which floats hold well in the cube's own frame: its
/// middle at 0, half of its side as unit, the constants relative to the least of them.
/// Keeps its memory, so one object a thread serves many cubes. Same bytes on every vector target.
class PowerPlanes {
 public:
  static constexpr std::size_t kPoints = 64;
  using Bits = std::uint64_t;  ///< one a small cube: x fastest, then y

  void clear();
  /// All in the cube's frame, `power` at its middle, and relative to any number.
  void add(double power, const Eigen::Vector3d& centre);
  /// The same spheres in the frame of one of the 64 cubes.
  void setToPart(const PowerPlanes& whole, std::size_t cube);

  /// Which sphere owns each point: the one of least power; of equal ones the first.
  void owners(std::array<std::int32_t, kPoints>& owner) const;

  /// For each sphere the small cubes of which it may own a point, however near to a corner: those
  /// where the least value over the cube of its power minus the best one's is not positive.
  void reached(std::vector<Bits>& cubes) const;

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  /// Middle of a small cube; its half side is 1/4.
  [[nodiscard]] static Eigen::Vector3d middleOf(std::size_t cube) noexcept {
    return {-0.75 + 0.5 * static_cast<double>(cube % 4),
            -0.75 + 0.5 * static_cast<double>(cube / 4 % 4),
            -0.75 + 0.5 * static_cast<double>(cube / 16)};
  }

 private:
  [[nodiscard]] float rounding() const;

  std::array<std::vector<float>, 4> plane_;  ///< slope x y z, constant
  std::size_t count_ = 0;
};

}  // namespace tactus::collision
