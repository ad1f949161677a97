#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "collision/cache/section_file.hpp"
#include "collision/contact/normal_cones.hpp"
#include "collision/depth/depth_field.hpp"
#include "collision/packing/power_cells.hpp"
#include "collision/packing/sphere_packing.hpp"
#include "collision/pointshell/pointshell.hpp"
#include "collision/surface/distance_field.hpp"
#include "collision/surface/facet_hierarchy.hpp"
#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/tree/proximity.hpp"
#include "collision/voxmap/voxmap_builder.hpp"
#include "models/mesh/mesh.hpp"
#include "models/mesh/result.hpp"

namespace tactus::collision {

/// How an object is filled with spheres.
enum class PackingMethod : std::uint32_t {
  Protosphere = 0,
  Voxel = 1,
};

/// As many points as spheres are asked for.
constexpr std::uint64_t kPointsAsSpheres = std::numeric_limits<std::uint64_t>::max();

/// Everything besides the mesh that decides what is built.
struct BuildParameters {
  std::uint64_t spheres = PackingTarget{}.spheres;  ///< at most so many
  PackingMethod packing = PackingMethod::Protosphere;
  std::uint64_t seed = PackingSettings{}.seed;
  double cellFineness = PowerCellSettings{}.fineness;
  double voxelSize = 0.0;         ///< [m]; 0: the smallest for which `voxmapBytes` are enough
  std::uint64_t voxmapBytes = 0;  ///< 0: as many as suit the spheres, see object_builder.cpp
  std::uint64_t points = kPointsAsSpheres;  ///< of the pointshell; 0: none
  double pointsOffset = 0.0;  ///< how far outside of the surface they lie; negative: inside [m]

  [[nodiscard]] bool operator==(const BuildParameters&) const noexcept = default;
};

/// What came out, and what it cost.
struct BuildFigures {
  bool closed = false;  ///< the contract's word: each edge once in each direction
  SignRule signRule = SignRule::Pseudonormal;  ///< WindingNumber: the surface is not clean
  PackingEnd end = PackingEnd::NothingFits;
  std::uint64_t triangles = 0;
  std::uint64_t spheres = 0;
  double volume = 0.0;        ///< of the object [m^3]
  double sphereVolume = 0.0;  ///< of all spheres [m^3]
  double checkSeconds = 0.0;  ///< is the surface closed and clean?
  double packSeconds = 0.0, cellsSeconds = 0.0, treeSeconds = 0.0, facetsSeconds = 0.0;
  /// What of the last two went into the fields of distances and depths. Not kept in a file.
  double fieldSeconds = 0.0, depthsSeconds = 0.0;
  double voxmapSeconds = 0.0, pointsSeconds = 0.0;
  VoxmapBound voxmapBound;  ///< zeros: an older builder did not know
  /// Share of the surface on walls thinner than two cubes of the depth field, where the law of
  /// depth is off; 0: an older builder did not know.
  double thinWalls = 0.0;

  [[nodiscard]] double filled() const noexcept {
    return volume > 0.0 ? sphereVolume / volume : 0.0;
  }
};

/// A mesh, and what its floats lost of each position in its file (empty: nothing); see
/// LoadedMesh::remainders.
struct SolidMesh {
  models::Mesh mesh;
  std::vector<Eigen::Vector3f> remainders;
};

/// The spheres of an object as they were packed.
struct PackedBalls {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< what centres are relative to
  std::vector<PackedSphere> spheres;
  std::vector<PackedSphere> medialAxis;  ///< see SpherePacking
};

/// What no query of the servo loop touches. Of an object from a file it is read, and checked, when
/// it is asked for; each call makes a copy.
class ColdParts {
 public:
  ColdParts() = default;
  ColdParts(const ColdParts&) = delete;
  ColdParts& operator=(const ColdParts&) = delete;
  virtual ~ColdParts() = default;

  [[nodiscard]] virtual models::Result<SolidMesh> solid() const = 0;
  [[nodiscard]] virtual models::Result<PackedBalls> packing() const = 0;
};

/// A solid made ready for the queries. Copies share the arrays.
struct CollisionObject {
  ContentIdentity identity;  ///< of mesh, parameters and builder
  BuildParameters parameters;
  BuildFigures figures;
  InnerSphereTree tree;
  DistanceField field;
  FacetHierarchy facets;
  DepthField depths;
  NormalCones cones;                      ///< of the tree's balls; for the seed's law
  Voxmap voxmap;                          ///< empty if it is not clear everywhere what is inside
  Pointshell pointshell;                  ///< empty if no points are asked for
  std::shared_ptr<const ColdParts> cold;  ///< never null of an object that was built or read

  /// What proximity() wants. Takes some 0.2 us a triangle, see ProximityBody.
  [[nodiscard]] ProximityBody body() const {
    return {tree, field, facets, depths, voxmap, figures.signRule == SignRule::Pseudonormal};
  }
};

}  // namespace tactus::collision
