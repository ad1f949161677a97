#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/surface/facet_hierarchy.hpp"
#include "collision/surface/separation_list.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

/// What decided that two solids touch, or do not.
enum class TouchReason : std::uint8_t {
  BallsMeet,           ///< touch: a ball inside A and a ball inside B
  SurfacesMeet,        ///< touch: two triangles have a common point
  OneInsideTheOther,   ///< touch: surfaces are apart, and a part of one is inside the other solid
  Apart,               ///< surfaces are apart, and neither is inside the other
  CannotHaveMetSince,  ///< apart at the last query, and the way from there is too short
  Undecided,           ///< no touch was found, but the search was cut
};

struct SolidsTouch {
  bool touch = false;
  TouchReason reason = TouchReason::Apart;
  std::uint32_t ballPairs = 0;  ///< pairs of nodes of the sphere trees
  FacetDistanceCounters facets;
};

/// Room of one thread for solidsTouch() between two bodies, and what it found last. Making it takes
/// some 0.2 us a triangle: it looks for the connected parts of both surfaces.
class TouchScratch {
 public:
  TouchScratch(const FacetHierarchy& a, const FacetHierarchy& b);

  /// The next query starts from nothing.
  void forget() noexcept {
    surfaces.forget();
    wereApart = false;
  }

  // Everything below is for the query.
  // Objects that are deeper in each other than their spheres are large are decided within twenty
  // pairs of nodes; what takes longer is left to the surfaces.
  static constexpr std::uint32_t kMostBallPairs = 32;
  struct BallPairs {
    std::vector<std::int32_t> a, b;
    std::vector<float> depth;  ///< how far the balls are in each other [m]
  };
  BallPairs balls;
  SeparationList surfaces;
  std::vector<Eigen::Vector3d> partsOfA, partsOfB;  ///< see pointOfEachPart()
  bool wereApart = false;
};

/// A solid as solidsTouch() knows it: both of the same mesh.
struct TouchBody {
  const InnerSphereTree& spheres;
  const FacetHierarchy& facets;
};

/// Whether two solids have a common point: surfaces that meet, or one inside the other.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5,
/// answers yes once two inner spheres meet. How ours differs: where none do, the surfaces decide.
///
/// Method:
/// - the deepest pairs of the sphere trees first: two lower balls in each other, which are inside
///   their solids, prove a yes
/// - then the facets, see surfacesMeet(): bounds that are apart prove a no, two triangles with a
///   common point a yes
/// - surfaces that are apart: each connected part of one is inside the other solid or outside of it
///   as a whole, so one point of each decides, see windingAt()
/// - where the last answer was no, and the way from there is shorter than the gap was, no again
///
/// Work: kMostBallPairs, then `mostNodePairs` of the surfaces. A search that was cut goes on at the
/// next query where it has ended; until then nothing is known.
///
/// Deviation: triangles and points are compared in doubles; balls must be in each other by 1e-6 of
/// the objects' size to count, which is more than floats are off. Surfaces that are not closed have
/// no inside: then only their meeting counts.
[[nodiscard]] SolidsTouch solidsTouch(const TouchBody& a, const TouchBody& b,
                                      const Eigen::Isometry3d& aFromB, TouchScratch& scratch,
                                      std::uint32_t mostNodePairs = kAllNodePairs) noexcept;

}  // namespace tactus::collision
