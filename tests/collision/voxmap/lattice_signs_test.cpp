#include "collision/voxmap/lattice_signs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace {

using tactus::collision::LatticeSigns;
namespace test = tactus::models::test;

constexpr std::int32_t kSide = 12;

Eigen::Vector3d pointOf(std::size_t at) {
  const std::size_t row = at / kSide;
  const std::size_t slice = row / kSide;
  return {static_cast<double>(at % kSide), static_cast<double>(row % kSide),
          static_cast<double>(slice)};
}

/// Balls of any size, also smaller than a cell, at random places: distances are known, so that each
/// point's sign can be compared.
TEST(LatticeSigns, AreRightAndSeldomAskedFor) {
  test::Random random(7);
  LatticeSigns signs;
  for (int n = 0; n < 200; ++n) {
    const Eigen::Vector3d centre = Eigen::Vector3d::Constant(5.5) + random.inCube(6.0);
    const double radius = random.between(0.2, 5.0);
    std::vector<float> distances(kSide * kSide * kSide);
    for (std::size_t at = 0; at < distances.size(); ++at)
      distances[at] = static_cast<float>(std::fabs((pointOf(at) - centre).norm() - radius));
    int asked = 0;
    signs.apply(distances, {kSide, kSide, kSide}, 1.0, [&](std::size_t at) {
      ++asked;
      return (pointOf(at) - centre).norm() < radius;
    });
    for (std::size_t at = 0; at < distances.size(); ++at) {
      const double truth = (pointOf(at) - centre).norm() - radius;
      if (std::fabs(truth) < 1e-6) continue;
      ASSERT_EQ(distances[at] < 0.0F, truth < 0.0) << n << " " << at;
    }
    EXPECT_LT(asked, 100) << n;
  }
}

TEST(LatticeSigns, OfNothingAndOfOnePoint) {
  LatticeSigns signs;
  std::vector<float> none;
  signs.apply(none, {0, 0, 0}, 1.0, [](std::size_t) { return true; });
  std::vector<float> one = {2.0F};
  signs.apply(one, {1, 1, 1}, 1.0, [](std::size_t) { return true; });
  EXPECT_EQ(one[0], -2.0F);
}

}  // namespace
