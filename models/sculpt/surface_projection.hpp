#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sculpt/surface_extraction.hpp"

namespace tactus::models {

/// Moves points onto a sculpture's surface along the field's gradient by Newton's method, and tells
/// the surface's normals there. Sixteen points of one piece of space at a time, so that each meets
/// only the few strokes that matter to it.
class SurfaceProjection {
 public:
  /// The tree must outlive this. `tolerance` is the distance that counts as on the surface [m].
  SurfaceProjection(const BrickTree& tree, float tolerance, unsigned threads)
      : tree_(&tree), tolerance_(tolerance), threads_(threads) {}

  /// Points and normals are of equal number. A point that does not arrive (it went astray in a
  /// narrow place) stays where the last step left it; onSurface() tells.
  void project(std::span<Eigen::Vector3f> points, std::span<Eigen::Vector3f> normals);

  /// Whether the point with this number arrived at the last call.
  [[nodiscard]] bool onSurface(std::size_t point) const { return arrived_[point] != 0; }

  /// The field at one point [m].
  [[nodiscard]] float distanceAt(const Eigen::Vector3f& point) const;

  /// One point, for the odd jobs between.
  [[nodiscard]] bool projectOne(Eigen::Vector3f& point, Eigen::Vector3f& normal) const;

 private:
  struct Batch {
    std::uint32_t guide = 0, first = 0, count = 0;
  };
  void projectBatch(const Batch& batch, std::span<Eigen::Vector3f> points,
                    std::span<Eigen::Vector3f> normals);

  const BrickTree* tree_;
  float tolerance_;
  unsigned threads_;
  std::vector<std::uint32_t> guideOfPoint_, start_, order_;
  std::vector<std::uint8_t> arrived_;
  std::vector<Batch> batches_;
};

}  // namespace tactus::models
