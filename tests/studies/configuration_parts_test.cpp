// Work that is shared among processes, and goes on after one was killed.
#include "studies/configuration_parts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;
using Kind = WantedStand::Kind;

std::vector<ConfigurationPlan> plans() {
  ConfigurationPlan sphere{.a = "box@1000",
                           .b = "torus@1000",
                           .stands = {{Kind::Gap, 0.05}, {Kind::Overlap, 0.05}},
                           .posesPerStand = 5};
  ConfigurationPlan grid = sphere;
  grid.method = ConfigurationMethod::Grid;
  grid.stands = {{Kind::Overlap, 0.05}};
  grid.posesPerStand = 1;
  grid.cells = 3;
  return {sphere, grid};
}

class ConfigurationParts : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] FoundCandidates known() const { return readParts(folder_, plans()).value(); }
  void work(std::size_t rank, std::size_t ranks, const FoundCandidates& from) const {
    ASSERT_TRUE(writePart(folder_, plans(), from, {rank, ranks, 1}).ok());
  }
  [[nodiscard]] std::string text() const { return textOf(setsOf(plans(), known()).value()); }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           (std::string("tactus-parts-") +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ConfigurationParts, AreTheSameOfOneProcessAndOfThree) {
  EXPECT_EQ(known().missing(), 2 * 5 + 27U);
  work(0, 1, known());
  EXPECT_EQ(known().missing(), 0U);
  const std::string one = text();
  fs::remove_all(folder_);
  const FoundCandidates nothing = known();
  for (const std::size_t rank : {2U, 0U, 1U})
    work(rank, 3, nothing);
  EXPECT_EQ(text(), one);
  // and what the finder says without any parts
  const std::vector<ConfigurationSet> sets = {findConfigurations(plans()[0], 1).value(),
                                              findConfigurations(plans()[1], 1).value()};
  EXPECT_EQ(textOf(sets), one);
  // the grid has fewer than its cells, and each is what is wanted
  EXPECT_GT(sets[1].configurations.size(), 5U);
  EXPECT_LT(sets[1].configurations.size(), 27U);
}

TEST_F(ConfigurationParts, GoOnAfterAKillInTheMiddleOfALine) {
  work(0, 1, known());
  const std::string whole = text();
  const fs::path part = folder_ / "rank-0-0.txt";
  ASSERT_TRUE(fs::exists(part));
  fs::resize_file(part, fs::file_size(part) / 2);
  const std::size_t missing = known().missing();
  EXPECT_GT(missing, 5U);
  EXPECT_LT(missing, 37U);
  const FoundCandidates half = known();
  work(0, 2, half);
  work(1, 2, half);
  EXPECT_EQ(known().missing(), 0U);
  EXPECT_EQ(text(), whole);
}

TEST_F(ConfigurationParts, OfOtherPlansAreRefused) {
  work(0, 1, known());
  std::vector<ConfigurationPlan> others = plans();
  others[0].seed = 2;
  EXPECT_FALSE(readParts(folder_, others).ok());
  std::ofstream(folder_ / "rank-7-0.txt") << "what is this\n";
  EXPECT_FALSE(readParts(folder_, plans()).ok());
}

}  // namespace
}  // namespace tactus::studies
