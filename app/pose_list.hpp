#pragma once
#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::app {

/// Reads poses, one a line, as "tx ty tz qw qx qy qz" in metres: of B in A's frame.
///
/// Numbers are read as C writes them, whatever the locale says. Quaternions need not be of length
/// one; they are normalised. Blank lines and all from a '#' on are skipped. A line that is anything
/// else is named with `source` and its number.
[[nodiscard]] models::Result<std::vector<Eigen::Isometry3d>> parsePoses(std::string_view text,
                                                                        const std::string& source);

/// parsePoses of a file, or of the standard input if its name is "-".
[[nodiscard]] models::Result<std::vector<Eigen::Isometry3d>> readPoses(const std::string& file);

}  // namespace tactus::app
