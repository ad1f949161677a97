// What `tactus info` prints, on models whose figures are known in closed form and on files that are
// wrong in one known way each.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

Json infoOf(const std::string& model, const std::vector<std::string>& more = {},
            const std::vector<std::string>& environment = {}) {
  std::vector<std::string> words = {"info", model, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Ended ended = tactus(words, environment);
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << ended.out;
  return json;
}

TEST(Info, HasTheKeysOfTheContract) {
  const Json json = infoOf("builtin:torus");
  for (const char* key :
       {"closed", "boundary_edges", "nonmanifold_edges", "self_intersections", "components",
        "triangles", "volume", "centre", "inertia", "min_thickness", "thickness_source",
        "self_intersections_complete", "volume_error", "signed_volume", "solidity", "advice"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["centre"].size(), 3U);
  EXPECT_EQ(json["inertia"].size(), 3U);
  EXPECT_EQ(json["inertia"][0].size(), 3U);
}

TEST(Info, TetrahedronIsKnownExactly) {
  const Folder folder;
  const Json json = infoOf(folder.write("tetrahedron.obj", kTetrahedron));
  EXPECT_TRUE(json["closed"]);
  EXPECT_TRUE(json["clean"]);
  EXPECT_EQ(json["format"], "obj");
  EXPECT_EQ(json["triangles"], 4);
  EXPECT_EQ(json["components"], 1);
  EXPECT_NEAR(json["volume"], 1.0 / 6.0, 1e-15);
  for (const double coordinate : json["centre"])
    EXPECT_NEAR(coordinate, 0.25, 1e-15);
  // Of the corner tetrahedron at density 1, about its centre: xx = 1/80, xy = 1/480.
  EXPECT_NEAR(json["inertia"][0][0], 1.0 / 80.0, 1e-15);
  EXPECT_NEAR(json["inertia"][0][1], 1.0 / 480.0, 1e-15);
}

TEST(Info, ScaleAndFitChangeTheFigures) {
  const Folder folder;
  const std::string file = folder.write("tetrahedron.obj", kTetrahedron);
  EXPECT_NEAR(infoOf(file, {"--scale", "2"})["volume"], 8.0 / 6.0, 1e-6);
  EXPECT_NEAR(infoOf(file, {"--fit", "0.5"})["diagonal"], 0.5, 1e-6);
}

// Files have no units, and most that are not in metres are in millimetres.
TEST(Info, SaysWhichUnitAFileOfOddSizeIsTakenIn) {
  const Folder folder;
  const auto saidOf = [&](const char* size, const std::vector<std::string>& more) {
    const std::string text = std::string("v 0 0 0\nv ") + size + " 0 0\nv 0 " + size +
                             " 0\nv 0 0 " + size + "\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::vector<std::string> words = {"info", folder.write("part.obj", text), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = tactus(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_FALSE(Json::parse(ended.out, nullptr, false).is_discarded()) << ended.out;
    return ended.err;
  };
  const std::string large = saidOf("2000", {});
  EXPECT_TRUE(isOneSentence(large)) << large;
  EXPECT_NE(large.find("metres"), std::string::npos) << large;
  EXPECT_NE(large.find("--scale 0.001"), std::string::npos) << large;
  EXPECT_NE(saidOf("0.0001", {}).find("--scale 1000"), std::string::npos);
  EXPECT_EQ(saidOf("2000", {"--scale", "0.001"}), "");
  EXPECT_EQ(saidOf("5", {}), "");
  EXPECT_EQ(saidOf("0.001", {}), "");
}

TEST(Info, ThicknessSaysWhatWasMeasured) {
  const Folder folder;
  EXPECT_EQ(infoOf(folder.write("tetrahedron.obj", kTetrahedron))["thickness_source"], "width");
  EXPECT_EQ(infoOf("builtin:plate@1000")["thickness_source"], "wall");
  const Json open = infoOf(folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
  EXPECT_TRUE(open["min_thickness"].is_null());
  EXPECT_TRUE(open["thickness_source"].is_null());
}

TEST(Info, OpenSurfaceHasNoVolume) {
  const Folder folder;
  const Json json = infoOf(
      folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"));
  EXPECT_FALSE(json["closed"]);
  EXPECT_FALSE(json["clean"]);
  EXPECT_EQ(json["boundary_edges"], 3);
  EXPECT_EQ(json["holes"], 1);
  EXPECT_EQ(json["places"]["boundary_edges"].size(), 3U);
  EXPECT_TRUE(json["volume"].is_null());
}

TEST(Info, TextSaysWhatToDo) {
  const Folder folder;
  const Ended good = tactus({"info", "builtin:rhino@2000"});
  EXPECT_EQ(good.code, 0);
  EXPECT_NE(good.out.find("builtin:rhino@2000"), std::string::npos);
  const Ended open = tactus({"info", folder.write("open.obj",
                                                  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\n")});
  EXPECT_EQ(open.code, 0) << "an open mesh is a fact, not a mistake";
  EXPECT_NE(open.out.find("--repair"), std::string::npos) << open.out;
  // where a repair has nothing to mend, none is advised
  const Ended flat =
      tactus({"info", folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")});
  EXPECT_EQ(flat.code, 0);
  EXPECT_EQ(flat.out.find("--repair"), std::string::npos) << flat.out;
}

TEST(Info, NumbersIgnoreTheLocale) {
  const Folder folder;
  const std::string file = folder.write("tetrahedron.obj",
                                        "v 0.5 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Json json = infoOf(file, {}, {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"});
  EXPECT_NEAR(json["volume"], 1.0 / 12.0, 1e-15);
}

TEST(Info, NameThatIsNotUtf8IsReadAndShown) {
  const Folder folder;
  const Json json = infoOf(folder.write("caf\xe9.obj", kTetrahedron));
  EXPECT_TRUE(json["closed"]);
  const Ended missing = tactus({"info", folder.file("nix\xe9.obj")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(isOneSentence(missing.err)) << missing.err;
}

}  // namespace
}  // namespace tactus::tests
