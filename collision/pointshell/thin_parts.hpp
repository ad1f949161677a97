#pragma once
#include "collision/pointshell/pointshell.hpp"
#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision {

/// How much of a surface bounds matter that a map's voxels are too coarse for, as a share of its
/// area: plates and needles thinner than a voxel, parts with no voxel inside. Points of another
/// body feel less there than they should, or nothing.
///
/// Source: the project's own. Method: from each point of the shell a voxel inward, along its
/// normal, the map has to tell somewhere that it is a fifth of a voxel deep. The shell is that of
/// the same surface, `offset` outside of it. 0 if one of both is empty.
///
/// Deviation: a plate of two voxels or more is seen wherever it lies in the lattice; of one between
/// one and two, parts may count. Of boxes, balls, needles and plates that are thicker none counted.
[[nodiscard]] double unresolvedShare(const Pointshell& shell, const Voxmap& map,
                                     double offset = 0.0);

/// From this share on it is said: a small part, for instance a pin, has no more of the area.
inline constexpr double kThinShare = 0.001;

}  // namespace tactus::collision
