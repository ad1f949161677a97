#pragma once
#include <Eigen/Core>
#include <limits>

#include "models/report/triangle_bvh.hpp"
#include "models/report/walls.hpp"

namespace tactus::models {

struct CreaseThickness {
  double length = std::numeric_limits<double>::infinity();  ///< [m]; infinity: none below the bound
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();         ///< relative to the mesh's origin [m]
};

/// Least thickness at the creases of a closed surface, where faces alone do not show it: the waist
/// of an hourglass, the tip of a dent, the edge between a groove's flanks.
///
/// A *crease* is an edge with more than 180 degrees of material around it; a *tip* is a vertex from
/// which all edges rise out of the material. The thickness there is the distance to the nearest
/// point of the surface that lies across the material: the straight line between the two leaves the
/// crease within 15 degrees of the directions between its faces' inward normals (the tip: no edge
/// goes along with it by more than that), arrives at the other side along one of the outward
/// normals that the surface has there (at an edge or a vertex: any between those of its triangles),
/// and runs through material only. These are the places where the distance between two parts of the
/// surface has a local minimum, and those where it still falls a little when the crease ends. So a
/// convex edge is at neither end, and a crease that ends at an end face is not thin there.
///
/// The triangles that have a corner in common with the crease count by the side that has none.
///
/// Creases as flat as those of a fine smooth surface are left out when they stand out by less than
/// a twentieth of `bound`: the centres of the triangles beside them tell the thickness to a
/// fiftieth. Only lengths below `bound` are looked for. Deterministic for any `threads`.
[[nodiscard]] CreaseThickness thinnestAtCreases(const Walls& walls, const TriangleBvh& bvh,
                                                double bound, unsigned threads = 0);

}  // namespace tactus::models
