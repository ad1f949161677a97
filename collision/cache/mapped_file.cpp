#include "collision/cache/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace tactus::collision {
namespace {

using models::Error;
using models::FileLabel;
using models::Reason;
using models::say;

Error cannotOpen(int error, const FileLabel& label) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return label.whole(Reason::FileMissing, "there is no such file; check the name");
    case EACCES:
    case EPERM:
      return label.whole(Reason::FileMissing,
                         "there is no permission to read the file; change its access rights");
    default:
      return label.whole(
          Reason::FileMissing,
          say("the file could not be opened (", models::systemMessage(error), "); check the name"));
  }
}

}  // namespace

models::Result<std::shared_ptr<const MappedFile>> MappedFile::open(
    const std::filesystem::path& file, const FileLabel& label) {
  // Without O_NONBLOCK, opening a pipe waits for somebody to write into it.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return cannotOpen(errno, label);
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return label.whole(Reason::UnknownFormat, S_ISDIR(status.st_mode)
                                                  ? "this is a folder; name a file in it"
                                                  : "this is a pipe or a device and not a file");
  }
  if (status.st_size == 0) {
    ::close(descriptor);
    return label.whole(Reason::Empty, "the file is empty; build it again");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int error = errno;
  ::close(descriptor);  // the map lives without it
  if (start == MAP_FAILED) {
    return label.whole(Reason::TooLarge, say("the file could not be mapped into memory (",
                                             models::systemMessage(error), "); close programs"));
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(std::span(static_cast<const std::byte*>(start), size)));
}

MappedFile::~MappedFile() {
  // munmap's old signature; nothing is written through it
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace tactus::collision
