#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not in <cstdlib>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/files/mesh_file.hpp"
#include "models/files/mesh_parsers.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models::test {

/// Loads text or bytes as if they were the file "test.EXTENSION".
inline Result<LoadedMesh> load(MeshFormat format, std::string_view content) {
  return parseMesh(format, MemoryBytes(std::as_bytes(std::span(content))), FileLabel("test"));
}

inline Result<LoadedMesh> loadGood(MeshFormat format, std::string_view content) {
  Result<LoadedMesh> loaded = load(format, content);
  EXPECT_TRUE(loaded.ok()) << loaded.error().sentence;
  return loaded;
}

/// Expects an error of this reason whose sentence holds `words`.
inline void expectError(const Result<LoadedMesh>& loaded, Reason reason, std::string_view words) {
  ASSERT_FALSE(loaded.ok()) << words;
  EXPECT_EQ(loaded.error().reason, reason) << loaded.error().sentence;
  EXPECT_NE(loaded.error().sentence.find(words), std::string::npos) << loaded.error().sentence;
}

/// The bytes of a number as they lie in memory here (tests run on little-endian machines).
template <typename T>
std::string bytesOf(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

template <typename T>
std::string bigEndianBytesOf(T value) {
  const std::string bytes = bytesOf(value);
  return {bytes.rbegin(), bytes.rend()};
}

/// A folder that is gone with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tactus-files-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace tactus::models::test
