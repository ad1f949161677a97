#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "collision/tree/contact_energy.hpp"

namespace tactus::collision {

/// Lenses that wait to be summed, as arrays: B's centre from A's, B's centre from its origin (both
/// in A's axes), radii of the cell balls and of the lower balls, mean depths of the cells; and how
/// much of a lens counts, where it stands for what two nodes are expected to share.
enum LensArray : std::size_t {
  kDx,
  kDy,
  kDz,
  kBx,
  kBy,
  kBz,
  kRa,
  kRb,
  kLa,
  kLb,
  kDepthA,
  kDepthB,
  kShare,
  kLowerShare,
  kLensArrays
};

/// What is summed, besides volume and lower volume.
struct LensTask {
  bool ofLower = false;               ///< lower balls in place of the cells'
  EnergyLaw law = EnergyLaw::Volume;  ///< with the others, depths are read
  bool hasStiffness = false;
  bool hasMoments = false;
  bool hasShares = false;     ///< otherwise lenses count as a whole
  float* elements = nullptr;  ///< of ContactCells: gets each lens, from B's tree's origin
};

/// Sums over lenses.
struct LensSums {
  double volume = 0.0, lower = 0.0, energy = 0.0;
  std::array<double, 3> force{}, torque{};
  /// Volume times place, from where arms begin, if asked for [m^4].
  std::array<double, 3> moment{};
  /// With c = b - a, the arm r of b, q = r x c, and second derivatives alpha c c^T + beta 1 of a
  /// lens with respect to b: alpha times the products of (c, q), the upper triangle row by row;
  /// beta; beta r; beta r r^T, upper triangle; beta (c r^T + r c^T) / 2, upper triangle.
  std::array<double, 37> stiffness{};

  /// Adds the lenses of the arrays, which begin `stride` floats after each other; sixteen floats
  /// behind the last lens may be read.
  void add(const float* lenses, std::size_t stride, std::size_t count,
           const LensTask& task) noexcept;

  /// Goes a share of the way to other sums.
  void blend(double share, const LensSums& to) noexcept;
  LensSums& operator+=(const LensSums& other) noexcept;

  [[nodiscard]] Eigen::Vector3d totalForce() const noexcept {
    return {force[0], force[1], force[2]};
  }
  /// Centroid of the volume, which is more than 0, from where arms begin.
  [[nodiscard]] Eigen::Vector3d middle() const noexcept {
    return Eigen::Vector3d(moment[0], moment[1], moment[2]) / volume;
  }
  /// About B's origin, from which `arm` leads to the point that arms were taken from.
  [[nodiscard]] Eigen::Vector3d torqueAbout(const Eigen::Vector3d& arm) const noexcept;
  [[nodiscard]] Stiffness stiffnessAbout(const Eigen::Vector3d& arm) const noexcept;
};

}  // namespace tactus::collision
