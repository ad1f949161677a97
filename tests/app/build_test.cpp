// `tactus build`, `info` of a cache, and queries on caches, as a user calls them. What must be in a
// cache is tested in tests/collision/cache; here it is the files, the keys and the refusals.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "collision/cache/section_file.hpp"
#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class Build : public testing::Test {
 protected:
  /// With a cache folder of the test's own.
  [[nodiscard]] Ended run(const Words& words) const {
    return tactus(words, {"XDG_CACHE_HOME=" + folder_.file("xdg")});
  }
  [[nodiscard]] Json runJson(Words words) const {
    words.emplace_back("--json");
    const Ended ended = run(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    const Json json = Json::parse(ended.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << ended.out;
    return json;
  }
  /// Of a small built-in, with few spheres.
  [[nodiscard]] std::string cacheOf(const std::string& name) const {
    const std::string file = folder_.file(name);
    const Ended ended = run({"build", "builtin:torus@1000", "-o", file, "--spheres", "300"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return file;
  }
  void expectRefused(const Words& words, const std::string& part, int code = 2) const {
    const Ended ended = run(words);
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err << " lacks '" << part << "'";
  }
  /// Names of what is in a folder.
  [[nodiscard]] static Words listed(const fs::path& folder) {
    Words names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  Folder folder_;
};

TEST_F(Build, HasTheContractsKeys) {
  const std::string file = folder_.file("torus.tactus");
  const Json json = runJson({"build", "builtin:torus@1000", "-o", file, "--spheres", "300"});
  for (const char* key :
       {"closed", "triangles", "volume", "spheres", "filled", "pack_seconds", "cells_seconds",
        "tree_seconds", "voxmap_seconds", "points", "bytes", "file"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["closed"], true);
  EXPECT_EQ(json["spheres"], 300);
  EXPECT_EQ(json["points"], 300);
  EXPECT_EQ(json["file"], file);
  EXPECT_EQ(json["bytes"], fs::file_size(file));
  EXPECT_GT(json["filled"], 0.5);
  EXPECT_GT(json["pack_seconds"], 0.0);
  EXPECT_FALSE(fs::exists(folder_.file("xdg"))) << "what is named with -o goes nowhere else";
}

TEST_F(Build, InfoShowsSectionsAndParameters) {
  const std::string file = cacheOf("torus.tactus");
  const Json json = runJson({"info", file});
  EXPECT_EQ(json["format"], "tactus");
  EXPECT_EQ(json["parameters"]["spheres"], 300);
  EXPECT_EQ(json["parameters"]["packing"], "protosphere");
  EXPECT_EQ(json["bytes"], fs::file_size(file));
  EXPECT_EQ(json["closed"], true);
  Words names;
  std::uint64_t bytes = 0;
  for (const Json& section : json["sections"]) {
    names.push_back(section["name"]);
    bytes += section["bytes"].get<std::uint64_t>();
    EXPECT_TRUE(section["hot"].is_boolean());
  }
  for (const char* name : {"tree.bounds", "facets.caps", "mesh.positions", "packing.spheres"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  EXPECT_LE(bytes, fs::file_size(file));
  const Ended text = run({"info", file});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("tree.bounds"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("300 spheres"), std::string::npos) << text.out;
}

TEST_F(Build, TellsThatThinPartsAreNotFilled) {
  const auto textOf = [&](const char* spheres) {
    return run({"build", "builtin:hand-left@1000", "-o", folder_.file("hand.tactus"), "--spheres",
                spheres, "--points", "10"})
        .out;
  };
  EXPECT_NE(textOf("2").find("thin parts need more spheres"), std::string::npos);
  EXPECT_EQ(textOf("300").find("thin parts need more spheres"), std::string::npos);
  // and where nobody asked for a packing
  const Ended query =
      run({"query", "builtin:hand-left@1000", "builtin:hand-left@1000", "--spheres", "2"});
  EXPECT_EQ(query.code, 0);
  EXPECT_TRUE(isOneSentence(query.err)) << query.err;
  EXPECT_NE(query.err.find("what is thin pushes too little"), std::string::npos) << query.err;
}

TEST_F(Build, ACacheStandsForItsMesh) {
  const std::string file = cacheOf("torus.tactus");
  const std::string mesh = folder_.file("torus.ply");
  EXPECT_EQ(run({"convert", file, "-o", mesh}).code, 0);
  const std::string direct = folder_.file("direct.ply");
  EXPECT_EQ(run({"convert", "builtin:torus@1000", "-o", direct}).code, 0);
  EXPECT_EQ(contentOf(mesh), contentOf(direct));
  // packed anew from the mesh in a cache, under a name that does not tell that it is one
  fs::rename(file, folder_.file("renamed"));
  const Json json = runJson(
      {"build", folder_.file("renamed"), "-o", folder_.file("fine.tactus"), "--spheres", "400"});
  EXPECT_EQ(json["spheres"], 400);
}

TEST_F(Build, SizedModelsAreBuiltInTheirSize) {
  const std::string file = folder_.file("small.tactus");
  const Json json = runJson({"build", folder_.write("t.obj", kTetrahedron), "-o", file, "--spheres",
                             "50", "--scale", "2"});
  EXPECT_NEAR(json["volume"], 8.0 / 6.0, 1e-6);
  const Json fitted =
      runJson({"build", folder_.file("t.obj"), "-o", file, "--spheres", "50", "--fit", "0.1"});
  EXPECT_LT(fitted["volume"], 1e-3);
}

TEST_F(Build, WithoutANameItGoesIntoTheCacheFolder) {
  const Json json = runJson({"build", "builtin:torus@1000", "--spheres", "300"});
  const std::string file = json["file"];
  EXPECT_TRUE(file.starts_with(folder_.file("xdg/tactus/"))) << file;
  EXPECT_EQ(listed(folder_.file("xdg/tactus")), Words{fs::path(file).filename()});
  EXPECT_EQ(run({"info", file}).code, 0);
}

TEST_F(Build, ReplacesACacheAndNothingElse) {
  const std::string file = cacheOf("torus.tactus");
  const std::string before = contentOf(file);
  EXPECT_EQ(run({"build", "builtin:box@1000", "-o", file, "--spheres", "100"}).code, 0);
  EXPECT_NE(contentOf(file), before);
  EXPECT_EQ(listed(folder_.path()), Words{"torus.tactus"});

  const std::string kept = folder_.write("kept.tactus", "precious");
  expectRefused({"build", "builtin:box@1000", "-o", kept}, "--force");
  EXPECT_EQ(contentOf(kept), "precious");
  EXPECT_EQ(run({"build", "builtin:box@1000", "-o", kept, "--spheres", "100", "--force"}).code, 0);
  EXPECT_EQ(run({"info", kept}).code, 0);

  // a damaged cache still begins as one
  folder_.write("half.tactus", before.substr(0, 1000));
  EXPECT_EQ(
      run({"build", "builtin:box@1000", "-o", folder_.file("half.tactus"), "--spheres", "9"}).code,
      0);
}

TEST_F(Build, RefusesWhatItCannotDo) {
  const std::string open = folder_.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string inward = folder_.write(
      "inward.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
  const std::string flat =
      folder_.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
  const std::string out = folder_.file("out.tactus");
  fs::create_directory(folder_.file("folder.tactus"));
  const std::string cache = cacheOf("torus.tactus");
  expectRefused({"build", open, "-o", out}, "not closed");
  expectRefused({"build", inward, "-o", out}, "inside out");
  expectRefused({"build", flat, "-o", out}, "flat");
  expectRefused({"build", folder_.file("none.obj"), "-o", out}, "none.obj");
  expectRefused({"build", "builtin:torus", "-o", folder_.file("out.ply")}, ".tactus");
  expectRefused({"build", "builtin:torus", "-o", folder_.file("none/out.tactus")}, "folder");
  expectRefused({"build", "builtin:torus", "-o", folder_.file("folder.tactus"), "--force"},
                "folder");
  expectRefused({"build", "builtin:torus", "-o", "/proc/x.tactus"}, "choose another place");
  expectRefused({"build", "builtin:torus", "--packing", "cubes"}, "neither");
  expectRefused({"build", "builtin:torus", "--packing", "vxel"}, "did you mean 'voxel'?");
  expectRefused({"build", "builtin:torus@1000", "-o", out, "--spheres", "50", "--voxel", "1e-6"},
                "larger --voxel");
  expectRefused({"build", "builtin:torus", "--voxel", "-0.001"}, "--voxel");
  expectRefused({"build", "builtin:torus", "--voxmap-bytes", "0"}, "whole number");
  expectRefused({"build", "builtin:torus", "--voxmap-bytes", "1000", "--voxel", "1"}, "--voxel");
  expectRefused({"build", "builtin:torus", "--spheres", "0"}, "whole number");
  expectRefused({"build", "builtin:torus", "--spheres", "many"}, "whole number");
  expectRefused({"build", "builtin:torus", "--points", "-1"}, "whole number");
  expectRefused({"info", cache, "--scale", "2"}, "--scale");
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(Build, MakesAVoxmapAsFineOrAsLargeAsAskedFor) {
  const std::string file = folder_.file("torus.tactus");
  const Json sized =
      runJson({"build", "builtin:torus@1000", "-o", file, "--spheres", "50", "--voxel", "0.002"});
  EXPECT_GT(sized["voxmap_seconds"], 0.0);
  EXPECT_NEAR(sized["voxmap"]["voxel"], 0.002, 1e-9);
  EXPECT_GT(sized["voxmap"]["error_near_max"], 0.0);
  EXPECT_LT(sized["voxmap"]["error_near_max"], 0.001);
  EXPECT_GT(sized["voxmap"]["error_bound_near"], 0.866 * 0.002);
  EXPECT_GT(sized["voxmap"]["error_bound"], sized["voxmap"]["error_bound_near"]);
  const Json shown = runJson({"info", file});
  EXPECT_EQ(shown["voxmap"], sized["voxmap"]);
  EXPECT_EQ(shown["parameters"]["voxel_size"], 0.002);
  const std::string text = run({"info", file}).out;
  EXPECT_NE(text.find("voxels of 0.002 m"), std::string::npos) << text;
  EXPECT_NE(text.find("voxmap.values"), std::string::npos) << text;

  const Json fitting = runJson(
      {"build", "builtin:torus@1000", "-o", file, "--spheres", "50", "--voxmap-bytes", "200000"});
  EXPECT_LE(fitting["voxmap"]["bytes"], 200'000);
  EXPECT_GT(fitting["voxmap"]["bytes"], 100'000);
  const Ended none =
      run({"build", "builtin:torus@1000", "-o", file, "--spheres", "50", "--voxmap-bytes", "1"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(isOneSentence(none.err)) << none.err;
  EXPECT_NE(none.err.find("--voxmap-bytes"), std::string::npos) << none.err;
}

TEST_F(Build, SpreadsAsManyPointsAsAskedFor) {
  const std::string file = folder_.file("x.tactus");
  const Json many =
      runJson({"build", "builtin:torus@1000", "-o", file, "--spheres", "50", "--points", "5000"});
  EXPECT_EQ(many["points"], 5000);
  EXPECT_GT(many["pointshell"]["spacing_min"],
            0.3 * many["pointshell"]["spacing_lattice"].get<double>());
  const Json shown = runJson({"info", file});
  EXPECT_EQ(shown["pointshell"], many["pointshell"]);
  EXPECT_EQ(shown["parameters"]["points"], 5000);
  const Json none =
      runJson({"build", "builtin:torus@1000", "-o", file, "--spheres", "50", "--points", "0"});
  EXPECT_EQ(none["points"], 0);
  EXPECT_TRUE(none["pointshell"].is_null());
  const Ended asked = run({"query", file, file, "--method", "vps"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_TRUE(isOneSentence(asked.err)) << asked.err;
  EXPECT_NE(asked.err.find("--points"), std::string::npos) << asked.err;
}

TEST_F(Build, PointsInAVoxmapAnswer) {
  const std::string file = folder_.file("x.tactus");
  const Json built =
      runJson({"build", "builtin:sphere@5000", "-o", file, "--spheres", "50", "--points", "20000",
               "--voxmap-bytes", "1000000", "--fit", "1.7320508"});
  EXPECT_EQ(built["points"], 20'000);
  const std::string poses =
      folder_.write("poses.txt", "0.9 0 0 1 0 0 0\n0 1.2 0 1 0 0 0\n0 0 0.95 0 1 0 0\n");
  for (const char* side : {"a", "b"}) {
    const Json found = runJson({"query", file, file, "--poses", poses, "--method", "vps", "--law",
                                "volume", "--points-of", side, "--repeat", "2"});
    ASSERT_EQ(found["results"].size(), 3U);
    const Json& deep = found["results"][0];
    EXPECT_TRUE(deep["volume"].is_null());
    EXPECT_TRUE(deep["volume_upper"].is_null());
    // balls of radius 0.5, their middles 0.9 apart, share a lens with a disc of this area
    EXPECT_NEAR(deep["force"][0].get<double>(), 3.14159 * (0.25 - 0.2025), 0.003);
    EXPECT_NEAR(deep["force"][1].get<double>(), 0.0, 0.001);
    EXPECT_EQ(deep["distance"], 0.0);
    EXPECT_EQ(deep["contacts"], 1);
    const Json& apart = found["results"][1];
    EXPECT_NEAR(apart["distance"].get<double>(), 0.2, 0.004);
    EXPECT_EQ(apart["force"][1], 0.0);
    const Json cut = runJson({"query", file, file, "--poses", poses, "--method", "vps", "--law",
                              "depth", "--points-of", side, "--budget", "1000"});
    EXPECT_EQ(cut["budget"], 1000);
    EXPECT_GT(cut["results"][0]["force"][0], 0.0);
  }
  const Ended wrong = run({"query", file, file, "--method", "vps", "--points-of", "c"});
  EXPECT_EQ(wrong.code, 2);
}

TEST_F(Build, PointsMayLieOffTheSurface) {
  const std::string file = folder_.file("x.tactus");
  const auto areaAt = [&](const char* offset) {
    const Json built = runJson({"build", folder_.write("t.obj", kTetrahedron), "-o", file,
                                "--spheres", "50", "--points", "500", "--points-offset", offset});
    const Json shown = runJson({"info", file});
    EXPECT_EQ(shown["parameters"]["points_offset"], std::stod(offset));
    EXPECT_EQ(shown["pointshell"], built["pointshell"]);
    return std::make_pair(built["pointshell"]["area"].get<double>(),
                          built["identity"].get<std::string>());
  };
  const auto [area, identity] = areaAt("0");
  const auto [larger, otherIdentity] = areaAt("0.05");
  const auto [smaller, thirdIdentity] = areaAt("-0.05");
  EXPECT_GT(larger, 1.1 * area);
  EXPECT_LT(smaller, 0.9 * area);
  EXPECT_NE(identity, otherIdentity);
  EXPECT_NE(thirdIdentity, otherIdentity);
  const Ended refused = run({"build", folder_.file("t.obj"), "-o", file, "--points-offset", "9"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(isOneSentence(refused.err)) << refused.err;
  EXPECT_EQ(run({"build", folder_.file("t.obj"), "-o", file, "--points-offset", "nan"}).code, 2);
}

/// A sheet without an inside, of two triangles, pressed by one edge into a box of the other object.
TEST_F(Build, AnOpenSurfaceMayGiveThePoints) {
  const std::string sheet = folder_.write("sheet.obj",
                                          "v -0.2 0 -0.2\nv 0.2 0 -0.2\nv 0.2 0 0.2\nv -0.2 0 0.2\n"
                                          "f 1 3 2\nf 1 4 3\n");
  const std::string box = folder_.file("box.tactus");
  ASSERT_EQ(run({"build", "builtin:sphere@5000", "-o", box, "--spheres", "200", "--voxmap-bytes",
                 "1000000", "--fit", "1.7320508"})
                .code,
            0);
  const std::string poses = folder_.write("poses.txt", "0 0.4 0 1 0 0 0\n0 0.6 0 1 0 0 0\n");
  const Json found = runJson({"query", box, sheet, "--poses", poses, "--method", "vps", "--law",
                              "depth", "--points-of", "b", "--spheres", "5000"});
  // 0.16 m^2 that look up, 0.1 m deep in the middle, push down; B is pushed along its normal inward
  EXPECT_LT(found["results"][0]["force"][1].get<double>(), -0.16 * 0.05);
  EXPECT_GT(found["results"][0]["force"][1].get<double>(), -0.16 * 0.1);
  EXPECT_NEAR(found["results"][1]["distance"].get<double>(), 0.1, 0.005);
  // the other way round it would have to have an inside
  const Ended refused = run({"query", box, sheet, "--method", "vps", "--points-of", "a"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(isOneSentence(refused.err)) << refused.err;
}

TEST_F(Build, PointsFollowAMotionAndLookAtTheWay) {
  const std::string file = folder_.file("x.tactus");
  ASSERT_EQ(run({"build", "builtin:sphere@5000", "-o", file, "--spheres", "200", "--points", "5000",
                 "--voxmap-bytes", "1000000", "--fit", "1.7320508"})
                .code,
            0);
  // balls of radius 0.5: one comes near, overlaps, jumps through to the other side, and goes
  std::string path;
  for (int k = 0; k < 40; ++k)
    path += std::to_string(k == 30 ? -1.5 : 1.2 - 0.01 * k) + " 0 0 1 0.001 0 0\n";
  const std::string poses = folder_.write("path.txt", path);
  for (const char* law : {"depth", "volume"}) {
    const Words question = {"query", file, file, "--poses", poses, "--method", "vps", "--law", law};
    Words followed = question;
    followed.insert(followed.end(), {"--coherent", "--swept", "--repeat", "2"});
    const Json cold = runJson(question)["results"];
    const Json warm = runJson(followed)["results"];
    ASSERT_EQ(cold.size(), warm.size());
    for (std::size_t k = 0; k < cold.size(); ++k) {
      for (const char* key : {"force", "torque", "distance", "energy"})
        EXPECT_EQ(cold[k][key], warm[k][key]) << key << " of " << k;
    }
    EXPECT_FALSE(cold[1].contains("free_way"));
    EXPECT_TRUE(warm[0]["free_way"].is_null());
    EXPECT_EQ(warm[5]["free_way"], 1.0);
    // between 1.01 and 1 they touch at the end of the way, and deeper at once
    EXPECT_GT(warm[20]["free_way"].get<double>(), 0.7);
    EXPECT_EQ(warm[25]["free_way"], 0.0);
    // from -1.5 to 0.89 it touches at -1
    EXPECT_NEAR(warm[31]["free_way"].get<double>(), 0.5 / 2.39, 0.003);
  }
  const Ended refused = run({"query", file, file, "--swept"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(isOneSentence(refused.err)) << refused.err;
}

TEST_F(Build, SaysThatASurfaceIsNotClean) {
  std::string two = kTetrahedron;
  two += "v 0.1 0.1 -0.5\nv 1.1 0.1 -0.5\nv 0.1 1.1 -0.5\nv 0.1 0.1 0.5\n";
  two += "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
  const Ended ended = run({"build", folder_.write("two.obj", two), "-o", folder_.file("two.tactus"),
                           "--spheres", "50", "--json"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("not clean, as the surface meets itself;"), std::string::npos)
      << ended.err;
  EXPECT_EQ(Json::parse(ended.out)["sign_rule"], "winding_number");
}

// One truth of what is inside, and of whether it can be packed.
TEST_F(Build, AgreesWithInfo) {
  const auto boxes = [](const std::vector<std::array<double, 3>>& corners) {
    std::string obj;
    int first = 1;
    for (const auto& [x, y, z] : corners) {
      for (int corner = 0; corner < 8; ++corner) {
        obj += "v " + std::to_string(x + (corner & 1)) + " " +
               std::to_string(y + (corner >> 1 & 1)) + " " + std::to_string(z + (corner >> 2)) +
               "\n";
      }
      for (const std::array<int, 4>& face : std::array<std::array<int, 4>, 6>{{{0, 4, 6, 2},
                                                                               {1, 3, 7, 5},
                                                                               {0, 1, 5, 4},
                                                                               {2, 6, 7, 3},
                                                                               {0, 2, 3, 1},
                                                                               {4, 5, 7, 6}}}) {
        obj += "f";
        for (const int corner : face)
          obj += " " + std::to_string(first + corner);
        obj += "\n";
      }
      first += 8;
    }
    return obj;
  };
  const auto both = [&](const std::string& name, const std::string& obj) {
    const std::string file = folder_.write(name, obj);
    const Ended info = run({"info", file, "--json"});
    const Ended built =
        run({"build", file, "-o", folder_.file(name + ".tactus"), "--spheres", "50", "--json"});
    EXPECT_EQ(info.code, 0);
    EXPECT_EQ(built.code, 0) << built.err;
    return std::pair(Json::parse(info.out), Json::parse(built.out));
  };
  for (const auto& [name, corner, volume] :
       {std::tuple{"edge.obj", std::array{1.0, 1.0, 0.0}, 2.0},
        std::tuple{"overlap.obj", std::array{0.5, 0.5, 0.5}, 1.875}}) {
    const auto [info, built] = both(name, boxes({{0.0, 0.0, 0.0}, corner}));
    EXPECT_EQ(info["volume"], built["volume"]) << name;
    EXPECT_NEAR(info["volume"], volume, 1e-4) << name;
    EXPECT_EQ(info["signed_volume"], 2.0) << name;
    EXPECT_EQ(info["solidity"], "solid") << name;
    EXPECT_NE(info["advice"].get<std::string>().find("can be packed as it is"), std::string::npos);
  }
}

TEST_F(Build, BadCachesGetOneSentence) {
  const std::string file = cacheOf("bad.tactus");
  const std::string good = contentOf(file);
  std::string newer = good;
  newer[8] = 9;
  // one bit of a section that queries use, and one of a section that they do not
  std::size_t hotByte = 0;
  const Json info = runJson({"info", file});
  for (const Json& section : info["sections"]) {
    if (section["name"] == "tree.bounds") hotByte = section["offset"];
  }
  const auto flipped = [&good](std::size_t at) {
    std::string content = good;
    content[at] = static_cast<char>(content[at] ^ 1);
    return content;
  };
  const std::string hot = flipped(hotByte);
  const std::string cold = flipped(good.size() - 1);
  const std::vector<std::pair<std::string, std::string>> cases = {{"", "empty"},
                                                                  {"hello\n", "not a cache"},
                                                                  {good.substr(0, 7), "cut off"},
                                                                  {good.substr(0, 9000), "cut off"},
                                                                  {good + "tail", "damaged"},
                                                                  {newer, "format 9"},
                                                                  {cold, "damaged"},
                                                                  {hot, "damaged"}};
  for (const auto& [content, part] : cases) {
    folder_.write("bad.tactus", content);
    expectRefused({"info", file, "--json"}, part);
    if (content != cold) expectRefused({"query", file, file}, part);
  }
  fs::create_directory(folder_.file("folder.tactus"));
  expectRefused({"info", folder_.file("folder.tactus")}, "folder");
  expectRefused({"info", folder_.file("none.tactus")}, "no such file");
  expectRefused({"query", folder_.file("none.tactus"), folder_.file("none.tactus")},
                "no such file");
}

/// The way of a study: everything is asked of caches alone.
TEST_F(Build, QueriesOfCachesAgreeWithTheirMeshes) {
  const std::string file = cacheOf("torus.tactus");
  const std::string poses = folder_.write("poses.txt", "0.05 0 0 1 0 0 0\n5 0 0 1 0 0 0\n");
  const Json exact =
      runJson({"query", file, file, "--method", "exact", "--poses", poses})["results"];
  const Json mesh = runJson({"query", "builtin:torus@1000", "builtin:torus@1000", "--method",
                             "exact", "--poses", poses})["results"];
  const Json trees = runJson({"query", file, file, "--poses", poses})["results"];
  ASSERT_EQ(trees.size(), 2U);
  for (const char* key : {"volume", "distance", "force", "torque"}) {
    for (std::size_t p = 0; p < 2; ++p)
      EXPECT_EQ(exact[p][key], mesh[p][key]) << key;
  }
  const double volume = exact[0]["volume"];
  ASSERT_GT(volume, 0.0);
  EXPECT_LE(trees[0]["volume_lower"], volume);
  EXPECT_GE(trees[0]["volume_upper"], volume);
  EXPECT_NEAR(trees[0]["volume"].get<double>(), volume, 0.2 * volume);
  EXPECT_EQ(trees[0]["distance"], 0.0);
  EXPECT_EQ(trees[0]["contacts"], 1);
  EXPECT_EQ(trees[1]["volume"], 0.0);
  EXPECT_EQ(trees[1]["volume_upper"], 0.0);
  const double distance = exact[1]["distance"];
  EXPECT_NEAR(trees[1]["distance"].get<double>(), distance, 1e-5 * distance);
  EXPECT_EQ(trees[1]["contacts"], 0);
  const Json coherent = runJson({"query", file, file, "--poses", poses, "--coherent"})["results"];
  EXPECT_EQ(coherent[0]["volume"], trees[0]["volume"]);
}

/// A path that comes near, overlaps, jumps and repeats itself: --coherent changes times alone.
TEST_F(Build, ACoherentQueryAnswersTheSame) {
  const std::string file = folder_.file("t.tactus");
  ASSERT_EQ(
      run({"build", folder_.write("t.obj", kTetrahedron), "-o", file, "--spheres", "200"}).code, 0);
  std::string path;
  for (int k = 0; k < 60; ++k) {
    const double x = k == 30 ? 3.0 : 1.2 - 0.01 * k;
    path += std::to_string(x) + " 0.1 0.05 1 0.001 0 0\n";
  }
  const std::string poses = folder_.write("path.txt", path);
  const Json cold = runJson({"query", file, file, "--poses", poses})["results"];
  const Json followed =
      runJson({"query", file, file, "--poses", poses, "--coherent", "--repeat", "2"})["results"];
  ASSERT_EQ(cold.size(), followed.size());
  int apart = 0;
  for (std::size_t k = 0; k < cold.size(); ++k) {
    for (const char* key : {"volume", "volume_lower", "volume_upper", "force", "torque"})
      EXPECT_EQ(cold[k][key], followed[k][key]) << key << " of " << k;
    const double distance = cold[k]["distance"];
    EXPECT_NEAR(followed[k]["distance"].get<double>(), distance, 1e-6) << k;
    if (distance > 0.0) ++apart;
  }
  EXPECT_GT(apart, 10);
  EXPECT_LT(apart, 60);
}

/// Their surfaces are apart, and no lower ball need meet another; still it is an overlap.
TEST_F(Build, OneObjectInsideTheOther) {
  const std::string tiny =
      "v 0 0 0\nv 0.01 0 0\nv 0 0.01 0\nv 0 0 0.01\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string small = folder_.write("tiny.obj", tiny);
  const std::string poses = folder_.write("poses.txt", "0.2 0.21 0.22 1 0 0 0\n-2 0 0 1 0 0 0\n");
  const Json results = runJson({"query", folder_.write("t.obj", kTetrahedron), small, "--poses",
                                poses, "--spheres", "40"})["results"];
  const double volume = 1e-6 / 6.0;
  EXPECT_NEAR(results[0]["volume"].get<double>(), volume, 0.2 * volume);
  EXPECT_EQ(results[0]["distance"], 0.0);
  EXPECT_NEAR(results[1]["distance"].get<double>(), 1.99, 1e-4);
}

TEST_F(Build, AMeshIsBuiltOnceAndFoundAgain) {
  const std::string mesh = folder_.write("t.obj", kTetrahedron);
  const Json first = runJson({"query", mesh, mesh, "--spheres", "500"})["results"];
  const Words files = listed(folder_.file("xdg/tactus"));
  ASSERT_EQ(files.size(), 1U);
  const std::string cache = folder_.file("xdg/tactus/" + files.front());
  const std::string written = contentOf(cache);
  const Json second = runJson({"query", mesh, mesh, "--spheres", "500"})["results"];
  EXPECT_EQ(contentOf(cache), written) << "its times would be others if it was built again";
  EXPECT_EQ(first[0]["volume"], second[0]["volume"]);
  // found by what is in it: another name, then a damaged file
  const std::string same = folder_.write("same.obj", kTetrahedron);
  EXPECT_EQ(runJson({"query", same, mesh, "--spheres", "500"})["results"][0]["volume"],
            first[0]["volume"]);
  EXPECT_EQ(listed(folder_.file("xdg/tactus")), files);
  folder_.write("xdg/tactus/" + files.front(), "nonsense");
  EXPECT_EQ(runJson({"query", mesh, mesh, "--spheres", "500"})["results"][0]["volume"],
            first[0]["volume"]);
  EXPECT_EQ(run({"info", cache}).code, 0) << "it was built again";
}

/// A cache of another builder is built anew from the mesh in it, and stays as it is.
TEST_F(Build, AStaleCacheIsBuiltAnew) {
  const std::string file = cacheOf("torus.tactus");
  const std::string stale = folder_.file("stale.tactus");
  {
    const auto sections = collision::SectionFile::open(file).value();
    std::vector<collision::SectionContent> contents;
    for (const collision::SectionEntry& section : sections->sections()) {
      contents.push_back(
          {section.name, section.elementBytes, section.heat, sections->bytesOf(section)});
    }
    ASSERT_TRUE(
        collision::writeSections(stale, sections->head().identity, 0, contents, false).ok());
  }
  EXPECT_EQ(runJson({"info", file})["stale"], false);
  EXPECT_EQ(runJson({"info", stale})["stale"], true);
  const std::string before = contentOf(stale);
  const std::string poses = folder_.write("poses.txt", "0.05 0 0 1 0 0 0\n");
  const Json fresh = runJson({"query", file, file, "--poses", poses});
  EXPECT_FALSE(fs::exists(folder_.file("xdg"))) << "a cache that is named needs no other";
  const Json anew = runJson({"query", stale, stale, "--poses", poses});
  EXPECT_EQ(anew["results"][0]["volume"], fresh["results"][0]["volume"]);
  EXPECT_EQ(listed(folder_.file("xdg/tactus")).size(), 1U);
  EXPECT_EQ(contentOf(stale), before);
}

TEST_F(Build, AnUnwritableCacheFolderIsNoErrorAndIsSaid) {
  const std::string mesh = folder_.write("t.obj", kTetrahedron);
  folder_.write("file", "");
  for (const std::string& place : {folder_.file("file"), std::string("/proc/none")}) {
    const Ended ended =
        tactus({"query", mesh, mesh, "--spheres", "500", "--json"}, {"XDG_CACHE_HOME=" + place});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(Json::parse(ended.out)["results"][0]["volume"], 0.0);
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find("cannot be kept in " + place), std::string::npos) << ended.err;
    const Ended build = tactus({"build", mesh, "--spheres", "500"}, {"XDG_CACHE_HOME=" + place});
    EXPECT_EQ(build.code, 1);
    EXPECT_TRUE(isOneSentence(build.err)) << build.err;
    EXPECT_NE(build.err.find("-o"), std::string::npos) << build.err;
  }
  EXPECT_EQ(tactus({"query", mesh, mesh, "--spheres", "500"}, {"XDG_CACHE_HOME", "HOME"}).code, 0);
}

/// A folder that may be read only. Root may write everywhere, so it asks as somebody else.
TEST_F(Build, ReadOnlyFolder) {
  fs::create_directory(folder_.file("locked"));
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(folder_.file("locked").c_str(), 0555), 0);
  Start start;
  if (::geteuid() == 0) {
    start.arguments = {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  }
  start.arguments.insert(start.arguments.end(), {TACTUS_PROGRAM, "build", "builtin:torus@1000",
                                                 "-o", folder_.file("locked/x.tactus")});
  const Ended ended = runToEnd(start);
  if (ended.code == 127) GTEST_SKIP() << "nobody else may start the program: " << ended.err;
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find("permission"), std::string::npos) << ended.err;
  EXPECT_EQ(listed(folder_.file("locked")), Words{});
}

/// Starts without waiting for the end.
pid_t started(const Words& words, const std::string& cacheHome) {
  const pid_t child = fork();
  if (child != 0) return child;
  setenv("XDG_CACHE_HOME", cacheHome.c_str(), 1);
  std::vector<char*> arguments;
  std::string program = TACTUS_PROGRAM;
  arguments.push_back(program.data());
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // execv's old signature
  arguments.push_back(nullptr);
  if (std::freopen("/dev/null", "w", stdout) == nullptr ||
      std::freopen("/dev/null", "w", stderr) == nullptr) {
    _exit(127);
  }
  execv(arguments[0], arguments.data());
  _exit(127);
}

int exitCodeOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(Build, TwoProcessesBuildTheSameCacheAtOnce) {
  const std::string file = folder_.file("torus.tactus");
  std::vector<pid_t> children;
  children.reserve(3);
  for (int i = 0; i < 3; ++i) {
    children.push_back(started({"build", "builtin:torus@1000", "-o", file, "--spheres", "500"},
                               folder_.file("xdg")));
  }
  for (const pid_t child : children)
    EXPECT_EQ(exitCodeOf(child), 0);
  EXPECT_EQ(run({"info", file}).code, 0);
  EXPECT_EQ(listed(folder_.path()), Words{"torus.tactus"});

  const std::string mesh = folder_.write("t.obj", kTetrahedron);
  children.clear();
  for (int i = 0; i < 3; ++i)
    children.push_back(started({"query", mesh, mesh, "--spheres", "500"}, folder_.file("xdg")));
  for (const pid_t child : children)
    EXPECT_EQ(exitCodeOf(child), 0);
  EXPECT_EQ(listed(folder_.file("xdg/tactus")).size(), 1U);
}

TEST_F(Build, InterruptedItLeavesNothingBehind) {
  for (const int signal : {SIGINT, SIGTERM}) {
    // a million spheres take many seconds; the signal comes while they are packed
    const pid_t child = started(
        {"build", "builtin:rhino@20000", "-o", folder_.file("x.tactus"), "--spheres", "1000000"},
        folder_.file("xdg"));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    kill(child, signal);
    EXPECT_EQ(exitCodeOf(child), 1);
    EXPECT_EQ(listed(folder_.path()), Words{});
  }
}

TEST_F(Build, PacksByVoxelsWhenAsked) {
  const std::string file = folder_.file("voxels.tactus");
  const Json built = runJson(
      {"build", "builtin:torus@1000", "-o", file, "--spheres", "300", "--packing", "voxel"});
  EXPECT_EQ(built["spheres"], 300);
  EXPECT_GT(built["filled"].get<double>(), 0.3);
  EXPECT_EQ(runJson({"info", file})["parameters"]["packing"], "voxel");
  // another packing is another object
  EXPECT_NE(built["identity"], runJson({"info", cacheOf("torus.tactus")})["identity"]);
}

}  // namespace
}  // namespace tactus::tests
