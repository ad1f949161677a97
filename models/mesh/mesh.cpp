#include "models/mesh/mesh.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "models/mesh/position_hash.hpp"

namespace tactus::models {
namespace {

// A float has 24 bits. As long as no coordinate is further from zero than this many diagonals,
// at most two of them are lost to the offset, and the detail left (1.5e-8 of 4 diagonals) is finer
// than any scanner's. Beyond it the positions are stored relative to the box's centre.
constexpr double kNearZero = 4.0;

/// Of the positions that triangles name, or of all if none does: one that is left over somewhere
/// far away says nothing of the surface.
template <typename Scalar>
Bounds boundsOf(const std::vector<Eigen::Matrix<Scalar, 3, 1>>& positions,
                const std::vector<Triangle>& triangles) {
  using Place = Eigen::Matrix<Scalar, 3, 1>;
  Place lower = Place::Constant(std::numeric_limits<Scalar>::infinity());
  Place upper = -lower;
  const auto extend = [&](const Place& p) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  };
  bool isNamed = false;
  for (const Triangle& t : triangles) {
    for (const std::uint32_t v : t) {
      if (v >= positions.size()) continue;
      isNamed = true;
      extend(positions[v]);
    }
  }
  if (!isNamed) std::for_each(positions.begin(), positions.end(), extend);
  if (positions.empty()) return {};
  return {lower.template cast<double>(), upper.template cast<double>()};
}

/// Vertices that now lie on an earlier one from which they were apart. `before(v)` is where a
/// vertex was, in the frame of `positions` but not rounded.
///
/// Only a position that rounding has moved can have come upon another: none of a file of floats
/// has, and then one comparison a vertex is all. Else a hash table with open addressing, at most
/// half full, 8 to 16 bytes a vertex while it lives.
template <typename Before>
std::size_t countMerged(const std::vector<Eigen::Vector3f>& positions, const Before& before) {
  constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  bool isExact = true;
  for (std::size_t v = 0; isExact && v < positions.size(); ++v) {
    isExact = positions[v].cast<double>() == before(v);
  }
  if (isExact) return 0;
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * positions.size() + 1), kFree);
  const std::size_t mask = slots.size() - 1;
  std::size_t merged = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    std::size_t slot = hashOf(positions[v]) & mask;
    while (slots[slot] != kFree && positions[slots[slot]] != positions[v]) {
      slot = (slot + 1) & mask;
    }
    if (slots[slot] == kFree) {
      slots[slot] = static_cast<std::uint32_t>(v);
    } else if (before(slots[slot]) != before(v)) {
      ++merged;
    }
  }
  return merged;
}

/// Moves all positions to change(position), and counts what that makes one.
template <typename Change>
void moveAll(Mesh& mesh, const Change& change) {
  const std::vector<Eigen::Vector3f> old = mesh.positions;
  const auto moved = [&](std::size_t v) -> Eigen::Vector3d {
    return change(old[v].cast<double>());
  };
  for (std::size_t v = 0; v < old.size(); ++v) {
    const Eigen::Vector3d p = moved(v);
    mesh.positions[v] = p.cast<float>();
  }
  mesh.mergedByRounding += countMerged(mesh.positions, moved);
}

}  // namespace

Bounds Mesh::bounds() const {
  Bounds box = boundsOf(positions, triangles);
  if (box.isEmpty()) return box;
  box.lower += origin;
  box.upper += origin;
  return box;
}

void scale(Mesh& mesh, double factor) {
  mesh.origin *= factor;
  moveAll(mesh, [factor](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p * factor; });
}

void fitToDiagonal(Mesh& mesh, double diagonal) {
  const Bounds box = mesh.bounds();
  const double extent = box.diagonal();
  if (!(extent > 0.0)) return;
  const Eigen::Vector3d shift = box.centre() - mesh.origin;
  const double factor = diagonal / extent;
  mesh.origin.setZero();
  moveAll(mesh, [&shift, factor](const Eigen::Vector3d& p) -> Eigen::Vector3d {
    return (p - shift) * factor;
  });
}

Mesh meshFromPositions(const std::vector<Eigen::Vector3d>& positions,
                       std::vector<Triangle> triangles) {
  Mesh mesh;
  mesh.triangles = std::move(triangles);
  const Bounds box = boundsOf(positions, mesh.triangles);
  if (!box.isEmpty()) {
    const double furthest =
        std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
    if (furthest > kNearZero * box.diagonal()) mesh.origin = box.centre();
  }
  mesh.positions.reserve(positions.size());
  for (const Eigen::Vector3d& p : positions) {
    mesh.positions.emplace_back((p - mesh.origin).cast<float>());
  }
  mesh.mergedByRounding = countMerged(
      mesh.positions, [&](std::size_t v) -> Eigen::Vector3d { return positions[v] - mesh.origin; });
  return mesh;
}

}  // namespace tactus::models
