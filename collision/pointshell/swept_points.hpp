#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <limits>

#include "collision/pointshell/point_sums.hpp"
#include "collision/tree/rigid_motion.hpp"

namespace tactus::collision {

struct SweptSettings {
  /// Distance that counts as contact [m]: negative where points may be that deep inside, so that a
  /// resting contact does not hide one on the way.
  double touchesAt = 0.0;
  /// Of the coarsest level whose points are no further apart than this [m], or of the finest one if
  /// none is so fine: fewer points, where what is to be met is larger.
  double spacing = 0.0;
  /// Steps of sixteen nodes or points, of which each looks them up in the map once. At 100,000
  /// points one takes 60 to 100 ns.
  std::uint32_t mostSteps = std::numeric_limits<std::uint32_t>::max();
};

/// The first contact of a moving shell with a map.
struct SweptContact {
  bool touches = false;
  double time = 0.0;  ///< of the first contact, or the motion's duration [s]; before it is none
  /// There were more steps to make before it could be told: not known to touch, and `time` is how
  /// far the way is known to be free.
  bool isCut = false;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< that touches, in the map's frame
  std::uint32_t level = 0;                          ///< of the shell, that was asked
  std::uint32_t number = 0;  ///< of the point in it: 16 times block plus place
  std::uint32_t nodeTests = 0, pointTests = 0, steps = 0;
};

/// When a point of the shell first comes as deep as `touchesAt` on a motion of the shell in the
/// map's frame: the test against tunnelling, for motions that are longer than matter is thick.
///
/// Source: H. Xu and J. Barbic, "6-DoF Haptic Rendering Using Continuous Collision Detection
/// between Points and Signed Distance Fields", 2017. How ours differs: the source walks each point
/// through the cells of an octree; ours steps by the distance itself, for sixteen nodes or points
/// at once, and a child goes on where its parent could not go further.
///
/// Method: conservative advancement. A ball whose surface is d away may go on for d over its
/// greatest speed; nodes that get as far as the first contact known are done. Points within a
/// twentieth of a voxel touch. The motion is cut into parts of at most half a radian.
///
/// Deviation: the contact is early by up to a twentieth of a voxel of way along the normal, besides
/// the map's error; what creeps along the surface for more than kMostPointSteps steps counts as
/// touching. Same bytes on every vector target. Allocates nothing.
[[nodiscard]] SweptContact sweptContact(const Pointshell& shell, const Voxmap& map,
                                        const RigidMotion& motion, PointScratch& scratch,
                                        const SweptSettings& settings = {}) noexcept;

/// No point of the shell goes further than this on the motion [m]. As long as that is less than
/// matter is thick, nothing can pass through it unseen from one tick to the next.
[[nodiscard]] double longestWay(const Pointshell& shell, const RigidMotion& motion) noexcept;

}  // namespace tactus::collision
