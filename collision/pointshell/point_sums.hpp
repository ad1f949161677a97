#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/pointshell/point_front.hpp"
#include "collision/pointshell/posed_points.hpp"
#include "collision/tree/coherence.hpp"

namespace tactus::collision {

/// By what a point's share of the surface counts.
enum class PointLaw : std::uint8_t {
  Volume,  ///< 1 inside, 0 outside; in between half way over a narrow edge
  Depth,   ///< its depth below the map's surface
  Layers,  ///< R. Weller, "New Geometric Data Structures for Collision Detection", 2012, equation
           ///< 6.17: each point, whatever its share, pushes along its normal n with
           ///< max(n e + v s, 0), v >= 0 the layer of the voxel it is in, s the size of a voxel, e
           ///< the way from the point to the voxel's centre [m]. Not continuous.
};

/// What the points of a level that lie in a map add up to, in the shell's coordinates.
struct PointSums {
  std::array<double, 3> force{};   ///< sum of weight, area and inward normal
  std::array<double, 3> moment{};  ///< likewise, about the shell's origin
  double area = 0.0;               ///< of the surface inside [m^2]
  double energy = 0.0;             ///< see PointForce; of the law of depth
  /// Second derivatives, if asked for. With n the inward normals, g the gradient of the map's
  /// distance, p the points about the shell's origin, and s by how much the weight grows on the way
  /// into the map: sums of s times
  /// [0..5] n g^T, made symmetric: xx xy xz yy yz zz;
  /// [6..14] half of n (p x g)^T + g (p x n)^T, row by row;
  /// [15..20] (p x n) (p x g)^T, made symmetric.
  std::array<double, 21> stiffness{};
  /// Of a task with a limit: tests, with those of nodes that are only about to be opened counted in
  /// part, so that it is continuous in the pose; never fewer than were made, and 32 at least.
  double work = 0.0;
  float least = std::numeric_limits<float>::max();  ///< smallest distance that was met [m]
  std::uint32_t leastPoint = 0;                     ///< whose: 16 times block plus place
  std::uint32_t nodeTests = 0, pointTests = 0;
  bool wasGivenUp = false;  ///< the work is more than the limit: the sums are of no use
};

/// A block's share of the contact, if asked for.
struct BlockContact {
  std::uint32_t block = 0;          ///< of all levels' blocks
  float weight = 0.0F;              ///< sum of weight times area
  std::array<float, 3> place{};     ///< sum of weight times area times place, in the shell
  std::array<float, 3> force{};     ///< sum of weight times normal area
  float area = 0.0F, depth = 0.0F;  ///< inside; largest [m]
};

struct PointSumTask {
  PointLaw law = PointLaw::Depth;
  std::uint32_t level = 0;
  float edge = 0.0F;            ///< half of the edge's width [m]; of the law of volume
  bool wantsContacts = false;   ///< added to those that the scratch has
  bool wantsStiffness = false;  ///< not by the law of layers, which has none
  /// Of PointSums::work. With a limit a walk starts from scratch, for what it counts must not
  /// depend on the past.
  double mostWork = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool isLimited() const noexcept {
    return mostWork < std::numeric_limits<double>::infinity();
  }
};

/// Room of one thread for the queries of a shell.
class PointScratch {
 public:
  explicit PointScratch(const Pointshell& shell, Coherence coherent = Coherence::None);

  // Everything below is for the queries.
  std::vector<std::int32_t> lists[2];  ///< of nodes, or of blocks in the end
  std::vector<float> bounds[2];        ///< of distances below each of them
  std::vector<BlockContact> contacts;  ///< room for all blocks of all levels
  std::size_t contactCount = 0;
  std::array<std::array<float, 16>, 21> stiffness{};  ///< of a run
  PointFront front;                                   ///< used with small steps only
};

/// Sums over the points of a level within the map, found by the tree of balls.
///
/// Method: tree level by tree level, sixteen children at once: what the map says to be further away
/// than the ball's radius is left out; by the law of volume, what is deeper than that counts with
/// its sums. Then blocks of sixteen points. Floats, relative to both origins; runs of 64 blocks
/// that count go into doubles. Same bytes on every vector target.
///
/// Work is counted by nodes, for the points do not tell which of them were opened: each adds
/// sixteen tests times a share that falls from 1 where it is opened to 0 over half a spacing. So
/// that a node is met before it counts, each tree level opens what is half a spacing further away
/// than what the one below does.
///
/// With a front that was moved to the pose, nodes are left out by what is known of them, and the
/// sums are the same to the last bit: a block without a point that counts leaves them as they are.
/// The law of volume measures all nodes that may be near, for which of them count as a whole must
/// not depend on the past.
[[nodiscard]] PointSums pointSums(const PosedPoints& posed, const PointSumTask& task,
                                  PointScratch& scratch) noexcept;

}  // namespace tactus::collision
