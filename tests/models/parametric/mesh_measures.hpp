#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <vector>

#include "models/mesh/mesh.hpp"

/// What the tests of the parametric models measure on a mesh. Written plainly and apart from
/// models/report, which has tests of its own.
namespace tactus::models::test {

/// Directed edges that are used twice or whose reverse is missing.
inline std::size_t badEdges(const Mesh& mesh) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      edges.push_back(std::uint64_t{t[i]} << 32 | t[(i + 1) % 3]);
    }
  }
  std::sort(edges.begin(), edges.end());
  std::size_t bad = 0;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::uint64_t reverse = edges[k] << 32 | edges[k] >> 32;
    const bool twice = k > 0 && edges[k] == edges[k - 1];
    if (twice || !std::binary_search(edges.begin(), edges.end(), reverse)) ++bad;
  }
  return bad;
}

inline std::vector<std::array<float, 3>> sortedPositions(const Mesh& mesh) {
  std::vector<std::array<float, 3>> all;
  all.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& p : mesh.positions) {
    all.push_back({p.x() + 0.0F, p.y() + 0.0F, p.z() + 0.0F});  // -0 becomes 0
  }
  std::sort(all.begin(), all.end());
  return all;
}

inline std::size_t equalPositions(const Mesh& mesh) {
  const auto all = sortedPositions(mesh);
  std::size_t equal = 0;
  for (std::size_t k = 1; k < all.size(); ++k)
    equal += all[k] == all[k - 1] ? 1U : 0U;
  return equal;
}

/// Whether the set of positions stays when this axis is mirrored.
inline bool isMirrored(const Mesh& mesh, std::size_t axis) {
  const auto all = sortedPositions(mesh);
  auto mirrored = all;
  for (auto& p : mirrored)
    p[axis] = -p[axis] + 0.0F;
  std::sort(mirrored.begin(), mirrored.end());
  return mirrored == all;
}

inline std::array<Eigen::Vector3d, 3> cornersOf(const Mesh& mesh, const Triangle& t) {
  return {mesh.position(t[0]), mesh.position(t[1]), mesh.position(t[2])};
}

/// Smallest angle of each triangle in degrees, ascending.
inline std::vector<double> smallestAngles(const Mesh& mesh) {
  std::vector<double> angles;
  angles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const auto p = cornersOf(mesh, t);
    double smallest = 180.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3d a = p[(i + 1) % 3] - p[i];
      const Eigen::Vector3d b = p[(i + 2) % 3] - p[i];
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      smallest = std::min(smallest, angle * 180.0 / std::numbers::pi);
    }
    angles.push_back(smallest);
  }
  std::sort(angles.begin(), angles.end());
  return angles;
}

inline double volumeOf(const Mesh& mesh) {
  double volume = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const auto p = cornersOf(mesh, t);
    volume += p[0].dot(p[1].cross(p[2])) / 6.0;
  }
  return volume;
}

/// Areas of the triangles, ascending.
inline std::vector<double> areasOf(const Mesh& mesh) {
  std::vector<double> areas;
  for (const Triangle& t : mesh.triangles) {
    const auto p = cornersOf(mesh, t);
    areas.push_back(0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm());
  }
  std::sort(areas.begin(), areas.end());
  return areas;
}

/// Hash of all bytes of the mesh: FNV-1a, 64 bits.
inline std::uint64_t hashOf(const Mesh& mesh) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&hash](std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (word >> shift & 0xffU)) * 0x100000001b3U;
    }
  };
  for (const Eigen::Vector3f& p : mesh.positions) {
    for (const float value : {p.x(), p.y(), p.z()}) {
      std::uint32_t word = 0;
      std::memcpy(&word, &value, sizeof(word));
      mix(word);
    }
  }
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t)
      mix(v);
  }
  return hash;
}

/// An edge along which the surface bends by more than an angle.
struct SharpEdge {
  Eigen::Vector3d from, to;
};
inline std::vector<SharpEdge> sharpEdges(const Mesh& mesh, double degrees) {
  struct Half {
    std::uint64_t key;
    std::uint32_t from, to;
    Eigen::Vector3d normal;
  };
  std::vector<Half> halves;
  for (const Triangle& t : mesh.triangles) {
    const auto p = cornersOf(mesh, t);
    const Eigen::Vector3d normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      halves.push_back({std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), a, b, normal});
    }
  }
  std::stable_sort(halves.begin(), halves.end(),
                   [](const Half& a, const Half& b) { return a.key < b.key; });
  std::vector<SharpEdge> sharp;
  const double limit = std::cos(degrees * std::numbers::pi / 180.0);
  for (std::size_t k = 0; k + 1 < halves.size(); k += 2) {
    if (halves[k].normal.dot(halves[k + 1].normal) < limit) {
      sharp.push_back({mesh.position(halves[k].from), mesh.position(halves[k].to)});
    }
  }
  return sharp;
}

}  // namespace tactus::models::test
