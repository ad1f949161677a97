#include "models/sculpt/surface_extraction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

constexpr std::uint32_t kNoVertex = SurfaceMesh::kNone;
constexpr std::uint32_t kBrickPoints = kBrickCells + 1;
constexpr std::size_t kCellsInBrick =
    static_cast<std::size_t>(kBrickCells) * kBrickCells * kBrickCells;
constexpr std::size_t kPointsInBrick =
    static_cast<std::size_t>(kBrickPoints) * kBrickPoints * kBrickPoints;

// Half the diagonal of a unit cube, rounded up.
constexpr float kHalfDiagonal = 0.8660255F;

// How far beyond its piece of space a guide's tape holds, in edges of the piece. More lets points
// move further between look-ups, less makes tapes shorter.
constexpr float kGuideMargin = 0.25F;

constexpr std::size_t kNodesAtOnce = 32;
constexpr std::size_t kBricksAtOnce = 16;

// Corner c of a cell stands at (c & 1, c >> 1 & 1, c >> 2). Edge e runs along axis e / 4 from the
// corner whose two other coordinates are bits 0 and 1 of e % 4: the next axis, then the one after.
constexpr std::size_t kEdges = 12;
constexpr std::uint8_t kNoLoop = 0xFF;

constexpr unsigned lowerCornerOf(unsigned edge) {
  const unsigned axis = edge / 4;
  return ((edge & 1U) << ((axis + 1) % 3)) | (((edge >> 1U) & 1U) << ((axis + 2) % 3));
}
constexpr unsigned upperCornerOf(unsigned edge) {
  return lowerCornerOf(edge) | (1U << (edge / 4));
}

constexpr unsigned edgeBetween(unsigned a, unsigned b) {
  const unsigned bit = a ^ b;
  const unsigned axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
  const unsigned corner = a & b;
  return 4 * axis + ((corner >> ((axis + 1) % 3)) & 1U) + 2 * ((corner >> ((axis + 2) % 3)) & 1U);
}

// For each pattern of inside corners: to which loop of marching cubes each crossed edge belongs.
struct CellPattern {
  std::uint8_t loops = 0;
  std::array<std::uint8_t, kEdges> loopOf{};
};

constexpr std::array<CellPattern, 256> makePatterns() {
  std::array<CellPattern, 256> patterns{};
  for (unsigned inside = 0; inside < 256; ++inside) {
    const auto isInside = [&](unsigned corner) { return ((inside >> corner) & 1U) != 0; };
    std::array<unsigned, kEdges> root{};
    for (unsigned e = 0; e < kEdges; ++e)
      root[e] = e;
    const auto join = [&](unsigned a, unsigned b) {
      const unsigned from = std::max(root[a], root[b]);
      const unsigned to = std::min(root[a], root[b]);
      for (unsigned& r : root) {
        if (r == from) r = to;
      }
    };
    for (unsigned axis = 0; axis < 3; ++axis) {
      for (unsigned side = 0; side < 2; ++side) {
        const unsigned u = 1U << ((axis + 1) % 3);
        const unsigned v = 1U << ((axis + 2) % 3);
        const unsigned base = side << axis;
        const std::array<unsigned, 4> ring = {base, base | u, base | u | v, base | v};
        unsigned crossings = 0;
        for (unsigned i = 0; i < 4; ++i) {
          crossings += isInside(ring[i]) != isInside(ring[(i + 1) % 4]) ? 1U : 0U;
        }
        if (crossings == 4) {
          // Two diagonals compete: cut around each inside corner.
          for (unsigned i = 0; i < 4; ++i) {
            if (!isInside(ring[i])) continue;
            join(edgeBetween(ring[i], ring[(i + 1) % 4]), edgeBetween(ring[i], ring[(i + 3) % 4]));
          }
        } else if (crossings == 2) {
          unsigned first = kEdges;
          for (unsigned i = 0; i < 4; ++i) {
            if (isInside(ring[i]) == isInside(ring[(i + 1) % 4])) continue;
            const unsigned edge = edgeBetween(ring[i], ring[(i + 1) % 4]);
            if (first == kEdges) {
              first = edge;
            } else {
              join(first, edge);
            }
          }
        }
      }
    }
    CellPattern& pattern = patterns[inside];
    for (unsigned e = 0; e < kEdges; ++e) {
      pattern.loopOf[e] = kNoLoop;
      if (isInside(lowerCornerOf(e)) == isInside(upperCornerOf(e))) continue;
      pattern.loopOf[e] = root[e] == e ? pattern.loops++ : pattern.loopOf[root[e]];
    }
  }
  return patterns;
}

constexpr std::array<CellPattern, 256> kPatterns = makePatterns();

constexpr std::size_t pointIndex(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (static_cast<std::size_t>(z) * kBrickPoints + y) * kBrickPoints + x;
}
constexpr std::size_t cellIndex(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (static_cast<std::size_t>(z) * kBrickCells + y) * kBrickCells + x;
}

using BrickField = std::array<float, kPointsInBrick>;

void evaluateBrick(const BrickTree& tree, const BrickTree::Node& brick, BrickField& field) {
  std::array<std::array<float, kBrickPoints>, 3> coordinate{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::uint32_t i = 0; i < kBrickPoints; ++i) {
      coordinate[axis][i] =
          tree.coordinate(static_cast<int>(axis), brick.place[axis] * kBrickCells + i);
    }
  }
  PointBlock block;
  std::array<float, kPointsAtOnce> distance{};
  for (std::size_t start = 0; start < kPointsInBrick; start += kPointsAtOnce) {
    for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
      const std::size_t point = std::min(start + i, kPointsInBrick - 1);
      block.x[i] = coordinate[0][point % kBrickPoints];
      block.y[i] = coordinate[1][point / kBrickPoints % kBrickPoints];
      block.z[i] = coordinate[2][point / (kBrickPoints * kBrickPoints)];
    }
    tree.program().evaluate(tree.tapeOf(brick), block, distance);
    for (std::size_t i = 0; i < kPointsAtOnce && start + i < kPointsInBrick; ++i) {
      field[start + i] = distance[i];
    }
  }
}

unsigned insideCorners(const BrickField& field, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  unsigned inside = 0;
  for (unsigned c = 0; c < 8; ++c) {
    const float value = field[pointIndex(x + (c & 1U), y + ((c >> 1U) & 1U), z + (c >> 2U))];
    inside |= (value < 0.0F ? 1U : 0U) << c;
  }
  return inside;
}

// What the first pass over a brick leaves for the second.
struct CutBrick {
  std::array<std::uint8_t, kCellsInBrick> inside{};
  std::array<std::uint16_t, kCellsInBrick> firstVertex{};
  std::vector<Eigen::Vector3f> vertices;
};

void cutBrick(const BrickTree& tree, const BrickTree::Node& brick, CutBrick& cut) {
  BrickField field;
  evaluateBrick(tree, brick, field);
  for (std::uint32_t z = 0; z < kBrickCells; ++z) {
    for (std::uint32_t y = 0; y < kBrickCells; ++y) {
      for (std::uint32_t x = 0; x < kBrickCells; ++x) {
        const std::size_t cell = cellIndex(x, y, z);
        const unsigned inside = insideCorners(field, x, y, z);
        cut.inside[cell] = static_cast<std::uint8_t>(inside);
        cut.firstVertex[cell] = static_cast<std::uint16_t>(cut.vertices.size());
        const CellPattern& pattern = kPatterns[inside];
        for (std::uint8_t loop = 0; loop < pattern.loops; ++loop) {
          Eigen::Vector3f sum = Eigen::Vector3f::Zero();
          float crossings = 0.0F;
          for (unsigned e = 0; e < kEdges; ++e) {
            if (pattern.loopOf[e] != loop) continue;
            const unsigned low = lowerCornerOf(e);
            const unsigned high = upperCornerOf(e);
            const float a =
                field[pointIndex(x + (low & 1U), y + ((low >> 1U) & 1U), z + (low >> 2U))];
            const float b =
                field[pointIndex(x + (high & 1U), y + ((high >> 1U) & 1U), z + (high >> 2U))];
            Eigen::Vector3f crossing(static_cast<float>(low & 1U),
                                     static_cast<float>((low >> 1U) & 1U),
                                     static_cast<float>(low >> 2U));
            crossing[static_cast<int>(e / 4)] = a / (a - b);
            sum += crossing;
            crossings += 1.0F;
          }
          const Eigen::Vector3f inCell = sum / crossings;
          cut.vertices.emplace_back(
              tree.coordinate(0, brick.place[0] * kBrickCells + x) + tree.cell() * inCell.x(),
              tree.coordinate(1, brick.place[1] * kBrickCells + y) + tree.cell() * inCell.y(),
              tree.coordinate(2, brick.place[2] * kBrickCells + z) + tree.cell() * inCell.z());
        }
      }
    }
  }
}

// All vertices of all bricks, and how to find the one of a cell's loop.
class CutSurface {
 public:
  CutSurface(const BrickTree& tree, unsigned threads) : tree_(&tree), cuts_(tree.bricks().size()) {
    parallelFor(cuts_.size(), kBricksAtOnce, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        cutBrick(tree, tree.bricks()[b], cuts_[b]);
    });
    std::size_t vertices = 0;
    for (const CutBrick& cut : cuts_) {
      base_.push_back(static_cast<std::uint32_t>(vertices));
      vertices += cut.vertices.size();
    }
    positions_.reserve(vertices);
    for (const CutBrick& cut : cuts_) {
      positions_.insert(positions_.end(), cut.vertices.begin(), cut.vertices.end());
    }
  }

  struct Output {
    std::vector<Triangle> triangles;
    std::vector<std::uint64_t> hints;
  };

  void trianglesOf(std::size_t brick, Output& out) const {
    const BrickTree::Node& node = tree_->bricks()[brick];
    std::array<std::uint32_t, 3> cell{};
    for (cell[2] = 0; cell[2] < kBrickCells; ++cell[2]) {
      for (cell[1] = 0; cell[1] < kBrickCells; ++cell[1]) {
        for (cell[0] = 0; cell[0] < kBrickCells; ++cell[0]) {
          const unsigned inside = cuts_[brick].inside[cellIndex(cell[0], cell[1], cell[2])];
          if (inside == 0 || inside == 0xFF) continue;
          const std::array<std::uint32_t, 3> corner = {node.place[0] * kBrickCells + cell[0],
                                                       node.place[1] * kBrickCells + cell[1],
                                                       node.place[2] * kBrickCells + cell[2]};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool lowerInside = (inside & 1U) != 0;
            const bool upperInside = ((inside >> (1U << axis)) & 1U) != 0;
            if (lowerInside != upperInside) addQuad(corner, axis, lowerInside, out);
          }
        }
      }
    }
  }

  std::vector<Eigen::Vector3f>& positions() { return positions_; }

 private:
  [[nodiscard]] std::uint32_t vertexOf(const std::array<std::uint32_t, 3>& cell,
                                       unsigned edge) const {
    const std::uint32_t brick =
        tree_->brickAt(cell[0] / kBrickCells, cell[1] / kBrickCells, cell[2] / kBrickCells);
    const CutBrick& cut = cuts_[brick];
    const std::size_t local =
        cellIndex(cell[0] % kBrickCells, cell[1] % kBrickCells, cell[2] % kBrickCells);
    return base_[brick] + cut.firstVertex[local] + kPatterns[cut.inside[local]].loopOf[edge];
  }

  // The four cells around the edge that leaves `corner` along `axis`, counter-clockwise seen from
  // the axis' end; in each the edge has another number.
  void addQuad(const std::array<std::uint32_t, 3>& corner, std::size_t axis, bool lowerInside,
               Output& out) const {
    const std::size_t u = (axis + 1) % 3;
    const std::size_t v = (axis + 2) % 3;
    constexpr std::array<std::array<std::uint32_t, 2>, 4> kBack = {
        {{1, 1}, {0, 1}, {0, 0}, {1, 0}}};
    std::array<std::uint32_t, 4> quad{};
    for (std::size_t i = 0; i < 4; ++i) {
      std::array<std::uint32_t, 3> cell = corner;
      cell[u] -= kBack[i][0];
      cell[v] -= kBack[i][1];
      const unsigned edge = 4 * static_cast<unsigned>(axis) + kBack[i][0] + 2 * kBack[i][1];
      quad[lowerInside ? i : 3 - i] = vertexOf(cell, edge);
    }
    // Two quadrilaterals that share an edge of the dual mesh share an inside corner of the grid.
    std::array<std::uint32_t, 3> insideCorner = corner;
    if (!lowerInside) ++insideCorner[axis];
    const std::uint64_t hint = static_cast<std::uint64_t>(insideCorner[0]) |
                               static_cast<std::uint64_t>(insideCorner[1]) << 21U |
                               static_cast<std::uint64_t>(insideCorner[2]) << 42U;
    const float first = (positions_[quad[0]] - positions_[quad[2]]).squaredNorm();
    const float second = (positions_[quad[1]] - positions_[quad[3]]).squaredNorm();
    if (first <= second) {
      out.triangles.push_back({quad[0], quad[1], quad[2]});
      out.triangles.push_back({quad[2], quad[3], quad[0]});
    } else {
      out.triangles.push_back({quad[1], quad[2], quad[3]});
      out.triangles.push_back({quad[3], quad[0], quad[1]});
    }
    out.hints.insert(out.hints.end(), {hint, hint});
  }

  const BrickTree* tree_;
  std::vector<CutBrick> cuts_;
  std::vector<std::uint32_t> base_;
  std::vector<Eigen::Vector3f> positions_;
};

// Two cells whose common face has four crossings may share two edges of the dual mesh. A vertex in
// one of them tells them apart.
void splitDoubleEdges(SurfaceMesh& mesh) {
  const std::uint32_t halfEdges = mesh.halfEdgeCount();
  for (std::uint32_t h = 0; h < halfEdges; ++h) {
    if (h > mesh.twin(h)) continue;
    for (std::uint32_t i = mesh.aroundFrom(h); i != h; i = mesh.aroundFrom(i)) {
      if (mesh.to(i) != mesh.to(h)) continue;
      mesh.split(h, 0.5F * (mesh.position[mesh.from(h)] + mesh.position[mesh.to(h)]));
      break;
    }
  }
}

}  // namespace

BrickTree::BrickTree(const DistanceProgram& program, const Eigen::Vector3f& lower,
                     const Eigen::Vector3f& upper, float cell, float guideCells, unsigned threads)
    : program_(&program), lower_(lower), cell_(cell) {
  // One cell of air on the lower side, so that no edge on it is ever crossed, and more on the
  // upper.
  lower_ -= Eigen::Vector3f::Constant(1.5F * cell);
  const float brickEdge = static_cast<float>(kBrickCells) * cell;
  std::uint32_t across = 1;  // bricks along the current node's edge
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<Eigen::Index>(axis);
    brickGrid_[axis] =
        static_cast<std::uint32_t>((upper[i] + 1.5F * cell - lower_[i]) / brickEdge) + 1;
    while (across < brickGrid_[axis])
      across *= 2;
  }
  std::uint32_t guideAcross = 1;
  while (static_cast<float>(guideAcross * kBrickCells) < guideCells)
    guideAcross *= 2;
  guideAcross = std::min(guideAcross, across);

  Level level;
  const DistanceProgram::Tape whole = program.wholeTape();
  level.steps.assign(whole.begin(), whole.end());
  level.nodes.push_back({{0, 0, 0}, 0, static_cast<std::uint32_t>(whole.size())});
  const auto number = [](const Level& of, const std::array<std::uint32_t, 3>& grid) {
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(grid[0]) * grid[1] * grid[2],
                                       kNoVertex);
    for (std::uint32_t n = 0; n < of.nodes.size(); ++n) {
      const Index& place = of.nodes[n].place;
      numbers[(static_cast<std::size_t>(place[2]) * grid[1] + place[1]) * grid[0] + place[0]] = n;
    }
    return numbers;
  };
  for (;;) {
    if (across == guideAcross) {
      guideEdge_ = static_cast<float>(across) * brickEdge;
      guideMargin_ = kGuideMargin * guideEdge_;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        guideGrid_[axis] = (brickGrid_[axis] + across - 1) / across;
      }
      guideNumber_ = number(level, guideGrid_);
      guide_ = level;
    }
    if (across == 1) break;
    across /= 2;
    level = halve(level, static_cast<float>(across) * brickEdge, threads);
  }
  brickNumber_ = number(level, brickGrid_);
  bricks_ = std::move(level);
}

BrickTree::Level BrickTree::halve(const Level& parents, float childEdge, unsigned threads) const {
  const std::size_t blocks = (parents.nodes.size() + kNodesAtOnce - 1) / kNodesAtOnce;
  std::vector<Level> parts(blocks);
  std::array<std::uint32_t, 3> grid{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto bricks = static_cast<std::uint32_t>(
        std::lround(childEdge / (static_cast<float>(kBrickCells) * cell_)));
    grid[axis] = (brickGrid_[axis] + bricks - 1) / bricks;
  }
  parallelFor(parents.nodes.size(), kNodesAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    Level& part = parts[begin / kNodesAtOnce];
    std::vector<DistanceProgram::Step> unused;
    for (std::size_t n = begin; n < end; ++n) {
      const Node& parent = parents.nodes[n];
      const DistanceProgram::Tape tape{parents.steps.data() + parent.firstStep, parent.steps};
      for (unsigned c = 0; c < 8; ++c) {
        Node child;
        Eigen::Vector3f centre;
        bool isOutside = false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          child.place[axis] =
              static_cast<std::uint16_t>(2 * parent.place[axis] + ((c >> axis) & 1U));
          isOutside = isOutside || child.place[axis] >= grid[axis];
          const auto i = static_cast<Eigen::Index>(axis);
          centre[i] = lower_[i] + (static_cast<float>(child.place[axis]) + 0.5F) * childEdge;
        }
        if (isOutside) continue;
        unused.clear();
        const float radius = kHalfDiagonal * childEdge;
        const DistanceProgram::Range range = program_->boundOver(tape, centre, radius, unused);
        if (range.lower > 0.0F || range.upper < 0.0F) continue;
        child.firstStep = static_cast<std::uint32_t>(part.steps.size());
        program_->boundOver(tape, centre, radius + kGuideMargin * childEdge, part.steps);
        child.steps = static_cast<std::uint32_t>(part.steps.size()) - child.firstStep;
        part.nodes.push_back(child);
      }
    }
  });
  Level children;
  for (const Level& part : parts) {
    const auto shift = static_cast<std::uint32_t>(children.steps.size());
    for (Node node : part.nodes) {
      node.firstStep += shift;
      children.nodes.push_back(node);
    }
    children.steps.insert(children.steps.end(), part.steps.begin(), part.steps.end());
  }
  return children;
}

std::uint32_t BrickTree::brickAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  return brickNumber_[(static_cast<std::size_t>(z) * brickGrid_[1] + y) * brickGrid_[0] + x];
}

std::uint32_t BrickTree::guideOf(const Eigen::Vector3f& point) const {
  const auto whole = static_cast<std::uint32_t>(guide_.nodes.size());
  std::array<std::size_t, 3> place{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<Eigen::Index>(axis);
    const float at = (point[i] - lower_[i]) / guideEdge_;
    if (!(at >= 0.0F && at < static_cast<float>(guideGrid_[axis]))) return whole;
    place[axis] = static_cast<std::size_t>(at);
  }
  const std::uint32_t number =
      guideNumber_[(place[2] * guideGrid_[1] + place[1]) * guideGrid_[0] + place[0]];
  return number == kNoVertex ? whole : number;
}

DistanceProgram::Tape BrickTree::guideTape(std::uint32_t guide) const {
  if (guide >= guide_.nodes.size()) return program_->wholeTape();
  const Node& node = guide_.nodes[guide];
  return {guide_.steps.data() + node.firstStep, node.steps};
}

SurfaceMesh extractSurface(const BrickTree& tree, unsigned threads) {
  CutSurface surface(tree, threads);
  const std::size_t bricks = tree.bricks().size();
  std::vector<CutSurface::Output> parts((bricks + kBricksAtOnce - 1) / kBricksAtOnce);
  parallelFor(bricks, kBricksAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      surface.trianglesOf(b, parts[begin / kBricksAtOnce]);
  });
  CutSurface::Output all;
  for (const CutSurface::Output& part : parts) {
    all.triangles.insert(all.triangles.end(), part.triangles.begin(), part.triangles.end());
    all.hints.insert(all.hints.end(), part.hints.begin(), part.hints.end());
  }
  SurfaceMesh mesh(std::move(surface.positions()), all.triangles, all.hints);
  splitDoubleEdges(mesh);
  return mesh;
}

std::size_t countSurface(const BrickTree& tree, unsigned threads) {
  const std::size_t bricks = tree.bricks().size();
  std::vector<std::size_t> crossings((bricks + kBricksAtOnce - 1) / kBricksAtOnce, 0);
  parallelFor(bricks, kBricksAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    BrickField field;
    for (std::size_t b = begin; b < end; ++b) {
      evaluateBrick(tree, tree.bricks()[b], field);
      for (std::uint32_t z = 0; z < kBrickCells; ++z) {
        for (std::uint32_t y = 0; y < kBrickCells; ++y) {
          for (std::uint32_t x = 0; x < kBrickCells; ++x) {
            const bool inside = field[pointIndex(x, y, z)] < 0.0F;
            for (unsigned axis = 0; axis < 3; ++axis) {
              const float next = field[pointIndex(
                  x + (axis == 0 ? 1U : 0U), y + (axis == 1 ? 1U : 0U), z + (axis == 2 ? 1U : 0U))];
              if (inside != (next < 0.0F)) ++crossings[begin / kBricksAtOnce];
            }
          }
        }
      }
    }
  });
  std::size_t sum = 0;
  for (const std::size_t part : crossings)
    sum += part;
  return 2 * sum;
}

}  // namespace tactus::models
