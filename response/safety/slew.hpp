#pragma once
#include <Eigen/Core>

namespace tactus::response {

/// A force (or torque) that comes up no faster than it may, and goes down as fast as it wants.
///
/// The result points where `wanted` does, is never longer, and lies within `mostRise` of the line
/// from nothing to `before`: whatever part of it was not there a tick ago is at most that long. So
/// a force that falls, to any length down to zero, passes untouched in the same tick, and one that
/// turns round begins again from nothing instead of jumping to the other side.
///
/// Method: with the angle a between the two, the longest m for which m * direction is within r of
/// the segment. Beyond a right angle that is r. Below, the nearest point is inside the segment
/// while r <= |before| tan a, and m = r / sin a; else it is its end, and m = |before| cos a +
/// sqrt(r^2 - |before|^2 sin^2 a).
[[nodiscard]] Eigen::Vector3d slewed(const Eigen::Vector3d& wanted, const Eigen::Vector3d& before,
                                     double mostRise) noexcept;

}  // namespace tactus::response
