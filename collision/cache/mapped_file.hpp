#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::collision {

/// A file's bytes as memory, read only; a page is fetched when it is first touched.
///
/// A mapped file that somebody shortens meanwhile kills the process that reads it. Our own writers
/// never do that: they put a new file in the old one's place, and who has mapped the old one keeps
/// it. The servo loop wants no page fetched in it: reading a cache touches all that queries use.
class MappedFile {
 public:
  /// Refuses folders, pipes, devices and empty files.
  [[nodiscard]] static models::Result<std::shared_ptr<const MappedFile>> open(
      const std::filesystem::path& file, const models::FileLabel& label);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Begins at the border of a page.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

}  // namespace tactus::collision
