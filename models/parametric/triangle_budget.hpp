#pragma once
#include <cstddef>
#include <functional>

#include "models/mesh/mesh.hpp"
#include "models/parametric/surface_builder.hpp"

namespace tactus::models {

/// Finds the fineness at which a shape comes closest to a wanted number of triangles.
///
/// Counts of rows and points are whole numbers, so the number of triangles is a staircase of the
/// edge length. Method: begin with the edge length of equilateral triangles on `area`; scale it by
/// the square root of the miss until the number stands within 1 %; when a stair is too high for
/// that, which happens to small meshes only, halve intervals of edge lengths at several row shares.
/// Deterministic: it depends on the number wanted and on nothing else.
///
/// make(fineness) makes the shape. The mesh returned is the best one seen.
[[nodiscard]] Mesh fitToTriangles(std::size_t triangles, double area,
                                  const std::function<Mesh(const Fineness&)>& make);

}  // namespace tactus::models
