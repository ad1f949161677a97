#pragma once
#include "collision/depth/cube_batch.hpp"

namespace tactus::collision {

/// Takes the cubes out of a batch of finest ones in which either solid has a thin wall, and
/// integrates them.
///
/// Source: the project's own; see thinWalls() and depthEnergy().
///
/// Method: in such a cube a depth is the least of several planes. Each plane of the one with each
/// of the other makes a part: where both are the least of theirs. It is integrated like a whole
/// cube, along lines across the wall that end where another plane takes over. The other solid's
/// planes are those of the cube of its field that the walked cube's middle is in, or else one of
/// its corners.
///
/// Deviation: the other's planes change where the middle gets from cube to cube, by as much as its
/// wall bends in one.
void integrateWalls(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept;

}  // namespace tactus::collision
