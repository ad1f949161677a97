#pragma once
#include "app/commands.hpp"

namespace tactus::app {

/// `tactus info` of a cache: what it was built from and how, and its sections with their sizes. All
/// sections are compared with their checksums.
[[nodiscard]] ExitCode runCacheInfo(const InfoRequest& request);

}  // namespace tactus::app
