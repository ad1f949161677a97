#include "haptics/profiles/device_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::Reason;
using models::Result;
using models::say;
using models::TomlEntry;
using models::tomlNumber;
using models::tomlString;

/// A number and the range it must be in.
struct Number {
  double& value;
  double least, most;
};
struct Whole {
  int& value;
  int least, most;
};
/// One of some words, as an index.
struct Word {
  int& value;
  std::span<const std::string_view> words;
};
using Target = std::variant<Number, Whole, Word, bool*, std::string*, Eigen::Vector3d*>;

/// One key of the format. Reading, writing and the list of known keys all come from one table.
struct Key {
  std::string_view table, name;
  Target target;
  std::string_view comment;
};

constexpr std::array kSides = {std::string_view("either"), std::string_view("left"),
                               std::string_view("right")};
constexpr std::array kEstimators = {std::string_view("vendor"), std::string_view("low-pass"),
                                    std::string_view("window")};

// Wider than any device that stands on a table, narrow enough to catch millimetres and degrees.
constexpr double kMostLength = 5.0;     // [m]
constexpr double kMostForce = 1e3;      // [N]
constexpr double kMostTorque = 1e2;     // [N m]
constexpr double kMostAngle = 20.0;     // [rad]
constexpr double kMostStiffness = 1e6;  // [N/m]
constexpr double kLeastMass = 1e-3;     // a lighter one would outrun the sub-steps [kg]
constexpr double kMostMass = 100.0;     // [kg]
constexpr double kLeastInertia = 1e-7;  // [kg m^2]
constexpr double kMostInertia = 10.0;   // [kg m^2]
constexpr double kMostDamping = 1e3;
constexpr double kMostStep = 0.01;
constexpr double kMostDelay = 0.05;  // [s]
constexpr double kMostRate = 1e5;    // [Hz]
constexpr int kMostButtons = 32;

/// What of a profile is no plain member of it.
struct Choices {
  int side = 0, velocity = 0;
};

std::vector<Key> keysOf(DeviceProfile& p, Choices& choices) {
  DeviceCapabilities& c = p.capabilities;
  return {
      {"device", "model", &p.model, "as its maker calls it"},
      {"device", "maker", &p.maker, ""},
      {"device", "side", Word{choices.side, kSides}, "hand it is built for: either, left, right"},
      {"device", "senses_rotation", &c.sensesRotation, ""},
      {"device", "drives_position", &c.actuatesPosition, ""},
      {"device", "drives_rotation", &c.actuatesRotation, ""},
      {"device", "senses_gripper", &c.sensesGripper, ""},
      {"device", "drives_gripper", &c.actuatesGripper, ""},
      {"device", "buttons", Whole{c.buttons, 0, kMostButtons}, ""},
      {"device", "rate_hz", Number{c.rate, 1.0, kMostRate}, "measurements a second"},

      {"workspace", "centre_m", &c.workspaceCentre, "x right, y up, z toward the user"},
      {"workspace", "extent_m", &c.workspaceExtent, "whole lengths"},
      {"workspace", "rotation_rad", Number{c.rotationRange, 0.0, kMostAngle},
       "whole angle of an axis"},
      {"workspace", "gripper_rad", Number{p.gripperRange, 0.0, kMostAngle}, "whole angle"},

      {"limits", "peak_force_n", Number{c.peakForce, 0.0, kMostForce}, ""},
      {"limits", "continuous_force_n", Number{c.continuousForce, 0.0, kMostForce}, ""},
      {"limits", "peak_torque_nm", Number{c.peakTorque, 0.0, kMostTorque}, ""},
      {"limits", "continuous_torque_nm", Number{c.continuousTorque, 0.0, kMostTorque}, ""},
      {"limits", "peak_gripper_force_n", Number{c.peakGripperForce, 0.0, kMostForce}, ""},
      {"limits", "stiffness_n_per_m", Number{c.mostStiffness, 0.0, kMostStiffness},
       "at 1 kHz, by its maker"},

      {"dynamics", "mass_kg", Number{p.mass, kLeastMass, kMostMass}, "felt at the grip"},
      {"dynamics", "damping_ns_per_m", Number{p.damping, 0.0, kMostDamping}, ""},
      {"dynamics", "friction_n", Number{p.friction, 0.0, kMostForce}, "Coulomb's"},
      {"dynamics", "inertia_kg_m2", Number{p.inertia, kLeastInertia, kMostInertia}, "of the wrist"},
      {"dynamics", "rotational_damping_nms", Number{p.rotationalDamping, 0.0, kMostDamping}, ""},
      {"dynamics", "rotational_friction_nm", Number{p.rotationalFriction, 0.0, kMostTorque}, ""},
      {"dynamics", "delay_s", Number{p.delay, 0.0, kMostDelay},
       "from command to force, beyond the hold of a tick"},

      {"encoders", "position_step_m", Number{p.positionStep, 0.0, kMostStep}, "at the grip"},
      {"encoders", "rotation_step_rad", Number{p.rotationStep, 0.0, kMostStep}, ""},
      {"encoders", "gripper_step_rad", Number{p.gripperStep, 0.0, kMostStep}, ""},
      {"encoders", "position_noise_m", Number{p.positionNoise, 0.0, kMostStep},
       "standard deviation on top of the steps"},

      {"velocity", "estimator", Word{choices.velocity, kEstimators}, "vendor, low-pass, window"},
      {"velocity", "cutoff_hz", Number{p.velocityCutoff, 1.0, kMostRate}, "of the low-pass"},
  };
}

std::string pathOf(const Key& key) {
  return say(key.table, ".", key.name);
}

/// Empty, or what is wrong with the value.
std::string take(const TomlEntry& entry, const Number& to) {
  const double* number = std::get_if<double>(&entry.value);
  // the comparison is false for NaN too
  if (number == nullptr || !(*number >= to.least && *number <= to.most))
    return say("must be a number from ", tomlNumber(to.least), " to ", tomlNumber(to.most));
  to.value = *number;
  return {};
}

std::string take(const TomlEntry& entry, const Whole& to) {
  const double* number = std::get_if<double>(&entry.value);
  if (number == nullptr || !entry.isWhole || !(*number >= to.least && *number <= to.most))
    return say("must be a whole number from ", to.least, " to ", to.most);
  to.value = static_cast<int>(*number);
  return {};
}

std::string take(const TomlEntry& entry, const Word& to) {
  const std::string* text = std::get_if<std::string>(&entry.value);
  const auto word =
      text == nullptr ? to.words.end() : std::find(to.words.begin(), to.words.end(), *text);
  if (word != to.words.end()) {
    to.value = static_cast<int>(word - to.words.begin());
    return {};
  }
  std::string sentence = "must be one of";
  for (const std::string_view known : to.words)
    sentence += say(known == to.words.front() ? " " : ", ", '"' + std::string(known) + '"');
  return sentence + "";
}

std::string take(const TomlEntry& entry, bool* to) {
  const bool* truth = std::get_if<bool>(&entry.value);
  if (truth == nullptr) return "must be true or false";
  *to = *truth;
  return {};
}

std::string take(const TomlEntry& entry, std::string* to) {
  const std::string* text = std::get_if<std::string>(&entry.value);
  if (text == nullptr || text->empty()) return "must be a text between quotation marks";
  *to = *text;
  return {};
}

std::string take(const TomlEntry& entry, Eigen::Vector3d* to) {
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  const bool fits =
      list != nullptr && list->size() == 3 && std::ranges::all_of(*list, [](double x) {
        return std::abs(x) <= kMostLength;  // false for NaN too
      });
  if (!fits)
    return say("must be a list of three lengths of at most ", tomlNumber(kMostLength), " m");
  *to = Eigen::Vector3d((*list)[0], (*list)[1], (*list)[2]);
  return {};
}

std::string valueText(const Target& target) {
  struct Writer {
    std::string operator()(const Number& n) const { return tomlNumber(n.value); }
    std::string operator()(const Whole& n) const { return std::to_string(n.value); }
    std::string operator()(const Word& w) const {
      return tomlString(w.words[static_cast<std::size_t>(w.value)]);
    }
    std::string operator()(const bool* b) const { return *b ? "true" : "false"; }
    std::string operator()(const std::string* text) const { return tomlString(*text); }
    std::string operator()(const Eigen::Vector3d* v) const {
      return say("[", tomlNumber(v->x()), ", ", tomlNumber(v->y()), ", ", tomlNumber(v->z()), "]");
    }
  };
  return std::visit(Writer{}, target);
}

/// Empty, or what contradicts itself.
std::string contradictionIn(const DeviceProfile& p) {
  const DeviceCapabilities& c = p.capabilities;
  if (!(c.workspaceExtent.minCoeff() > 0.0)) return "workspace.extent_m must be positive";
  if (c.actuatesRotation && !c.sensesRotation)
    return "device.drives_rotation without device.senses_rotation: a torque on nothing";
  if (c.actuatesGripper && !c.sensesGripper)
    return "device.drives_gripper without device.senses_gripper: a force on nothing";
  if (c.actuatesPosition && !(c.peakForce > 0.0))
    return "limits.peak_force_n must be positive, because device.drives_position is true";
  if (c.actuatesRotation && !(c.peakTorque > 0.0))
    return "limits.peak_torque_nm must be positive, because device.drives_rotation is true";
  if (c.continuousForce > c.peakForce)
    return "limits.continuous_force_n is larger than limits.peak_force_n";
  if (c.continuousTorque > c.peakTorque)
    return "limits.continuous_torque_nm is larger than limits.peak_torque_nm";
  return {};
}

std::string nameFromLabel(std::string_view label) {
  constexpr std::string_view kEnding = ".toml";
  std::string name = std::filesystem::path(label).filename().string();
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return name;
}

}  // namespace

Result<DeviceProfile> parseProfile(std::string_view text, std::string_view label) {
  const models::FileLabel file(label);
  Result<models::TomlText> toml = models::readToml(text, file);
  if (!toml) return toml.error();
  DeviceProfile profile;
  Choices choices;
  const std::vector<Key> keys = keysOf(profile, choices);
  std::vector<std::string> paths;
  paths.reserve(keys.size());
  for (const Key& key : keys)
    paths.push_back(pathOf(key));
  std::vector<bool> given(keys.size(), false);
  for (const TomlEntry& entry : toml.value().entries) {
    const auto path = std::ranges::find(paths, pathOf(entry));
    if (path == paths.end()) return unknownKey(file, entry, paths);
    const auto k = static_cast<std::size_t>(path - paths.begin());
    if (given[k])
      return file.atLine(Reason::Malformed, entry.line, say("'", *path, "' is there twice"));
    given[k] = true;
    const std::string trouble =
        std::visit([&](const auto& target) { return take(entry, target); }, keys[k].target);
    if (!trouble.empty()) {
      return file.atLine(Reason::BadValue, entry.line, say("'", *path, "' ", trouble));
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!given[k]) return file.whole(Reason::Malformed, say("the key '", paths[k], "' is missing"));
  }
  const std::string contradiction = contradictionIn(profile);
  if (!contradiction.empty()) return file.whole(Reason::BadValue, contradiction);
  profile.name = nameFromLabel(label);
  profile.capabilities.model = profile.model;
  profile.capabilities.side = static_cast<Side>(choices.side);
  profile.velocity = static_cast<VelocityEstimator>(choices.velocity);
  return profile;
}

Result<DeviceProfile> findProfile(std::string_view nameOrFile) {
  const Result<models::FoundText> found =
      models::findText(nameOrFile, "device profile", "haptics/profiles", shippedProfiles());
  if (!found) return found.error();
  return parseProfile(found.value().text, found.value().file);
}

std::string profileText(const DeviceProfile& profile, std::span<const std::string> origins) {
  DeviceProfile copy = profile;
  Choices choices{static_cast<int>(profile.capabilities.side), static_cast<int>(profile.velocity)};
  std::string text;
  for (const std::string& origin : origins)
    text += say("# ", models::printable(origin), "\n");
  std::string_view table;
  for (const Key& key : keysOf(copy, choices)) {
    if (key.table != table) text += say(text.empty() ? "" : "\n", "[", key.table, "]\n");
    table = key.table;
    text += say(key.name, " = ", valueText(key.target));
    text += key.comment.empty() ? std::string("\n") : say("  # ", key.comment, "\n");
  }
  return text;
}

}  // namespace tactus::haptics
