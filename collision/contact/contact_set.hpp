#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/contact/contact_cells.hpp"
#include "collision/contact/contact_patches.hpp"

namespace tactus::collision {

/// What overlaps in one cell of space, in A's frame.
struct Contact {
  double volume = 0.0;  ///< [m^3]
  double energy = 0.0;  ///< by the law
  /// Where it pushes: the pressure's middle. [m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< on B, by the law
  /// Unit, the way out of the other body; zero where nothing pushes. They are opposite unless the
  /// forces come from normal cones.
  Eigen::Vector3d directionOfA = Eigen::Vector3d::Zero();
  Eigen::Vector3d directionOfB = Eigen::Vector3d::Zero();
  std::uint8_t patch = 0;  ///< that it belongs to

  /// Weight of its volume in the energy: 1 of the volume law; of the depth laws the mean depth [m].
  [[nodiscard]] double weight() const noexcept { return volume > 0.0 ? energy / volume : 0.0; }
};

/// The largest contacts, largest first, and what all of them sum up to.
struct ContactSet {
  static constexpr std::size_t kMost = 256;

  [[nodiscard]] std::span<const Contact> all() const noexcept {
    return std::span(contacts).first(count);
  }

  std::array<Contact, kMost> contacts;
  std::size_t count = 0;
  std::uint32_t leftOut = 0;   ///< smaller ones, beyond kMost
  std::uint32_t elements = 0;  ///< pairs of leaves or cubes of space that were summed up
  /// Of all, those left out among them; the torque about B's origin.
  double volume = 0.0, energy = 0.0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

/// Room of one thread for contactSet().
struct ContactSetScratch {
  std::vector<std::uint32_t> order = std::vector<std::uint32_t>(ContactCells::kMostCells);
};

/// Contacts of two bodies: what cells hold, one by one. `patchOfCell` is of contactPatches() on the
/// same cells.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, section 5.4:
/// a contact a pair of spheres. How ours differs: pairs in one cell are one contact, so that there
/// are not ten thousands of them; a list of the largest is for drawing and for solvers with a few
/// points, sums are over all.
void contactSet(const ContactCells& cells, const Eigen::Isometry3d& aFromB,
                std::span<const std::uint8_t> patchOfCell, ContactSetScratch& scratch,
                ContactSet& result) noexcept;

}  // namespace tactus::collision
