#pragma once
#include "collision/depth/cube_batch.hpp"

namespace tactus::collision {

/// Walks the cubes of one field from the coarsest down to the finest that may hold a part of both
/// solids, and has those integrated; or coarser ones, within the budget of the settings.
///
/// Source: octrees after D. Meagher, see SolidCubes; the rest is the project's own, see
/// depthEnergy().
void walkDepths(const DepthProblem& problem, DepthScratch& scratch, DepthEnergy& result,
                DepthSums& sums) noexcept;

}  // namespace tactus::collision
