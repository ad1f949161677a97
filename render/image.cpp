#include "render/image.hpp"

#include <fcntl.h>
#include <stb_image_write.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace tactus::render {

namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

Error cannotWrite(const std::filesystem::path& file, int cause) {
  return {Reason::CannotWrite, -1,
          "The picture could not be written to \"" + file.string() + "\": " + std::strerror(cause) +
              "; choose another place."};
}

Error alreadyExists(const std::filesystem::path& file) {
  return {Reason::AlreadyExists, -1,
          "The file \"" + file.string() +
              "\" exists already; choose another name or allow overwriting with --force."};
}

void append(void* context, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(context);
  const auto* from = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), from, from + size);
}

/// 0, or the errno of what failed.
int writeAll(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  std::size_t written = 0;
  int cause = 0;
  while (cause == 0 && written < bytes.size()) {
    const ssize_t step = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (step >= 0) {
      written += static_cast<std::size_t>(step);
    } else if (errno != EINTR) {
      cause = errno;
    }
  }
  if (cause == 0 && ::fsync(descriptor) != 0) cause = errno;
  if (::close(descriptor) != 0 && cause == 0) cause = errno;
  return cause;
}

/// 0, or the errno of what failed; EEXIST when the target must stay.
int putInPlace(const std::filesystem::path& from, const std::filesystem::path& to,
               IfExists ifExists) {
  if (ifExists == IfExists::Replace) {
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  }
  // A rename that refuses to replace is one step: no other program can slip a file in between.
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // File systems without that step: look, then rename.
  if (::access(to.c_str(), F_OK) == 0) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

Result<Done> writePng(const Image& image, const std::filesystem::path& file, IfExists ifExists) {
  std::error_code ignored;
  if (ifExists == IfExists::Refuse && std::filesystem::exists(file, ignored)) {
    return alreadyExists(file);
  }
  const bool isWhole = image.width > 0 && image.height > 0 &&
                       image.rgb.size() == 3 * static_cast<std::size_t>(image.width) *
                                               static_cast<std::size_t>(image.height);
  std::vector<std::uint8_t> bytes;
  if (!isWhole || stbi_write_png_to_func(append, &bytes, image.width, image.height, 3,
                                         image.rgb.data(), 3 * image.width) == 0) {
    return Error{Reason::BadValue, -1,
                 "A picture of " + std::to_string(image.width) + " by " +
                     std::to_string(image.height) + " pixels cannot be stored as PNG."};
  }
  std::filesystem::path temporary = file;
  temporary += ".part" + std::to_string(::getpid());
  int cause = writeAll(temporary, bytes);
  if (cause == 0) cause = putInPlace(temporary, file, ifExists);
  if (cause == 0) return Done{};
  ::unlink(temporary.c_str());
  return cause == EEXIST ? alreadyExists(file) : cannotWrite(file, cause);
}

}  // namespace tactus::render
