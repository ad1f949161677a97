#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/tree/penetration_volume.hpp"

namespace tactus::collision {

/// The time-critical query: penetration volume, energy and wrench within a number of pair tests,
/// as good as that allows, and continuous in the pose.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5.3.4:
/// two nodes that are not opened are expected to share the lens of their bounding balls times the
/// shares of them that their leaves fill. How ours differs: the source opens the pairs of the
/// largest expectation first, so that a pair that comes into reach takes the turn of another, and
/// the volume jumps (its open problem in 5.7). Ours cuts by levels and blends between them.
///
/// Method: with E_L what is expected when all pairs down to level L are known (exact lenses of
/// leaves, expectations of nodes), V_0 = E_0 and V_L = V_{L-1} + w_L (E_L - V_{L-1}). The factor
/// w_L falls from 1 to 0 as the tests that E_L takes rise from 40 to 65 % of the budget. They are
/// counted softly: a pair that only just touches counts for nothing, one that overlaps by a tenth
/// of the smaller ball's radius for its whole, and no pair for more than the one above it. So a
/// pair that comes into reach changes neither E_L nor w_L by a jump. The rest of the budget is what
/// those take that count for less than one. If they take more, the level is left out as a whole,
/// and `wasCapped` says so: a jump is possible there, more tests than the budget are not. The same
/// where the scratch has no room for the pairs of a level: `queueWasFull` says that.
///
/// Contacts of a query that is cut take a second walk, because how much a lens counts is known at
/// the end of the first one; their sums are those of the blend. Cones are not used.
///
/// The wrench is blended like the volume: continuous, and the gradient where nothing is cut.
/// Deviation: as penetrationVolume() where nothing is cut. Same bytes on every vector target.
struct BudgetedVolume {
  PenetrationVolume found;  ///< `lowerVolume` is an expectation, too, where the query is cut
  bool isCut = false;       ///< not everything was opened
  bool wasCapped = false;   ///< by the hard limit
};

[[nodiscard]] BudgetedVolume budgetedVolume(const InnerSphereTree& a, const InnerSphereTree& b,
                                            const Eigen::Isometry3d& aFromB,
                                            std::uint32_t pairTests, PenetrationScratch& scratch,
                                            const PenetrationSettings& settings = {}) noexcept;

}  // namespace tactus::collision
