#include "models/mesh/mesh.hpp"

#include <algorithm>
#include <utility>

namespace tactus::models {
namespace {

// A float has 24 bits. As long as no coordinate is further from zero than this many diagonals,
// at most two of them are lost to the offset, and the detail left (1.5e-8 of 4 diagonals) is finer
// than any scanner's. Beyond it the positions are stored relative to the box's centre.
constexpr double kNearZero = 4.0;

Bounds boundsOf(const std::vector<Eigen::Vector3d>& positions) {
  Bounds box;
  if (positions.empty()) return box;
  box.lower = box.upper = positions.front();
  for (const Eigen::Vector3d& p : positions) {
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  return box;
}

}  // namespace

Bounds Mesh::bounds() const {
  if (positions.empty()) return {};
  Eigen::Vector3f lower = positions.front();
  Eigen::Vector3f upper = positions.front();
  for (const Eigen::Vector3f& p : positions) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return {origin + lower.cast<double>(), origin + upper.cast<double>()};
}

void scale(Mesh& mesh, double factor) {
  mesh.origin *= factor;
  for (Eigen::Vector3f& p : mesh.positions)
    p = (p.cast<double>() * factor).cast<float>();
}

void fitToDiagonal(Mesh& mesh, double diagonal) {
  const Bounds box = mesh.bounds();
  const double extent = box.diagonal();
  if (!(extent > 0.0)) return;
  const Eigen::Vector3d shift = box.centre() - mesh.origin;
  const double factor = diagonal / extent;
  mesh.origin.setZero();
  for (Eigen::Vector3f& p : mesh.positions) {
    p = ((p.cast<double>() - shift) * factor).cast<float>();
  }
}

Mesh meshFromPositions(const std::vector<Eigen::Vector3d>& positions,
                       std::vector<Triangle> triangles) {
  Mesh mesh;
  mesh.triangles = std::move(triangles);
  const Bounds box = boundsOf(positions);
  if (!box.isEmpty()) {
    const double furthest =
        std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
    if (furthest > kNearZero * box.diagonal()) mesh.origin = box.centre();
  }
  mesh.positions.reserve(positions.size());
  for (const Eigen::Vector3d& p : positions) {
    mesh.positions.emplace_back((p - mesh.origin).cast<float>());
  }
  return mesh;
}

}  // namespace tactus::models
