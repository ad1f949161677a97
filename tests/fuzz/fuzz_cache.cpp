#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/cache_check.hpp"

namespace {

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

/// A file of these bytes in memory: the reader maps files, and a disk would be slow.
class FileInMemory {
 public:
  explicit FileInMemory(std::span<const std::byte> bytes)
      : descriptor_(::memfd_create("fuzzed", MFD_CLOEXEC)) {
    if (descriptor_ < 0) stop("no file in memory");
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) stop("a file in memory that is full");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  ~FileInMemory() { ::close(descriptor_); }

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  std::vector<std::byte> cache(bytes.begin(), bytes.end());
  tactus::collision::test::mendChecksums(cache);
  const FileInMemory file(cache);
  const std::string found = tactus::collision::test::complaintAboutCache(file.path());
  if (!found.empty()) stop(found.c_str());
  return 0;
}
