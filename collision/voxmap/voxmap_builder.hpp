#pragma once
#include <cstdint>

#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision {

enum class VoxmapEnd : std::uint8_t {
  Built,
  Empty,     ///< there is no surface
  TooLarge,  ///< voxels of the size asked for need more than Voxmap::kMostBytes, or there is no
             ///< size for which the bytes asked for are enough
  NoInside,  ///< inside and outside meet where there is no surface: it has a hole
  Cancelled,
};

/// What interpolated distances are certainly not off by more than [m], other than VoxmapError,
/// which tells what was seen. A distance changes by no more than the way, so that in a cell its
/// corners tell it to half of a diagonal; added is by how much stored values differ from exact
/// ones, and rounding. Of surfaces of which it is clear everywhere what is inside.
struct VoxmapBound {
  double inBricks = 0.0;   ///< where the surface is nearer than the band, and further out
  double elsewhere = 0.0;  ///< in coarse cells, which are seven times as large
};

struct VoxmapOutcome {
  VoxmapEnd end = VoxmapEnd::Built;
  Voxmap map;         ///< only of Built
  VoxmapBound bound;  ///< likewise
};

/// The voxmap of a surface; see Voxmap for what it is.
///
/// Method:
/// - distances at the coarse corners; a place gets a brick if the surface may be within the band,
/// or
///   if the coarse cell is off by more than is allowed at its centre or the centre of a face
/// - without a given size: the bricks are counted for a few sizes until they fit
/// - all distances of a brick at once from the triangles near it (BrickDistances), or from the tree
///   where that cannot do it; inside or outside is asked once for all points that no surface can
///   separate (LatticeSigns)
/// - sharpen, and make the borders to coarse cells fit
/// - compare with exact distances at random points
///
/// Same bytes on every vector target and for any number of threads.
[[nodiscard]] VoxmapOutcome buildVoxmap(const SurfaceDistance& surface,
                                        const VoxmapSettings& settings = {});

}  // namespace tactus::collision
