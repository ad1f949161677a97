#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace tactus::tests {

/// A folder of a test's own, gone afterwards, with one file in it that is meant most often.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name = "object.tactus") : name_(name) {
    std::string pattern = std::filesystem::temp_directory_path() / "tactus-test-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no folder for the test";
    folder_ = pattern;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_ / name_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  [[nodiscard]] std::string content() const {
    std::ifstream stream(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& content) const {
    std::ofstream(path(), std::ios::binary) << content;
  }

 private:
  std::filesystem::path folder_;
  std::string name_;
};

}  // namespace tactus::tests
