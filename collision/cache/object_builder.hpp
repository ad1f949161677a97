#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "collision/cache/collision_object.hpp"

namespace tactus::collision {

/// Raised when the same mesh and parameters give another object than before: caches of the older
/// number are built anew.
constexpr std::uint32_t kBuilderVersion = 16;

/// The name of what is built of a mesh: a hash of its bytes, of the parameters and kBuilderVersion.
[[nodiscard]] ContentIdentity identityOf(const SolidMesh& solid, const BuildParameters& parameters);

enum class BuildStage : std::uint8_t { Checking, Packing, Cells, Tree, Facets, Voxmap, Points };

/// How far a build is.
struct BuildProgress {
  BuildStage stage = BuildStage::Checking;
  PackingProgress packing;  ///< while the stage is Packing
  VoxmapProgress voxmap;    ///< while it is Voxmap
  double share = 0.0;       ///< while it is Cells or Points, from 0 to 1
};

struct BuildSettings {
  BuildParameters parameters;
  unsigned threads = 0;  ///< 0: one a core; the object is the same for any number
  /// Called from the calling thread before each stage, about fifty times while packing and while
  /// measuring the voxmap, and many times a second while dividing the object into cells and while
  /// spreading the points; false cancels. May be empty.
  std::function<bool(const BuildProgress&)> progress;
};

enum class BuildEnd : std::uint8_t {
  Built,
  Open,            ///< the surface is not closed: it has no inside
  InsideOut,       ///< its normals point inward
  NothingFits,     ///< no sphere fits into it
  Overfull,        ///< the spheres take more than the volume that the surface says it has
  VoxelsTooSmall,  ///< voxels of the size asked for need more than Voxmap::kMostBytes
  BytesTooFew,     ///< there is no voxmap of so few bytes as were asked for
  VoxelsTooLarge,  ///< a voxel of the size asked for is longer than the object
  Cancelled,
};

struct BuildOutcome {
  BuildEnd end = BuildEnd::Built;
  CollisionObject object;  ///< only of Built
  std::string unclean;     ///< why winding numbers told what is inside; empty if they did not
  std::size_t copies = 0;  ///< triangles on the corners of others that were passed over
};

/// Mesh to object: packs spheres, divides the solid among them, grows both trees, measures the
/// voxmap and spreads the points.
///
/// A surface that is not clean (it cuts itself, or has doubled triangles) is packed by winding
/// number; the figures' sign rule says so. If nothing is wrong with it but doubled triangles, those
/// are passed over instead.
[[nodiscard]] BuildOutcome buildObject(SolidMesh solid, const BuildSettings& settings);

}  // namespace tactus::collision
