#include "haptics/tick/tick_parameters.hpp"

#include <algorithm>
#include <charconv>

#include "haptics/devices/device_spec.hpp"

namespace tactus::haptics {
namespace {

using response::ForceParameters;
using response::kForceParameterRanges;

constexpr std::array<std::string_view, 6> kChoices = {
    "tool", "level", "velocity", "is_passivity_on", "is_rate_controlled", "is_turn_clutched"};
constexpr std::size_t kOfHand = kForceParameterRanges.size() + kChoices.size();
constexpr std::size_t kOfHands = kMostHands * kOfHand;
constexpr std::array<std::string_view, 4> kShared = {"law", "gravity.x", "gravity.y", "gravity.z"};

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
  return kOfHands + kShared.size();
}

double parameterAt(const TickParameters& parameters, std::size_t index) noexcept {
  if (index >= kOfHands) {
    const std::size_t shared = index - kOfHands;
    if (shared == 0) return static_cast<double>(parameters.law);
    return parameters.gravity[shared - 1];
  }
  const ForceParameters& hand = parameters.hands[index / kOfHand];
  const std::size_t of = index % kOfHand;
  if (of < kForceParameterRanges.size()) return hand.*kForceParameterRanges[of].value;
  return choiceOf(hand, of - kForceParameterRanges.size());
}

void setParameter(TickParameters& parameters, std::size_t index, double value) noexcept {
  if (index >= kOfHands) {
    const std::size_t shared = index - kOfHands;
    if (shared == 0) return choose(parameters.law, value, response::ContactLaw::PointLayers);
    parameters.gravity[shared - 1] = value;
    return;
  }
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
