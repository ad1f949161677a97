#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// The triangles near a cube, and their distances to 4 x 4 x 4 points in it at once.
///
/// A query of the tree for each of so many points would find the same triangles again and again;
/// here they are found once, and each of them is measured against sixteen points in one pass.
///
/// Source: distance to a triangle as the height above its plane and, beside it, the least distance
/// to a side within the plane.
/// How ours differs: each triangle becomes a frame of its own (normal, sides, in-plane normals of
/// the sides) whose offsets are taken in doubles at the cube's middle, so that floats do for points
/// of the cube however large the triangle is.
///
/// Keeps its memory, so one object a thread serves many cubes. Same bytes on every vector target.
class SurfacePatch {
 public:
  static constexpr std::size_t kSide = 4;
  static constexpr std::size_t kPoints = kSide * kSide * kSide;

  /// Per point, x fastest, then y: the unsigned distance, good to about 1e-6 of the cube's side,
  /// and the triangle that it is to.
  struct Distances {
    std::array<float, kPoints> distance;  ///< in halves of the cube's side
    std::array<std::uint32_t, kPoints> triangle;
  };

  /// Collects each triangle that is the closest one to any point of the cube of half side `half`
  /// around `middle`, whose distance to the surface is `distance` at most. False, and empty, if
  /// there are more than `most`.
  bool gather(const SurfaceDistance& surface, const Eigen::Vector3d& middle, double half,
              double distance, std::size_t most = std::numeric_limits<std::size_t>::max());

  /// For the points middle + half * (a, b, c), each of a, b, c one of -3/4, -1/4, 1/4, 3/4, in a
  /// cube within the gathered one. Precondition: not isEmpty().
  void measure(const Eigen::Vector3d& middle, double half, Distances& result);

  [[nodiscard]] bool isEmpty() const noexcept { return triangles_.empty(); }

 private:
  /// Relative to the gathered cube's middle.
  struct Triangle {
    Eigen::Vector3d normal;
    double height;                           ///< of the middle above the plane
    std::array<Eigen::Vector3d, 3> along;    ///< unit vectors of the sides
    std::array<Eigen::Vector3d, 3> outward;  ///< unit, in the plane, away from the triangle
    std::array<double, 3> fromStart, fromEnd, beyond;  ///< of the middle: past the side's start,
                                                       ///< past its end, outside of it
  };

  /// From the gathered cube's middle, moved.
  [[nodiscard]] static double squaredDistance(const Triangle& t, const Eigen::Vector3d& moved);

  std::vector<std::uint32_t> triangles_, chosen_;
  std::vector<Triangle> frames_;
  std::vector<double> squared_;
  std::vector<float> numbers_;
  Eigen::Vector3d middle_ = Eigen::Vector3d::Zero();
};

}  // namespace tactus::collision
