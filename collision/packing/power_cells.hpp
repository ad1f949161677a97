#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "collision/packing/sphere_packing.hpp"
#include "collision/surface/surface_distance.hpp"
#include "models/mesh/parallel_while.hpp"

namespace tactus::collision {

/// A sphere's share of the whole object.
struct PowerCell {
  double volume = 0.0;  ///< unless relaxed, at least the sphere's own [m^3]
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  ///< relative to the packing's origin [m]
  double depth = 0.0;                                  ///< mean, below the surface [m]
};

struct PowerCellSettings {
  double fineness = 1.0;    ///< 2: cubes of half the side, eight times the work
  double relaxation = 0.0;  ///< how far sites move to and beyond the centroids of their cells
  unsigned threads = 0;     ///< 0: one a core; the cells are the same for any number
  /// Called from the calling thread many times a second; false ends it.
  // said, for those who set some members by name: g++ warns of others without one
  models::GoesOn goesOn = {};  // NOLINT(readability-redundant-member-init)
};

/// One cell a sphere, in the packing's order; none if it was ended.
struct PowerCells {
  std::vector<PowerCell> cells;
  double sampledVolume =
      0.0;                  ///< of the object, by the samples alone; `cells` sum to the exact one
  std::size_t samples = 0;  ///< inside or cut by the surface
};

/// Divides the whole object among its spheres: a point belongs to the sphere of least power
/// |x - c|^2 - r^2, so that each void is shared by the spheres around it.
///
/// Source: Aurenhammer, "Power Diagrams: Properties, Algorithms and Applications", 1987.
/// How ours differs: the cells are integrated by samples, not built: the surface that cuts the
/// outer ones has more faces than all cells together.
///
/// Method:
/// - the object's box is halved along each axis, again and again; each cube keeps the spheres that
///   may own a point of it, filtered from its parent's: p_i - p_j is linear, so against the sphere
///   j of least power in the middle its least value over the cube is exact
/// - cubes further from the surface than their half diagonal are inside or outside as a whole
/// - a cube ends the halving when it is small against the smallest sphere that may own a part of
///   it, so that small cells get as many samples as large ones; or when it is one sphere's alone
/// - it then holds 4 x 4 x 4 samples, see PowerPlanes; near the surface their distances come from
///   SurfacePatch, and each counts with the share of its own small cube that is inside
/// - a ball lies within its own cell, so what was sampled beyond the balls is scaled until all
///   cells sum up to the object's volume
///
/// Relaxation is a round of Lloyd's (1982), the weights kept: a site moves from its sphere's centre
/// towards its cell's centroid, `relaxation` times as far, and all is divided anew. Cells become
/// rounder, more like the balls that stand for them. A sphere then lies near its cell but need not
/// be a part of it, so volumes are what was sampled, scaled as a whole.
[[nodiscard]] PowerCells powerCells(const SpherePacking& packing, const SurfaceDistance& surface,
                                    const PowerCellSettings& settings = {});

}  // namespace tactus::collision
