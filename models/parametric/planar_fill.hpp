#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// Triangles that fill a polygon. Indices below the polygon's size name its corners, in their
/// order; the rest name `inside`.
struct PlanarFill {
  std::vector<Eigen::Vector2d> inside;
  std::vector<Triangle> triangles;  ///< counter-clockwise
};

/// Fills a simple polygon, which runs counter-clockwise and whose sides become edges of the mesh,
/// with nearly equilateral triangles of about the given edge length. Collinear corners are welcome.
///
/// Method: points of a triangular lattice that keep their distance from the sides; Delaunay
/// triangulation by insertion along a Hilbert curve and flips (C. Lawson, "Software for C1 surface
/// interpolation", 1977); sides that are missing are won back by flips (S. Sloan, "A fast algorithm
/// for generating constrained Delaunay triangulations", 1993); points inside are moved to the mean
/// of their neighbours a few times, each time followed by flips.
/// How ours differs: coordinates are rounded to whole numbers of 24 bits, on which orientation and
/// circle test are exact in 128 bits, so that no tolerance decides and all machines agree.
///
/// Sides must be longer than 2^-20 of the polygon's extent; a polygon that crosses itself gives a
/// mesh that does not fill it.
[[nodiscard]] PlanarFill fillPolygon(std::span<const Eigen::Vector2d> polygon, double edge);

}  // namespace tactus::models
