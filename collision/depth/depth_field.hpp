#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collision/depth/solid_cubes.hpp"
#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Depth below a surface, and its gradient, at any point: values at the corners of cubes, linear in
/// between along each axis. Positive inside.
///
/// Where the surface is curved, lines between exact values run on its inner side. So the values are
/// sharpened: a sixteenth of the second differences is taken off them. That is between the
/// twelfth that makes right the mean over all points, and the twenty-fourth that makes right the
/// mean over a cube whose middle alone was asked for. Depths of a plane stay exact.
///
/// Unlike DistanceField, which certainly promises too little, this one is as right as it can be,
/// and errs by about h^2/16 of the surface's curvature for cubes of side h.
///
/// Const after construction; coordinates are relative to origin().
class DepthField {
 public:
  struct Arrays {
    std::span<const std::int16_t> values;              ///< in units; x runs fastest
    std::array<std::int32_t, 3> size{};                ///< corners along each side, two at least
    float side = 0.0F;                                 ///< of a cube [m]
    float unit = 0.0F;                                 ///< of the values [m]
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the first corner
  };
  /// Values at the eight corners of a cube, x runs fastest: 16 bytes that are read at once.
  using CubeCorners = std::array<std::int16_t, 8>;
  /// More along a side would not fit into ten bits.
  static constexpr std::int32_t kMaxAlong = 1024;

  DepthField() = default;

  /// With about `corners` corners. `threads` 0: one a core; the same for any number.
  DepthField(const SurfaceDistance& surface, double corners, unsigned threads = 0);

  /// Of arrays that a field gave away, which stay alive as long as `keeper`.
  DepthField(const Arrays& arrays, std::shared_ptr<const void> keeper);

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] bool empty() const noexcept { return all_.values.empty(); }
  /// Not of an empty field.
  [[nodiscard]] const SolidCubes& cubes() const noexcept { return cubes_->solid; }
  /// Of each cube, in the place of its first corner among the values.
  [[nodiscard]] std::span<const CubeCorners> cubeCorners() const noexcept {
    return cubes_->corners;
  }

 private:
  /// What is found in the values.
  struct Cubes {
    SolidCubes solid;
    std::vector<CubeCorners> corners;
  };
  [[nodiscard]] static Cubes cubesOf(const Arrays& field);

  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the span shows; copies of a field share it
  std::shared_ptr<const Cubes> cubes_;
};

}  // namespace tactus::collision
