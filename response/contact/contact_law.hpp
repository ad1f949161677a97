#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/cache/collision_object.hpp"
#include "collision/contact/contact_cells.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/contact/normal_cones.hpp"
#include "collision/pointshell/pointshell.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/tree/proximity.hpp"
#include "response/contact/material.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

/// By what an overlap pushes.
enum class ContactLaw : std::uint8_t {
  Depth,        ///< minus the gradient of K times the integral of the lesser depth
  Volume,       ///< minus the gradient of k times the volume
  Seed,         ///< Weller's: volumes of pairs of leaves along their normal cones
  PointDepth,   ///< points in a voxmap: minus the gradient of K/2 times the integral of one depth
  PointLayers,  ///< Weller's of the same: each point by the layer of its voxel
};

/// Of one body's points in the other one's voxmap.
[[nodiscard]] constexpr bool isOfPoints(ContactLaw law) noexcept {
  return law == ContactLaw::PointDepth || law == ContactLaw::PointLayers;
}

/// A solid as all laws know it. Copies share their memory.
struct ContactSolid {
  collision::ProximityBody body;
  collision::NormalCones cones;      ///< only the seed's law asks for them
  collision::Pointshell pointshell;  ///< only the laws of points do
};

[[nodiscard]] ContactSolid contactSolidOf(const collision::CollisionObject& object);

/// Whose points meet the other one's map by a law of points: those of the smaller one, of A if they
/// are as large, or of the only one that has some while the other has a map.
[[nodiscard]] collision::PointsOf pointsOf(const ContactSolid& a, const ContactSolid& b) noexcept;

/// What a pair does to each other by a law and its material. All in A's frame.
struct ContactForce {
  double energy = 0.0;  ///< elastic [J]; 0 of laws without one (Seed, PointLayers)
  Wrench onA;           ///< [N], about A's origin [N m]
  Wrench onB;           ///< [N], about B's origin [N m]
  /// Middle of pressure, of all patches; B's origin if patches are not wanted.
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  /// How the wrench on B falls with shifts and turns of B about `point`: what implicit integration
  /// needs, without negative eigenvalues. Of Depth, Volume and PointDepth the second derivatives of
  /// the energy, see withoutNegative(): what counts as negative depends on the point, and this one
  /// does not depend on which body is A. Of the other laws an estimate: each cell of space counts
  /// as a spring of its own.
  collision::Stiffness stiffness = collision::Stiffness::Zero();
  bool touches = false;  ///< something pushes or shares energy
  bool isCut = false;    ///< by the budget
  std::uint32_t tests = 0;
};

struct ContactSettings {
  ContactLaw law = ContactLaw::Depth;
  /// Tests of cubes, pairs of balls or points; a law of depth of the trees tests cubes.
  std::uint32_t budget = collision::kNoBudget;
  bool wantsStiffness = true;
  bool wantsPatches = true;
  double length = 0.1;  ///< a size of the bodies, for withoutNegative() [m]
};

/// Room of one thread for contactForce() between any two of the solids it was made for, 30 MB.
class ContactScratch {
 public:
  explicit ContactScratch(std::span<const ContactSolid> solids);

  // Everything below is for the query.
  collision::ProximityScratch proximity;
  collision::VoxmapPointshell points;
  collision::ContactCells cells;
  collision::PatchScratch patches;
  std::vector<collision::PointContact> pointContacts;
};

/// One small interface over all laws: energy, both wrenches, stiffness and patches of a pair.
///
/// Source: the laws are collision/'s: depthEnergy(), proximity(), seedWrench() and
/// VoxmapPointshell, which name theirs. How this differs: stiffness and force come in SI units with
/// the pair's material, and each law has patches and a stiffness.
///
/// Depth and PointDepth push alike where surfaces are flat or deep by little of their radius: K S
/// d/2 of faces that are in each other by d. At edges and corners they do not: an edge of 90
/// degrees in the middle of a face pushes by points with 1.2 times the force.
///
/// Of points and voxels pointsOf() says whose points they are.
///
/// Deviation: `patches` of the laws of points are sums over blocks of points; their torques are to
/// a block's size. Allocates nothing. `patches` may be null unless they are wanted.
[[nodiscard]] ContactForce contactForce(const ContactSolid& a, const ContactSolid& b,
                                        const Eigen::Isometry3d& aFromB, const Material& pair,
                                        const ContactSettings& settings, ContactScratch& scratch,
                                        collision::ContactPatches* patches) noexcept;

/// The law of one pair. Another one that is asked for while they touch waits until they do not: in
/// contact it would have another energy at once, and so push without a motion.
class SwitchedLaw {
 public:
  [[nodiscard]] ContactLaw inForce() const noexcept { return inForce_; }
  [[nodiscard]] ContactLaw wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool waits() const noexcept { return inForce_ != wanted_; }

  void request(ContactLaw law) noexcept { wanted_ = law; }
  /// Before a query: whether the pair touched at the last one.
  void update(bool touched) noexcept {
    if (!touched) inForce_ = wanted_;
  }

 private:
  ContactLaw inForce_ = ContactLaw::Depth;
  ContactLaw wanted_ = ContactLaw::Depth;
};

}  // namespace tactus::response
