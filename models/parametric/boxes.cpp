#include "models/parametric/boxes.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

using Cell = std::array<int, 3>;

/// The points of a lattice of n[0] x n[1] x n[2] cells that lie on its surface, numbered layer by
/// layer in z: the lowest and the uppermost layer are full, those between have a rim only.
class SurfaceLattice {
 public:
  explicit SurfaceLattice(const Cell& cells) : n_(cells) {}

  [[nodiscard]] std::uint32_t index(const Cell& p) const {
    const std::int64_t full = std::int64_t{n_[0] + 1} * (n_[1] + 1);
    const std::int64_t rim = 2 * (std::int64_t{n_[0]} + n_[1]);
    if (p[2] == 0) return narrow(inFull(p));
    if (p[2] == n_[2]) return narrow(full + rim * (n_[2] - 1) + inFull(p));
    return narrow(full + rim * (p[2] - 1) + inRim(p));
  }

  /// All points in the order of their indices.
  [[nodiscard]] std::vector<Cell> points() const {
    std::vector<Cell> all;
    for (int k = 0; k <= n_[2]; ++k) {
      if (k == 0 || k == n_[2]) {
        for (int j = 0; j <= n_[1]; ++j) {
          for (int i = 0; i <= n_[0]; ++i)
            all.push_back({i, j, k});
        }
        continue;
      }
      for (int i = 0; i < n_[0]; ++i)
        all.push_back({i, 0, k});
      for (int j = 0; j < n_[1]; ++j)
        all.push_back({n_[0], j, k});
      for (int i = n_[0]; i > 0; --i)
        all.push_back({i, n_[1], k});
      for (int j = n_[1]; j > 0; --j)
        all.push_back({0, j, k});
    }
    return all;
  }

 private:
  [[nodiscard]] std::int64_t inFull(const Cell& p) const {
    return std::int64_t{p[1]} * (n_[0] + 1) + p[0];
  }
  [[nodiscard]] std::int64_t inRim(const Cell& p) const {
    if (p[1] == 0 && p[0] < n_[0]) return p[0];
    if (p[0] == n_[0] && p[1] < n_[1]) return std::int64_t{n_[0]} + p[1];
    if (p[1] == n_[1] && p[0] > 0) return std::int64_t{n_[0]} + n_[1] + (n_[0] - p[0]);
    return 2 * std::int64_t{n_[0]} + n_[1] + (n_[1] - p[1]);
  }
  static std::uint32_t narrow(std::int64_t i) { return static_cast<std::uint32_t>(i); }

  Cell n_;
};

/// The two faces across `axis`. Diagonals are mirrored in the middle of the face, so that no corner
/// of the box has a triangle of its own and the mesh is as symmetric as the box.
void addFaces(const SurfaceLattice& lattice, const Cell& cells, int axis,
              std::vector<Triangle>& triangles) {
  const auto a = static_cast<std::size_t>(axis);
  const std::size_t u = (a + 1) % 3;
  const std::size_t v = (a + 2) % 3;
  for (const int side : {0, cells[a]}) {
    for (int j = 0; j < cells[v]; ++j) {
      for (int i = 0; i < cells[u]; ++i) {
        const auto corner = [&](int di, int dj) {
          Cell p{};
          p[a] = side;
          p[u] = i + di;
          p[v] = j + dj;
          return lattice.index(p);
        };
        std::array<std::uint32_t, 4> quad{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
        if (side == 0) std::swap(quad[1], quad[3]);
        if ((2 * i < cells[u]) == (2 * j < cells[v])) {
          triangles.push_back({quad[0], quad[1], quad[2]});
          triangles.push_back({quad[0], quad[2], quad[3]});
        } else {
          triangles.push_back({quad[0], quad[1], quad[3]});
          triangles.push_back({quad[1], quad[2], quad[3]});
        }
      }
    }
  }
}

Mesh gridBox(const Eigen::Vector3d& extents, const Cell& cells) {
  const SurfaceLattice lattice(cells);
  std::vector<Eigen::Vector3d> positions;
  for (const Cell& p : lattice.points()) {
    Eigen::Vector3d& position = positions.emplace_back();
    for (int a = 0; a < 3; ++a) {
      const int n = cells[static_cast<std::size_t>(a)];
      position[a] = 0.5 * extents[a] * (2 * p[static_cast<std::size_t>(a)] - n) / n;
    }
  }
  std::vector<Triangle> triangles;
  for (int axis = 0; axis < 3; ++axis)
    addFaces(lattice, cells, axis, triangles);
  return meshFromPositions(positions, std::move(triangles));
}

}  // namespace

Mesh makeBoxOf(const Eigen::Vector3d& extents, std::size_t triangles) {
  const double area =
      2.0 * (extents.x() * extents.y() + extents.y() * extents.z() + extents.z() * extents.x());
  return fitToTriangles(triangles, area, [&](const Fineness& fineness) {
    // Two directions take the row share, one its inverse: counts vary while areas hardly do.
    const Cell cells{fineness.segmentsAlong(extents.x()),
                     fineness.segmentsAlong(extents.y() / fineness.rowShare),
                     fineness.segmentsAlong(extents.z() * fineness.rowShare)};
    return gridBox(extents, cells);
  });
}

Mesh makeBox(std::size_t triangles) {
  return makeBoxOf(kBoxExtents, triangles);
}
Mesh makeBlock(std::size_t triangles) {
  return makeBoxOf(kBlockExtents, triangles);
}
Mesh makePlate(std::size_t triangles) {
  return makeBoxOf(kPlateExtents, triangles);
}

}  // namespace tactus::models
