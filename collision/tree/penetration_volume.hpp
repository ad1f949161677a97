#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

struct PenetrationCounters {
  std::uint32_t pairTests = 0;   ///< of balls, sixteen a pair of nodes
  std::uint32_t nodePairs = 0;   ///< opened together
  std::uint32_t mixedPairs = 0;  ///< of a leaf with a node, opened
  std::uint32_t leafPairs = 0;   ///< whose lens was computed
};

/// How deep two trees are in each other, and what pushes them apart.
struct PenetrationVolume {
  double volume = 0.0;       ///< of the overlap [m^3]
  double volumeLower = 0.0;  ///< the true overlap of the objects is not smaller [m^3]
  double volumeUpper = 0.0;  ///< nor larger [m^3]
  /// Minus the gradient of `volume` with respect to B's pose, in A's frame: the force on B [m^2]
  /// and the torque on B about B's origin [m^3], for the energy k V with k = 1 Pa.
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  PenetrationCounters counters;
};

/// Room of one thread for the queries; grows in its constructor only.
class PenetrationScratch {
 public:
  PenetrationScratch(const InnerSphereTree& a, const InnerSphereTree& b);

  // Everything below is for the query.
  struct Queue {
    std::vector<std::int32_t> a, b;
    std::size_t count = 0;
  };
  static constexpr std::size_t kLensesHeld = 2048;

  Queue nodes[2], leafOfA[2], leafOfB[2];  ///< this level's pairs and the next one's
  std::vector<float> lenses;               ///< arrays of kLensesHeld + 16
  std::vector<std::uint8_t> touched;       ///< a bit a child of each block of B
  std::vector<std::int32_t> touchedBlocks;
  std::size_t touchedCount = 0;
};

[[nodiscard]] PenetrationVolume penetrationVolume(const InnerSphereTree& a,
                                                  const InnerSphereTree& b,
                                                  const Eigen::Isometry3d& aFromB,
                                                  PenetrationScratch& scratch) noexcept;

}  // namespace tactus::collision
