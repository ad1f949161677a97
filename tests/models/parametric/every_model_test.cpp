// What every parametric model promises, at resolutions from the coarsest to the finest.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "mesh_measures.hpp"
#include "models/parametric/parametric_models.hpp"
#include "models/report/mesh_report.hpp"

namespace tactus::models {

void PrintTo(const ParametricModel& model, std::ostream* out) {
  *out << model.name;
}

namespace {

std::string caseName(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    c = c == '-' ? '_' : c;
  return text;
}

class EveryModel : public ::testing::TestWithParam<ParametricModel> {
 protected:
  [[nodiscard]] static const ParametricModel& model() { return GetParam(); }
  /// Many small features: at a thousand triangles there is no choice of where they go.
  [[nodiscard]] static bool isIntricate() {
    const std::string_view n = model().name;
    return n == "bolt" || n == "nut" || n == "gear" || n == "gear-mate";
  }
};

TEST_P(EveryModel, HasAboutAsManyTrianglesAsWanted) {
  for (const std::size_t wanted :
       {1'000U, 1'037U, 1'234U, 1'500U, 1'777U, 3'000U, 20'000U, 99'999U}) {
    const auto made = static_cast<double>(model().make(wanted).triangles.size());
    EXPECT_NEAR(made / static_cast<double>(wanted), 1.0, 0.03) << wanted;
  }
}

TEST_P(EveryModel, IsCleanAtLowAndMiddleResolution) {
  for (const std::size_t wanted : {1'000U, 1'500U, 3'000U, 20'000U}) {
    const Mesh mesh = model().make(wanted);
    const MeshReport report = reportOn(mesh);
    EXPECT_TRUE(report.isClean()) << wanted << '\n' << toText(report);
    EXPECT_EQ(report.components, 1U) << wanted;
    EXPECT_EQ(report.unusedVertices, 0U) << wanted;
    EXPECT_EQ(test::equalPositions(mesh), 0U) << wanted;
    EXPECT_EQ(test::badEdges(mesh), 0U) << wanted;
  }
}

TEST_P(EveryModel, IsClosedAtHighResolution) {
  const Mesh mesh = model().make(99'999);
  EXPECT_EQ(test::badEdges(mesh), 0U);
  EXPECT_EQ(test::equalPositions(mesh), 0U);
  EXPECT_GT(test::volumeOf(mesh), 0.0);
  EXPECT_GT(test::areasOf(mesh).front(), 0.0);
}

TEST_P(EveryModel, HasNoNeedles) {
  for (const std::size_t wanted : {20'000U, 99'999U}) {
    const auto angles = test::smallestAngles(model().make(wanted));
    EXPECT_GT(angles.front(), 18.0) << wanted;
    EXPECT_GT(angles[angles.size() / 20], 20.0) << wanted;
    EXPECT_GT(angles[angles.size() / 2], 38.0) << wanted;
  }
  for (const std::size_t wanted : {1'000U, 1'500U, 3'000U}) {
    const auto angles = test::smallestAngles(model().make(wanted));
    EXPECT_GT(angles.front(), isIntricate() ? 2.5 : 12.0) << wanted;
    EXPECT_GT(angles[angles.size() / 2], isIntricate() ? 14.0 : 28.0) << wanted;
  }
}

TEST_P(EveryModel, HasTrianglesOfEvenSize) {
  const auto areas = test::areasOf(model().make(20'000));
  const std::size_t percent = areas.size() / 100;
  EXPECT_LT(areas[areas.size() - 1 - percent] / areas[percent], 4.0);
}

TEST_P(EveryModel, SizeDoesNotDependOnTheResolution) {
  const Bounds fine = model().make(20'000).bounds();
  const Bounds coarse = model().make(1'500).bounds();
  // A circle's widest point may fall between two vertices where there are few: 0.6 % of a radius.
  EXPECT_LT((fine.lower - coarse.lower).cwiseAbs().maxCoeff(), 6e-3 * fine.diagonal());
  EXPECT_LT((fine.upper - coarse.upper).cwiseAbs().maxCoeff(), 6e-3 * fine.diagonal());
  EXPECT_GT(fine.diagonal(), 0.04);
  EXPECT_LT(fine.diagonal(), 0.30);
}

TEST_P(EveryModel, SaysWhatItIs) {
  EXPECT_FALSE(model().description.empty());
  EXPECT_NE(model().description.find("mm"), std::string_view::npos);
  EXPECT_EQ(model().description.find('\n'), std::string_view::npos);
}

// The bytes are the same on every machine, at any optimisation level. When a shape is changed on
// purpose, its new hashes are printed by the failing test.
TEST_P(EveryModel, HasTheCommittedBytes) {
  struct Hashes {
    std::uint64_t coarse, fine;
  };
  static const std::map<std::string_view, Hashes> kCommitted{
      {"sphere", {0x519454d32ee8028d, 0x2a217416cedde1c7}},
      {"box", {0xa042cbe795e91e75, 0xf8ee25dc64d72565}},
      {"cylinder", {0x4ea3298cf5c8d8f2, 0x616ff0b3a9e63871}},
      {"cone", {0x9fc165cf2ee94ec4, 0xfff0f063498f0dcb}},
      {"torus", {0xff3169b5139b6814, 0x979e5eaeeba853cc}},
      {"block", {0x6da53d4ca2d542f5, 0xa2e8795eaf4c3ffd}},
      {"plate", {0x28ed58808d8c2b75, 0xec58d0c41c2df7b1}},
      {"block-with-holes", {0xfe9de9c42eb8f023, 0x85a802e9541c5950}},
      {"pins", {0x8320173c91d9be1b, 0x6025352dc4744919}},
      {"loose-pins", {0x67606a08ae044a45, 0x55be65dea05568ff}},
      {"bolt", {0x963f0015c10ac14c, 0xec27aae2dacfde06}},
      {"nut", {0xfc7b742efababa78, 0x4e32d93d7c0086c9}},
      {"gear", {0x1756b2187b3a7c86, 0x5459832dc1b367b1}},
      {"gear-mate", {0x54ef59cf73a40bdb, 0x384e4af903526b26}},
      {"well", {0x86de3b8c9c10c492, 0x0607de2356b00b66}},
  };
  const auto committed = kCommitted.find(model().name);
  const std::uint64_t coarse = test::hashOf(model().make(1'000));
  const std::uint64_t fine = test::hashOf(model().make(20'000));
  ASSERT_TRUE(committed != kCommitted.end()) << std::hex << "0x" << coarse << ", 0x" << fine;
  EXPECT_EQ(coarse, committed->second.coarse) << std::hex << "0x" << coarse;
  EXPECT_EQ(fine, committed->second.fine) << std::hex << "0x" << fine;
}

INSTANTIATE_TEST_SUITE_P(All, EveryModel,
                         ::testing::ValuesIn(parametricModels().begin(), parametricModels().end()),
                         [](const auto& place) { return caseName(place.param.name); });

TEST(ParametricModels, AreThoseOfTheDesignPageAndLoosePins) {
  std::vector<std::string_view> names;
  for (const ParametricModel& model : parametricModels())
    names.push_back(model.name);
  // loose-pins is not on that page: the scenes of pegs need clearance, which no scale of pins has.
  const std::vector<std::string_view> wanted{
      "sphere", "box",        "cylinder", "cone", "torus", "block",     "plate", "block-with-holes",
      "pins",   "loose-pins", "bolt",     "nut",  "gear",  "gear-mate", "well"};
  EXPECT_EQ(names, wanted);
}

TEST(ParametricModels, ReachAMillionTriangles) {
  for (const ParametricModel& model : parametricModels()) {
    if (model.name != "bolt" && model.name != "sphere") continue;
    const Mesh mesh = model.make(1'000'000);
    EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), 1e6, 3e4) << model.name;
    EXPECT_EQ(test::badEdges(mesh), 0U) << model.name;
    EXPECT_EQ(test::equalPositions(mesh), 0U) << model.name;
    EXPECT_GT(test::smallestAngles(mesh).front(), 18.0) << model.name;
  }
}

}  // namespace
}  // namespace tactus::models
