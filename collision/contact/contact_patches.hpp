#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/contact/contact_cells.hpp"

namespace tactus::collision {

/// A part of a contact that hangs together, and what it does to B. Forces are by the law of the
/// query, with its units: of the volume law m^2, of the depth laws m^3; lengths are in A's frame.
struct ContactPatch {
  double volume = 0.0;                               ///< that is shared [m^3]
  double energy = 0.0;                               ///< by the law
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< net, on B
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< net, on B about B's origin
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, along the force; zero without one
  double normalForce = 0.0;                          ///< along the normal
  /// Lengths of all forces that make up the net one: more where they push against each other, as
  /// around a peg.
  double pressure = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of pressure, in A's frame [m]
  /// Distances from the line through the centre along the normal, averaged over the pressure: root
  /// of the mean square, and mean. For an even pressure on a disc of radius R they are R / sqrt(2)
  /// and 2 R / 3. Friction mu holds the torque mu * normalForce * spinRadius about the normal, so
  /// that `spinRadius` is the rho of a limit surface (f / mu N)^2 + (tau / mu N rho)^2 <= 1.
  double radius = 0.0, spinRadius = 0.0;
  std::uint32_t cells = 0;  ///< that it fills
};

/// Patches, largest pressure first.
struct ContactPatches {
  static constexpr std::size_t kMost = 32;

  [[nodiscard]] std::span<const ContactPatch> all() const& noexcept {
    return std::span(patches).first(count);
  }
  /// Of a temporary the span would show what is gone.
  [[nodiscard]] std::span<const ContactPatch> all() const&& = delete;

  std::array<ContactPatch, kMost> patches;
  std::size_t count = 0;
  std::uint32_t merged = 0;  ///< parts beyond kMost, that were added to the nearest patch
};

/// Room of one thread for contactPatches(), and what it found.
class PatchScratch {
 public:
  PatchScratch();

  /// The patch of each cell of the last query.
  [[nodiscard]] std::span<const std::uint8_t> patchOfCell() const noexcept { return patchOfCell_; }

  // Everything below is for the query.
  /// Cells beside each other in a row that something reaches.
  struct Run {
    std::uint8_t from, to;
  };
  /// Runs of a row.
  struct Row {
    std::uint32_t first, end;
  };
  /// Cells that hang together.
  struct Part {
    double pressure = 0.0, volume = 0.0;
    Eigen::Vector3d places = Eigen::Vector3d::Zero();  ///< sum over the cells
    std::uint32_t cells = 0;
    std::uint8_t patch = 0;
  };
  /// Of a patch in the stream's frame; places and torque about the stream's origin.
  struct Sums {
    Eigen::Vector3d torque = Eigen::Vector3d::Zero(), first = Eigen::Vector3d::Zero();
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    double pressure = 0.0, second = 0.0;
    Eigen::Vector3d normal = Eigen::Vector3d::Zero(), centre = Eigen::Vector3d::Zero();
    double weight = 0.0, squares = 0.0, distances = 0.0;
  };
  std::array<Sums, ContactPatches::kMost> sums;
  std::vector<Run> runs;
  std::vector<Row> rows;
  std::vector<std::uint32_t> parent;  ///< of a run: another one of the same part, or itself
  std::vector<std::uint32_t> partOf;  ///< of a run without another parent
  std::vector<Part> parts;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> partOfCell;
  std::vector<std::uint8_t> patchOfCell_;
};

/// Groups what cells hold into patches: cells belong together that touch, by a corner at least.
///
/// Source: the project's own; components by runs after A. Rosenfeld and J. Pfaltz, "Sequential
/// Operations in Digital Picture Processing", 1966. How ours differs: rows are words of 64 bits,
/// and what is labelled is reached by an element, not only its middle.
///
/// Method:
/// - rows of cells are cut into runs; runs of neighbouring rows that touch are joined
/// - the parts with the most pressure become patches; further ones go to the nearest
/// - a patch's force and torque are sums over its cells. Its centre is where the line along which
///   its wrench acts passes its middle of pressure; if opposing forces leave no such line nearby,
///   no further from the middle than the patch reaches
///
/// Sums over all patches are those of the query. They are continuous in the pose, and so is a patch
/// as long as no other one joins it. Where two join or part, their forces and torques add up as
/// they are; centre, normal and radii jump to those of the whole, and so may the order.
///
/// Work: in proportion to the cells, of which there are at most ContactCells::kMostCells.
[[nodiscard]] ContactPatches contactPatches(const ContactCells& cells,
                                            const Eigen::Isometry3d& aFromB,
                                            PatchScratch& scratch) noexcept;

}  // namespace tactus::collision
