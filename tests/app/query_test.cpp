#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/started_process.hpp"

// `tactus query`, as a user asks it. What the numbers must be is tested in tests/collision; here it
// is how they are asked for and handed out.
namespace tactus::tests {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// An axis-aligned cube of edge 1 about a centre on the x axis.
std::string cubeObj(double centre = 0.0) {
  std::string text;
  for (int corner = 0; corner < 8; ++corner) {
    const double x = centre + ((corner & 1) != 0 ? 0.5 : -0.5);
    text += "v " + std::to_string(x) + ((corner & 2) != 0 ? " 0.5" : " -0.5") +
            ((corner & 4) != 0 ? " 0.5\n" : " -0.5\n");
  }
  return text + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
}

class Query : public testing::Test {
 protected:
  Query() : cube_(folder_.write("cube.obj", cubeObj())) {}

  [[nodiscard]] Ended ask(const Words& more) const {
    Words words{"query", cube_, cube_, "--method", "exact"};
    words.insert(words.end(), more.begin(), more.end());
    return tactus(words);
  }
  [[nodiscard]] Ended askAt(const std::string& poses, bool asJson = true) const {
    const std::string file = folder_.write("poses.txt", poses);
    return asJson ? ask({"--poses", file, "--json"}) : ask({"--poses", file});
  }

  Folder folder_;
  std::string cube_;
};

TEST_F(Query, AnswersWithTheContractsKeys) {
  const Ended ended =
      askAt("# two poses\n\n0.5 0.25 0 1 0 0 0   # overlapping\r\n  +2e0\t0 0 -3 0 0 0\n");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const Json answer = Json::parse(ended.out);
  EXPECT_EQ(answer["a"], cube_);
  EXPECT_EQ(answer["b"], cube_);
  EXPECT_EQ(answer["method"], "exact");
  ASSERT_EQ(answer["results"].size(), 2U);
  for (const Json& result : answer["results"]) {
    Words keys;
    for (const auto& [key, value] : result.items())
      keys.push_back(key);
    EXPECT_EQ(keys, (Words{"centroid", "contacts", "cut", "distance", "energy", "force", "status",
                           "torque", "us", "volume", "volume_lower", "volume_upper"}));
    EXPECT_GT(result["us"].get<double>(), 0.0);
    EXPECT_LE(result["volume_lower"].get<double>(), result["volume"].get<double>());
    EXPECT_GE(result["volume_upper"].get<double>(), result["volume"].get<double>());
  }
  const Json& overlapping = answer["results"][0];
  EXPECT_NEAR(overlapping["volume"].get<double>(), 0.375, 1e-12);
  EXPECT_EQ(overlapping["distance"], 0.0);
  EXPECT_EQ(overlapping["contacts"], 1);
  EXPECT_EQ(overlapping["status"], "complete");
  EXPECT_NEAR(overlapping["centroid"][0].get<double>(), 0.25, 1e-12);
  EXPECT_NEAR(overlapping["centroid"][1].get<double>(), 0.125, 1e-12);
  EXPECT_NEAR(overlapping["force"][0].get<double>(), 0.75, 1e-12);
  EXPECT_NEAR(overlapping["force"][1].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(overlapping["force"][2].get<double>(), 0.0, 1e-12);
  // about B's origin (0.5, 0.25, 0): the faces' middles are at (0.5, 0.125) and (0.25, 0.5)
  EXPECT_NEAR(overlapping["torque"][2].get<double>(), 0.125 * 0.75 - 0.25 * 0.5, 1e-12);
  const Json& apart = answer["results"][1];
  EXPECT_EQ(apart["volume"], 0.0);
  EXPECT_EQ(apart["volume_upper"], 0.0);
  EXPECT_NEAR(apart["distance"].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(apart["contacts"], 0);
  EXPECT_TRUE(apart["centroid"].is_null());
  EXPECT_EQ(apart["force"], Json::parse("[0.0, 0.0, 0.0]"));
}

// Packing the first object takes seconds; a slip in the second name is told before.
TEST_F(Query, LooksAtBothNamesBeforeItPacksOne) {
  for (const char* method : {"ist", "vps", "exact"}) {
    for (const std::string& wrong : {folder_.file("nosuch.obj"), std::string("builtin:rhyno"),
                                     std::string("builtin:rhino@7"), std::string("builtin:")}) {
      const Ended ended = tactus({"query", cube_, wrong, "--method", method},
                                 {"XDG_CACHE_HOME=" + folder_.file("xdg")});
      EXPECT_EQ(ended.code, 2) << wrong;
      EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
      EXPECT_EQ(ended.err.find("builtin::"), std::string::npos) << ended.err;
      EXPECT_FALSE(std::filesystem::exists(folder_.file("xdg"))) << "it was packed and kept";
    }
  }
}

TEST_F(Query, WithoutAVolumeSaysSo) {
  const Words words{"query", cube_, cube_, "--method", "vps", "--spheres", "300"};
  const std::vector<std::string> there{"XDG_CACHE_HOME=" + folder_.file("xdg")};
  const Ended shown = tactus(words, there);
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.out.find("nan"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("vps finds no volume"), std::string::npos) << shown.out;
  Words asJson = words;
  asJson.emplace_back("--json");
  const Ended json = tactus(asJson, there);
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_TRUE(Json::parse(json.out)["results"][0]["volume"].is_null()) << json.out;
}

TEST_F(Query, QuaternionsAreNormalised) {
  // a quarter turn about z, a hundred times too long and a hundred times too short
  const Ended ended = askAt("0.5 0 0 100 0 0 100\n0.5 0 0 0.01 0 0 0.01\n");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json answer = Json::parse(ended.out);
  for (const Json& result : answer["results"])
    EXPECT_NEAR(result["volume"].get<double>(), 0.5, 1e-12);
}

TEST_F(Query, AsksOncePosesOrNot) {
  const Ended without = ask({"--json"});
  ASSERT_EQ(without.code, 0) << without.err;
  const Json results = Json::parse(without.out)["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_NEAR(results[0]["volume"].get<double>(), 1.0, 1e-12);
}

TEST_F(Query, ReadsPosesFromStandardInput) {
  Start start;
  start.arguments = {TACTUS_PROGRAM, "query",   cube_, cube_,   "--method",
                     "exact",        "--poses", "-",   "--json"};
  start.input = "0.5 0 0 1 0 0 0\n0 0.25 0 1 0 0 0";  // no line end at the end
  const Ended ended = runToEnd(start);
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json results = Json::parse(ended.out)["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_NEAR(results[0]["volume"].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(results[1]["volume"].get<double>(), 0.75, 1e-12);
}

TEST_F(Query, RepeatsGiveOneAnswerAPose) {
  const Ended ended = ask({"--repeat", "3", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(Json::parse(ended.out)["results"].size(), 1U);
}

TEST_F(Query, TellsAPerson) {
  const Ended ended = askAt("0.5 0 0 1 0 0 0\n2 0 0 1 0 0 0\n", false);
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const char* part : {"volume [m^3]", "distance [m]", "5.000000000e-01", "1.0000000e+00"})
    EXPECT_NE(ended.out.find(part), std::string::npos) << part << " in\n" << ended.out;
}

// Eight decimals are more than a float holds. A cube of edge 1.00000001 would be one of 1 as
// floats.
// A budget is kept and told; a small one cuts, and what it leaves is between the bounds.
TEST_F(Query, TreesKeepABudget) {
  const auto asked = [&](const Words& more) {
    Words words = {TACTUS_PROGRAM, "query",   cube_, cube_,   "--spheres",
                   "500",          "--poses", "-",   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    Start start;
    start.arguments = words;
    start.environment = {"XDG_CACHE_HOME=" + folder_.file("xdg")};
    start.input = "0.5 0.1 0.05 1 0 0 0\n3 0 0 1 0 0 0\n";
    const Ended ended = runToEnd(start);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.code == 0 ? Json::parse(ended.out) : Json();
  };
  const Json whole = asked({});
  EXPECT_FALSE(whole.contains("budget"));
  EXPECT_EQ(whole["results"][0]["cut"], false);
  const double volume = whole["results"][0]["volume"].get<double>();
  EXPECT_NEAR(volume, 0.5 * 0.9 * 0.95, 0.02);
  const Json cut = asked({"--budget", "400"});
  EXPECT_EQ(cut["budget"], 400);
  const Json& answer = cut["results"][0];
  EXPECT_EQ(answer["cut"], true);
  EXPECT_LE(answer["volume_lower"].get<double>(), answer["volume"].get<double>());
  EXPECT_GE(answer["volume_upper"].get<double>(), answer["volume"].get<double>());
  EXPECT_NEAR(answer["volume"].get<double>(), volume, 0.3 * volume);
  EXPECT_EQ(cut["results"][1]["volume"], 0.0);
  EXPECT_GT(cut["results"][1]["distance"].get<double>(), 1.9);
  const Json inTime = asked({"--budget-us", "1000000"});
  EXPECT_GT(inTime["budget"].get<double>(), 1e6);
  EXPECT_EQ(inTime["results"][0]["cut"], false);
}

// Cubes of side 1, a tenth within each other: t^2 / 4 - t^3 / 6 + t^4 / 24, and its derivative.
TEST_F(Query, DepthIsASpringAndTheExactOneAgrees) {
  const std::string poses = folder_.write("poses.txt", "0.9 0 0 1 0 0 0\n1.5 0 0 1 0 0 0\n");
  for (const std::string method : {"ist", "exact"}) {
    SCOPED_TRACE(method);
    const Ended ended = tactus(
        {"query", cube_, cube_, "--method", method, "--law", "depth", "--poses", poses, "--json"},
        {"XDG_CACHE_HOME=" + folder_.file("xdg")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const Json all = Json::parse(ended.out);
    EXPECT_EQ(all["law"], "depth");
    const Json& touching = all["results"][0];
    EXPECT_NEAR(touching["energy"].get<double>(), 0.0023375, 0.01 * 0.0023375);
    EXPECT_NEAR(touching["force"][0].get<double>(), 0.0451667, 0.01 * 0.0451667);
    EXPECT_NEAR(touching["volume"].get<double>(), 0.1, 0.02);
    const Json& apart = all["results"][1];
    EXPECT_EQ(apart["energy"].get<double>(), 0.0);
    EXPECT_EQ(apart["force"][0].get<double>(), 0.0);
    EXPECT_NEAR(apart["distance"].get<double>(), 0.5, 1e-6);
  }
}

TEST_F(Query, PositionsKeepTheirDecimals) {
  std::string text = cubeObj();
  for (std::size_t at = 0; (at = text.find("0.5", at)) != std::string::npos;) {
    std::size_t end = at + 3;
    while (end < text.size() && text[end] == '0')
      ++end;
    text.replace(at, end - at, "0.500000005");
    at += 11;
  }
  const std::string cube = folder_.write("fine.obj", text);
  const Ended ended = tactus({"query", cube, cube, "--method", "exact", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NEAR(Json::parse(ended.out)["results"][0]["volume"].get<double>(),
              1.00000001 * 1.00000001 * 1.00000001, 1e-12);
}

// A bar that goes through two faces of a cube has two patches.
TEST_F(Query, TreesAndPointsCountPatches) {
  std::string bar;
  for (int corner = 0; corner < 8; ++corner) {
    bar += std::string("v ") + ((corner & 1) != 0 ? "1" : "-1") +
           ((corner & 2) != 0 ? " 0.1" : " -0.1") + ((corner & 4) != 0 ? " 0.1\n" : " -0.1\n");
  }
  bar += "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
  // two cubes with a gap between them are one object
  std::string cubes = cubeObj(-0.9);
  const std::string second = cubeObj(0.9);
  cubes += second.substr(0, second.find('f'));
  cubes +=
      "f 9 13 15 11\nf 10 12 16 14\nf 9 10 14 13\nf 11 15 16 12\nf 9 11 12 10\nf 13 14 16 15\n";
  const std::string a = folder_.write("cubes.obj", cubes);
  const std::string b = folder_.write("bar.obj", bar);
  const std::string poses = folder_.write("poses.txt", "0.02 0.01 0 1 0 0 0\n0 3 0 1 0 0 0\n");
  const auto ask = [&](const Words& method) {
    Words words = {"query", a, b, "--spheres", "2000", "--poses", poses, "--json"};
    words.insert(words.end(), method.begin(), method.end());
    const Ended ended = tactus(words, {"XDG_CACHE_HOME=" + folder_.file("xdg")});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return Json::parse(ended.out)["results"];
  };
  const Json results = ask({});
  EXPECT_EQ(results[0]["contacts"], 2);
  EXPECT_EQ(results[0]["status"], "complete");
  EXPECT_EQ(results[1]["contacts"], 0);
  // in the middle between the cubes, and nowhere
  EXPECT_NEAR(results[0]["centroid"][0].get<double>(), 0.0, 0.1);
  EXPECT_TRUE(results[1]["centroid"].is_null());
  for (const char* law : {"depth", "volume"}) {
    const Json ofPoints = ask({"--method", "vps", "--points-of", "b", "--law", law});
    EXPECT_EQ(ofPoints[0]["contacts"], 2) << law;
    EXPECT_EQ(ofPoints[1]["contacts"], 0) << law;
  }
}

// What a surface that cuts itself covers twice counts twice: that is said, and no bounds are given.
TEST_F(Query, ExactSaysWhereASurfaceCutsItself) {
  std::string two = cubeObj();
  const std::string second = cubeObj(0.37);
  two += second.substr(0, second.find('f'));
  two += "f 9 13 15 11\nf 10 12 16 14\nf 9 10 14 13\nf 11 15 16 12\nf 9 11 12 10\nf 13 14 16 15\n";
  const std::string mesh = folder_.write("two.obj", two);
  const Ended ended = tactus({"query", mesh, cube_, "--method", "exact", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("two.obj: not clean, as the surface meets itself"), std::string::npos)
      << ended.err;
  const Json result = Json::parse(ended.out)["results"][0];
  EXPECT_TRUE(result["volume_lower"].is_null());
  EXPECT_TRUE(result["volume_upper"].is_null());
  EXPECT_NEAR(result["volume"].get<double>(), 1.63, 1e-6);
}

struct BadPoses {
  std::string text;
  std::string answer;  ///< that the sentence must hold

  friend std::ostream& operator<<(std::ostream& out, const BadPoses& poses) {
    return out << testing::PrintToString(poses.text);
  }
};

class BadPoseFile : public Query, public testing::WithParamInterface<BadPoses> {};

TEST_P(BadPoseFile, IsNamedWithItsLine) {
  const Ended ended = askAt(GetParam().text);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("poses.txt" + GetParam().answer), std::string::npos) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPoseFile,
    testing::Values(BadPoses{"0 0 0 1 0 0 0\n0 0 0 1 0 0\n", ", line 2: there are only 6"},
                    BadPoses{"# none\n\n0 0 0 1 0 0 0 0\n", ", line 3: \"0\" is one word too many"},
                    BadPoses{"0 0 zero 1 0 0 0\n", ", line 1: \"zero\" is not a number"},
                    BadPoses{"0 0 0,5 1 0 0 0\n", ", line 1: \"0,5\" is not a number"},
                    BadPoses{"0 0 nan 1 0 0 0\n", ", line 1: \"nan\" is not finite"},
                    BadPoses{"1e999 0 0 1 0 0 0\n", ", line 1: \"1e999\" is not finite"},
                    BadPoses{"0 0 0 0 0 0 0\n", ", line 1: the quaternion is zero"},
                    BadPoses{"# nothing\n", ": there is no pose"}, BadPoses{"", ": there is no"}));

TEST_F(Query, RefusesWhatItCannotDo) {
  const std::string open = folder_.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::string turned = cubeObj();
  turned = turned.substr(0, turned.find('f')) +
           "f 3 7 5 1\nf 6 8 4 2\nf 5 6 2 1\nf 4 8 7 3\nf 2 4 3 1\nf 7 8 6 5\n";
  const std::string inward = folder_.write("inward.obj", turned);
  struct Case {
    Words words;
    std::string answer;
  };
  const std::vector<Case> cases = {
      {{"query", open, cube_, "--method", "exact"}, "not closed"},
      {{"query", cube_, inward, "--method", "exact"}, "inside out"},
      {{"query", cube_, folder_.file("none.obj"), "--method", "exact"}, "none.obj"},
      {{"query", cube_, cube_, "--method", "exact", "--poses", folder_.file("none.txt")},
       "none.txt"},
      {{"query", cube_, cube_, "--method", "exact", "--poses", folder_.path()},
       "directory; give a file of lines"},
      {{"query", cube_, "--method", "exact"}, "B is required"},
      {{"query", cube_, cube_, "--method", "exact", "--budget", "100"}, "--method exact has none"},
      {{"query", cube_, cube_, "--method", "exact", "--budget-us", "10"},
       "--method exact has none"},
      {{"query", cube_, cube_, "--budget", "0"}, "--budget"},
      {{"query", cube_, cube_, "--budget-us", "nan"}, "--budget-us"},
      {{"query", cube_, cube_, "--budget", "10", "--budget-us", "10"}, "--budget"},
      {{"query", open, cube_, "--method", "ist"}, "not closed"},
      {{"query", cube_, inward, "--method", "ist", "--spheres", "200"}, "inside out"},
      {{"query", cube_, cube_, "--method", "exacd"}, "did you mean 'exact'"},
      {{"query", cube_, cube_, "--method", "exact", "--law", "depht"},
       "neither volume nor depth, did you mean 'depth'?"},
      {{"query", cube_, cube_, "--method", "exact", "--spheres", "10"}, "--spheres are for"},
      {{"query", cube_, cube_, "--points-of", "b"}, "Only '--method vps' has points"},
      {{"query", cube_, cube_, "--method", "exact", "--repeat", "0"}, "whole number"},
      {{"query", cube_, cube_, "--method", "exact", "--repeat", "2.5"}, "whole number"},
      {{"query", cube_, cube_, "--method", "exact", "--pose", "x"}, "--poses"}};
  for (const Case& wrong : cases) {
    const Ended ended = tactus(wrong.words, {"XDG_CACHE_HOME=" + folder_.file("xdg")});
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(wrong.words);
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(wrong.answer), std::string::npos)
        << ended.err << " lacks '" << wrong.answer << "'";
  }
}

}  // namespace
}  // namespace tactus::tests
