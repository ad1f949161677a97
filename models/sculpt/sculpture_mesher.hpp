#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// Meshes the surface of a sculpture with `triangles` triangles (the even number at or below), even
/// in size and shape.
///
/// Method:
/// - cut the field on a grid, somewhat finer than the mesh is to be, and fine enough for the
/// thinnest
///   stroke (surface_extraction.hpp)
/// - remesh on the field until count and shapes are right (remeshing.hpp)
/// - look for triangles that meet others, and mend them
///
/// The mesh is closed, outward oriented, two-manifold and free of self-intersections; its vertices
/// are on the surface to 1e-5 of the diagonal; no angle is below 20 degrees, but in places that
/// only a finer mesh could resolve. Edges are of one length, shorter where the surface curves more
/// tightly than that. Creases between strokes without blend are cut off by up to half an edge. A
/// sculpture that needs more triangles for its topology gets as few as that takes. Parts thinner
/// than a cell may be missing.
///
/// The same bytes on every machine and for every vector target and number of `threads` (0: one a
/// core).
[[nodiscard]] Mesh meshSculpture(const Sculpture& sculpture, std::size_t triangles,
                                 unsigned threads = 0);

}  // namespace tactus::models
