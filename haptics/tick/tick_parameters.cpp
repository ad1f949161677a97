#include "haptics/tick/tick_parameters.hpp"

#include <algorithm>
#include <charconv>

#include "haptics/devices/device_spec.hpp"
#include "response/parameters/material_ranges.hpp"

namespace tactus::haptics {
namespace {

using response::ForceParameters;
using response::kForceParameterRanges;
using response::kMaterialRanges;

constexpr std::array<std::string_view, 6> kChoices = {
    "tool", "level", "velocity", "is_passivity_on", "is_rate_controlled", "is_turn_clutched"};
constexpr std::size_t kOfHand = kForceParameterRanges.size() + kChoices.size();
constexpr std::size_t kOfHands = kMostHands * kOfHand;
constexpr std::array<std::string_view, 8> kShared = {
    "law", "gravity.x", "gravity.y", "gravity.z", "budget_of_pair", "speed", "is_paused", "steps"};
constexpr double kMostSteps = 4'294'967'295.0;  // of a uint32_t
constexpr std::size_t kOfMaterials = kMostMaterials * kMaterialRanges.size();
constexpr std::size_t kBeforeMaterials = kOfHands + kShared.size();

double sharedAt(const TickParameters& parameters, std::size_t shared) {
  switch (shared) {
    case 0:
      return static_cast<double>(parameters.law);
    case 4:
      return parameters.budgetOfPair;
    case 5:
      return parameters.speed;
    case 6:
      return parameters.isPaused ? 1.0 : 0.0;
    case 7:
      return static_cast<double>(parameters.steps);
    default:
      return parameters.gravity[shared - 1];
  }
}

double choiceOf(const ForceParameters& hand, std::size_t choice) {
  switch (choice) {
    case 0:
      return static_cast<double>(hand.tool);
    case 1:
      return static_cast<double>(hand.level);
    case 2:
      return static_cast<double>(hand.velocity);
    case 3:
      return hand.isPassivityOn ? 1.0 : 0.0;
    case 4:
      return hand.isRateControlled ? 1.0 : 0.0;
    default:
      return hand.isTurnClutched ? 1.0 : 0.0;
  }
}

template <typename Choice>
void choose(Choice& choice, double value, Choice last) {
  if (value >= 0.0 && value <= static_cast<double>(last)) choice = static_cast<Choice>(value);
}

void setChoice(ForceParameters& hand, std::size_t choice, double value) {
  switch (choice) {
    case 0:
      return choose(hand.tool, value, response::ToolKind::Dynamic);
    case 1:
      return choose(hand.level, value, response::InteractionLevel::ThreeInAndButtons);
    case 2:
      return choose(hand.velocity, value, response::VelocityMethod::AdaptiveWindow);
    case 3:
      hand.isPassivityOn = value != 0.0;
      return;
    case 4:
      hand.isRateControlled = value != 0.0;
      return;
    default:
      hand.isTurnClutched = value != 0.0;
  }
}

void setShared(TickParameters& parameters, std::size_t shared, double value) {
  switch (shared) {
    case 0:
      return choose(parameters.law, value, response::ContactLaw::PointLayers);
    case 4:
      parameters.budgetOfPair = value;
      return;
    case 5:
      parameters.speed = value;
      return;
    case 6:
      parameters.isPaused = value != 0.0;
      return;
    case 7:
      if (value >= 0.0 && value <= kMostSteps) parameters.steps = static_cast<std::uint32_t>(value);
      return;
    default:
      parameters.gravity[shared - 1] = value;
  }
}

std::size_t join(ParameterName& name, std::size_t at, std::string_view part) {
  const std::size_t room = name.size() - 1 - at;
  const std::size_t count = std::min(part.size(), room);
  std::copy_n(part.begin(), count, name.begin() + static_cast<std::ptrdiff_t>(at));
  return at + count;
}

std::string_view textOf(const ParameterName& name) {
  return {name.data()};
}

}  // namespace

std::size_t parameterCount() noexcept {
  return kBeforeMaterials + kOfMaterials;
}

double parameterAt(const TickParameters& parameters, std::size_t index) noexcept {
  if (index >= kBeforeMaterials) {
    const std::size_t of = index - kBeforeMaterials;
    return parameters.materials[of / kMaterialRanges.size()].*
           kMaterialRanges[of % kMaterialRanges.size()].value;
  }
  if (index >= kOfHands) return sharedAt(parameters, index - kOfHands);
  const ForceParameters& hand = parameters.hands[index / kOfHand];
  const std::size_t of = index % kOfHand;
  if (of < kForceParameterRanges.size()) return hand.*kForceParameterRanges[of].value;
  return choiceOf(hand, of - kForceParameterRanges.size());
}

void setParameter(TickParameters& parameters, std::size_t index, double value) noexcept {
  if (index >= kBeforeMaterials) {
    const std::size_t of = index - kBeforeMaterials;
    parameters.materials[of / kMaterialRanges.size()].*
        kMaterialRanges[of % kMaterialRanges.size()].value = value;
    return;
  }
  if (index >= kOfHands) return setShared(parameters, index - kOfHands, value);
  ForceParameters& hand = parameters.hands[index / kOfHand];
  const std::size_t of = index % kOfHand;
  if (of < kForceParameterRanges.size()) {
    hand.*kForceParameterRanges[of].value = value;
  } else {
    setChoice(hand, of - kForceParameterRanges.size(), value);
  }
}

ParameterName parameterName(std::size_t index) noexcept {
  ParameterName name{};
  if (index >= kBeforeMaterials) {
    const std::size_t of = index - kBeforeMaterials;
    const std::size_t at = join(name, 0, "material");
    name[at] = static_cast<char>('0' + of / kMaterialRanges.size());  // there are fewer than ten
    join(name, join(name, at + 1, "."), kMaterialRanges[of % kMaterialRanges.size()].name);
    return name;
  }
  if (index >= kOfHands) {
    join(name, 0, kShared[index - kOfHands]);
    return name;
  }
  const std::size_t of = index % kOfHand;
  std::size_t at = join(name, 0, kHandNames[index / kOfHand]);
  at = join(name, at, ".");
  join(name, at,
       of < kForceParameterRanges.size() ? kForceParameterRanges[of].name
                                         : kChoices[of - kForceParameterRanges.size()]);
  return name;
}

std::size_t parameterNamed(std::string_view name) noexcept {
  for (std::size_t index = 0; index < parameterCount(); ++index) {
    if (textOf(parameterName(index)) == name) return index;
  }
  return parameterCount();
}

std::string parametersText(const TickParameters& parameters) {
  std::string text;
  for (std::size_t index = 0; index < parameterCount(); ++index) {
    std::array<char, 32> number;  // the shortest that reads back to the bit has 24 at most
    char* const end =
        std::to_chars(number.begin(), number.end(), parameterAt(parameters, index)).ptr;
    text += textOf(parameterName(index));
    text += ' ';
    text.append(number.data(), end);
    text += '\n';
  }
  return text;
}

bool readParameters(std::string_view text, TickParameters& parameters) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return false;
    const std::size_t index = parameterNamed(line.substr(0, space));
    const std::string_view number = line.substr(space + 1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (index == parameterCount() || error != std::errc() || end != number.data() + number.size())
      return false;
    setParameter(parameters, index, value);
  }
  return true;
}

}  // namespace tactus::haptics
