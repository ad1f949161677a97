#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "collision/packing/sphere_packing.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

/// What every packing promises, checked by other means than it was made with: overlap over all
/// pairs of spheres, protrusion against the distance of every centre, asked for anew.
namespace tactus::collision::test {

/// Sweep along x: every pair whose extents there overlap is tested, in doubles.
inline double deepestOverlap(const SpherePacking& packing) {
  struct Extent {
    double from, to;
    std::size_t sphere;
  };
  std::vector<Extent> extents;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    const double x = packing.spheres[i].centre.x();
    const double r = packing.spheres[i].radius;
    extents.push_back({x - r, x + r, i});
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.from < b.from; });
  double deepest = -1e300;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const PackedSphere& a = packing.spheres[extents[i].sphere];
    for (std::size_t j = i + 1; j < extents.size() && extents[j].from <= extents[i].to; ++j) {
      const PackedSphere& b = packing.spheres[extents[j].sphere];
      const double apart = (a.centre.cast<double>() - b.centre.cast<double>()).norm();
      deepest =
          std::max(deepest, static_cast<double>(a.radius) + static_cast<double>(b.radius) - apart);
    }
  }
  return deepest;
}

inline void expectFeasible(const models::Mesh& mesh, const SpherePacking& packing) {
  const double tolerance = 1e-9 * mesh.bounds().diagonal();
  EXPECT_LE(deepestOverlap(packing), tolerance);
  const SurfaceDistance surface(mesh, {.signRule = packing.signRule});
  double furthest = -1e300;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    ASSERT_GT(packing.spheres[i].radius, 0.0F);
    furthest = std::max(furthest, surface.at(packing.centre(i)).distance +
                                      static_cast<double>(packing.spheres[i].radius));
  }
  EXPECT_LE(furthest, tolerance);
}

inline std::uint64_t hashOf(const SpherePacking& packing) {
  tests::BytesHash hash;
  for (const PackedSphere& s : packing.spheres) {
    for (int axis = 0; axis < 3; ++axis)
      hash.add(s.centre[axis]);
    hash.add(s.radius);
  }
  return hash.value();
}

}  // namespace tactus::collision::test
