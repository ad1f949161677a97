#pragma once
#include <cstddef>

#include "collision/depth/cube_batch.hpp"

namespace tactus::collision {

/// Adds the integral of the lesser depth (or of the other's) over cubes in which both are linear,
/// and its derivatives. What a cube pushes with goes to the contacts of the settings, too.
///
/// Source: the project's own; see depthEnergy().
///
/// Method: a cube is cut by four lines along each axis, at the points of Gauss's rule across. Along
/// a line the integrand is made of at most two straight pieces, and is integrated exactly. An axis
/// counts by how much the other's depth and the difference of the two change along it, so that no
/// choice between axes flips.
void addIntegrals(const DepthProblem& problem, const CubeBatch& batch, std::size_t count,
                  DepthSums& sums) noexcept;

}  // namespace tactus::collision
