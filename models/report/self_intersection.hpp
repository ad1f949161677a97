#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {

/// Two triangles, the lower number first.
using TrianglePair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of triangles that meet elsewhere than in a shared corner or edge.
struct SelfIntersections {
  std::size_t pairs = 0;
  std::vector<TrianglePair> first;  ///< the first ones in ascending order, as many as asked for
  std::vector<std::uint32_t> meetingShells;  ///< that meet another shell, ascending, each once
  bool isComplete = true;  ///< false: stopped at the budget, so `pairs` is a lower bound
  std::uint64_t work = 0;  ///< spent, in the units of SelfIntersectionSettings::budget
};

/// Whether the two closed triangles have a point in common that is not on a corner or an edge that
/// they share. Exact: decided by the signs of determinants without rounding error.
///
/// - Touching counts: a corner that lies on the other's face or edge, as at a T-junction.
/// - Triangles that share a corner count when they cross or overlap beyond it; those that share an
///   edge when they are folded onto each other.
/// - The same three corners count too, in any order: such triangles share their whole face.
/// - A triangle without area is the segment (or point) that its corners span.
///
/// Corners are the mesh's float positions; `shared` corners are those with equal positions.
/// Source: the cases follow from convexity, as proven at each of them; orientation tests as in
/// Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
/// Predicates", 2003.
[[nodiscard]] bool meetBeyondSharedSide(const std::array<Eigen::Vector3f, 3>& a,
                                        const std::array<Eigen::Vector3f, 3>& b);

struct SelfIntersectionSettings {
  std::size_t firstPairs = 8;  ///< how many pairs are named
  /// Work after which the search stops, in units of about 10 ns on one core: 10 s, plus eight times
  /// what an ordinary triangle of a large mesh needs. A fixed number and no clock, so that the
  /// result is the same everywhere.
  std::uint64_t budget = 1'000'000'000;
  std::uint64_t budgetPerTriangle = 800;
};

/// Counts them over a whole mesh by descending hierarchies against themselves and each other,
/// see PairForest.
///
/// Of triangles on the same three positions only the first is looked at: the others are
/// duplicates (duplicatesIn), and what meets one of them meets all. Their shells count as meeting.
///
/// `shellOfTriangle` may be empty (then so is `meetingShells`) and may hold kNone.
/// Deterministic: the result, at the budget too, is the same for any `threads` (0: one a core).
[[nodiscard]] SelfIntersections selfIntersections(const Mesh& mesh, const Topology& topology,
                                                  const TriangleBvh& bvh,
                                                  std::span<const std::uint32_t> shellOfTriangle,
                                                  const SelfIntersectionSettings& settings = {},
                                                  unsigned threads = 0);

}  // namespace tactus::models
