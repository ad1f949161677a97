#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <vector>

#include "collision/pointshell/pointshell.hpp"
#include "collision/voxmap/voxmap.hpp"

namespace tactus::studies {

/// What a plain loop over points finds.
struct PlainPointForce {
  /// On B, and about B's origin, in A's frame, by the law of depth: [m^3] and [m^4].
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  std::size_t inside = 0;  ///< points
};

/// The yardstick of Voxmap-Pointshell: as it is usually written, a loop over all points in floats,
/// each looked up in a dense grid of float distances and pushed along its normal by its depth. No
/// tree, no vectors.
///
/// Source: W. McNeely, K. Puterbaugh and J. Troy, "Six Degree-of-Freedom Haptic Rendering Using
/// Voxel Sampling", 1999. How ours differs: points weigh by their area and depths are interpolated,
/// so that it answers what voxmap_pointshell.hpp does.
///
/// The grid has kAlong cells along its longest side, some megabytes: one as fine as the voxmap
/// would be held up by the memory, and the comparison be about that.
class PlainPointshell {
 public:
  static constexpr int kAlong = 128;

  PlainPointshell(const collision::Pointshell& shell, const collision::Voxmap& map);

  /// Points of A in the grid of B.
  [[nodiscard]] static PlainPointForce query(const PlainPointshell& a, const PlainPointshell& b,
                                             const Eigen::Isometry3d& aFromB) noexcept;

 private:
  struct Point {
    float x, y, z, nx, ny, nz;
  };
  float step_ = 0.0F;
  std::array<int, 3> cells_{};
  std::vector<float> values_;
  Eigen::Vector3d mapOrigin_, shellOrigin_;
  std::vector<Point> points_;
};

}  // namespace tactus::studies
