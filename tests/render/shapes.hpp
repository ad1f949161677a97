#pragma once
#include <cmath>
#include <memory>
#include <numbers>

#include "models/mesh/mesh.hpp"

namespace tactus::render::shapes {

inline models::Mesh box(const Eigen::Vector3d& size) {
  models::Mesh mesh;
  for (unsigned i = 0; i < 8; ++i) {
    const Eigen::Vector3d sign((i & 1U) != 0 ? 0.5 : -0.5, (i & 2U) != 0 ? 0.5 : -0.5,
                               (i & 4U) != 0 ? 0.5 : -0.5);
    mesh.positions.push_back(sign.cwiseProduct(size).cast<float>());
  }
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

/// A ball of `rings` from pole to pole and twice as many slices.
inline models::Mesh sphere(double radius, unsigned rings) {
  models::Mesh mesh;
  const unsigned slices = 2 * rings;
  const auto add = [&](double polar, double turn) {
    mesh.positions.push_back(
        (radius * Eigen::Vector3d(std::sin(polar) * std::cos(turn), std::cos(polar),
                                  -std::sin(polar) * std::sin(turn)))
            .cast<float>());
  };
  add(0.0, 0.0);
  for (unsigned ring = 1; ring < rings; ++ring) {
    for (unsigned slice = 0; slice < slices; ++slice) {
      add(std::numbers::pi * ring / rings, 2.0 * std::numbers::pi * slice / slices);
    }
  }
  add(std::numbers::pi, 0.0);
  const auto at = [&](unsigned ring, unsigned slice) {
    return 1 + (ring - 1) * slices + slice % slices;
  };
  const auto south = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  for (unsigned slice = 0; slice < slices; ++slice) {
    mesh.triangles.push_back({0, at(1, slice), at(1, slice + 1)});
    mesh.triangles.push_back({south, at(rings - 1, slice + 1), at(rings - 1, slice)});
    for (unsigned ring = 1; ring + 1 < rings; ++ring) {
      mesh.triangles.push_back({at(ring, slice), at(ring + 1, slice), at(ring + 1, slice + 1)});
      mesh.triangles.push_back({at(ring, slice), at(ring + 1, slice + 1), at(ring, slice + 1)});
    }
  }
  return mesh;
}

/// A prism around y with `sides` faces and flat caps.
inline models::Mesh prism(double radius, double height, unsigned sides) {
  models::Mesh mesh;
  for (const double y : {-0.5 * height, 0.5 * height}) {
    for (unsigned i = 0; i < sides; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / sides;
      mesh.positions.push_back(
          Eigen::Vector3d(radius * std::cos(turn), y, -radius * std::sin(turn)).cast<float>());
    }
  }
  for (unsigned i = 0; i < sides; ++i) {
    const unsigned j = (i + 1) % sides;
    mesh.triangles.push_back({i, j, sides + j});
    mesh.triangles.push_back({i, sides + j, sides + i});
    if (i == 0 || j == 0) continue;
    mesh.triangles.push_back({0, j, i});
    mesh.triangles.push_back({sides, sides + i, sides + j});
  }
  return mesh;
}

/// The same surface with three vertices of its own for each triangle, like an STL file.
inline models::Mesh soup(const models::Mesh& mesh) {
  models::Mesh loose;
  for (const models::Triangle& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(loose.positions.size());
    for (const std::uint32_t vertex : triangle)
      loose.positions.push_back(mesh.positions[vertex]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  return loose;
}

inline std::shared_ptr<const models::Mesh> shared(models::Mesh mesh) {
  return std::make_shared<const models::Mesh>(std::move(mesh));
}

}  // namespace tactus::render::shapes
