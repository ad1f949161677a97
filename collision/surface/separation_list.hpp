#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/surface/facet_distance.hpp"
#include "collision/surface/facet_hierarchy.hpp"

namespace tactus::collision {

/// How far at most any point of a ball that is rigid with B moves in A's frame from one pose to
/// another, on the way too if B turns about the shortest axis while the centre goes straight [m].
///
/// A point q of the ball moves by (c1 - c0) + (R1 - R0)(q - c). A difference of two rotations by an
/// angle t stretches by 2 sin(t/2) in the two directions across the axis, and not at all along it,
/// so its norm is the root of half the sum of its squares.
[[nodiscard]] double farthestMove(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                                  const Eigen::Vector3d& centre, double radius) noexcept;

/// Memory of the last queries between two surfaces that move little from one to the next: the front
/// at which a walk over pairs of nodes has stopped, and how far each pair was apart then.
///
/// Source: the separation list of J.-J. Chen and T.-Y. Li, "Incremental 3D Collision Detection with
/// Hierarchical Data Structures", 1999, as R. Weller, "New Geometric Data Structures for Collision
/// Detection", 2012, chapters 3.5 and 7.4 use it; S. Ehmann and M. Lin, 2001, for distances. How
/// ours differs: an entry is a pair of nodes with all 4 x 4 pairs of children that have not been
/// opened, under one number; and it is looked at again only when the motion since may have brought
/// it nearer than what is asked for.
///
/// Method:
/// - M is the sum of how far any point of B may have moved, tick by tick. A pair that was at least
///   L apart at M0 is at least L + M0 - M apart now: its key L + M0 never changes while it rests.
/// - the surfaces are not further apart than at the last tick plus its motion. Measured triangles
///   whose key is below that are measured again, which gives the distance d but for pairs of nodes
///   whose key is below d + M; those are looked at, and opened where they are near
/// - d + M never falls, since d cannot shrink faster than M grows: a quiet tick looks at few pairs
/// - it starts anew after a jump (more entries to look at than half of what a walk from the roots
///   opens), when M has become so large that floats would tell, and when the list is full, in
///   which case the walk still ends well and only nothing is remembered
///
/// Whatever was asked before, the answer is the least distance over all pairs of triangles in
/// floats, and of equal ones the pair of the lowest numbers: the same bytes as from scratch. Where
/// surfaces meet only the 0 is the same; the points are of any pair that meets.
///
/// One a thread. Nothing is allocated after construction (250 kB).
class SeparationList {
 public:
  SeparationList();

  /// The next query starts from nothing.
  void forget() noexcept;

  // Everything below is for the queries.
  static constexpr std::size_t kNodePairs = 8192;
  static constexpr std::size_t kFacetPairs = 4096;
  // A path is at most 2 * 17 pairs long (4^17 triangles), and each leaves fifteen behind.
  static constexpr std::size_t kStackEntries = 1024;
  static constexpr std::size_t kCandidates = 64;
  static constexpr std::int32_t kUnlisted = -1;

  /// Pairs that wait, by their nodes (or a leaf's link) and place in the list.
  struct Stack {
    std::vector<std::int32_t> a, b, place;
    std::vector<float> least;
  };
  struct Nodes {
    std::vector<std::int32_t> a, b;
    std::vector<std::uint32_t> opened;  ///< bit 4 i + j: children i and j have their own entry
    std::vector<float> key;
    std::size_t count = 0;
  };
  struct Facets {
    std::vector<std::int32_t> a, b;  ///< leaves
    std::vector<float> key;
    std::size_t count = 0;
  };
  Nodes nodes;
  Facets facets;
  Stack stack;
  Facets candidates;  ///< to be measured; their key is their place in `facets`
  std::vector<std::int32_t> candidatePlaces;
  std::vector<std::int32_t> due;

  const void* ofA = nullptr;  ///< whose list it is
  const void* ofB = nullptr;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< of the last query
  double moved = 0.0;                                      ///< M [m]
  double gap = 0.0;  ///< no two points of the surfaces are closer [m]
  /// The surfaces are not further apart than this [m].
  double reach = std::numeric_limits<double>::infinity();
  std::uint32_t pairsFromScratch = 0;
  bool isUsable = false;
  bool isUnfinished = false;  ///< the last query was cut
};

/// facetDistance() for a motion in small steps.
///
/// Deviation: 1e-6 of the objects' size, as facetDistance(). A search that was cut goes on at the
/// next query where it has ended.
[[nodiscard]] FacetDistance coherentDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                                             const Eigen::Isometry3d& aFromB, SeparationList& list,
                                             std::uint32_t mostNodePairs = kAllNodePairs) noexcept;

/// Whether B's way from the pose of the list's last query to this one is too short for surfaces
/// that were apart there to have met. False if nothing is known.
[[nodiscard]] bool cannotHaveMet(const FacetHierarchy& a, const FacetHierarchy& b,
                                 const Eigen::Isometry3d& aFromB,
                                 const SeparationList& list) noexcept;

/// Whether two surfaces meet.
struct SurfaceMeeting {
  bool meets = false;
  Eigen::Vector3d where = Eigen::Vector3d::Zero();  ///< a common point, in A's frame [m]
  /// They were apart at the last query, and cannot have met on the way from there.
  bool wereApartSince = false;
  /// No two triangles were found that meet, but not all that might have been looked at.
  bool isCut = false;
  FacetDistanceCounters counters;
};

/// Decided in doubles on the triangles: true exactly if two of them have a common point, up to the
/// rounding of doubles. The list serves both queries in any order.
[[nodiscard]] SurfaceMeeting surfacesMeet(const FacetHierarchy& a, const FacetHierarchy& b,
                                          const Eigen::Isometry3d& aFromB, SeparationList& list,
                                          std::uint32_t mostNodePairs = kAllNodePairs) noexcept;

}  // namespace tactus::collision
