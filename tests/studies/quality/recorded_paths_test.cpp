#include "studies/quality/recorded_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

using models::Result;

constexpr const char* kTwo =
    "tactus-paths 1\n# a word\npath down box ball\n0 0.1 0 1 0 0 0\n0.02 0 0 0.7071068 0 0.7071068 "
    "0\n";

TEST(RecordedPaths, PosesInBetweenAreOnTheWay) {
  const Result<std::vector<RecordedPath>> paths = readPaths(kTwo);
  ASSERT_TRUE(paths.ok()) << paths.error().sentence;
  ASSERT_EQ(paths.value().size(), 1U);
  const RecordedPath& path = paths.value()[0];
  EXPECT_EQ(path.name + path.a + path.b, "downboxball");
  EXPECT_TRUE(path.poseAt(0.0).isApprox(path.poses[0], 1e-12));
  EXPECT_TRUE(path.poseAt(1.0).isApprox(path.poses[1], 1e-12));
  EXPECT_TRUE(path.poseAt(1.5).isApprox(path.poses[1], 1e-12)) << "there it ends";
  const Eigen::Isometry3d middle = path.poseAt(0.5);
  EXPECT_TRUE(middle.translation().isApprox(Eigen::Vector3d(0.01, 0.05, 0.0), 1e-12));
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(middle.linear()));
  EXPECT_NEAR(turn.angle(), std::atan(1.0), 1e-6) << "half of a quarter turn";
  // a point 0.1 m off goes no further than it says
  EXPECT_GE(path.lengthFor(0.1), std::hypot(0.1, 0.02) + 0.1 * std::sqrt(2.0));
  EXPECT_LT(path.lengthFor(0.1), 0.5);
}

TEST(RecordedPaths, WhatIsNotRightIsSaidWithItsLine) {
  const auto lineOf = [](const std::string& text) {
    const Result<std::vector<RecordedPath>> paths = readPaths(text);
    return paths.ok() ? std::int64_t{-2} : paths.error().index;
  };
  const std::string first = "tactus-paths 1\n";
  EXPECT_EQ(lineOf(""), 1);
  EXPECT_EQ(lineOf("tactus-paths 2\n"), 1);
  EXPECT_EQ(lineOf(first + "0 0 0 1 0 0 0\n"), 2) << "of no path";
  EXPECT_EQ(lineOf(first + "path a b\n"), 2);
  EXPECT_EQ(lineOf(first + "path n a b\n0 0 0 1 0 0\n"), 3);
  EXPECT_EQ(lineOf(first + "path n a b\n0 0 0 1 0 0 0.1\n"), 3) << "too long a quaternion";
  EXPECT_EQ(lineOf(first + "path n a b\n0 0 inf 1 0 0 0\n"), 3);
  EXPECT_EQ(lineOf(first + "path n a b\n0 0 0 1 0 0 0\n"), 3) << "one pose is no path";
}

// Neighbours are near each other, so that what is between them is what the hand did.
TEST(RecordedPaths, TheCommittedOnesAreOfBuiltInModels) {
  const Result<std::vector<RecordedPath>> paths = readPaths(committedPaths());
  ASSERT_TRUE(paths.ok()) << paths.error().sentence;
  EXPECT_EQ(paths.value().size(), 3U);
  for (const RecordedPath& path : paths.value()) {
    for (const std::string& model : {path.a, path.b})
      EXPECT_EQ(std::ranges::count(models::builtins(), model, &models::Builtin::name), 1) << model;
    for (std::size_t k = 1; k < path.poses.size(); ++k) {
      const Eigen::Isometry3d step = path.poses[k - 1].inverse() * path.poses[k];
      EXPECT_LT(step.translation().norm(), 0.02) << path.name << k;
      EXPECT_LT(Eigen::AngleAxisd(step.linear()).angle(), 0.3) << path.name << k;
    }
  }
}

}  // namespace
}  // namespace tactus::studies
