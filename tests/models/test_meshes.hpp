#pragma once
#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "models/mesh/mesh.hpp"

/// Small meshes with known answers, for the tests of all of models/. They share no code with the
/// built-in models, so that one cannot hide the errors of the other. All are closed, outward
/// oriented and clean unless their comment says otherwise.
///
/// Angles go through libm: nothing here is compared to the byte between two machines.
namespace tactus::models::test {

/// Axis-aligned box of the given edge lengths about `centre`; 8 vertices, 12 triangles.
inline Mesh box(const Eigen::Vector3d& size = Eigen::Vector3d::Ones(),
                const Eigen::Vector3d& centre = Eigen::Vector3d::Zero()) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d sign((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5,
                               (corner & 4) != 0 ? 0.5 : -0.5);
    mesh.positions.emplace_back((centre + size.cwiseProduct(sign)).cast<float>());
  }
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

/// Sphere by latitude and longitude: `rings` bands from pole to pole (at least 2), `sectors` around
/// the z axis (at least 3); 2 sectors (rings - 1) triangles. Inscribed, so its volume is below the
/// ball's. The poles are vertices 0 and the last one.
inline Mesh sphere(double radius = 1.0, std::uint32_t rings = 16, std::uint32_t sectors = 32) {
  Mesh mesh;
  mesh.positions.emplace_back(0.0F, 0.0F, static_cast<float>(-radius));
  for (std::uint32_t ring = 1; ring < rings; ++ring) {
    const double latitude = std::numbers::pi * (static_cast<double>(ring) / rings - 0.5);
    for (std::uint32_t s = 0; s < sectors; ++s) {
      const double longitude = 2.0 * std::numbers::pi * s / sectors;
      const Eigen::Vector3d p(std::cos(latitude) * std::cos(longitude),
                              std::cos(latitude) * std::sin(longitude), std::sin(latitude));
      mesh.positions.emplace_back((radius * p).cast<float>());
    }
  }
  mesh.positions.emplace_back(0.0F, 0.0F, static_cast<float>(radius));
  const auto at = [sectors](std::uint32_t ring, std::uint32_t s) {
    return 1 + (ring - 1) * sectors + s % sectors;
  };
  const auto last = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  for (std::uint32_t s = 0; s < sectors; ++s) {
    mesh.triangles.push_back({0, at(1, s + 1), at(1, s)});
    for (std::uint32_t ring = 1; ring + 1 < rings; ++ring) {
      mesh.triangles.push_back({at(ring, s), at(ring, s + 1), at(ring + 1, s + 1)});
      mesh.triangles.push_back({at(ring, s), at(ring + 1, s + 1), at(ring + 1, s)});
    }
    mesh.triangles.push_back({last, at(rings - 1, s), at(rings - 1, s + 1)});
  }
  return mesh;
}

/// Torus about the z axis: `major` to the middle of the tube, `minor` the tube's radius, `around`
/// segments of the ring, `tube` segments of its section; 2 around tube triangles.
inline Mesh torus(double major = 1.0, double minor = 0.4, std::uint32_t around = 32,
                  std::uint32_t tube = 16) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < around; ++i) {
    const double u = 2.0 * std::numbers::pi * i / around;
    for (std::uint32_t j = 0; j < tube; ++j) {
      const double v = 2.0 * std::numbers::pi * j / tube;
      const double reach = major + minor * std::cos(v);
      mesh.positions.emplace_back(
          Eigen::Vector3d(reach * std::cos(u), reach * std::sin(u), minor * std::sin(v))
              .cast<float>());
    }
  }
  const auto at = [=](std::uint32_t i, std::uint32_t j) { return (i % around) * tube + j % tube; };
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t j = 0; j < tube; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

/// The corner tetrahedron of the cube of edge `size` at the origin; volume size^3 / 6.
inline Mesh tetrahedron(double size = 1.0) {
  const auto s = static_cast<float>(size);
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

/// Open: the half of sphere() below z = 0 (rings counted pole to pole, must be even), with its rim
/// in the plane z = 0.
inline Mesh bowl(double radius = 1.0, std::uint32_t rings = 16, std::uint32_t sectors = 32) {
  Mesh mesh = sphere(radius, rings, sectors);
  const std::uint32_t end = 1 + (rings / 2) * sectors;
  std::erase_if(mesh.triangles,
                [end](const Triangle& t) { return t[0] >= end || t[1] >= end || t[2] >= end; });
  mesh.positions.resize(end);
  for (std::uint32_t v = end - sectors; v < end; ++v)
    mesh.positions[v].z() = 0.0F;
  return mesh;
}

/// A ring of radius 1 whose section, a line of length 0.6, turns round once: two rims of 40 edges
/// that are linked, so no two lids on them keep apart.
inline Mesh twistedBand() {
  constexpr std::uint32_t kSections = 40;
  constexpr std::uint32_t kPoints = 5;
  Mesh mesh;
  for (std::uint32_t i = 0; i < kSections; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSections;
    for (std::uint32_t k = 0; k < kPoints; ++k) {
      const double side = 0.15 * k - 0.3;
      const double reach = 1.0 + side * std::cos(angle);
      mesh.positions.emplace_back(
          Eigen::Vector3d(reach * std::cos(angle), reach * std::sin(angle), side * std::sin(angle))
              .cast<float>());
    }
  }
  for (std::uint32_t i = 0; i < kSections; ++i) {
    for (std::uint32_t k = 0; k + 1 < kPoints; ++k) {
      const std::uint32_t a = i * kPoints + k;
      const std::uint32_t b = (i + 1) % kSections * kPoints + k;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

/// Adds the second mesh to the first one, into the first one's origin.
inline void append(Mesh& mesh, const Mesh& other) {
  const auto offset = static_cast<std::uint32_t>(mesh.positions.size());
  for (std::uint32_t v = 0; v < other.positions.size(); ++v) {
    mesh.positions.emplace_back((other.position(v) - mesh.origin).cast<float>());
  }
  for (const Triangle& t : other.triangles) {
    mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
}

/// The mesh moved (and scaled, sheared...) by an affine map; the result's origin is zero.
template <typename Transform>
[[nodiscard]] Mesh transformed(const Mesh& mesh, const Transform& map) {
  Mesh moved;
  moved.triangles = mesh.triangles;
  moved.positions.reserve(mesh.positions.size());
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3d p = map * mesh.position(v);
    moved.positions.emplace_back(p.cast<float>());
  }
  return moved;
}

[[nodiscard]] inline Mesh moved(const Mesh& mesh, const Eigen::Vector3d& shift) {
  return transformed(mesh, Eigen::Translation3d(shift));
}

/// Every triangle turned round: the mesh inside out.
[[nodiscard]] inline Mesh flipped(Mesh mesh) {
  for (Triangle& t : mesh.triangles)
    std::swap(t[1], t[2]);
  return mesh;
}

/// Every triangle with three vertices of its own, in the order of the triangles, as STL files are.
[[nodiscard]] inline Mesh exploded(const Mesh& mesh) {
  Mesh soup;
  soup.origin = mesh.origin;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (const std::uint32_t v : t)
      soup.positions.push_back(mesh.positions[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

/// Signed volume as the sum of the tetrahedra to the mesh's first vertex.
[[nodiscard]] inline double signedVolume(const Mesh& mesh) {
  if (mesh.positions.empty()) return 0.0;
  const Eigen::Vector3d foot = mesh.position(0);
  double six = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.position(t[0]) - foot;
    const Eigen::Vector3d b = mesh.position(t[1]) - foot;
    const Eigen::Vector3d c = mesh.position(t[2]) - foot;
    six += a.dot(b.cross(c));
  }
  return six / 6.0;
}

/// The same numbers on every machine, which std::uniform_real_distribution does not promise.
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64), 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// In [0, count).
  std::uint32_t index(std::size_t count) { return static_cast<std::uint32_t>(bits() % count); }
  /// In the cube [-reach, reach]^3.
  Eigen::Vector3d inCube(double reach) {
    const double x = between(-reach, reach);
    const double y = between(-reach, reach);
    return {x, y, between(-reach, reach)};
  }
  /// Uniform over all rotations (normalised four-dimensional direction by rejection).
  Eigen::Quaterniond rotation() {
    for (;;) {
      Eigen::Vector4d q;
      for (double& part : q)
        part = between(-1, 1);  // one by one: their order is then fixed
      const double squared = q.squaredNorm();
      if (squared > 0.01 && squared < 1.0) return Eigen::Quaterniond(q / std::sqrt(squared));
    }
  }
  Eigen::Isometry3d pose(double reach) {
    const Eigen::Quaterniond turn = rotation();
    return Eigen::Translation3d(inCube(reach)) * turn;
  }

 private:
  std::uint64_t state_;
};

}  // namespace tactus::models::test
