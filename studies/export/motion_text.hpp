#pragma once
#include <array>
#include <ostream>
#include <string>

#include "studies/measures/recorded_trial.hpp"

namespace tactus::studies {

/// A column of a motion file, as its list of channels tells of it.
struct MotionChannel {
  const char* name;
  const char* component;
  const char* type;
  const char* point;
  const char* units;
};
inline constexpr std::size_t kMotionChannels = 23;
[[nodiscard]] const std::array<MotionChannel, kMotionChannels>& motionChannels() noexcept;

/// Appends a number with nine decimals, without the zeros at their end: nanometres, and more than a
/// device gives. Beyond a million it has nine digits.
void appendDecimal(std::string& text, double number);

/// Rows of all ticks of a hand, in the order of motionChannels(), tabs between. Volumes, which are
/// small, have as many digits as tell their float from any other.
void writeMotion(const HandRecords& records, std::ostream& stream);

}  // namespace tactus::studies
