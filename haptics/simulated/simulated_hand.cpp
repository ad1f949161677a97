#include "haptics/simulated/simulated_hand.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;
using models::TomlEntry;

constexpr std::array kGrasps = {std::string_view("bias"), std::string_view("loose"),
                                std::string_view("normal"), std::string_view("firm")};

constexpr double kMostSeconds = 1e6;  // eleven days
constexpr double kMostReach = 5.0;    // [m]
constexpr std::size_t kMostKeys = 100'000;
constexpr int kMostButtons = 32;
constexpr double kLeastNorm = 1e-3;

/// Least jerk from 0 to 1 while u goes from 0 to 1, and its derivative.
double course(double u) noexcept {
  return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
}
double courseRate(double u) noexcept {
  const double rest = 1.0 - u;
  return 30.0 * u * u * rest * rest;
}

const std::vector<double>* numbers(const TomlEntry& entry, std::size_t count) {
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  if (list == nullptr || list->size() != count) return nullptr;
  const bool fits = std::ranges::all_of(*list, [](double x) { return std::abs(x) <= kMostReach; });
  return fits ? list : nullptr;
}

/// Empty, or what is wrong with the entry.
std::string takeTop(const TomlEntry& entry, HandPath& path) {
  if (entry.key == "grasp") {
    const auto* word = std::get_if<std::string>(&entry.value);
    const auto known = word == nullptr ? kGrasps.end() : std::ranges::find(kGrasps, *word);
    if (known == kGrasps.end()) return "must be \"bias\", \"loose\", \"normal\" or \"firm\"";
    path.grasp = static_cast<Grasp>(known - kGrasps.begin());
    return {};
  }
  if (entry.key == "repeats") {
    const bool* truth = std::get_if<bool>(&entry.value);
    if (truth == nullptr) return "must be true or false";
    path.repeats = *truth;
    return {};
  }
  const std::vector<double>* list = numbers(entry, 3);
  const Eigen::Vector3d way =
      list == nullptr ? Eigen::Vector3d::Zero() : Eigen::Vector3d(list->data());
  if (way.norm() < kLeastNorm) return "must be a list of three numbers that point somewhere";
  path.biasDirection = way.normalized();
  return {};
}

std::string takeKey(const TomlEntry& entry, HandKey& key) {
  if (entry.key == "at_s" || entry.key == "closed") {
    const double* number = std::get_if<double>(&entry.value);
    const double most = entry.key == "closed" ? 1.0 : kMostSeconds;
    if (number == nullptr || !(*number >= 0.0 && *number <= most))
      return say("must be a number from 0 to ", models::tomlNumber(most));
    (entry.key == "closed" ? key.closed : key.at) = *number;
    return {};
  }
  if (entry.key == "position_m") {
    const std::vector<double>* list = numbers(entry, 3);
    if (list == nullptr) return "must be a list of three lengths in metres";
    key.position = Eigen::Vector3d(list->data());
    return {};
  }
  if (entry.key == "orientation") {
    const std::vector<double>* list = numbers(entry, 4);
    if (list != nullptr)
      key.orientation = Eigen::Quaterniond((*list)[0], (*list)[1], (*list)[2], (*list)[3]);
    if (list == nullptr || !(key.orientation.norm() > kLeastNorm))
      return "must be a quaternion, a list of four numbers w x y z";
    key.orientation.normalize();
    return {};
  }
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  if (list == nullptr) return "must be a list of button numbers from 0 to 31";
  for (const double number : *list) {
    if (!(number >= 0.0 && number < kMostButtons) || number != std::floor(number))
      return "must be a list of button numbers from 0 to 31";
    key.buttons |= 1U << static_cast<unsigned>(number);
  }
  return {};
}

const std::vector<std::string>& knownKeys() {
  static const std::vector<std::string> kKeys = {
      "grasp",           "repeats",          "bias_direction", "pose.at_s",
      "pose.position_m", "pose.orientation", "pose.closed",    "pose.buttons"};
  return kKeys;
}

/// Empty, or why the poses are no path.
std::string troubleWith(const HandPath& path) {
  if (path.keys.empty()) return "there is no [[pose]]; a path needs at least one";
  if (path.keys.front().at != 0.0) return "the first pose must be at_s = 0";
  for (std::size_t i = 1; i < path.keys.size(); ++i) {
    if (!(path.keys[i].at > path.keys[i - 1].at))
      return say("pose ", i + 1, " is not later than the one before it; 'at_s' must grow");
  }
  return {};
}

}  // namespace

HandImpedance impedanceOf(Grasp grasp) noexcept {
  HandImpedance hand;
  switch (grasp) {
    case Grasp::Bias:
      hand.bias = 0.5;
      break;
    case Grasp::Loose:
      hand = {0.05, 2.0, 50.0, 1e-5, 0.005, 0.3, 2.0, 0.02, 0.0};
      break;
    case Grasp::Normal:
      hand = {0.15, 6.0, 250.0, 5e-5, 0.015, 1.0, 8.0, 0.15, 0.0};
      break;
    case Grasp::Firm:
      hand = {0.4, 14.0, 800.0, 2e-4, 0.04, 3.0, 20.0, 0.5, 0.0};
      break;
  }
  return hand;
}

Result<HandPath> parseHandPath(std::string_view text, std::string_view label) {
  const FileLabel file(label);
  Result<models::TomlText> toml = models::readToml(text, file);
  if (!toml) return toml.error();
  HandPath path;
  std::vector<bool> hasPosition;
  std::vector<bool> hasTime;
  for (const TomlEntry& entry : toml.value().entries) {
    if (std::ranges::find(knownKeys(), pathOf(entry)) == knownKeys().end())
      return unknownKey(file, entry, knownKeys());
    std::string trouble;
    if (entry.table.empty()) {
      trouble = takeTop(entry, path);
    } else if (entry.index >= kMostKeys) {
      trouble = say("is of more poses than the ", kMostKeys, " that a path may have");
    } else {
      path.keys.resize(std::max(path.keys.size(), entry.index + 1));
      hasPosition.resize(path.keys.size(), false);
      hasTime.resize(path.keys.size(), false);
      trouble = takeKey(entry, path.keys[entry.index]);
      if (entry.key == "position_m") hasPosition[entry.index] = true;
      if (entry.key == "at_s") hasTime[entry.index] = true;
    }
    if (!trouble.empty())
      return file.atLine(Reason::BadValue, entry.line, say("'", pathOf(entry), "' ", trouble));
  }
  for (std::size_t i = 0; i < path.keys.size(); ++i) {
    if (!hasPosition[i] || !hasTime[i]) {
      return file.whole(Reason::Malformed,
                        say("pose ", i + 1, " has no '", hasTime[i] ? "position_m" : "at_s", "'"));
    }
  }
  const std::string trouble = troubleWith(path);
  if (!trouble.empty()) return file.whole(Reason::BadValue, trouble);
  return path;
}

Result<HandPath> readHandPath(const std::filesystem::path& file) {
  Result<std::string> text = models::readSmallText(file.string());
  if (!text) return text.error();
  return parseHandPath(text.value(), file.string());
}

HandPath defaultHandPath() {
  // In reach of every shipped profile, and slow: a look at the scene, no task.
  constexpr double kReach = 0.02;
  HandPath path;
  const auto add = [&path](double at, double x, double y, double z) {
    HandKey key;
    key.at = at;
    key.position = Eigen::Vector3d(x, y, z);
    path.keys.push_back(key);
  };
  add(0.0, 0.0, 0.0, 0.0);
  add(1.0, kReach, 0.0, 0.0);
  add(2.0, 0.0, kReach, 0.0);
  add(3.0, -kReach, 0.0, 0.0);
  add(4.0, 0.0, -kReach, kReach);
  add(5.0, 0.0, 0.0, 0.0);
  return path;
}

HandPath noHand() {
  HandPath path;
  path.grasp = Grasp::Bias;
  path.biasDirection = Eigen::Vector3d::Zero();
  path.keys.emplace_back();
  return path;
}

HandIntent intentAt(const HandPath& path, double seconds) noexcept {
  HandIntent intent;
  if (path.keys.empty()) return intent;
  const double whole = path.keys.back().at;
  double time = std::max(0.0, seconds - path.restsFirst);
  if (path.repeats && whole > 0.0) time -= whole * std::floor(time / whole);
  const auto after = std::ranges::upper_bound(path.keys, time, {}, &HandKey::at);
  const HandKey& from = after == path.keys.begin() ? path.keys.front() : *std::prev(after);
  const HandKey& to = after == path.keys.end() ? path.keys.back() : *after;
  const double span = to.at - from.at;
  const double u = span > 0.0 ? std::min((time - from.at) / span, 1.0) : 0.0;
  const double s = course(u);
  intent.position = from.position + s * (to.position - from.position);
  if (span > 0.0) intent.velocity = courseRate(u) / span * (to.position - from.position);
  const double sign = from.orientation.dot(to.orientation) < 0.0 ? -1.0 : 1.0;
  intent.orientation.coeffs() =
      (1.0 - s) * from.orientation.coeffs() + s * sign * to.orientation.coeffs();
  intent.orientation.normalize();
  intent.closed = from.closed + s * (to.closed - from.closed);
  intent.buttons = from.buttons;
  return intent;
}

HandReaction::HandReaction(double stepSeconds) noexcept
    : perStep_((kTightest - 1.0) * stepSeconds / kSettleSeconds),
      reactionSteps_(static_cast<std::uint32_t>(kReactionSeconds / stepSeconds)) {}

double HandReaction::advance(double feltForce) noexcept {
  stepsFelt_ = feltForce > kNoticedForce ? std::min(stepsFelt_ + 1, reactionSteps_) : 0;
  const bool tightens = stepsFelt_ == reactionSteps_;
  tightness_ = std::clamp(tightness_ + (tightens ? perStep_ : -perStep_), 1.0, kTightest);
  return tightness_;
}

}  // namespace tactus::haptics
