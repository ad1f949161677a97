#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sculpt/distance_program.hpp"
#include "models/sculpt/surface_mesh.hpp"

namespace tactus::models {

/// Cells a brick has along each edge.
constexpr std::uint32_t kBrickCells = 8;

/// The part of space near a sculpture's surface: bricks of 8 x 8 x 8 cells, found from a cube
/// around everything by halving it and dropping what an interval shows to be all inside or all
/// outside. Each brick keeps the few strokes that matter in it.
class BrickTree {
 public:
  /// `lower` .. `upper` must hold the surface. `cell` is the edge of a cell [m]; `guideCells` the
  /// edge that the pieces of space behind tapeAt() should have at least, in cells.
  BrickTree(const DistanceProgram& program, const Eigen::Vector3f& lower,
            const Eigen::Vector3f& upper, float cell, float guideCells, unsigned threads);

  using Index = std::array<std::uint16_t, 3>;

  struct Node {
    Index place{};  ///< lower corner, in units of the node's own edge
    std::uint32_t firstStep = 0, steps = 0;
  };

  [[nodiscard]] const std::vector<Node>& bricks() const noexcept { return bricks_.nodes; }
  [[nodiscard]] DistanceProgram::Tape tapeOf(const Node& brick) const {
    return {bricks_.steps.data() + brick.firstStep, brick.steps};
  }
  /// Number of the brick at a place in units of bricks; kNone if the surface does not come near.
  [[nodiscard]] std::uint32_t brickAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;

  [[nodiscard]] float cell() const noexcept { return cell_; }
  /// Position of a grid point; the same bits whichever brick asks.
  [[nodiscard]] float coordinate(int axis, std::uint32_t index) const {
    return lower_[axis] + static_cast<float>(index) * cell_;
  }

  /// Pieces of space for points that are not on the grid. A tape holds up to guideMargin() beyond
  /// its piece, so that a point may move that far before it must be looked up again.
  [[nodiscard]] std::uint32_t guideOf(const Eigen::Vector3f& point) const;
  [[nodiscard]] std::uint32_t guideCount() const {
    return static_cast<std::uint32_t>(guide_.nodes.size()) + 1;
  }
  [[nodiscard]] DistanceProgram::Tape guideTape(std::uint32_t guide) const;
  [[nodiscard]] float guideMargin() const noexcept { return guideMargin_; }
  [[nodiscard]] const DistanceProgram& program() const noexcept { return *program_; }

 private:
  struct Level {
    std::vector<Node> nodes;
    std::vector<DistanceProgram::Step> steps;
  };
  [[nodiscard]] Level halve(const Level& parents, float childEdge, unsigned threads) const;

  const DistanceProgram* program_;
  Eigen::Vector3f lower_;
  float cell_;
  std::array<std::uint32_t, 3> brickGrid_{};
  std::vector<std::uint32_t> brickNumber_;
  std::array<std::uint32_t, 3> guideGrid_{};
  std::vector<std::uint32_t> guideNumber_;
  float guideEdge_ = 0.0F, guideMargin_ = 0.0F;
  Level bricks_, guide_;
};

/// Extracts the zero surface of the field on the grid as a closed, outward oriented triangle mesh.
///
/// Source: G. Nielson, "Dual Marching Cubes", 2004: one vertex for each piece of surface that
/// marching cubes sees in a cell, one quadrilateral for each grid edge that the surface crosses.
/// The polygons of marching cubes form a closed two-manifold, so their dual does. How ours differs:
/// which edges of a cell belong together is worked out from the faces instead of read from a table,
/// inside corners being kept apart on faces where two diagonals compete; a quadrilateral is cut
/// along its shorter diagonal.
[[nodiscard]] SurfaceMesh extractSurface(const BrickTree& tree, unsigned threads);

/// How many triangles extractSurface would make.
[[nodiscard]] std::size_t countSurface(const BrickTree& tree, unsigned threads);

}  // namespace tactus::models
