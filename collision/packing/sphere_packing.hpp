#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// A ball relative to its packing's origin [m].
struct PackedSphere {
  Eigen::Vector3f centre = Eigen::Vector3f::Zero();
  float radius = 0.0F;
};

/// When to stop; whichever is met first.
struct PackingTarget {
  std::size_t spheres = 100'000;
  double filled = 1.0;          ///< sphere volume / object volume
  double smallestRadius = 0.0;  ///< no sphere is smaller [m]
};

enum class PackingEnd : std::uint8_t {
  SphereCount,     ///< as many spheres as asked for
  Filled,          ///< the share of the volume is reached
  SmallestRadius,  ///< what would fit is smaller than asked for
  NothingFits,     ///< no empty ball was found: no volume, or only gaps too small for floats
  Cancelled,       ///< the callback said so; the spheres so far are good
};

/// How far a packing is, now and then told to who asked for it. The share grows about as time does:
/// after t seconds about t (1 - share) / share are left. No clock is read here.
struct PackingProgress {
  std::size_t spheres = 0;
  double filled = 0.0;
  double share = 0.0;  ///< of the work, from 0 to 1
};

struct PackingSettings {
  PackingTarget target;
  std::uint64_t seed = 1;  ///< of the prototypes' places
  unsigned threads = 0;    ///< 0: one a core; the packing is the same for any number
  /// Called from the calling thread about fifty times; false cancels. May be empty.
  std::function<bool(const PackingProgress&)> progress;
};

/// Spheres inside an object that do not overlap, largest first (nearly).
struct SpherePacking {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  std::vector<PackedSphere> spheres;
  PackingEnd end = PackingEnd::NothingFits;
  SignRule signRule = SignRule::Pseudonormal;  ///< WindingNumber: the surface is not clean
  double objectVolume = 0.0;                   ///< see insideVolume() [m^3]
  double sphereVolume = 0.0;                   ///< [m^3]
  /// Centres and radii of the largest empty balls that touch the surface at the prototypes: points
  /// of the medial axis.
  std::vector<PackedSphere> medialAxis;

  [[nodiscard]] double filled() const noexcept {
    return objectVolume > 0.0 ? sphereVolume / objectVolume : 0.0;
  }
  [[nodiscard]] Eigen::Vector3d centre(std::size_t i) const {
    return origin + spheres[i].centre.cast<double>();
  }
};

/// Fills the object with spheres: **Protosphere**.
///
/// Source: Weller and Zachmann, "ProtoSphere: A GPU-Assisted Prototype Guided Sphere Packing
/// Algorithm for Arbitrary Objects", 2010: prototypes climb to the Voronoi nodes of surface and
/// spheres, the largest ball is inserted, and so on, which gives an Apollonian packing.
/// How ours differs:
/// - The source keeps one prototype in each cell of a grid and moves all of them after each
///   insertion. But a new local maximum of the clearance always touches the sphere that was
///   inserted last, because the clearance has changed nowhere else. So prototypes start around each
///   new sphere only (EmptyBallSearch), and all maxima ever found wait in a queue, largest first.
/// - The first prototypes start on the surface and run inward along the shrinking ball of Ma, Bae
///   and Choi, "3D Medial Axis Point Approximation Using Nearest Neighbors and the Normal Field",
///   2012: a plate of any thinness has them. What is all but a ball has only that one.
/// - Insertion goes by rounds: the largest waiting balls, down to a few percent below the largest,
///   are measured in parallel and inserted in their order where they still fit.
///
/// Tolerance: no two spheres overlap and none leaves the surface by more than 1e-9 of the box's
/// diagonal: each radius is measured in doubles from its rounded centre and rounded down.
/// The same bytes for any number of threads and on every vector target.
/// The surface of a messy mesh is respected wherever it has triangles, those inside too; where it
/// has holes, a sphere's centre is inside by winding number, and its rim may not be.
[[nodiscard]] SpherePacking packSpheres(const models::Mesh& mesh, const PackingSettings& settings);

/// The same, with a distance function at hand, of the same mesh.
[[nodiscard]] SpherePacking packSpheres(const models::Mesh& mesh, const SurfaceDistance& surface,
                                        const PackingSettings& settings);

/// Volume of the inside: exact for a clean surface, of one that overlaps itself all space counted
/// once (models::solidMass), of an open one counted at 48 points along the longest side of its box
/// [m^3].
[[nodiscard]] double insideVolume(const models::Mesh& mesh, const SurfaceDistance& surface,
                                  unsigned threads = 0);

}  // namespace tactus::collision
