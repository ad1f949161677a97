#pragma once
#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::studies {

/// A motion of one real shape on another, out of a recording.
struct RecordedPath {
  std::string name;                      ///< "rhino-on-rhino"
  std::string a, b;                      ///< built-in models, "rhino"
  std::vector<Eigen::Isometry3d> poses;  ///< B into A's frame at equal times; two at least

  /// At a share of the time, 0 to 1: between two poses places are linear, and quaternions, too, up
  /// to their length.
  [[nodiscard]] Eigen::Isometry3d poseAt(double share) const;
  /// The way of a point that is `radius` away from B's origin and goes as far as any, at most [m].
  [[nodiscard]] double lengthFor(double radius) const;
};

/// A line `tactus-paths 1`, comments behind #, and for each path a line `path NAME A B` with lines
/// `tx ty tz qw qx qy qz` below it.
[[nodiscard]] models::Result<std::vector<RecordedPath>> readPaths(std::string_view text);

/// The text of the committed ones, studies/quality/recorded_paths.txt, which is in the program.
[[nodiscard]] std::string_view committedPaths();

}  // namespace tactus::studies
