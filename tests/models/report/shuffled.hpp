#pragma once
#include <algorithm>
#include <utility>

#include "models/mesh/mesh.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models::test {

/// The mesh with its triangles in another order, each starting at another corner.
inline Mesh shuffled(Mesh mesh, Random& random) {
  for (std::size_t i = mesh.triangles.size(); i > 1; --i)
    std::swap(mesh.triangles[i - 1], mesh.triangles[random.index(i)]);
  for (Triangle& t : mesh.triangles)
    std::rotate(t.begin(), t.begin() + random.index(3), t.end());
  return mesh;
}

}  // namespace tactus::models::test
