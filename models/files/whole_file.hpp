#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

/// A file that appears whole or not at all: written beside its place under another name, and
/// renamed when all of it is there. Dropped without finish(), it leaves nothing behind.
class WholeFile {
 public:
  WholeFile(std::filesystem::path file, bool overwrites);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// finish() waits until all of it is on the disk, so that a power cut leaves the old file or the
  /// new one and never a name without content. Costs some milliseconds.
  void survivePowerCut() { syncs_ = true; }

  /// Before anything is written: may the file be there, and is there room for a name?
  [[nodiscard]] Result<Done> open();

  /// Room for `most` more bytes (at most kRoom); used() says how many were written there.
  [[nodiscard]] char* room(std::size_t most) {
    if (buffer_.size() - filled_ < most) flush();
    return buffer_.data() + filled_;
  }
  void used(const char* end) { filled_ = static_cast<std::size_t>(end - buffer_.data()); }
  void write(std::string_view text);

  /// Gives the file its name. Trouble of any write before is told here.
  [[nodiscard]] Result<Done> finish();

  static constexpr std::size_t kRoom = 4096;

 private:
  void flush();
  [[nodiscard]] Error cannotWrite(int error) const;
  [[nodiscard]] Error alreadyThere() const;

  std::filesystem::path file_;       // as it was named
  std::filesystem::path target_;     // where it will be: links are followed
  std::filesystem::path temporary_;  // empty when there is none to remove
  bool overwrites_;
  bool syncs_ = false;
  FileLabel label_;
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first write that failed
  std::vector<char> buffer_;
  std::size_t filled_ = 0;
};

}  // namespace tactus::models
