#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// Cuts polygons of a file into triangles: n corners become n - 2 triangles that keep the polygon's
/// edges and orientation, so that a closed surface stays closed.
///
/// Source: ear clipping, after Meisters, "Polygons have ears", 1975.
/// How ours differs: the best-shaped ear goes first instead of any, which keeps slivers and
/// corners in the middle of a straight edge for last; a corner that cannot be cut waits for the
/// one that is in its way instead of being tested again and again.
///
/// Method:
/// - the polygon's plane is that of its area vector (Newell); it is looked at along its largest
///   axis, which keeps the file's coordinates and all questions of inside and outside
/// - a quad takes the diagonal whose worse triangle is better, which is the inner one if only one
/// is
/// - a corner is an ear when it is convex and no reflex corner lies in its triangle
/// - when no ear is left (the polygon crosses itself) or the work exceeds a bound, the rest is cut
///   by shape alone: the result then overlaps itself as the polygon did
class PolygonCutter {
 public:
  /// On entry the fan (0 1 2) (0 2 3) ... of one polygon, which names its corners; on return its
  /// good cut.
  void cut(const std::vector<Eigen::Vector3d>& positions, std::span<Triangle> fan);

 private:
  using Index = std::uint32_t;
  struct Candidate {
    double shape;  // see shapeOf
    Index corner;
    std::uint32_t version;
    bool operator<(const Candidate& other) const noexcept {
      return shape < other.shape || (shape == other.shape && corner > other.corner);
    }
  };
  struct Waiting {
    Index corner;
    std::uint32_t version;
    Index next;
  };

  void cutQuad(std::span<Triangle> fan) const;
  void cutEars(std::span<Triangle> fan);
  bool project(const std::vector<Eigen::Vector3d>& positions);
  [[nodiscard]] double turn(Index a, Index b, Index c) const;
  [[nodiscard]] double shapeOf(Index a, Index b, Index c) const;
  [[nodiscard]] bool isDoubled(Index corner) const;
  [[nodiscard]] bool isConvex(Index corner) const;
  [[nodiscard]] Index blockerOf(Index ear);
  void offer(Index corner);
  void wait(Index corner, Index blocker);
  void wake(Index blocker);

  // Of the polygon at hand; members only to keep their memory.
  std::vector<Index> corners_;
  std::vector<Eigen::Vector3d> local_;                // relative to the first corner, extent 1
  std::vector<std::array<double, 2>> flat_;           // the same, seen against the area vector
  Eigen::Vector3d normal_ = Eigen::Vector3d::Zero();  // unit
  std::vector<Index> before_, after_;                 // ring of the corners that are left
  std::vector<std::uint32_t> version_;                // counts a corner's changes, 0 once cut off
  std::vector<Index> reflex_;                         // corners that may be in the way
  std::vector<Index> firstWaiting_;                   // per blocker, into waiting_
  std::vector<Waiting> waiting_;
  Index spare_ = 0;  // first unused element of waiting_
  std::priority_queue<Candidate> queue_;
  std::uint64_t testsLeft_ = 0;
  bool byShapeAlone_ = false;
};

}  // namespace tactus::models
