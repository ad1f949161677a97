#include "app/output_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <system_error>

#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::FileLabel;
using models::Reason;
using models::Result;

bool endsInOneOf(const std::filesystem::path& file,
                 std::initializer_list<std::string_view> endings) {
  std::string ending = file.extension().native();
  std::ranges::transform(ending, ending.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return std::ranges::find(endings, std::string_view(ending)) != endings.end();
}

std::string listed(std::initializer_list<std::string_view> endings) {
  std::string text;
  for (const std::string_view ending : endings)
    text.append(text.empty() ? "" : " or ").append(ending);
  return text;
}

models::Error noPermission(const FileLabel& label) {
  return label.whole(Reason::CannotWrite,
                     "there is no permission to write into its folder; choose another place");
}

/// What forbids a file in the folder, found by making one.
Result<Done> tryFolder(const std::filesystem::path& folder, const FileLabel& label) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) {
    if (errno == EACCES) return noPermission(label);
    return label.whole(Reason::CannotWrite, "its folder does not exist; create it first");
  }
  if (!S_ISDIR(status.st_mode)) {
    return label.whole(Reason::CannotWrite,
                       "what should be its folder is not one; choose another place");
  }
  const std::filesystem::path trial = folder / fmt::format(".tactus-{}-trial.tmp", ::getpid());
  const int descriptor = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
    ::unlink(trial.c_str());
    return Done{};
  }
  switch (errno) {
    case EACCES:
    case EPERM:
    case EROFS:
      return noPermission(label);
    case EEXIST:  // left over from a killed process of this number: the folder can be written to
    case ENOSPC:  // these two are no mistake of the command line; writing will tell
    case EDQUOT:
      return Done{};
    default:
      return label.whole(Reason::CannotWrite,
                         fmt::format("no file can be made in its folder ({}); choose another place",
                                     models::systemMessage(errno)));
  }
}

}  // namespace

Result<Done> checkOutputPlace(const std::string& name,
                              std::initializer_list<std::string_view> endings, bool overwrites) {
  const FileLabel label(name.empty() ? "the output" : name);
  const std::filesystem::path file(name);
  if (!endsInOneOf(file, endings)) {
    return label.whole(Reason::UnknownFormat,
                       fmt::format("the name tells no format that can be written; let it end in {}",
                                   listed(endings)));
  }
  std::filesystem::path target = file;
  struct stat status{};
  if (::lstat(file.c_str(), &status) == 0) {
    if (!overwrites) {
      return label.whole(
          Reason::AlreadyExists,
          "the file exists and is not overwritten; choose another name or use --force");
    }
    if (::stat(file.c_str(), &status) == 0) {
      if (!S_ISREG(status.st_mode)) {
        return label.whole(Reason::CannotWrite,
                           "there is a folder or a device of that name; choose another name");
      }
      std::error_code trouble;
      std::filesystem::path real = std::filesystem::canonical(file, trouble);
      if (!trouble) target = std::move(real);
      if (!endsInOneOf(target, endings)) {
        return label.whole(
            Reason::UnknownFormat,
            fmt::format("it is a link to a file that does not end in {}; choose another name",
                        listed(endings)));
      }
    }
  } else if (errno == ENAMETOOLONG) {
    return label.whole(Reason::CannotWrite, "the name is too long; choose a shorter one");
  }
  const std::filesystem::path folder = target.parent_path();
  return tryFolder(folder.empty() ? std::filesystem::path(".") : folder, label);
}

}  // namespace tactus::app
