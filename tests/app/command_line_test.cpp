#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

using Words = std::vector<std::string>;

TEST(CommandLine, HelpNamesEveryCommandAndEveryBuiltin) {
  const Ended help = tactus({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* command : {"run", "build", "info", "query", "bench", "devices", "replay",
                              "study", "convert", "show"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command), std::string::npos) << command;
  }
  for (const models::Builtin& builtin : models::builtins()) {
    EXPECT_NE(help.out.find("\n  " + std::string(builtin.name) + " "), std::string::npos)
        << builtin.name;
  }
}

TEST(CommandLine, EveryCommandHasHelp) {
  for (const char* command : {"run", "info", "bench", "convert", "query", "show"}) {
    const Ended help = tactus({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_GT(help.out.size(), 100U) << command;
  }
}

TEST(CommandLine, VersionIsOneLine) {
  const Ended version = tactus({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "tactus 0.1.0\n");
}

/// What is not built yet says so in one sentence, on standard error, whatever else was asked.
class NotBuiltYet : public testing::TestWithParam<Words> {};

TEST_P(NotBuiltYet, SaysSo) {
  const Ended ended = tactus(GetParam());
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("not built yet"), std::string::npos) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, NotBuiltYet,
    testing::Values(Words{"build", "builtin:rhino"}, Words{"build"},
                    Words{"build", "builtin:rhino", "-o", "x.tactus", "--spheres", "1000",
                          "--json"},
                    Words{"query", "builtin:rhino", "builtin:bear", "--poses", "-"},
                    Words{"devices", "--measure", "--json"}, Words{"replay", "x.sqlite"},
                    Words{"study", "new", "dof-game", "--participants", "24", "-o", "x"},
                    Words{"bench", "performance", "--quick"}, Words{"bench", "quality"},
                    Words{"bench", "stability", "--report", "x"}, Words{"bench", "pack"},
                    Words{"run", "--headless"}, Words{"run", "pile-20"},
                    Words{"run", "--device", "left=sim:touch"},
                    Words{"run", "--headless", "--seconds", "60", "--json"},
                    Words{"info", "x.tactus"}));

struct Mistake {
  Words words;
  std::string answer;  ///< that the sentence must hold

  friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
    return out << testing::PrintToString(mistake.words);
  }
};

class UserMistake : public testing::TestWithParam<Mistake> {};

TEST_P(UserMistake, GetsOneSentenceWithTheNearestName) {
  const Ended ended = tactus(GetParam().words);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().answer), std::string::npos) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, UserMistake,
    testing::Values(
        Mistake{{"inof"}, "'info'"}, Mistake{{"hepl"}, "tactus"},
        Mistake{{"--verson"}, "'--version'"}, Mistake{{"info", "builtin:box", "--jsn"}, "'--json'"},
        Mistake{{"info", "--jsno", "builtin:box"}, "'--json'"},
        Mistake{{"info", "builtin:box", "two"}, "'two'"}, Mistake{{"info"}, "MODEL"},
        Mistake{{"bench"}, "subcommand"}, Mistake{{"bench", "modles"}, "'models'"},
        Mistake{{"bench", "performence"}, "'performance'"},
        Mistake{{"info", "builtin:rino"}, "builtin:rhino"},
        Mistake{{"info", "builtin:xyzzyx"}, "rhino"}, Mistake{{"info", "builtin:"}, "rhino"},
        Mistake{{"info", "builtin:box@"}, "number of triangles"},
        Mistake{{"info", "builtin:box@many"}, "'many'"},
        Mistake{{"info", "builtin:box@-5"}, "'-5'"}, Mistake{{"info", "builtin:box@999"}, "1000"},
        Mistake{{"info", "builtin:box@1000001"}, "1000000"},
        Mistake{{"info", "builtin:box@99999999999999999999999"}, "number of triangles"},
        Mistake{{"info", "builtin:box", "--scale", "0"}, "greater than 0"},
        Mistake{{"info", "builtin:box", "--scale", "nan"}, "greater than 0"},
        Mistake{{"info", "builtin:box", "--scale", "1e300"}, "smaller"},
        Mistake{{"info", "builtin:box", "--fit", "-1"}, "greater than 0"},
        Mistake{{"info", "builtin:box", "--fit", "1", "--scale", "2"}, "--scale"},
        Mistake{{"run", "worksapce"}, "'workspace'"}, Mistake{{"run", "--headles"}, "'--headless'"},
        Mistake{{"show", "builtin:box", "--size", "0x0"}, "1280x800"},
        Mistake{{"show", "builtin:box", "--size", "big"}, "1280x800"},
        Mistake{{"convert", "builtin:box"}, "--output"},
        Mistake{{"convert", "builtin:box", "-o", "x.stl"}, ".ply"}));

TEST(CommandLine, UnknownVectorCodeNamesTheNearest) {
  const Ended ended = tactus({"info", "builtin:box"}, {"TACTUS_SIMD=avx3"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("avx2"), std::string::npos) << ended.err;
}

TEST(CommandLine, FullDiskIsNoSuccess) {
  Start start;
  start.arguments = {"/bin/sh", "-c",
                     std::string(TACTUS_PROGRAM) + " info builtin:box --json > /dev/full"};
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
}

}  // namespace
}  // namespace tactus::tests
