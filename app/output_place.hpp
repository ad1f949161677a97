#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "models/mesh/result.hpp"

namespace tactus::app {

/// Whether a file of this name may and can be made, asked before the work that fills it. Everything
/// refused here is a mistake of the command line; what goes wrong later, such as a disk that fills
/// up, is work that failed.
///
/// The name, and of a link that of its target too, must end in one of `endings` (small letters, any
/// case is taken): a picture must not take the place of a mesh. The folder is tried with a file
/// that lives for a moment, because permissions alone do not tell of /proc and of read-only disks.
[[nodiscard]] models::Result<models::Done> checkOutputPlace(
    const std::string& name, std::initializer_list<std::string_view> endings, bool overwrites);

}  // namespace tactus::app
