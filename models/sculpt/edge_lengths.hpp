#pragma once
#include <cstddef>

#include "models/sculpt/surface_mesh.hpp"

namespace tactus::models {

/// The wanted length is never less than this part of the length wanted where nothing curves.
constexpr float kFinestEdge = 0.2F;

/// Sets every vertex' target: how long edges may be there so that the mesh still shows how the
/// surface curves. `reach` is the length that is wanted anyway; what is wider than that is not
/// looked for.
///
/// Method: walk over the surface from each vertex until the normal has turned by 60 degrees; on a
/// ball or a tube of radius R that is a chord of length R. Unlike the curvature at a point it does
/// not see a shallow groove, however tightly its rims are rounded. Hollows count only when they are
/// narrower, as their chords take away nothing; creases, where the normal jumps, do not count at
/// all. Targets then grow away from tight places at a bounded rate.
void limitEdgesByCurvature(SurfaceMesh& mesh, float reach, unsigned threads);

/// The edge length for which a mesh of about `triangles` equilateral triangles covers the surface,
/// where the targets allow it.
[[nodiscard]] float edgeLengthFor(const SurfaceMesh& mesh, std::size_t triangles);

}  // namespace tactus::models
