#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

namespace tactus::render {

/// The convex polygon around points of a plane, widened to all sides.
///
/// Source: Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
class ConvexOutline {
 public:
  /// `rim`: how far it reaches beyond the points.
  ConvexOutline(std::span<const Eigen::Vector2d> points, double rim);

  /// True if a line along one of its sides, or of its box, parts it from all of these. Where that
  /// is false they may be apart all the same, if only a side of theirs would part them.
  [[nodiscard]] bool isApartFrom(std::span<const Eigen::Vector2f> points) const;

  /// Of its box.
  [[nodiscard]] const Eigen::Vector2f& lower() const noexcept { return lower_; }
  [[nodiscard]] const Eigen::Vector2f& upper() const noexcept { return upper_; }

 private:
  struct Side {
    Eigen::Vector2f outward;
    float reach;  ///< of the polygon that way
  };
  std::vector<Side> sides_;
  Eigen::Vector2f lower_, upper_;
};

}  // namespace tactus::render
