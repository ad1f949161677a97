#pragma once
#include <cstdint>
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

/// Remembers that a cache was of use today: those that were not are forgotten first.
void markUsed(const std::filesystem::path& file);

/// As large as some hundred objects of 100 000 spheres; a folder that nobody looks into must not
/// fill a disk.
constexpr std::uintmax_t kMostCacheBytes = std::uintmax_t{4} << 30U;

/// Deletes the caches in a folder that were of no use for longest, until the others have at most
/// `most` bytes, and what killed processes have left half written a day ago or earlier. The one
/// that was used last stays however large it is, and so does what is no cache of ours.
void forgetOldCaches(const std::filesystem::path& folder, std::uintmax_t most = kMostCacheBytes);

}  // namespace tactus::app
