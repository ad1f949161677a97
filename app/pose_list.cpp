#include "app/pose_list.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "models/files/file_label.hpp"
#include "models/files/words.hpp"

namespace tactus::app {
namespace {

using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;

using Poses = std::vector<Eigen::Isometry3d>;

constexpr std::size_t kNumbers = 7;
constexpr std::string_view kAdvice =
    "; give a file of lines 'tx ty tz qw qx qy qz', or - for standard input";
constexpr std::string_view kForm = "; a pose is 'tx ty tz qw qx qy qz'";

// Positions of meshes are floats, which end before 1e39; so far away nothing has digits left.
constexpr double kFarthest = 1e30;  // [m]

/// The pose of one line without its comment, which is not blank.
Result<Eigen::Isometry3d> parsePose(std::string_view text, const FileLabel& label,
                                    std::uint64_t line) {
  const auto refuse = [&](Reason reason, const std::string& what) {
    return label.atLine(reason, line, say(what, kForm));
  };
  models::Words words(text);
  std::array<double, kNumbers> n{};
  for (std::size_t k = 0; k < kNumbers; ++k) {
    const models::Found found = words.number(n[k]);
    if (found == models::Found::Nothing) {
      return refuse(Reason::Truncated, say("there are only ", k, " of 7 numbers"));
    }
    if (found == models::Found::Nonsense) {
      return refuse(Reason::Malformed, say(models::inQuotes(words.word()), " is not a number"));
    }
    if (!(std::fabs(n[k]) <= kFarthest)) {
      return refuse(Reason::NotFinite,
                    say(models::inQuotes(words.word()), " is not finite, or too large"));
    }
  }
  if (!words.done()) {
    return refuse(Reason::WrongCount, say(models::inQuotes(words.next()), " is one word too many"));
  }
  Eigen::Quaterniond turn(n[3], n[4], n[5], n[6]);
  const double largest = turn.coeffs().cwiseAbs().maxCoeff();
  if (largest == 0.0) return refuse(Reason::BadValue, "the quaternion is zero, and turns nothing");
  turn.coeffs() /= largest;  // the squares of a very long or short one would overflow or vanish
  return Eigen::Isometry3d(Eigen::Translation3d(n[0], n[1], n[2]) * turn.normalized());
}

/// Appends all bytes of a stream; false if reading failed.
bool readAll(std::FILE* stream, std::string& text) {
  std::array<char, 4096> chunk;
  for (std::size_t got = 0; (got = std::fread(chunk.data(), 1, chunk.size(), stream)) != 0;)
    text.append(chunk.data(), got);
  return std::ferror(stream) == 0;
}

}  // namespace

Result<Poses> parsePoses(std::string_view text, const std::string& source) {
  const FileLabel label(source);
  Poses poses;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view said = content.substr(0, content.find('#'));
    if (models::Words(said).done()) continue;
    const Result<Eigen::Isometry3d> pose = parsePose(said, label, line);
    if (!pose) return pose.error();
    poses.push_back(pose.value());
  }
  if (poses.empty()) return label.whole(Reason::Empty, say("there is no pose in it", kForm));
  return poses;
}

Result<Poses> readPoses(const std::string& file) {
  const bool isStandardInput = file == "-";
  const std::string source = isStandardInput ? "standard input" : file;
  std::string text;
  std::FILE* const stream = isStandardInput ? stdin : std::fopen(file.c_str(), "rb");
  const bool isRead = stream != nullptr && readAll(stream, text);
  const int error = errno;
  if (stream != nullptr && !isStandardInput) std::fclose(stream);
  if (!isRead) {
    return FileLabel(source).whole(Reason::FileMissing, say(models::systemMessage(error), kAdvice));
  }
  return parsePoses(text, source);
}

}  // namespace tactus::app
