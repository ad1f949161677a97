#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// Meshes the surface of a sculpture with `triangles` triangles.
[[nodiscard]] Mesh meshSculpture(const Sculpture& sculpture, std::size_t triangles,
                                 unsigned threads = 0);

}  // namespace tactus::models
