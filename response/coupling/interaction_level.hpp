#pragma once
#include <cstdint>

namespace tactus::response {

/// How many degrees of freedom a hand has and feels. What a study compares; never mixed up.
enum class InteractionLevel : std::uint8_t {
  SixInSixOut,       ///< `6in6out`: turns are sensed and felt
  SixInThreeOut,     ///< `6in3out`: turns are sensed; the device cannot turn the hand
  ThreeInThreeOut,   ///< `3in3out`: the object keeps its orientation
  ThreeInAndButtons  ///< `3in+buttons`: buttons turn the object
};

[[nodiscard]] constexpr const char* nameOf(InteractionLevel level) noexcept {
  switch (level) {
    case InteractionLevel::SixInSixOut:
      return "6in6out";
    case InteractionLevel::SixInThreeOut:
      return "6in3out";
    case InteractionLevel::ThreeInThreeOut:
      return "3in3out";
    case InteractionLevel::ThreeInAndButtons:
      return "3in+buttons";
  }
  return "?";
}

[[nodiscard]] constexpr bool sensesRotation(InteractionLevel level) noexcept {
  return level == InteractionLevel::SixInSixOut || level == InteractionLevel::SixInThreeOut;
}

[[nodiscard]] constexpr bool drivesRotation(InteractionLevel level) noexcept {
  return level == InteractionLevel::SixInSixOut;
}

[[nodiscard]] constexpr bool turnsByButtons(InteractionLevel level) noexcept {
  return level == InteractionLevel::ThreeInAndButtons;
}

}  // namespace tactus::response
