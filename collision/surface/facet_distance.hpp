#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/surface/facet_hierarchy.hpp"

namespace tactus::collision {

struct FacetDistanceCounters {
  std::uint32_t nodePairs = 0;   ///< opened, of up to 4 x 4 children
  std::uint32_t facetPairs = 0;  ///< of triangles that were measured
  bool stackWasFull = false;     ///< a bug of ours: pairs were dropped
};

/// Pairs of nodes that a search may open: as many as it needs.
inline constexpr std::uint32_t kAllNodePairs = std::numeric_limits<std::uint32_t>::max();

/// How much a search may do, and how little it may leave undecided.
struct FacetSearchLimits {
  std::uint32_t nodePairs = kAllNodePairs;  ///< that may be opened
  /// Up to 1: what is certainly further off than this share of the closest that was found is not
  /// looked at. Then `least` is at least this share of the distance, and what is found is no
  /// further off than the distance by it. Where surfaces run side by side, all of which is nearly
  /// closest, that takes a fraction of the time.
  double share = 1.0;
};

/// The closest points of two surfaces.
struct FacetDistance {
  double distance = std::numeric_limits<double>::infinity();  ///< 0 if the surfaces meet [m]
  Eigen::Vector3d onA = Eigen::Vector3d::Zero(), onB = Eigen::Vector3d::Zero();  ///< A's frame [m]
  std::uint32_t facetA = 0, facetB = 0;  ///< triangles of the meshes
  /// No two points of the surfaces are closer than this: the distance, but for rounding, unless
  /// the search had limits [m].
  double least = 0.0;
  /// There were more pairs of nodes to open than was allowed. Distance and points are those of the
  /// closest triangles that were found, others may be closer. An infinite distance: none were.
  bool isCut = false;
  FacetDistanceCounters counters;
};

/// Room of one thread for facetDistance(), of any surfaces, and what it found last: between the
/// next two it starts from nothing.
class FacetDistanceScratch {
 public:
  FacetDistanceScratch();

  /// The next query starts from nothing.
  void forget() noexcept { lastA = lastB = -1; }

  /// What a query between these two found, who asks about many pairs in turn: leaves, or -1.
  void remember(const FacetHierarchy& ofTheOne, const FacetHierarchy& ofTheOther,
                std::int32_t leafA, std::int32_t leafB) noexcept {
    ofA = ofTheOne.arrays().corners.data();
    ofB = ofTheOther.arrays().corners.data();
    lastA = leafA;
    lastB = leafB;
  }

  // Everything below is for the query. As many pairs as are opened between two looks at what waits:
  // with 16 and 64 the searches between five pairs of meshes took as long.
  static constexpr std::size_t kChunk = 32;
  // A path is at most 2 * 17 pairs long (4^17 triangles). Children of one level are pushed only
  // when nothing of theirs or a deeper one waits, by at most a chunk of parents.
  static constexpr std::size_t kStackEntries = (2 * 17 + 2) * 16 * kChunk;
  // Candidates that are worth measuring: the nearest of so many makes most others superfluous. With
  // 16 and 128 the searches took as long.
  static constexpr std::size_t kEnough = 64;
  static constexpr std::size_t kCandidates = kEnough + 16 * kChunk + 16;
  std::vector<std::int32_t> a, b;
  std::vector<float> least;
  std::vector<std::int32_t> chunkA, chunkB;
  std::vector<std::int32_t> candidatesA, candidatesB;
  std::vector<float> candidatesLeast;
  std::int32_t lastA = -1, lastB = -1;  ///< leaves that were closest
  const void* ofA = nullptr;            ///< whose leaves they are
  const void* ofB = nullptr;
};

/// Distance of two surfaces, and where they are closest.
///
/// Source: branch and bound over pairs of nodes, as in S. Quinlan, "Efficient Distance Computation
/// between Non-Convex Objects", 1994. How ours differs: nodes are capped balls (FacetHierarchy),
/// and the bound of a pair is the best of three directions: the line of centres and both normals.
///
/// Method:
/// - the pair that was closest last time, if the scratch remembers one, is measured first: between
///   two ticks it hardly changes, and everything further away is dropped at once
/// - otherwise a dive by the four pairs of each level that seem nearest finds a first bound
/// - then depth first, a chunk of pairs of nodes at a time with sixteen pairs of children each, as
///   far as what was found until then has not made them superfluous. To open the most promising one
///   first, four pairs at a time, took a sixth longer: it opened as many, and guessed branches
/// - pairs of triangles are sifted by directions that separate them, and what is left is measured,
///   sixteen pairs at a time in floats; the closest one again in doubles
///
/// Deviation: 1e-6 of the objects' size and of how far apart they are; see also farDistance().
/// Surfaces that cut each other are at distance 0; so one inside the other is at the distance of
/// the surfaces.
///
/// Work: where it has opened `limits.nodePairs` (and a dive's 72 in any case), the search ends with
/// what it has found, and with a distance that is certain for what still waits.
[[nodiscard]] FacetDistance facetDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                                          const Eigen::Isometry3d& aFromB,
                                          FacetDistanceScratch& scratch,
                                          const FacetSearchLimits& limits = {}) noexcept;

}  // namespace tactus::collision
