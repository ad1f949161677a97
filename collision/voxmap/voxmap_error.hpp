#pragma once
#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision {

/// |interpolated - exact distance| at random points, the same ones each time: near the surface of
/// points in bricks, and of points spread evenly in the grid. What it tells is measured, not
/// certain. Precondition: the map is not empty.
[[nodiscard]] VoxmapError measuredError(const Voxmap& map, const SurfaceDistance& surface,
                                        unsigned threads = 0);

}  // namespace tactus::collision
