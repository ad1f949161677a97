#include "models/mesh/nearest_name.hpp"

#include <gtest/gtest.h>

namespace tactus::models {
namespace {

TEST(NearestName, FindsTheOneThatWasMeant) {
  const std::vector<std::string> names = {"info", "convert", "show", "run"};
  EXPECT_EQ(nearestName("inof", names), "info");       // two letters swapped
  EXPECT_EQ(nearestName("covert", names), "convert");  // one missing
  EXPECT_EQ(nearestName("shows", names), "show");      // one too many
  EXPECT_EQ(nearestName("rum", names), "run");         // one wrong
  EXPECT_EQ(nearestName("INFO", names), "info");       // case does not count
}

TEST(NearestName, ASwapCountsOnceSoItWinsOverTwoChanges) {
  EXPECT_EQ(nearestName("abdc", {"abxx", "abcd"}), "abcd");
  EXPECT_EQ(nearestName("ba", {"ca", "ab"}), "ca") << "as near as the other: the first stays";
}

TEST(NearestName, ABeginningIsEnough) {
  const std::vector<std::string> names = {"hand-right", "hand-left", "performance", "pan"};
  EXPECT_EQ(nearestName("perf", names), "performance");
  EXPECT_EQ(nearestName("Hand", names), "hand-left") << "the shorter one";
  EXPECT_EQ(nearestName("pe", names), "") << "two letters say nothing";
}

TEST(NearestName, SaysNothingRatherThanNonsense) {
  EXPECT_EQ(nearestName("xyzzy", {"info", "show"}), "");
  EXPECT_EQ(nearestName("info", {}), "");
  EXPECT_EQ(nearestName("", {"info"}), "");
}

}  // namespace
}  // namespace tactus::models
