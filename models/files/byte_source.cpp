#include "models/files/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tactus::models {

std::size_t MemoryBytes::read(std::uint64_t offset, std::span<std::byte> into) const noexcept {
  if (offset >= bytes_.size()) return 0;
  const auto from = bytes_.subspan(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(from.size(), into.size());
  if (count > 0) std::memcpy(into.data(), from.data(), count);
  return count;
}

std::size_t SliceBytes::read(std::uint64_t offset, std::span<std::byte> into) const noexcept {
  if (offset >= length_) return 0;
  const std::uint64_t count = std::min<std::uint64_t>(length_ - offset, into.size());
  return whole_.read(first_ + offset, into.first(static_cast<std::size_t>(count)));
}

Result<std::unique_ptr<FileBytes>> FileBytes::open(const std::filesystem::path& file,
                                                   const FileLabel& label) {
  // Without O_NONBLOCK, opening a pipe waits for somebody to write into it.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    switch (errno) {
      case ENOENT:
      case ENOTDIR:
        return label.whole(Reason::FileMissing, "there is no such file; check the name");
      case EACCES:
      case EPERM:
        return label.whole(Reason::FileMissing,
                           "there is no permission to read the file; change its access rights");
      case ENXIO:
        return label.whole(Reason::FileMissing,
                           "this is a device or a socket and not a file; name a mesh file");
      default:
        return label.whole(Reason::FileMissing, say("the file could not be opened (",
                                                    systemMessage(errno), "); check the name"));
    }
  }
  struct stat status{};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    const bool folder = known && S_ISDIR(status.st_mode);
    return label.whole(
        folder ? Reason::UnknownFormat : Reason::FileMissing,
        folder ? "this is a folder; name a mesh file in it"
               : "this is a pipe or a device and not a file; store the mesh in a file first");
  }
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<FileBytes>(
      new FileBytes(descriptor, static_cast<std::uint64_t>(status.st_size)));
}

FileBytes::~FileBytes() {
  ::close(descriptor_);
}

std::size_t FileBytes::read(std::uint64_t offset, std::span<std::byte> into) const noexcept {
  std::size_t done = 0;
  while (done < into.size() && offset + done < size_) {
    const std::uint64_t wanted = std::min<std::uint64_t>(into.size() - done, size_ - offset - done);
    const ssize_t got = ::pread(descriptor_, into.data() + done, static_cast<std::size_t>(wanted),
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && readError_ == 0) readError_ = errno;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace tactus::models
