// Against overlaps known in closed form: of boxes along the axes in every turn of the frame.
#include "collision/surface/volume_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "collision/cache/array_checks.hpp"
#include "models/lanes/vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::VectorTarget;
namespace test = tactus::models::test;

const Vector3d kSizeOfA(1.0, 0.6, 0.8);
const Vector3d kSizeOfB(0.7, 0.9, 0.3);

/// Two boxes in frames of their own, turned against each other, although the boxes are not.
struct Boxes {
  explicit Boxes(double cells) {
    tactus::tests::SeededBits bits(3);
    test::Random random(4);
    for (int n = 0; n < 30; ++n) {
      Isometry3d turn = tactus::tests::randomPose(bits, Vector3d::Zero(), Vector3d::Zero(), 1.0);
      tactus::models::Mesh mesh = test::box(kSizeOfB);
      for (Eigen::Vector3f& p : mesh.positions)
        p = (turn.inverse() * p.cast<double>()).cast<float>();
      const SurfaceDistance surface(mesh, {.signRule = SignRule::Pseudonormal});
      fields.emplace_back(surface, cells);
      const Vector3d shift = random.inCube(0.7);
      turn.pretranslate(shift);
      poses.push_back(turn);
      volumes.push_back(overlapAt(shift));
    }
  }

  /// The boxes stand around their origins.
  static double overlapAt(const Vector3d& shift) {
    const Vector3d upper = (0.5 * kSizeOfA).cwiseMin(shift + 0.5 * kSizeOfB);
    const Vector3d lower = (-0.5 * kSizeOfA).cwiseMax(shift - 0.5 * kSizeOfB);
    return (upper - lower).cwiseMax(0.0).prod();
  }

  std::vector<DistanceField> fields;
  std::vector<Isometry3d> poses;
  std::vector<double> volumes;
};

DistanceField fieldOfA(double cells) {
  return {SurfaceDistance(test::box(kSizeOfA), {.signRule = SignRule::Pseudonormal}), cells};
}

/// Mean distance of the bounds, as a share of the volume, where there is one; every pair encloses.
double meanWidth(double cells, std::uint32_t most) {
  const Boxes boxes(cells);
  const DistanceField a = fieldOfA(cells);
  double width = 0.0;
  int overlaps = 0;
  for (std::size_t n = 0; n < boxes.poses.size(); ++n) {
    VolumeBoundsScratch scratch(boxes.fields[n]);
    const VolumeBounds found = volumeBounds(boxes.fields[n], a, boxes.poses[n], scratch, most);
    // corners are floats
    EXPECT_LE(found.lower, boxes.volumes[n] + 1e-6);
    EXPECT_GE(found.upper, boxes.volumes[n] - 1e-6);
    EXPECT_LE(found.cubes, most);
    if (boxes.volumes[n] < 0.01) continue;
    ++overlaps;
    width += (found.upper - found.lower) / boxes.volumes[n];
  }
  EXPECT_GT(overlaps, 10);
  return width / overlaps;
}

TEST(VolumeBounds, EncloseTheOverlapOfBoxesAndClose) {
  const double coarse = meanWidth(2'000.0, kAllCubes);
  const double fine = meanWidth(54'000.0, kAllCubes);
  // 3.4 if what is in doubt were so with the whole of a cube
  EXPECT_LT(coarse, 2.6);
  // three times as fine: what is in doubt is a layer along the surfaces, a third as thick
  EXPECT_NEAR(coarse / fine, 3.0, 0.6);
}

TEST(VolumeBounds, WithFewerCubesTheyAreWiderAndEncloseStill) {
  const double all = meanWidth(16'000.0, kAllCubes);
  const double some = meanWidth(16'000.0, 500);
  const double few = meanWidth(16'000.0, 50);
  EXPECT_LT(1.5 * all, some);
  EXPECT_LT(1.5 * some, few);
}

TEST(VolumeBounds, NothingInCommonIsNothing) {
  const DistanceField a = fieldOfA(10'000.0);
  VolumeBoundsScratch scratch(a);
  for (const Vector3d& far :
       {Vector3d(1.2, 0.0, 0.0), Vector3d(0.0, -50.0, 0.0), Vector3d(1e4, 1e4, 1e4)}) {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = far;
    const VolumeBounds found = volumeBounds(a, a, pose, scratch);
    EXPECT_EQ(found.lower, 0.0);
    EXPECT_EQ(found.upper, 0.0);
  }
}

/// Thinner than the finest grid that so many halvings of one cube lead to.
TEST(VolumeBounds, EncloseTheOverlapOfNeedlesToo) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Vector3d size = scale * Vector3d(1.0, 1e-4, 1e-4);
    const DistanceField needle(
        SurfaceDistance(test::box(size), {.signRule = SignRule::Pseudonormal}), 25'000.0);
    ASSERT_EQ(flawOf(needle.arrays()), "");
    VolumeBoundsScratch scratch(needle);
    const double whole = size.prod();
    for (const double share : {0.0, 0.3, 0.7, -0.9}) {
      Isometry3d pose = Isometry3d::Identity();
      pose.translation().x() = share * size.x();
      const double shared = whole * (1.0 - std::fabs(share));
      const VolumeBounds found = volumeBounds(needle, needle, pose, scratch);
      EXPECT_LE(found.lower, shared);
      EXPECT_GE(found.upper, shared);
      // a cube is several times as wide as the needle
      EXPECT_LT(found.upper, 1e3 * whole);
    }
  }
}

class VolumeBoundsOn : public testing::TestWithParam<VectorTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(tactus::models::useTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(tactus::models::useTarget(tactus::models::bestTarget())); }
};

INSTANTIATE_TEST_SUITE_P(Targets, VolumeBoundsOn,
                         testing::ValuesIn(tactus::models::supportedTargets()),
                         [](const auto& target) { return std::string(nameOf(target.param)); });

TEST_P(VolumeBoundsOn, SameBytesEverywhere) {
  const Boxes boxes(20'000.0);
  const DistanceField a = fieldOfA(20'000.0);
  const auto allNow = [&] {
    std::vector<double> numbers;
    for (std::size_t n = 0; n < boxes.poses.size(); ++n) {
      VolumeBoundsScratch scratch(boxes.fields[n]);
      const VolumeBounds found = volumeBounds(boxes.fields[n], a, boxes.poses[n], scratch);
      numbers.insert(numbers.end(), {found.lower, found.upper, static_cast<double>(found.cubes)});
    }
    return numbers;
  };
  const std::vector<double> here = allNow();
  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  EXPECT_EQ(here, allNow());
}

}  // namespace
