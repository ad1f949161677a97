// The built-ins as a family: names, counts, and that each is fit to be packed. Shapes are tested
// where they are made.
#include "models/builtin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/report/mesh_report.hpp"

namespace tactus::models {
namespace {

// Of the contract, and loose-pins, which a hand can put into the holes.
const std::set<std::string> kNames = {
    "sphere",           "box",       "cylinder", "cone", "torus",  "block",     "plate",
    "block-with-holes", "pins",      "bolt",     "nut",  "gear",   "gear-mate", "hand-left",
    "hand-right",       "well",      "rhino",    "bear", "rabbit", "duck",      "turtle",
    "monkey",           "loose-pins"};

TEST(Builtin, NamesAreThoseOfTheContract) {
  std::set<std::string> names;
  for (const Builtin& builtin : builtins()) {
    EXPECT_TRUE(names.insert(std::string(builtin.name)).second) << builtin.name << " stands twice";
    EXPECT_GT(builtin.description.size(), 10U) << builtin.name;
  }
  EXPECT_EQ(names, kNames);
}

TEST(Builtin, RefusesWhatItHasNot) {
  EXPECT_EQ(makeBuiltin("hippo").error().reason, Reason::UnknownName);
  EXPECT_EQ(makeBuiltin("box", 999).error().reason, Reason::BadValue);
  EXPECT_EQ(makeBuiltin("box", 1'000'001).error().reason, Reason::BadValue);
}

/// The number before `words` in the text, or 0.
double numberBefore(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return 0.0;
  const std::size_t blank = text.rfind(' ', at - 1);
  return std::stod(text.substr(blank + 1, at - blank - 1));
}

TEST(Builtin, SizesInDescriptionsAreTrue) {
  constexpr double kWholeMillimetre = 0.6e-3;  // rounded to whole ones, at any resolution [m]
  std::size_t checked = 0;
  for (const Builtin& builtin : builtins()) {
    const std::string text(builtin.description);
    const Result<Mesh> made = makeBuiltin(builtin.name);
    ASSERT_TRUE(made.ok()) << made.error().sentence;
    const Bounds box = made.value().bounds();
    const Eigen::Vector3d size = box.upper - box.lower;
    const auto expectSize = [&](const std::string& words, double measured) {
      const double named = 1e-3 * numberBefore(text, words);
      if (named == 0.0) return;
      EXPECT_NEAR(measured, named, kWholeMillimetre) << builtin.name << ": " << text;
      ++checked;
    };
    expectSize(" mm tall", size.y());
    expectSize(" mm long", size.z());
    expectSize(" mm high", size.y());
    if (text.find("inner") == std::string::npos) expectSize(" mm diameter", size.x());
  }
  EXPECT_GE(checked, 12U) << "the descriptions no longer name sizes in these words";
}

/// Each triangle by its corners in space, from the least corner on, sorted; x times `factor`.
std::vector<std::array<std::array<double, 3>, 3>> trianglesInSpace(const Mesh& mesh,
                                                                   double factor) {
  std::vector<std::array<std::array<double, 3>, 3>> all;
  all.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    std::array<std::array<double, 3>, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Eigen::Vector3d p = mesh.position(factor < 0.0 ? t[2 - k] : t[k]);
      corners[k] = {factor * p.x(), p.y(), p.z()};
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    all.push_back(corners);
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Builtin, RightHandIsTheExactMirrorImageOfTheLeft) {
  for (const std::size_t triangles : {1000UL, 5001UL, 20'000UL}) {
    const Mesh left = makeBuiltin("hand-left", triangles).value();
    const Mesh right = makeBuiltin("hand-right", triangles).value();
    EXPECT_TRUE(trianglesInSpace(left, 1.0) == trianglesInSpace(right, -1.0)) << triangles;
  }
}

// A thousand triangles still reach into ears, tails and toes.
TEST(Builtin, FewTrianglesKeepWhatSticksOut) {
  for (const Builtin& builtin : builtins()) {
    const Bounds fine = makeBuiltin(builtin.name, 20'000).value().bounds();
    const Bounds coarse = makeBuiltin(builtin.name, 1000).value().bounds();
    const double lost =
        std::max((coarse.lower - fine.lower).maxCoeff(), (fine.upper - coarse.upper).maxCoeff());
    EXPECT_LT(lost, 0.03 * fine.diagonal()) << builtin.name;
  }
}

using Case = std::tuple<std::string, std::size_t>;
class EveryBuiltin : public testing::TestWithParam<Case> {};

TEST_P(EveryBuiltin, IsFitToBePacked) {
  const auto& [name, triangles] = GetParam();
  const Result<Mesh> made = makeBuiltin(name, triangles);
  ASSERT_TRUE(made.ok()) << made.error().sentence;
  const MeshReport report = reportOn(made.value());
  EXPECT_TRUE(report.isClean()) << toText(report);
  EXPECT_EQ(report.components, 1U);
  EXPECT_EQ(report.unusedVertices, 0U);
  EXPECT_EQ(report.distinctVertices, report.vertices);
  EXPECT_GT(report.mass.volume, 0.0);
  // A cone ends in a point, where it is as thin as its triangles are small.
  EXPECT_GT(report.minThickness, name == "cone" ? 0.0 : 0.5e-3) << "too thin to hold";
  const double difference =
      std::abs(static_cast<double>(report.triangles) - static_cast<double>(triangles));
  EXPECT_LE(difference, 0.03 * static_cast<double>(triangles)) << report.triangles;
  // A hand holds it: between a centimetre and a forearm.
  EXPECT_GT(report.bounds.diagonal(), 0.01);
  EXPECT_LT(report.bounds.diagonal(), 0.4);
}

TEST_P(EveryBuiltin, IsTheSameForAnyNumberOfThreads) {
  const auto& [name, triangles] = GetParam();
  if (triangles > 20'000) return;
  const Result<Mesh> alone = makeBuiltin(name, triangles, 1);
  const Result<Mesh> together = makeBuiltin(name, triangles, 5);
  ASSERT_TRUE(alone.ok());
  ASSERT_TRUE(together.ok());
  EXPECT_EQ(alone.value().positions, together.value().positions);
  EXPECT_EQ(alone.value().triangles, together.value().triangles);
}

// Instrumented code is ten times slower, and larger models run through no other code.
#ifdef TACTUS_SANITIZED
const std::vector<std::size_t> kCounts = {1000, 5001};
#else
const std::vector<std::size_t> kCounts = {1000, 5001, 20'000, 150'000};
#endif

INSTANTIATE_TEST_SUITE_P(All, EveryBuiltin,
                         testing::Combine(testing::ValuesIn(kNames), testing::ValuesIn(kCounts)),
                         [](const testing::TestParamInfo<Case>& tested) {
                           std::string name = std::get<0>(tested.param);
                           std::erase(name, '-');
                           return name + std::to_string(std::get<1>(tested.param));
                         });

}  // namespace
}  // namespace tactus::models
