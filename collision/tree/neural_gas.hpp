#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::collision {

/// Points with the weight that each has in a clustering.
struct WeightedPoints {
  std::span<const Eigen::Vector3d> places;  ///< [m]
  std::span<const double> weights;          ///< not negative
};

inline constexpr std::size_t kClusters = 4;

/// Divides points into four clusters by batch neural gas with magnification control; `indices` says
/// which points, and `cluster` becomes the number, 0 to 3, of each of these.
///
/// Source: M. Cottrell, B. Hammer, A. Hasenfuss and T. Villmann, "Batch and median neural gas",
/// 2006; weights after B. Hammer, A. Hasenfuss and T. Villmann, "Magnification control for batch
/// neural gas", 2007; used for sphere trees by R. Weller, "New Geometric Data Structures for
/// Collision Detection", 2012, chapter 5.2. How ours differs: the prototypes do not start at random
/// but at points that are heavy and far from each other, which needs no seed and, of four far
/// groups, never leaves one without.
///
/// Method:
/// - rank the four prototypes for each point by their distance
/// - move each prototype to the mean of all points, weighted by point and by exp(-rank / lambda)
/// - let lambda fall from 2 to 0.01, the last rounds being k-means, and stop early when nothing
///   moves by 1e-5 of the cloud
///
/// Equal points, or fewer than four different ones, leave clusters empty. Distances only count
/// relative to each other: the result does not change when all is scaled by a power of two.
void neuralGas(const WeightedPoints& points, std::span<const std::uint32_t> indices,
               std::span<std::uint8_t> cluster);

}  // namespace tactus::collision
