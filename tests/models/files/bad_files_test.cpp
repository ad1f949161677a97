// What no file may do: crash, hang, take memory that it does not have, or get away without one
// clear sentence.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/loader_check.hpp"
#include "tests/models/files/loading.hpp"
#include "tests/test_folder.hpp"

namespace tactus::models {
namespace {

using test::contentOf;
using test::expectError;

void expectSentence(const Error& error, std::string_view mustHold) {
  const std::string& s = error.sentence;
  EXPECT_TRUE(s.ends_with('.')) << s;
  EXPECT_EQ(s.find('\n'), std::string::npos) << s;
  EXPECT_NE(s.find(mustHold), std::string::npos) << s;
}

// Small good files of every format, cut at every byte: a mesh or a sentence, never worse.
TEST(BadFiles, CutAnywhere) {
  const std::filesystem::path corpus =
      std::filesystem::path(tactus::test::kTestFolder) / "fuzz/corpus";
  const std::pair<const char*, MeshFormat> files[] = {
      {"obj/cube_quads.obj", MeshFormat::Obj},
      {"stl/tetrahedron_ascii.stl", MeshFormat::Stl},
      {"stl/tetrahedron_binary.stl", MeshFormat::Stl},
      {"ply/shuffled_ascii.ply", MeshFormat::Ply},
      {"ply/shuffled_little.ply", MeshFormat::Ply},
      {"ply/tetrahedron_big.ply", MeshFormat::Ply},
      {"off/coff.off", MeshFormat::Off},
      {"gltf/tetrahedron.gltf", MeshFormat::Gltf},
      {"gltf/interleaved.glb", MeshFormat::Glb}};
  for (const auto& [name, format] : files) {
    const std::string whole = contentOf(corpus / name);
    ASSERT_FALSE(whole.empty()) << name;
    ASSERT_TRUE(test::load(format, whole).ok()) << name;
    std::size_t refused = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string_view part = std::string_view(whole).substr(0, length);
      ASSERT_EQ(test::complaint(format, std::as_bytes(std::span(part))), "")
          << name << " cut to " << length;
      if (!test::load(format, part).ok()) ++refused;
    }
    // Cut before the last vertex or face, nothing can be complete; only tails may be missing.
    EXPECT_GT(refused, whole.size() / 2) << name;
  }
}

TEST(BadFiles, BinaryNoise) {
  std::uint32_t state = 12345;
  const test::TemporaryFolder folder;
  for (const char* ending : {".obj", ".stl", ".ply", ".off", ".gltf", ".glb", ".xyz", ""}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::string noise;
      for (int i = 0; i < 3000; ++i) {
        state = state * 1664525U + 1013904223U;
        noise += static_cast<char>(state >> 24U);
      }
      const std::string name = std::string("noise") + ending;
      const auto loaded = readMesh(folder.write(name, noise));
      ASSERT_FALSE(loaded.ok());
      expectSentence(loaded.error(), name);
    }
  }
}

TEST(BadFiles, EmptyAndBlank) {
  const test::TemporaryFolder folder;
  for (const char* ending : {".obj", ".stl", ".ply", ".off", ".gltf", ".glb"}) {
    const auto empty = readMesh(folder.write(std::string("empty") + ending, ""));
    expectError(empty, Reason::Empty, "the file is empty");
    const auto blank = readMesh(folder.write(std::string("blank") + ending, " \n\r\n\t\n"));
    ASSERT_FALSE(blank.ok());
    expectSentence(blank.error(), "blank");
  }
}

TEST(BadFiles, PlacesThatAreNoFiles) {
  const test::TemporaryFolder folder;
  expectError(readMesh(folder.path() / "missing.obj"), Reason::FileMissing, "no such file");
  expectError(readMesh(folder.path() / "a" / "b.obj"), Reason::FileMissing, "no such file");
  expectError(readMesh(""), Reason::FileMissing, "no such file");
  expectError(readMesh(folder.path()), Reason::UnknownFormat, "folder");
  ASSERT_EQ(mkfifo((folder.path() / "pipe.obj").c_str(), 0600), 0);
  expectError(readMesh(folder.path() / "pipe.obj"), Reason::FileMissing, "pipe");
  expectError(readMesh("/dev/zero"), Reason::FileMissing, "device");
  const auto secret = folder.write("secret.obj", "v 0 0 0\n");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (geteuid() != 0) expectError(readMesh(secret), Reason::FileMissing, "permission");
  std::filesystem::create_symlink("loop.obj", folder.path() / "loop.obj");
  expectError(readMesh(folder.path() / "loop.obj"), Reason::FileMissing, "loop.obj");
}

// A sparse file of 1 TB: only its first block may be looked at.
TEST(BadFiles, ATerabyteOfZeros) {
  const test::TemporaryFolder folder;
  for (const char* ending : {".obj", ".stl", ".ply", ".off", ".gltf", ".glb"}) {
    const auto file = folder.write(std::string("zeros") + ending, "");
    std::error_code trouble;
    std::filesystem::resize_file(file, std::uintmax_t{1} << 40U, trouble);
    if (trouble) GTEST_SKIP() << "no sparse files here: " << trouble.message();
    const auto loaded = readMesh(file);
    ASSERT_FALSE(loaded.ok());
    expectSentence(loaded.error(), "zeros");
  }
}

TEST(BadFiles, NamesOfAnyBytes) {
  const test::TemporaryFolder folder;
  const std::string name = "caf\xE9 \xF0\x9F\xA6\x8F\n.obj";  // Latin-1, an emoji, a line break
  const auto good = readMesh(folder.write(name, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
  EXPECT_TRUE(good.ok());
  const auto bad = readMesh(folder.write(name, "v 0 0\n"));
  ASSERT_FALSE(bad.ok());
  expectSentence(bad.error(), "caf\\xE9 \xF0\x9F\xA6\x8F\\x0A.obj, line 1: ");
}

TEST(BadFiles, WordsAreShownWithoutHarm) {
  EXPECT_EQ(inQuotes("abc"), "\"abc\"");
  EXPECT_EQ(inQuotes("a\x1B[2J"), "\"a\\x1B[2J\"");
  EXPECT_EQ(inQuotes(std::string(1000, 'x')), "\"" + std::string(40, 'x') + "...\"");
  EXPECT_EQ(printable("\xC3\xA4\xC2\x85\xC0\x80\xED\xA0\x80\xFF"),
            "\xC3\xA4\\xC2\\x85\\xC0\\x80\\xED\\xA0\\x80\\xFF");
}

TEST(BadFiles, TheErrorNamesItsPlaceForPrograms) {
  const auto line = test::load(MeshFormat::Obj, "v 0 0 0\nv 1 x 0\n");
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().index, 2);
}

}  // namespace
}  // namespace tactus::models
