#include "app/user_cache.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace tactus::app {
namespace {

/// An absolute path from the environment; the specification wants others to be passed over.
std::filesystem::path absolutePath(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
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

}  // namespace tactus::app
