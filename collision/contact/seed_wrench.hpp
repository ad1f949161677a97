#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/contact/contact_cells.hpp"
#include "collision/contact/normal_cones.hpp"
#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/tree/penetration_volume.hpp"

namespace tactus::collision {

/// A body as the seed's law knows it.
struct ConedTree {
  const InnerSphereTree& spheres;
  const NormalCones& cones;
};

/// What the overlap pushes by the seed's law, for a stiffness of 1 N/m^3. All in A's frame.
struct SeedWrench {
  double volume = 0.0;                                  ///< of all lenses [m^3]
  Eigen::Vector3d forceOnA = Eigen::Vector3d::Zero();   ///< [m^3]
  Eigen::Vector3d torqueOnA = Eigen::Vector3d::Zero();  ///< about A's origin [m^4]
  Eigen::Vector3d forceOnB = Eigen::Vector3d::Zero();
  Eigen::Vector3d torqueOnB = Eigen::Vector3d::Zero();  ///< about B's origin
  bool queueWasFull = false;                            ///< pairs were dropped
  PenetrationCounters counters;
};

/// Weller's law of contact: each pair of leaves pushes with the volume of its lens along the axes
/// of the two normal cones.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, section 5.4,
/// equations 5.27 to 5.30. What is on B goes along the cone of A's leaf, which is the way out of A,
/// and what is on A along that of B's leaf: the two are not opposite. A cone of more than a half
/// space gives no direction; there it is the line of centres. The force acts in the middle of the
/// lens. How ours differs: balls are those of the cells, so that volumes sum up to the overlap's;
/// where one ball goes into the other the force along the line of centres fades to nothing instead
/// of staying until the centres coincide, where it has no direction.
///
/// No energy has this force for a gradient; it is here to be compared with. `cells` then hold it,
/// so that contactPatches() and contactSet() work with it; they may be those of any query before.
[[nodiscard]] SeedWrench seedWrench(const ConedTree& a, const ConedTree& b,
                                    const Eigen::Isometry3d& aFromB, PenetrationScratch& scratch,
                                    ContactCells& cells) noexcept;

}  // namespace tactus::collision
