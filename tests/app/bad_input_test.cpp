// Files that no program should trust. The loaders' own tests go deeper; here the whole program must
// answer each with one sentence and exit code 2, in little memory.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <ostream>
#include <string>

#include "tests/app/started_process.hpp"

namespace tactus::tests {
namespace {

struct BadFile {
  std::string name;
  std::string content;
  std::string answer;  ///< that the sentence must hold

  friend std::ostream& operator<<(std::ostream& out, const BadFile& file) {
    return out << file.name;
  }
};

const std::string kPlyHeader =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

std::string noise(std::size_t bytes) {
  std::string text;
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < bytes; ++i) {
    state = state * 1664525U + 1013904223U;
    text.push_back(static_cast<char>(state >> 24));
  }
  return text;
}

class BadInput : public testing::TestWithParam<BadFile> {};

TEST_P(BadInput, EndsInOneSentence) {
  const Folder folder;
  const std::string file = folder.write(GetParam().name, GetParam().content);
  // 1 GB of address space: a count that is believed would not fit.
  Start start;
  start.arguments = {"/bin/sh", "-c", "ulimit -v 1000000; exec \"$0\" info \"$1\"", TACTUS_PROGRAM,
                     file};
#if defined(TACTUS_SANITIZED)
  start.arguments = {TACTUS_PROGRAM, "info", file};  // its shadow memory alone is terabytes
#endif
  const Ended ended = runToEnd(start);
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().name), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().answer), std::string::npos) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadInput,
    testing::Values(
        BadFile{"empty.obj", "", "empty"}, BadFile{"empty.stl", "", "empty"},
        BadFile{"blank.obj", "\n\n\n", ""}, BadFile{"noise.obj", noise(4096), ""},
        BadFile{"noise.ply", noise(4096), ""}, BadFile{"noise.stl", noise(4096), ""},
        BadFile{"noise.off", noise(4096), ""}, BadFile{"noise.glb", noise(4096), ""},
        BadFile{"noise.xyz", noise(4096), ""},
        BadFile{"nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "line 1"},
        BadFile{"inf.ply", kPlyHeader + "0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n", "line 12"},
        BadFile{"range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4"},
        BadFile{"zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4"},
        BadFile{"range.ply", kPlyHeader + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 13"},
        BadFile{"cut.ply", kPlyHeader + "0 0 0\n1 0 0\n", ""},
        BadFile{"liar.ply",
                "ply\nformat binary_little_endian 1.0\nelement vertex 900000000\nproperty float x\n"
                "property float y\nproperty float z\nelement face 1\n"
                "property list uchar int vertex_indices\nend_header\n",
                ""},
        BadFile{"liar.stl", std::string(80, ' ') + std::string("\xff\xff\xff\x0c", 4) + "abc", ""},
        BadFile{"liar.off", "OFF\n800000000 800000000 0\n0 0 0\n", ""},
        BadFile{"points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", ""},
        BadFile{"broken.gltf", "{\"asset\":", ""},
        BadFile{"deep.gltf", std::string(200000, '['), ""},
        BadFile{"short.glb", std::string("glTF\x02\0\0\0\xff\xff\xff\x7f", 12), ""}));

TEST(BadPlace, MissingFileFolderAndPipe) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe.obj").c_str(), 0600), 0);
  for (const std::string& place :
       {folder.file("missing.obj"), folder.path().string(), folder.file("pipe.obj"),
        std::string("/dev/zero"), std::string()}) {
    const Ended ended = tactus({"info", place});
    EXPECT_EQ(ended.code, 2) << place;
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
  }
}

}  // namespace
}  // namespace tactus::tests
