#include "studies/protocol/study_protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tactus::studies {
namespace {

std::string shippedText(std::string_view name) {
  for (const models::ShippedText& shipped : shippedProtocols()) {
    if (shipped.name == name) return std::string(shipped.text);
  }
  return {};
}

std::string with(std::string text, std::string_view old, std::string_view fresh) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  if (at != std::string::npos) text.replace(at, old.size(), fresh);
  return text;
}

TEST(StudyProtocol, ShippedOnesAreReadAndSorted) {
  std::string before;
  for (const models::ShippedText& shipped : shippedProtocols()) {
    SCOPED_TRACE(shipped.name);
    EXPECT_LT(before, shipped.name);
    before = shipped.name;
    const models::Result<StudyProtocol> read = findProtocol(shipped.name);
    ASSERT_TRUE(read.ok()) << read.error().sentence;
    EXPECT_EQ(read.value().name, shipped.name);
    EXPECT_EQ(read.value().hash.size(), 16U);
    EXPECT_FALSE(read.value().outcomes.empty());
    for (const models::SceneBody& body : read.value().scene.bodies)
      EXPECT_LE(body.model.spheres, read.value().spheres) << "study resolution";
  }
}

TEST(StudyProtocol, TheHashIsOfEveryByte) {
  const std::string text = shippedText("dof-game");
  const StudyProtocol one = parseProtocol(text, "a.toml").value();
  const StudyProtocol other = parseProtocol(text + "\n", "a.toml").value();
  EXPECT_NE(one.hash, other.hash);
  EXPECT_EQ(one.hash, parseProtocol(text, "b.toml").value().hash);
}

TEST(StudyProtocol, MistakesAreNamedWithFileLineAndRemedy) {
  const std::string text = shippedText("dof-game");
  const std::string twoDevices = "devices = [\"left=dhd:7\", \"right=dhd:7\"]";
  struct Case {
    std::string text, part;
  };
  const std::vector<Case> cases = {
      {with(text, "players = 2", "playrs = 2"), "the nearest is 'players'"},
      {with(text, "[task]", "[tsak]"), "the nearest is 'task'"},
      {with(text, "scene = \"haptic-game\"", "scene = \"haptic-gam\""), "'haptic-game'"},
      {with(text, "devices = []", twoDevices), "is in two hands; give each hand"},
      {with(text, "\"6in6out\", \"3in+buttons\"", "\"6in6out\", \"3in+button\""),
       "the nearest is '3in+buttons'"},
      {with(text, "opposed = true\nbetween", "opposed = false\nbetween"),
       "two players need one factor"},
      {with(text, "players = 2", "players = 1"), "only two players can be opposed"},
      {with(text, "body = \"near-well\"", "body = \"wall\""), "there is no body \"wall\""},
      {with(text, "side = \"near\"", "side = \"beside\""), "there is 'near', 'far'"},
      {with(text, "hands = [\"left2\"", "hands = [\"left\""),
       "'left' is named twice; give each side"},
      {with(text, "name = \"far\"", "name = \"near\""), "is there twice; give it another name"},
      {with(text, "name = \"training\"", "name = \"game\""), "tables tell them apart"},
      {with(text, "name = \"path_other\"", "name = \"path_dominant\""), "is declared twice"},
      {with(text, "source = \"answer\"", "source = \"measure\""), "set source = \"answer\""},
      {with(text, "devices = []", "devices = [\"left=dhd:1\", \"left=dhd:2\"]"),
       "'left' has two devices"},
      {with(text, "name = \"path_dominant\"", "name = \"path_dominat\""),
       "the nearest is 'path_dominant'"},
      {with(text, "profile = \"sigma7\"", "profile = \"sigma8\""), "sigma7"},
      {with(text, "limit_s = 180.0", "limit_s = -1.0"), "must be a number from"},
      {with(text, "ends = \"limit\"", "ends = \"limt\""), "the nearest is 'limit'"},
      {with(text, "[task]",
            "[[factor]]\nname = \"hand\"\nlevels = [\"dominant\", \"other\"]\nbetween = "
            "true\n[task]"),
       "the side 'near' has 2; take a scene with one hand a side"}};
  for (const Case& mistake : cases) {
    const models::Result<StudyProtocol> read = parseProtocol(mistake.text, "mine.toml");
    ASSERT_FALSE(read.ok()) << mistake.part;
    const std::string& sentence = read.error().sentence;
    EXPECT_TRUE(sentence.starts_with("mine.toml, line ")) << sentence;
    EXPECT_NE(sentence.find(mistake.part), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.');
  }
}

TEST(StudyProtocol, WhatIsMissingIsNamedWithTheLineOfItsTable) {
  const std::string text = shippedText("dof-game");
  struct Missing {
    std::string header;
    int number;  // among the tables of that name, from 0
    std::string key;
  };
  for (const Missing& missing :
       {Missing{"[[factor]]", 0, "levels"}, Missing{"[[side]]", 1, "hands"},
        Missing{"[[well]]", 1, "body"}, Missing{"[[block]]", 1, "limit_s"},
        Missing{"[[item]]", 2, "question"}, Missing{"[[outcome]]", 1, "label"},
        Missing{"[[exclusion]]", 0, "rule"}, Missing{"[task]", 0, "kind"}}) {
    std::size_t table = text.find("\n" + missing.header + "\n");
    for (int k = 0; k < missing.number; ++k)
      table = text.find("\n" + missing.header + "\n", table + 1);
    ASSERT_NE(table, std::string::npos) << missing.header;
    const std::size_t key = text.find("\n" + missing.key + " = ", table);
    ASSERT_NE(key, std::string::npos) << missing.key;
    std::string rest = text;
    rest.erase(key, text.find('\n', key + 1) - key);
    const auto line = 2 + std::count(text.begin(), text.begin() + static_cast<long>(table), '\n');
    const models::Result<StudyProtocol> read = parseProtocol(rest, "mine.toml");
    ASSERT_FALSE(read.ok()) << missing.key;
    EXPECT_TRUE(
        read.error().sentence.starts_with("mine.toml, line " + std::to_string(line) + ": '"))
        << read.error().sentence << " instead of " << line;
    EXPECT_NE(read.error().sentence.find(missing.key + "' is missing; add it"), std::string::npos)
        << read.error().sentence;
  }
}

TEST(StudyProtocol, WhatIsMissingBeforeAllTablesIsOfTheFirstLine) {
  const models::Result<StudyProtocol> read = parseProtocol("scene = \"workspace\"\n", "mine.toml");
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().sentence.starts_with("mine.toml, line 1: there is no key 'title'"))
      << read.error().sentence;
  EXPECT_NE(findProtocol("dof-gam").error().sentence.find("did you mean 'dof-game'?"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus::studies
