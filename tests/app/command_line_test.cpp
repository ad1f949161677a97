#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
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
  for (const char* command : {"run", "build", "info", "bench", "convert", "query", "show"}) {
    const Ended help = tactus({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_GT(help.out.size(), 100U) << command;
  }
}

TEST(CommandLine, VersionIsOneLine) {
  for (const char* asked : {"--version", "-V"}) {
    const Ended version = tactus({asked});
    EXPECT_EQ(version.code, 0) << asked;
    EXPECT_EQ(version.out, "tactus 0.1.0\n") << asked;
  }
}

TEST(CommandLine, HelpSaysWhatHappensWithoutACommand) {
  const std::string help = tactus({"--help"}).out;
  EXPECT_NE(help.find("Without a command it opens the default workspace"), std::string::npos);
}

TEST(CommandLine, HelpOfBenchTellsWhereItsReportGoes) {
  EXPECT_NE(tactus({"bench", "quality", "--help"}).out.find("--report DIR"), std::string::npos);
}

TEST(CommandLine, HelpOfRunTellsFlagsFromOptions) {
  const std::string help = tactus({"run", "--help"}).out;
  for (const char* flag : {"--headless", "--simulated-time", "--json"}) {
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
    EXPECT_EQ(help.find(std::string(flag) + " ..."), std::string::npos) << help;
  }
  for (const char* words : {"--device HAND=SPEC", "--method METHOD", "--record FILE",
                            "without a window", "as fast as the machine can"}) {
    EXPECT_NE(help.find(words), std::string::npos) << words << "\n" << help;
  }
}

TEST(CommandLine, HelpOfConvertSaysThatObjIsAlwaysText) {
  const std::string help = tactus({"convert", "--help"}).out;
  EXPECT_NE(help.find("OBJ is always text"), std::string::npos) << help;
}

TEST(CommandLine, TheProgramNamesItselfOnce) {
  for (const Words& words : {Words{"info"}, Words{"bench"}, Words{"convert", "builtin:box"}}) {
    const std::string sentence = tactus(words).err;
    EXPECT_TRUE(sentence.starts_with("tactus: " + words.front() + ": ")) << sentence;
  }
}

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
        Mistake{{"info", "--jsno", "builtin:box"}, "'--json'"}, Mistake{{"info", ""}, "empty"},
        Mistake{{"info", "builtin:box", "two"}, "'two'"}, Mistake{{"info"}, "MODEL"},
        Mistake{{"bench"}, "subcommand"}, Mistake{{"bench", "modles"}, "'models'"},
        Mistake{{"bench", "performence"}, "'performance'"},
        Mistake{{"bench", "performance", "--quik"}, "'--quick'"},
        Mistake{{"bench", "performance", "--force"}, "--report"},
        Mistake{{"bench", "performance", "--poses", "0"}, "'0'"},
        Mistake{{"bench", "performance", "--spheres", "many"}, "'many'"},
        Mistake{{"bench", "performance", "--only", "unicorn"}, "rhino@20000 bear@20000"},
        Mistake{{"bench", "performance", "--report"}, "--report"},
        Mistake{{"bench", "pack", "--poses", "2"}, "'--poses'"},
        Mistake{{"bench", "pack", "--only", "unicorn"}, "unicorn"},
        Mistake{{"bench", "pack", "--report", "/proc/report"}, "/proc/report"},
        Mistake{{"help"}, "'--help'"}, Mistake{{"version"}, "'--version'"}, Mistake{{"-v"}, "'-V'"},
        Mistake{{"bench", "help"}, "'--help'"}, Mistake{{"info", "builtin:rino"}, "builtin:rhino?"},
        Mistake{{"info", "builtin:rino@5000"}, "builtin:rhino@5000?"},
        Mistake{{"info", "rhino"}, "did you mean builtin:rhino?"},
        Mistake{{"info", "rhino@5000"}, "did you mean builtin:rhino@5000?"},
        Mistake{{"show", "hand-lfet"}, "did you mean builtin:hand-left?"},
        Mistake{{"info", "bultin:bear"}, "did you mean builtin:bear?"},
        Mistake{{"info", "rhino.obj"}, "rhino.obj"},
        Mistake{{"run", "--method", "vsp"}, "did you mean 'vps'?"},
        Mistake{{"run", "--method", "xyz"}, "there are 'ist' and 'vps'"},
        Mistake{{"run", "--method"}, "--method"}, Mistake{{"run", "rhino-par"}, "'rhino-pair'"},
        Mistake{{"run", "quality-V"}, "'quality-IV'"}, Mistake{{"run", "gear"}, "'gears'"},
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
        Mistake{{"convert", "builtin:box"}, "--output"}, Mistake{{"build"}, "MODEL"},
        Mistake{{"build", "builtin:box", "--sphere", "9"}, "'--spheres'"},
        Mistake{{"info", "x.tactus"}, "no such file"},
        Mistake{{"convert", "builtin:box", "-o", "x.stl"}, ".ply"}));

/// A file whose name is a built-in's is meant, if it is there.
TEST(CommandLine, AFileGoesBeforeTheBuiltinOfItsName) {
  const Folder folder;
  folder.write("rhino", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  Start start;
  start.arguments = {TACTUS_PROGRAM, "info", "rhino"};
  start.folder = folder.path();
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err.find("did you mean"), std::string::npos) << ended.err;
}

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
