#include "models/files/whole_file.hpp"

#include <fcntl.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2 is not in <cstdio>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace tactus::models {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} * 1024;
constexpr int kTemporaryNames = 100;  // more left-overs of killed programs nobody has

/// Makes a new name in a folder outlast a power cut. Not every file system can; that is no failure.
void syncFolder(const std::filesystem::path& folder) {
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

WholeFile::WholeFile(std::filesystem::path file, bool overwrites)
    : file_(std::move(file)), overwrites_(overwrites), label_(file_.native()) {}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<Done> WholeFile::open() {
  target_ = file_;
  mode_t mode = 0666;  // less what the user's mask takes away
  struct stat status{};
  const bool exists = ::stat(file_.c_str(), &status) == 0;
  if (exists) {
    if (!overwrites_) return alreadyThere();
    if (!S_ISREG(status.st_mode)) {
      return label_.whole(Reason::CannotWrite,
                          "there is a folder or a device of that name; choose another name");
    }
    mode = status.st_mode & 0777U;
    std::error_code trouble;
    std::filesystem::path real = std::filesystem::canonical(file_, trouble);
    if (!trouble) target_ = std::move(real);  // a link stays a link
  }
  const std::filesystem::path folder = target_.parent_path();
  for (int i = 0; i < kTemporaryNames && descriptor_ < 0; ++i) {
    temporary_ = folder / say(".tactus-", ::getpid(), "-", i, ".tmp");
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    return cannotWrite(error);
  }
  if (exists) ::fchmod(descriptor_, mode);
  buffer_.resize(kBufferBytes);
  return Done{};
}

void WholeFile::write(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), kRoom);
    char* const at = room(piece);
    std::memcpy(at, text.data(), piece);
    used(at + piece);
    text.remove_prefix(piece);
  }
}

void WholeFile::flush() {
  std::size_t done = 0;
  while (done < filled_ && error_ == 0) {
    const ssize_t wrote = ::write(descriptor_, buffer_.data() + done, filled_ - done);
    if (wrote >= 0) {
      done += static_cast<std::size_t>(wrote);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  filled_ = 0;
}

Result<Done> WholeFile::finish() {
  flush();
  if (syncs_ && error_ == 0 && ::fsync(descriptor_) != 0) error_ = errno;
  // Some file systems tell only now that the disk is full.
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return cannotWrite(error_);
  int renamed = 0;
  if (overwrites_) {
    renamed = ::rename(temporary_.c_str(), target_.c_str());
  } else {
    renamed =
        ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
    if (renamed != 0 && (errno == EINVAL || errno == ENOSYS)) {
      // A file system without that call: a link refuses to replace as well.
      renamed = ::link(temporary_.c_str(), target_.c_str());
      if (renamed == 0) {
        if (syncs_) syncFolder(target_.parent_path());
        return Done{};  // the destructor removes the other name
      }
    }
    if (renamed != 0 && errno == EEXIST) return alreadyThere();
  }
  if (renamed != 0) return cannotWrite(errno);
  temporary_.clear();
  if (syncs_) syncFolder(target_.parent_path());
  return Done{};
}

Error WholeFile::cannotWrite(int error) const {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return label_.whole(Reason::CannotWrite, "its folder does not exist; create it first");
    case EACCES:
    case EPERM:
    case EROFS:
      return label_.whole(Reason::CannotWrite,
                          "there is no permission to write into its folder; choose another place");
    case ENOSPC:
    case EDQUOT:
      return label_.whole(Reason::CannotWrite,
                          "the disk is full; make room or choose another place");
    default:
      return label_.whole(
          Reason::CannotWrite,
          say("the file could not be written (", systemMessage(error), "); choose another place"));
  }
}

Error WholeFile::alreadyThere() const {
  return label_.whole(Reason::AlreadyExists,
                      "the file exists and is not overwritten; choose another name or use --force");
}

}  // namespace tactus::models
