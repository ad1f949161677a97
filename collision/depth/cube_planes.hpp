#pragma once
#include "collision/depth/cube_batch.hpp"

namespace tactus::collision {

/// Integrates the cubes of a batch, and leaves it empty. Of each, its middle is given, and the
/// other's depth there.
///
/// Source: the project's own; see depthEnergy().
///
/// Method: both depths of a cube are made planes. The walked one by value and gradient at the
/// middle, the other one through four points around it, which make it a mean over the cube; where
/// the other one bends in a cube that matters, the cube's eight halves are looked at in its place.
/// Cubes in which the two cannot both be positive are left out as soon as that is known.
void integrateCubes(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept;

}  // namespace tactus::collision
