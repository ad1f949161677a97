#include "studies/quality/recorded_paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "models/files/words.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using models::Error;
using models::Found;
using models::Reason;
using models::Result;

constexpr std::string_view kFirstLine = "tactus-paths 1";

// Of a quaternion's length, as it stands in the text with seven decimals.
constexpr double kLengthTolerance = 1e-5;

Error notRight(std::int64_t line, const std::string& what) {
  return {Reason::Malformed, line, "Line " + std::to_string(line) + " of the paths: " + what + "."};
}

/// The rest of a line that begins with `first`.
bool readPose(std::string_view line, Isometry3d& pose) {
  models::Words words(line);
  std::array<double, 7> numbers{};
  for (double& value : numbers) {
    if (words.number(value) != Found::Value || !std::isfinite(value)) return false;
  }
  const auto& [x, y, z, qw, qx, qy, qz] = numbers;
  const Quaterniond turn(qw, qx, qy, qz);
  if (!words.done() || !(std::abs(turn.norm() - 1.0) < kLengthTolerance)) return false;
  pose.linear() = turn.normalized().toRotationMatrix();
  pose.translation() << x, y, z;
  return true;
}

}  // namespace

Isometry3d RecordedPath::poseAt(double share) const {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(poses.size() - 1);
  const std::size_t before = std::min(static_cast<std::size_t>(place), poses.size() - 2);
  const double part = place - static_cast<double>(before);
  const Isometry3d& from = poses[before];
  const Isometry3d& to = poses[before + 1];
  const Quaterniond turnFrom(from.linear());
  Quaterniond turnTo(to.linear());
  if (turnFrom.dot(turnTo) < 0.0) turnTo.coeffs() *= -1.0;
  Quaterniond turn;
  turn.coeffs() = (1.0 - part) * turnFrom.coeffs() + part * turnTo.coeffs();
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() = turn.normalized().toRotationMatrix();
  pose.translation() = (1.0 - part) * from.translation() + part * to.translation();
  return pose;
}

double RecordedPath::lengthFor(double radius) const {
  double length = 0.0;
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const Eigen::Matrix3d turned = poses[k].linear() - poses[k - 1].linear();
    // No axis goes further than all three together.
    length += (poses[k].translation() - poses[k - 1].translation()).norm() + radius * turned.norm();
  }
  return length;
}

Result<std::vector<RecordedPath>> readPaths(std::string_view text) {
  std::vector<RecordedPath> paths;
  std::int64_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (number == 1) {
      if (line != kFirstLine) return notRight(1, "it is not '" + std::string(kFirstLine) + "'");
      continue;
    }
    models::Words words(line);
    const std::string_view first = words.next();
    if (first.empty() || first.front() == '#') continue;
    if (first == "path") {
      RecordedPath path;
      path.name = words.next();
      path.a = words.next();
      path.b = words.next();
      if (path.b.empty() || !words.done()) return notRight(number, "it is not 'path NAME A B'");
      paths.push_back(std::move(path));
      continue;
    }
    if (paths.empty()) return notRight(number, "no path was named before it");
    Isometry3d pose = Isometry3d::Identity();
    if (!readPose(line, pose)) return notRight(number, "it is no pose");
    paths.back().poses.push_back(pose);
  }
  if (number == 0) return notRight(1, "there is nothing");
  for (const RecordedPath& path : paths) {
    if (path.poses.size() < 2) return notRight(number, path.name + " has less than two poses");
  }
  return paths;
}

}  // namespace tactus::studies
