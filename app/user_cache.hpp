#pragma once
#include <filesystem>

#include "collision/cache/section_file.hpp"

namespace tactus::app {

/// Where this user's caches lie: `tactus` in XDG_CACHE_HOME, or else in ~/.cache. Empty if neither
/// is known.
[[nodiscard]] std::filesystem::path userCacheFolder();

/// The file for what has this identity; empty without a folder.
[[nodiscard]] std::filesystem::path userCacheFile(const collision::ContentIdentity& identity);

/// Makes the folder, for its user alone, if it is not there. False if it cannot be made.
[[nodiscard]] bool makeUserCacheFolder();

}  // namespace tactus::app
