// Every file the fuzzers start from and every one they ever found fault with, through every loader.
// tests/models/files/regressions/README.md tells the story of each of the latter.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/loader_check.hpp"
#include "tests/models/files/loading.hpp"
#include "tests/test_folder.hpp"

namespace tactus::models {
namespace {

std::vector<std::filesystem::path> filesUnder(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root = std::filesystem::path(tactus::test::kTestFolder) / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

constexpr MeshFormat kFormats[] = {MeshFormat::Obj, MeshFormat::Stl, MeshFormat::Ply,
                                   MeshFormat::Off, MeshFormat::Gltf};

void replay(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) {
    const std::string content = test::contentOf(file);
    for (const MeshFormat format : kFormats) {
      EXPECT_EQ(test::complaint(format, std::as_bytes(std::span(content))), "")
          << file << " as " << nameOf(format);
    }
  }
}

TEST(Corpus, EveryLoaderTakesEveryFile) {
  const auto files = filesUnder("fuzz/corpus");
  EXPECT_GE(files.size(), 40U);
  replay(files);
}

TEST(Corpus, WhatOnceFailedStaysMended) {
  const auto files = filesUnder("models/files/regressions");
  EXPECT_FALSE(files.empty());
  replay(files);
}

// A poor man's fuzzer for machines without clang: bytes changed, cut out and repeated.
TEST(Corpus, EveryLoaderTakesEveryMutant) {
  std::uint32_t state = 2025;
  const auto random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % below;
  };
  for (const std::filesystem::path& file : filesUnder("fuzz/corpus")) {
    const std::string original = test::contentOf(file);
    const std::string folder = file.parent_path().filename().string();
    // no meshes; tests/models/scene and tests/collision/cache take them
    if (folder == "scene" || folder == "cache") continue;
    const auto format = std::ranges::find(kFormats, folder, nameOf);
    ASSERT_NE(format, std::end(kFormats)) << folder;
    for (int trial = 0; trial < 60; ++trial) {
      std::string mutant = original;
      for (std::size_t change = 0; change < 1 + random(4) && !mutant.empty(); ++change) {
        const std::size_t at = random(mutant.size());
        const std::size_t length = std::min(mutant.size() - at, 1 + random(8));
        switch (random(3)) {
          case 0:
            mutant[at] = static_cast<char>(random(256));
            break;
          case 1:
            mutant.erase(at, length);
            break;
          default:
            mutant.insert(at, mutant.substr(at, length));
        }
      }
      ASSERT_EQ(test::complaint(*format, std::as_bytes(std::span(mutant))), "")
          << file << " trial " << trial;
    }
  }
}

}  // namespace
}  // namespace tactus::models
