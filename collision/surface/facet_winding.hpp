#pragma once
#include <Eigen/Core>
#include <vector>

#include "collision/surface/facet_hierarchy.hpp"

namespace tactus::collision {

/// How often a closed surface winds around a point: 1 inside, 0 outside, more where parts overlap.
///
/// Method: the triangles above the point are counted, those that look up as 1 and those that look
/// down as -1; they are found in the hierarchy. A point below an edge belongs to one of the edge's
/// triangles and never to both or none: each edge is tested from its lower end, whichever triangle
/// asks, and a point exactly below it counts as moved aside by an infinitesimal (e, e^2), after
/// H. Edelsbrunner and E. Muecke, "Simulation of Simplicity", 1990.
///
/// Deviation: right unless the point is within the rounding of doubles (1e-15 of the object's size)
/// of the surface. `point` is relative to the hierarchy's origin.
[[nodiscard]] int windingAt(const FacetHierarchy& surface, const Eigen::Vector3d& point) noexcept;

/// A connected part of a closed surface.
struct SurfacePart {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< a corner, relative to the surface's origin
  double volume = 0.0;  ///< within it; negative if it bounds a cavity [m^3]
};

/// Triangles are connected where they have a corner in the same place.
[[nodiscard]] std::vector<SurfacePart> partsOf(const FacetHierarchy& surface);

/// The points of partsOf().
[[nodiscard]] std::vector<Eigen::Vector3d> pointOfEachPart(const FacetHierarchy& surface);

}  // namespace tactus::collision
