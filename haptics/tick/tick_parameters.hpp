#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "haptics/tick/haptic_tick.hpp"

namespace tactus::haptics {

/// TickParameters as a list of numbers, in a fixed order: for recordings, which tell of each change
/// by a name and two values, and for replays, which set them again. Choices are numbers, too: of
/// enumerations the position, of yes and no 1 and 0.
///
/// Names: "right.stiffness", "left.is_passivity_on", "law", "gravity.x",
/// "material0.stiffness".

[[nodiscard]] std::size_t parameterCount() noexcept;
[[nodiscard]] double parameterAt(const TickParameters& parameters, std::size_t index) noexcept;
/// What is out of an enumeration's range is left as it was.
void setParameter(TickParameters& parameters, std::size_t index, double value) noexcept;

/// Cut off at 31 bytes and ended by a zero; none is longer.
using ParameterName = std::array<char, 32>;
[[nodiscard]] ParameterName parameterName(std::size_t index) noexcept;
/// parameterCount() if there is none.
[[nodiscard]] std::size_t parameterNamed(std::string_view name) noexcept;

/// All of them, a line each: "right.stiffness 1000"; reads back to the bit.
[[nodiscard]] std::string parametersText(const TickParameters& parameters);
/// False at a line that is none; those before it are set.
[[nodiscard]] bool readParameters(std::string_view text, TickParameters& parameters);

}  // namespace tactus::haptics
