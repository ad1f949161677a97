#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/contact/contact_cells.hpp"
#include "collision/tree/contact_energy.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

struct PenetrationCounters {
  std::uint32_t pairTests = 0;   ///< of balls, sixteen a pair of nodes
  std::uint32_t nodePairs = 0;   ///< opened together
  std::uint32_t mixedPairs = 0;  ///< of a leaf with a node, opened
  std::uint32_t leafPairs = 0;   ///< whose lens was computed
};

/// Which balls of the leaves are summed over.
enum class LeafBalls : std::uint8_t {
  Cells,  ///< of volume and centroid of the cells: the best estimate of the overlap
  Lower,  ///< inside the object and apart from each other: certainly not more than the overlap
};

/// What is asked for besides the volume.
struct PenetrationSettings {
  EnergyLaw law = EnergyLaw::Volume;
  LeafBalls balls = LeafBalls::Cells;  ///< Lower: volume, energy and wrench are of the lower balls
  bool wantsStiffness = false;
  bool wantsCentroid = false;  ///< then all lenses are summed one by one; the sums round otherwise
  /// Gets every pair of leaves, unless null. With cones, forces there are by the seed's law.
  ContactCells* contacts = nullptr;
  ContactCones cones{};
  bool addsContacts = false;  ///< to those of an earlier query of the same pose
};

/// What the leaves of two trees share, summed over all pairs.
struct PenetrationVolume {
  double volume = 0.0;       ///< of the balls asked for [m^3]
  double lowerVolume = 0.0;  ///< of the lower balls [m^3]
  double energy = 0.0;       ///< by the law: [m^3], and of the depth laws [m^4]
  /// Minus the gradient of `energy` with respect to B's pose, in A's frame: the force on B and the
  /// torque on B about B's origin.
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  Stiffness stiffness = Stiffness::Zero();  ///< second derivatives of `energy`, if asked for
  /// Of the volume of the cells' balls, in A's frame, if asked for and there is any [m].
  std::optional<Eigen::Vector3d> centroid;
  bool queueWasFull = false;  ///< pairs were dropped: the sums are too small
  PenetrationCounters counters;
};

/// Room of one thread for the queries; grows in its constructor only.
class PenetrationScratch {
 public:
  PenetrationScratch();

  // Everything below is for the query.
  struct Queue {
    std::vector<std::int32_t> a, b;
    std::size_t count = 0;
  };
  static constexpr std::size_t kLensesHeld = 2048;
  // Pairs of one kind and level. Objects of 100,000 spheres in each other by a tenth of their
  // volume have some ten thousand; what does not fit is dropped, and the result says so.
  static constexpr std::size_t kQueueEntries = std::size_t{1} << 19U;

  Queue nodes[2], leafOfA[2], leafOfB[2];  ///< this level's pairs and the next one's
  std::vector<float> reached[2];           ///< of the pairs of nodes, within a budget
  static constexpr std::size_t kSweep = 512;
  std::vector<float> lenses, expected;  ///< arrays of kLensesHeld + 16
  std::vector<std::uint32_t> meetings, meetingBits;
  std::vector<std::int32_t> foundA, foundB;  ///< pairs of children that meet, of a sweep
};

/// Penetration volume of two Inner Sphere Trees and its gradient, the force of a volume penalty.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5.3.2:
/// the overlaps of all pairs of leaves, found by walking both trees at once. How ours differs: of a
/// lens of two balls the force is the area of its disc along the line of centres, so that the sum
/// is the gradient of the sum; nodes are opened breadth first; a leaf that holds a whole node adds
/// its sum; the centroid is of cells, and its lenses' moments have a closed form.
///
/// Method:
/// - level by level; a pair of nodes is one test of 4 x 4 children, and so are four pairs of a leaf
///   with a node
/// - each level in sweeps without branches on what meets: which children meet; where their pairs
///   belong; the lenses of leaves, which are collected and computed sixteen at a time
/// - floats, relative to the objects' middles; sums of 2048 lenses go into doubles
///
/// The force of two leaves that are nearly concentric fades (see lens_sums.cpp), so there it
/// is less than the gradient. With a depth law no node counts as a whole, since its leaves' depths
/// differ.
///
/// Deviation: 1e-4 of the sum over all pairs in doubles. Same bytes on every vector target.
[[nodiscard]] PenetrationVolume penetrationVolume(
    const InnerSphereTree& a, const InnerSphereTree& b, const Eigen::Isometry3d& aFromB,
    PenetrationScratch& scratch, const PenetrationSettings& settings = {}) noexcept;

}  // namespace tactus::collision
