// Against all pairs.
#include "collision/packing/sphere_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace {

using namespace tactus::collision;
namespace test = tactus::models::test;

TEST(SphereGraph, AgreesWithAllPairs) {
  PackingSettings settings;
  settings.target.spheres = 1500;
  const SpherePacking packing = packSpheres(test::torus(), settings);
  for (const double gap : {0.0, 0.05, 1.0}) {
    const SphereGraph graph = sphereGraph(packing, gap);
    ASSERT_EQ(graph.first.size(), packing.spheres.size() + 1);
    for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
      std::vector<std::uint32_t> truth;
      for (std::uint32_t j = 0; j < packing.spheres.size(); ++j) {
        if (j == i) continue;
        const double a = packing.spheres[i].radius;
        const double b = packing.spheres[j].radius;
        const double apart =
            (packing.spheres[i].centre.cast<double>() - packing.spheres[j].centre.cast<double>())
                .norm();
        if (apart - (a + b) <= gap * std::min(a, b)) truth.push_back(j);
      }
      ASSERT_TRUE(std::ranges::equal(graph.of(i), truth)) << i;
    }
  }
}

// An inserted sphere touches four others or the surface, so that the graph hangs together.
TEST(SphereGraph, ConnectsAnObject) {
  PackingSettings settings;
  settings.target.spheres = 2000;
  const SpherePacking packing = packSpheres(test::torus(), settings);
  const SphereGraph graph = sphereGraph(packing);
  std::vector<bool> met(packing.spheres.size());
  std::vector<std::size_t> waiting = {0};
  met[0] = true;
  std::size_t count = 0;
  while (!waiting.empty()) {
    const std::size_t i = waiting.back();
    waiting.pop_back();
    ++count;
    for (const std::uint32_t j : graph.of(i)) {
      if (met[j]) continue;
      met[j] = true;
      waiting.push_back(j);
    }
  }
  EXPECT_GT(count, 1990U);
  const double mean =
      static_cast<double>(graph.neighbour.size()) / static_cast<double>(packing.spheres.size());
  EXPECT_GT(mean, 3.0);
}

TEST(SphereGraph, SameForAnyNumberOfThreads) {
  PackingSettings settings;
  settings.target.spheres = 1000;
  const SpherePacking packing = packSpheres(test::torus(), settings);
  const SphereGraph alone = sphereGraph(packing, 0.05, 1);
  EXPECT_EQ(alone.neighbour, sphereGraph(packing, 0.05, 3).neighbour);
  EXPECT_TRUE(sphereGraph(SpherePacking{}).neighbour.empty());
}

}  // namespace
