#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "models/mesh/mesh.hpp"
#include "models/mesh/parallel_while.hpp"

namespace tactus::collision {

struct PointshellSettings {
  std::size_t points = 100'000;  ///< at most
  std::uint64_t seed = 1;
  double offset = 0.0;   ///< the shell lies this far outside of the surface; negative: inside [m]
  unsigned threads = 0;  ///< 0: one a core; the shell is the same for any number
  /// Called from the calling thread many times a second; false ends it, and the shell is empty.
  // said, for those who set some members by name: g++ warns of others without one
  models::GoesOn goesOn = {};  // NOLINT(readability-redundant-member-init)
};

/// How far apart neighbouring points are that look the same way [m].
struct PointSpacing {
  double least = 0.0, mean = 0.0;
  double lattice = 0.0;  ///< of a hexagonal lattice of as many points on the same area
};

/// Points spread evenly on a surface, each with its share of it: the P and S of Voxmap-Pointshell.
///
/// Source: W. McNeely, K. Puterbaugh and J. Troy, "Six Degree-of-Freedom Haptic Rendering Using
/// Voxel Sampling", 1999 (points with inward normals); J. Barbic and D. James, "Six-DoF Haptic
/// Rendering of Contact Between Geometrically Complex Reduced Deformable Models", 2008 (nested
/// shells, degrading gracefully); M. Sagardia et al., "A New Fast and Robust Collision Detection
/// and Force Computation Algorithm Applied to the Physics Engine Bullet", 2014 (tree of spheres
/// over the points); for the spreading see nested_samples.hpp. How ours differs: a point stands for
/// an area. The surface is cut into small pieces that are divided among the points
/// (point_shares.hpp); a point lies at the centroid of its pieces and has the integral of their
/// normals. So sums over points are integrals over the surface whose error falls with the square of
/// the spacing also where points are not quite even, and areas and normals add up to the surface's
/// to rounding. Coarser shells are shells of their own, not thinned sums.
///
/// Method:
/// - cut the surface into twelve pieces a point, choose a third of them at random, thin those out
///   to the points, in a nested order
/// - divide the pieces among the points; of every fourth of the order likewise, and so on, down to
///   some hundred: the levels
/// - each level's points into blocks of sixteen, near each other, by halving along the longest side
///   of their box; sixteen blocks a node, sixteen nodes a node, each with a ball around its points,
///   the cone of their normals, and its sums
///
/// A point lies where its share's centroid is: on curved surfaces about spacing^2 / 12 times the
/// mean curvature deeper than the surface, which the sums need. At edges and on plates thinner than
/// the spacing each side has its own points. Any surface will do, also an open one or one with
/// flaws: what is inside is the other body's matter. Offset shells are those of the mesh whose
/// vertices were moved along their normals, so that areas grow and shrink; one that is moved
/// further than the surface bends cuts itself.
///
/// Coordinates are floats relative to origin(), in the mesh's frame. Const after construction.
/// Deviation: areas sum up to the mesh's to 1e-7. The same bytes for every number of threads.
class Pointshell {
 public:
  static constexpr std::uint32_t kWidth = 16;

  /// Points that stand near each other. Those that are missing in a level's last block are the
  /// last one again, with no area.
  struct alignas(64) Block {
    std::array<float, kWidth> x, y, z;
    std::array<float, kWidth> nx, ny, nz;  ///< integral of the inward normal over the share [m^2]
    std::array<float, kWidth> area;        ///< [m^2]
  };

  /// Balls around the points of sixteen nodes or blocks. Missing ones have kMissing for a radius.
  struct alignas(64) Balls {
    std::array<float, kWidth> x, y, z, radius;
  };
  static constexpr float kMissing = -1e30F;

  /// What the points of sixteen nodes or blocks add up to: inward normals n times area, their
  /// moments p x n about the origin, areas.
  struct alignas(64) Sums {
    std::array<float, kWidth> nx, ny, nz, mx, my, mz, area;
  };

  /// The inward normals of sixteen nodes or blocks: all are within an angle of this cosine from the
  /// axis; -1 if they are not within a quarter turn.
  struct alignas(64) Cones {
    std::array<float, kWidth> x, y, z, cosine;
  };

  /// A shell within the shell. Its groups (of balls, sums and cones) stand tree level by tree
  /// level: the first one alone has the children of the root; child k of the i-th group of a tree
  /// level is the (16 i + k)-th group of the next one, or block below the last.
  struct Level {
    std::uint32_t points = 0;
    std::uint32_t firstBlock = 0;  ///< of (points + 15) / 16
    std::uint32_t firstGroup = 0;
    float spacing = 0.0F;  ///< of a hexagonal lattice of so many points [m]
  };
  static constexpr std::size_t kMostLevels = 12;
  /// Of 16^8 points, more than 32 bits can count.
  static constexpr std::size_t kMostTreeLevels = 7;

  /// All there is to a shell, also as it stands in a file.
  struct Arrays {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double area = 0.0;              ///< of the surface [m^2]
    double radius = 0.0;            ///< no point is further from the origin [m]
    PointSpacing spacing;           ///< of the finest level
    std::span<const Level> levels;  ///< finest first
    std::span<const Block> blocks;
    std::span<const Balls> balls;
    std::span<const Sums> sums;
    std::span<const Cones> cones;
    /// Of the finest level: which point (16 times block plus place) is the first in the nested
    /// order, the second and so on.
    std::span<const std::uint32_t> order;
  };

  Pointshell() = default;

  /// Precondition: finite positions, indices in range. Without area the shell is empty.
  explicit Pointshell(const models::Mesh& mesh, const PointshellSettings& settings = {});

  /// Of arrays that a shell gave away, which stay alive as long as `keeper`.
  Pointshell(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] bool empty() const noexcept { return all_.levels.empty(); }
  [[nodiscard]] std::size_t pointCount() const noexcept {
    return empty() ? 0 : all_.levels.front().points;
  }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return all_.origin; }

  /// Memory of the arrays.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return all_.levels.size_bytes() + all_.blocks.size_bytes() + all_.balls.size_bytes() +
           all_.sums.size_bytes() + all_.cones.size_bytes() + all_.order.size_bytes();
  }

  /// How many groups the tree levels of a tree over `blocks` blocks have, the root's first.
  struct TreeShape {
    std::array<std::uint32_t, kMostTreeLevels> groups{};
    std::size_t levels = 0;
    [[nodiscard]] std::uint32_t allGroups() const noexcept;
  };
  [[nodiscard]] static TreeShape treeShapeOf(std::uint32_t blocks) noexcept;
  [[nodiscard]] static std::uint32_t blocksOf(const Level& level) noexcept {
    return (level.points + kWidth - 1) / kWidth;
  }

 private:
  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the spans show; copies share it
};

/// The mesh with its vertices moved along their normals, so that its faces move outward by
/// `offset` [m]. Vertices at one place move as one; of several faces' normals the mean one, longer
/// at edges, up to twice.
[[nodiscard]] models::Mesh offsetSurface(const models::Mesh& mesh, double offset);

}  // namespace tactus::collision
