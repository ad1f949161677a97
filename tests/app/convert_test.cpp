#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

// A box of twelve triangles without its last one.
constexpr const char* kOpenBox =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 1 5 8\n";

TEST(Convert, WritesWhatReadsBackTheSame) {
  const Folder folder;
  for (const char* name : {"gear.ply", "gear.obj", "ascii.ply"}) {
    std::vector<std::string> words = {"convert", "builtin:gear@3000", "-o", folder.file(name)};
    if (std::string(name) == "ascii.ply") words.emplace_back("--ascii");
    const Ended ended = tactus(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  EXPECT_TRUE(contentOf(folder.file("ascii.ply")).starts_with("ply\nformat ascii"));
  const auto volumeOf = [&](const std::string& model) -> double {
    return Json::parse(tactus({"info", model, "--json"}).out)["volume"];
  };
  const double volume = volumeOf("builtin:gear@3000");
  for (const char* name : {"gear.ply", "gear.obj", "ascii.ply"}) {
    EXPECT_EQ(volumeOf(folder.file(name)), volume) << name;
  }
}

TEST(Convert, KeepsAFileThatIsThere) {
  const Folder folder;
  const std::string file = folder.write("kept.ply", "precious");
  const Ended refused = tactus({"convert", "builtin:box@1000", "-o", file});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(isOneSentence(refused.err)) << refused.err;
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  EXPECT_EQ(contentOf(file), "precious");
  EXPECT_EQ(tactus({"convert", "builtin:box@1000", "-o", file, "--force"}).code, 0);
  EXPECT_NE(contentOf(file), "precious");
}

TEST(Convert, RepairSaysWhatItDidAndDoesIt) {
  const Folder folder;
  const std::string open = folder.write("open.obj", kOpenBox);
  const std::string mended = folder.file("mended.ply");
  const Ended ended = tactus({"convert", open, "-o", mended, "--repair", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.err.find("repair: "), std::string::npos) << ended.err;
  EXPECT_EQ(Json::parse(ended.out)["repairs"].size(), 1U) << ended.out;
  const Json info = Json::parse(tactus({"info", mended, "--json"}).out);
  EXPECT_TRUE(info["closed"]);
  EXPECT_NEAR(info["volume"], 1.0, 1e-12);
}

TEST(Convert, WithoutRepairNothingIsMended) {
  const Folder folder;
  const std::string copy = folder.file("copy.ply");
  EXPECT_EQ(tactus({"convert", folder.write("open.obj", kOpenBox), "-o", copy}).code, 0);
  EXPECT_FALSE(Json::parse(tactus({"info", copy, "--json"}).out)["closed"]);
}

/// A name that cannot be written to is a mistake of the command line, told before the work.
TEST(Convert, RefusesABadPlaceBeforeTheWork) {
  const Folder folder;
  const std::string open = folder.write("open.obj", kOpenBox);
  const std::string taken = folder.write("taken.ply", "precious");
  std::filesystem::create_directory(folder.file("folder.ply"));
  struct Case {
    std::string place, answer;
    bool overwrites = false;
  };
  const std::vector<Case> cases = {
      {taken, "use --force"},
      {folder.file("missing/box.ply"), "its folder does not exist; create it first"},
      {taken + "/box.ply", "not one"},
      {"/proc/x.ply", "choose another place"},
      {folder.file("folder.ply"), "a folder or a device", true},
      {folder.file("box.stl"), ".obj or .ply"},
      {folder.file(std::string(300, 'n') + ".ply"), "too long"}};
  for (const Case& tried : cases) {
    std::vector<std::string> words = {"convert", open, "--repair", "-o", tried.place};
    if (tried.overwrites) words.emplace_back("--force");
    const Ended ended = tactus(words);
    EXPECT_EQ(ended.code, 2) << tried.place;
    EXPECT_TRUE(isOneSentence(ended.err)) << "and nothing of a repair: " << ended.err;
    EXPECT_NE(ended.err.find(tried.answer), std::string::npos) << ended.err;
    EXPECT_TRUE(ended.err.find("does not exist") == std::string::npos ||
                tried.place.find("missing") != std::string::npos)
        << ended.err;
  }
  EXPECT_EQ(contentOf(taken), "precious");
  const auto left = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(left, std::filesystem::directory_iterator()), 3) << "a trial file stayed";
}

/// The place is good, the device is full: work that failed.
TEST(Convert, AFileThatGrowsTooLargeIsWorkThatFailed) {
  const Folder folder;
  const std::string file = folder.file("box.ply");
  Start start;
  start.arguments = {"/bin/sh", "-c",
                     "trap '' XFSZ; ulimit -f 8; exec \"$0\" convert builtin:box@20000 -o \"$1\"",
                     TACTUS_PROGRAM, file};
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(file));
}

/// The same bytes from each vector code that this machine has.
TEST(Convert, VectorCodeDoesNotShowInTheResult) {
  const Folder folder;
  for (const char* model : {"rhino", "bolt", "hand-left"}) {
    std::string first;
    for (const char* code : {"scalar", "sse4", "avx2", "avx512"}) {
      const std::string file = folder.file(std::string(model) + "-" + code + ".ply");
      const Ended ended = tactus({"convert", std::string("builtin:") + model + "@4000", "-o", file},
                                 {std::string("TACTUS_SIMD=") + code});
      if (ended.code == 2 && ended.err.find("this machine") != std::string::npos) continue;
      ASSERT_EQ(ended.code, 0) << ended.err;
      const std::string bytes = contentOf(file);
      if (first.empty()) first = bytes;
      EXPECT_TRUE(bytes == first) << model << " with " << code;
    }
    EXPECT_FALSE(first.empty());
  }
}

}  // namespace
}  // namespace tactus::tests
