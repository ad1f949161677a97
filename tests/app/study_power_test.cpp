// How many participants a shipped study takes, by what its protocol states.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/started_process.hpp"
#include "tests/test_folder.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

TEST(StudyPowerCommand, AShippedStudyStatesWhatItLooksFor) {
  const Ended ended = tactus({"study", "power", "dof-game", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["unit_of_analysis"], "pair");
  ASSERT_EQ(json["outcomes"].size(), 4U);
  for (const Json& outcome : json["outcomes"]) {
    EXPECT_FALSE(outcome["basis"].get<std::string>().empty());
    const Json& curve = outcome["curve"];
    ASSERT_GE(curve.size(), 5U);
    for (const Json& point : curve) {
      EXPECT_LE(point["low"], point["power"]);
      EXPECT_GE(point["high"], point["power"]);
      EXPECT_LE(point["power_strictest"], point["power"]);
    }
    EXPECT_GT(curve.back()["power"], curve.front()["power"]) << outcome["outcome"];
  }
  EXPECT_EQ(json["outcomes"][0]["family_size"], 4);
  EXPECT_EQ(json["outcomes"][3]["test"], "equivalence (two one-sided t)");
}

TEST(StudyPowerCommand, WhatIsNotStatedOrNotThereIsNamed) {
  const Ended none = tactus({"study", "power", "peg-in-hole"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(isOneSentence(none.err)) << none.err;
  EXPECT_NE(none.err.find("[[power]]"), std::string::npos) << none.err;

  std::string text =
      contentOf(std::string(test::kTestFolder) + "/../studies/protocol/dof-game.toml");
  const std::string good = "[[power]]\noutcome = \"score\"";
  const std::size_t at = text.find(good);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, good.size(), "[[power]]\noutcome = \"skore\"");
  const Folder folder;
  const Ended wrong = tactus({"study", "power", folder.write("study.toml", text)});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(isOneSentence(wrong.err)) << wrong.err;
  EXPECT_NE(wrong.err.find("'score'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find(", line "), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace tactus::tests
