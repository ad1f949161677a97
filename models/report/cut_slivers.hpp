#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

[[nodiscard]] std::vector<std::array<Eigen::Vector3f, 3>> cornersOf(const Mesh& mesh);

/// Corners of the mesh's triangles, in their order, the long slivers among them cut in two across
/// their longest side, again and again: the same surface, in pieces that are near themselves. A
/// group of slivers is as long as they are however few it has, and a hierarchy of such groups tells
/// nothing apart.
///
/// Cut is what is slender and longer than a small share of the mesh, into a million pieces at most,
/// or four a triangle. Places of cuts are rounded to floats: where a neighbour is not cut the
/// surface has gaps or folds as wide as that.
[[nodiscard]] std::vector<std::array<Eigen::Vector3f, 3>> cutSlivers(const Mesh& mesh);

}  // namespace tactus::models
