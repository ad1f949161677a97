#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/surface/facet_hierarchy.hpp"
#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/tree/rigid_motion.hpp"
#include "collision/tree/solids_touch.hpp"

namespace tactus::collision {

enum class ImpactStatus : std::uint8_t {
  NothingHit,       ///< the whole motion is free
  Hit,              ///< free until `time`, where the objects are closer than the tolerance
  StartsInContact,  ///< they touch at the start: `time` is 0
  /// Free until `time`; there steps or pairs of nodes ended, or the motion is not a number.
  Unfinished,
};

struct ImpactSettings {
  /// The objects are closer than this where they count as hit [m]. A hundredth of a millimetre is
  /// below what a hand feels; below 1e-5 of the objects' size, floats leave more and more pairs of
  /// triangles to be decided in doubles.
  double tolerance = 1e-5;
  /// Four to eight are usual. A motion that slides along within the tolerance may take more.
  std::uint32_t mostSteps = 64;
  /// To open, in all steps together: bounds the work. What waits then is still safe for some time.
  std::uint32_t mostNodePairs = kAllNodePairs;
};

struct ImpactCounters {
  std::uint32_t steps = 0;      ///< poses that were looked at
  std::uint32_t nodePairs = 0;  ///< opened, of up to 4 x 4 children
  std::uint32_t leafPairs = 0;  ///< that were measured in doubles
};

/// When two moving objects meet.
struct TimeOfImpact {
  ImpactStatus status = ImpactStatus::NothingHit;
  double time = 0.0;  ///< until then nothing meets [s]
  // Of the pair that stops the motion, at that time, in A's frame; of Hit only.
  double distance = 0.0;  ///< [m]
  Eigen::Vector3d onA = Eigen::Vector3d::Zero(), onB = Eigen::Vector3d::Zero();
  ImpactCounters counters;
};

/// Room of one thread for timeOfImpact().
class ImpactScratch {
 public:
  ImpactScratch();

  // Everything below is for the query. A path is at most 2 * 32 pairs long (InnerSphereTree's
  // depth), and each of them leaves fifteen behind.
  static constexpr std::size_t kStackEntries = 1024;
  std::vector<std::int32_t> a, b;
  std::vector<float> time;
};

/// Time of impact of two solids, by their surfaces.
///
/// Source: conservative advancement, B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
/// Systems", 1996; over hierarchies M. Tang, Y. Kim and D. Manocha, "C2A: Controlled Conservative
/// Advancement", 2009. R. Weller, "New Geometric Data Structures for Collision Detection", 2012,
/// chapter 5.3.5 has swept spheres instead, which go straight: two of them are nearest at
/// r = -(P.M) / (M.M), P being the line of centres at the start and M the relative motion; its
/// equation 5.24 has 2c for -2b in M.M = a - 2b + c, and 5.21 and 5.23 the sign of b likewise. How
/// ours differs from all: a pair of nodes is bounded along three directions, of second order in
/// time, and the search is for the shortest safe time, not for the shortest distance.
///
/// The bound. Let a plane of normal n, fixed in A, separate A's part from B's by a gap g now. A
/// point q of B at s from the centre of rotation goes to
///     q(t) = q + t u + e(t),    u = v + w x s,    |e(t)| <= t^2/2 max|q''| = t^2/2 |w| |w x s|
/// since only the rotation bends its way, with the constant acceleration |w| |w x s| of a circle
/// about the axis. That is across the axis at all times, so its part along n is not more than
/// |n x w| |w x s|. So along n the point comes nearer by no more than -n.u t + k t^2, with
/// k = |n x w| |w x s| / 2; all over a ball of radius r around m
///     -n.u <= -n.(v + w x m) + |w| r,    k <= |n x w| (|w x m| + |w| r) / 2.
/// Nothing passes the plane until the root t of k t^2 + (-n.u) t = g - tolerance/2. No bound on the
/// whole turn is needed, and the error of a step falls with its square, as Newton's does.
///
/// Method:
/// - where is the shortest safe time at this pose? Depth first over both trees; what is safe for
///   longer than the best so far, or than what is left of the motion, is dropped
/// - nodes in floats, along the line of centres and both normals; triangles in doubles along the
///   line of their nearest points, with g and u of each corner of B's
/// - step by that time, until a pair within 0.6 of the tolerance leaves none to speak of
///
/// Conservative: at `time` and before, surfaces are apart by more than half the tolerance, or by
/// what they are at the start if that is less. A motion that starts closer than that, and not
/// touching, is free as long as it does not come closer still. The price is that passing within
/// the tolerance counts as a hit.
///
/// Deviation: rounding of doubles; points that come nearer at less than 1e-9 of their speed count
/// as sliding, and may. `touch` is of the same bodies, and of the start pose only.
[[nodiscard]] TimeOfImpact timeOfImpact(const TouchBody& a, const TouchBody& b,
                                        const RigidMotion& motion, const ImpactSettings& settings,
                                        TouchScratch& touch, ImpactScratch& scratch) noexcept;

/// The same of two hard cores: the lower balls of both trees, which are inside their solids, shrunk
/// by `inset` [m]. Balls that nothing is left of do not count; negative insets make shells.
[[nodiscard]] TimeOfImpact timeOfImpactOfCores(const InnerSphereTree& a, const InnerSphereTree& b,
                                               double inset, const RigidMotion& motion,
                                               const ImpactSettings& settings,
                                               ImpactScratch& scratch) noexcept;

}  // namespace tactus::collision
