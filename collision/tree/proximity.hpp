#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "collision/contact/contact_cells.hpp"
#include "collision/depth/depth_energy.hpp"
#include "collision/surface/distance_field.hpp"
#include "collision/surface/facet_distance.hpp"
#include "collision/surface/facet_hierarchy.hpp"
#include "collision/surface/facet_winding.hpp"
#include "collision/surface/separation_list.hpp"
#include "collision/surface/volume_bounds.hpp"
#include "collision/tree/coherence.hpp"
#include "collision/tree/contact_energy.hpp"
#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/tree/penetration_volume.hpp"
#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision {

/// A solid as the unified query knows it. Copies share their memory.
struct ProximityBody {
  ProximityBody() = default;

  /// Looks for the connected parts of the surface, which takes some 0.2 us a triangle. `isClean`:
  /// the surface is closed and nowhere cuts itself, so that the tree's volume is the solid's and
  /// not a sampled one.
  ProximityBody(InnerSphereTree tree, DistanceField distances, FacetHierarchy surface,
                DepthField depthsBelow, Voxmap map, bool isClean)
      : spheres(std::move(tree)),
        field(std::move(distances)),
        facets(std::move(surface)),
        depths(std::move(depthsBelow)),
        voxmap(std::move(map)),
        parts(std::make_shared<const std::vector<SurfacePart>>(partsOf(facets))),
        volumeIsExact(isClean) {}

  InnerSphereTree spheres;
  DistanceField field;
  FacetHierarchy facets;
  DepthField depths;
  Voxmap voxmap;                                          ///< proximity() does without
  std::shared_ptr<const std::vector<SurfacePart>> parts;  ///< of the facets; null: none
  bool volumeIsExact = false;                             ///< that of the spheres
};

enum class ProximityStatus : std::uint8_t {
  Complete,
  QueueWasFull,  ///< the volume is too small: more pairs than the scratch has room for
};

/// How two solids stand to each other.
struct Proximity {
  double volume = 0.0;                          ///< of the overlap [m^3]
  double volumeLower = 0.0, volumeUpper = 0.0;  ///< the true volume is certainly between [m^3]
  /// Of the overlap, in A's frame [m], if asked for and the cells' balls share something.
  std::optional<Eigen::Vector3d> centroid;
  double energy = 0.0;  ///< by the law asked for: [m^3], and of the depth laws [m^4]
  /// Minus the gradient of `energy` with respect to B's pose, in A's frame: the force on B [m^2,
  /// m^3] and the torque on B about B's origin [m^3, m^4].
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  Stiffness stiffness = Stiffness::Zero();  ///< second derivatives of `energy`, if asked for
  double distance = 0.0;                    ///< of the surfaces when they are apart, else 0 [m]
  Eigen::Vector3d nearestOnA = Eigen::Vector3d::Zero();  ///< in A's frame, if apart [m]
  Eigen::Vector3d nearestOnB = Eigen::Vector3d::Zero();
  ProximityStatus status = ProximityStatus::Complete;
  bool isCut = false;  ///< by the budget: volume, energy and wrench are in part expectations
  PenetrationCounters pairs;
  FacetDistanceCounters facets;
  std::uint32_t cubes = 0;
};

inline constexpr std::uint32_t kNoBudget = kAllCubes;

/// What is asked for besides volume, bounds and distance.
struct ProximitySettings {
  EnergyLaw law = EnergyLaw::Volume;
  bool wantsStiffness = false;
  bool wantsCentroid = false;
  /// Tests of pairs of balls, and as many cubes for the bounds; see budgetedVolume(). The distance
  /// of surfaces that are apart has no budget.
  std::uint32_t pairTests = kNoBudget;
  /// Gets what makes up energy and wrench, unless null: see contactPatches() and contactSet().
  /// Volumes there are by cubes of space where the law is one of depth.
  ContactCells* contacts = nullptr;
};

/// Room of one thread for proximity() between these two.
class ProximityScratch {
 public:
  ProximityScratch(const ProximityBody& a, const ProximityBody& b,
                   Coherence coherent = Coherence::None);

  /// The next query starts from nothing.
  void forget() noexcept {
    distance.forget();
    separation.forget();
    wereApart = false;
  }

  PenetrationScratch penetration;
  VolumeBoundsScratch boundsOfA, boundsOfB;
  FacetDistanceScratch distance;
  DepthScratch depths;
  SeparationList separation;
  Coherence coherence;
  bool wereApart = false;  ///< at the last query; with small steps only
};

/// The unified query: volume, its gradient and its bounds where two solids overlap, distance and
/// nearest points where they do not.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5.3.3.
/// How ours differs: the distance is that of the surfaces, and the volume has bounds.
///
/// The balls of cells stick out of the surface a little, so they meet before the solids do. What
/// they share is faded by a factor w(t) of the share t of it that the lower balls have, which are
/// inside their solids: w(0) = 0, w = 1 from kTouch on, and smooth between; force and torque are
/// the gradient of the product. So nothing is felt without contact. The stiffness is faded, too,
/// but lacks the derivatives of w. The depth laws are summed over cubes of space instead, see
/// depthEnergy(), and need no fading.
///
/// Where the volume is faded, or cut by a budget, the surfaces are asked. If they are apart, either
/// the solids are, or parts of them are inside each other in a void of lower balls, see
/// nestedParts(). The volume of these is known; it takes over from the faded one as the surfaces
/// get away from each other, within kNested of the smaller object's radius, so that it does not
/// jump. Energy and wrench are of the spheres all the time.
///
/// The volume is within its bounds. Where the smaller object is many of the cubes large of which
/// the bounds are made, it is clamped to them. Bounds rise by a cube at a time, though, and what is
/// hardly larger than one would make the volume jump: there the bounds are widened instead, until
/// they hold it. Of a surface that cuts itself the object's volume is sampled, and so not used as a
/// bound.
///
/// Within a budget the volume is blended with what is expected, and is within bounds of coarser
/// cubes. An overlap can be expected where there is none, which the surfaces then tell: so the
/// result may jump at the touch of what is cut, but by no more than the upper bound there, to which
/// energy and wrench are lowered with the volume.
///
/// Both bodies must be whole (all of the same mesh).
[[nodiscard]] Proximity proximity(const ProximityBody& a, const ProximityBody& b,
                                  const Eigen::Isometry3d& aFromB, ProximityScratch& scratch,
                                  const ProximitySettings& settings = {}) noexcept;

/// Share of the lower balls' volume from which on the volume is not faded. Where objects overlap by
/// a thousandth of their volume it is about a half, deeper more.
inline constexpr double kTouch = 0.1;

/// Distance of the surfaces, as a share of the smaller object's radius, from which on the volume of
/// what is inside the other is that of its parts.
inline constexpr double kNested = 0.1;

}  // namespace tactus::collision
