#pragma once
#include <cstdint>
#include <vector>

#include "models/sculpt/surface_mesh.hpp"

namespace tactus::models {

/// Draws the mesh smooth around triangles that cross others, `rings` edges far, without asking the
/// surface: for the places that no mesh with such edges can follow, as where a groove pinches off a
/// sheet thinner than an edge.
///
/// Source: G. Taubin, "A Signal Processing Approach to Fair Surface Design", 1995, its Laplacian
/// step alone. The shrinking that he mends is what is wanted here: spikes and folds draw back
/// into the patch, whose border stays where it is.
///
/// Method:
/// - mark the corners of `crossing` and what is within `rings` edges of them
/// - move each to the mean of its neighbours, one after the other, and repeat
void untangle(SurfaceMesh& mesh, const std::vector<std::uint32_t>& crossing, int rings);

}  // namespace tactus::models
