#pragma once
#include <Eigen/Geometry>

namespace tactus::response {

/// A box along the axes of its body's frame.
struct BodyBox {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  Eigen::Vector3d half = Eigen::Vector3d::Constant(-1.0);  ///< negative: unknown
  [[nodiscard]] bool isKnown() const noexcept { return half.x() >= 0.0; }
};

/// A plane along a face of one parts two boxes by so much [m]; 0 or less if none does, or a box is
/// unknown. Also where only an edge of each would do: nine of the fifteen axes are left out, for
/// the six others find most of what is apart in a third of the time.
///
/// Source: S. Gottschalk, M. Lin and D. Manocha, "OBBTree", 1996.
[[nodiscard]] double gapOfFaces(const BodyBox& a, const BodyBox& b,
                                const Eigen::Isometry3d& aFromB) noexcept;

}  // namespace tactus::response
