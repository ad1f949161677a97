#include "app/user_cache.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace tactus::app {
namespace {

/// An absolute path from the environment; the specification wants others to be passed over.
std::filesystem::path absolutePath(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

/// IDENTITY.tactus, as userCacheFile() names them.
bool isOurs(const std::filesystem::path& file) {
  const std::string stem = file.stem();
  return file.extension() == ".tactus" && stem.size() == 32 &&
         stem.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The name under which models::WholeFile writes.
bool isHalfWritten(const std::filesystem::path& file) {
  return file.extension() == ".tmp" && file.filename().native().starts_with(".tactus-");
}

}  // namespace

std::filesystem::path userCacheFolder() {
  const std::filesystem::path caches = absolutePath("XDG_CACHE_HOME");
  if (!caches.empty()) return caches / "tactus";
  const std::filesystem::path home = absolutePath("HOME");
  return home.empty() ? home : home / ".cache" / "tactus";
}

std::filesystem::path userCacheFile(const collision::ContentIdentity& identity) {
  const std::filesystem::path folder = userCacheFolder();
  return folder.empty() ? folder : folder / (identity.text() + ".tactus");
}

bool makeUserCacheFolder() {
  const std::filesystem::path folder = userCacheFolder();
  if (folder.empty()) return false;
  std::error_code trouble;
  std::filesystem::create_directories(folder.parent_path(), trouble);
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  return std::filesystem::is_directory(folder, trouble);
}

void markUsed(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), ignored);
}

void forgetOldCaches(const std::filesystem::path& folder, std::uintmax_t most) {
  struct Kept {
    std::filesystem::file_time_type lastUsed;
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
  };
  std::vector<Kept> kept;
  std::error_code trouble;
  const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  for (std::filesystem::directory_iterator at(folder, trouble), end; !trouble && at != end;
       at.increment(trouble)) {
    // a file may go while we look: another process tidies as well
    std::error_code gone;
    const std::filesystem::path& file = at->path();
    const auto lastUsed = at->last_write_time(gone);
    const std::uintmax_t bytes = gone ? 0 : at->file_size(gone);
    if (gone) continue;
    if (isOurs(file)) {
      kept.push_back({lastUsed, file, bytes});
    } else if (isHalfWritten(file) && lastUsed < yesterday) {
      std::filesystem::remove(file, gone);
    }
  }
  std::ranges::sort(kept, std::greater(), &Kept::lastUsed);
  std::uintmax_t total = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    total += kept[i].bytes;
    std::error_code gone;
    if (i > 0 && total > most) std::filesystem::remove(kept[i].file, gone);
  }
}

}  // namespace tactus::app
