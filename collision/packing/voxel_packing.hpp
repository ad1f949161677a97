#pragma once
#include "collision/packing/sphere_packing.hpp"

namespace tactus::collision {

struct VoxelPackingSettings {
  PackingTarget target;
  double voxel = 0.0;    ///< side; 0: as small as the number of spheres needs [m]
  unsigned threads = 0;  ///< 0: one a core; the packing is the same for any number
  /// As PackingSettings::progress.
  std::function<bool(const PackingProgress&)> progress;
};

/// Fills the object with spheres whose centres are voxel centres: the **voxel-based** packing.
///
/// Source: Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 4.2: voxels inside the object wait in a queue, ordered by their distance to surface and
/// spheres; the largest becomes a sphere, those within it are dropped, those near it updated.
/// How ours differs: queue entries are not moved when a voxel's distance shrinks, but checked when
/// their turn comes; each sphere is measured anew, as in packSpheres(), so that the same tolerance
/// holds; the number of spheres decides the voxels' size unless the caller does.
///
/// Kept as a comparison: its spheres are regular near the surface and it fills less than
/// Protosphere with the same number of spheres. `medialAxis` stays empty.
[[nodiscard]] SpherePacking packVoxels(const models::Mesh& mesh, const SurfaceDistance& surface,
                                       const VoxelPackingSettings& settings);

}  // namespace tactus::collision
