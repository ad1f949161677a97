#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// A built-in model made from dimensions.
struct ParametricModel {
  std::string_view name;         ///< as in `builtin:NAME`
  std::string_view description;  ///< one line, with its size
  Mesh (*make)(std::size_t triangles);
};

/// All of them, in the order of the design page. Each gives 1,000 to 1,000,000 triangles, within
/// 3 % of the number wanted; closed, outward oriented, without self-intersections, degenerate
/// triangles or equal positions. Sharp edges are edges of the mesh at every resolution.
[[nodiscard]] std::span<const ParametricModel> parametricModels();

}  // namespace tactus::models
