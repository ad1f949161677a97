#pragma once
#include <filesystem>

namespace tactus::app {

/// A folder of its own that goes when the benchmark ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  /// Empty if none could be made.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// What to say then.
  static constexpr const char* kNotToBeHad =
      "The benchmark cannot make a folder for its files; let TMPDIR name a folder that you may "
      "write to.";

 private:
  std::filesystem::path path_;
};

}  // namespace tactus::app
