#include "studies/export/motion_text.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::studies {
namespace {

constexpr std::array<MotionChannel, kMotionChannels> kChannels = {
    {{"device_x", "x", "POS", "device", "m"},
     {"device_y", "y", "POS", "device", "m"},
     {"device_z", "z", "POS", "device", "m"},
     {"device_qw", "quat_w", "ORNT", "device", "n/a"},
     {"device_qx", "quat_x", "ORNT", "device", "n/a"},
     {"device_qy", "quat_y", "ORNT", "device", "n/a"},
     {"device_qz", "quat_z", "ORNT", "device", "n/a"},
     {"tool_x", "x", "POS", "tool", "m"},
     {"tool_y", "y", "POS", "tool", "m"},
     {"tool_z", "z", "POS", "tool", "m"},
     {"tool_qw", "quat_w", "ORNT", "tool", "n/a"},
     {"tool_qx", "quat_x", "ORNT", "tool", "n/a"},
     {"tool_qy", "quat_y", "ORNT", "tool", "n/a"},
     {"tool_qz", "quat_z", "ORNT", "tool", "n/a"},
     {"force_x", "n/a", "MISC", "device", "N"},
     {"force_y", "n/a", "MISC", "device", "N"},
     {"force_z", "n/a", "MISC", "device", "N"},
     {"torque_x", "n/a", "MISC", "device", "N m"},
     {"torque_y", "n/a", "MISC", "device", "N m"},
     {"torque_z", "n/a", "MISC", "device", "N m"},
     {"contact_volume", "n/a", "MISC", "tool", "m^3"},
     {"buttons", "n/a", "MISC", "device", "n/a"},
     {"stage", "n/a", "MISC", "n/a", "n/a"}}};

constexpr int kDecimals = 9;
constexpr std::uint64_t kPerUnit = 1'000'000'000;
constexpr double kMostFixed = 1e6;  // times kPerUnit still fits a double's 53 bits

// Written whenever so much has come together: larger texts only cost pages of memory.
constexpr std::size_t kBuffer = std::size_t{1} << 17U;

template <typename... How, typename Number>
void appendAs(std::string& text, Number number, How... how) {
  std::array<char, 40> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, how...).ptr;
  text.append(digits.data(), end);
}

void appendAll(std::string& text, std::span<const double> numbers) {
  for (const double number : numbers) {
    appendDecimal(text, number);
    text += '\t';
  }
}

}  // namespace

const std::array<MotionChannel, kMotionChannels>& motionChannels() noexcept {
  return kChannels;
}

void appendDecimal(std::string& text, double number) {
  if (!(std::abs(number) < kMostFixed)) {
    appendAs(text, number, std::chars_format::general, kDecimals);
    return;
  }
  const auto units =
      static_cast<std::uint64_t>(std::llround(std::abs(number) * static_cast<double>(kPerUnit)));
  if (units == 0) {
    text += '0';
    return;
  }
  if (number < 0.0) text += '-';
  std::array<char, 24> digits;
  char* const end =
      std::to_chars(digits.data(), digits.data() + digits.size(), units / kPerUnit).ptr;
  std::uint64_t rest = units % kPerUnit;
  if (rest == 0) {
    text.append(digits.data(), end);
    return;
  }
  *end = '.';
  char* last = end + kDecimals;
  for (char* at = last; at != end; --at, rest /= 10)
    *at = static_cast<char>('0' + rest % 10);
  while (*last == '0')
    --last;
  text.append(digits.data(), last + 1);
}

void writeMotion(const HandRecords& records, std::ostream& stream) {
  std::string text;
  text.reserve(kBuffer + 1024);
  for (std::size_t tick = 0; tick < records.hand.size(); ++tick) {
    const haptics::HandRecord& r = records.hand[tick];
    const ContactRecord& contact = records.contact[tick];
    appendAll(text, r.position);
    appendAll(text, r.orientation);
    appendAll(text, r.toolPosition);
    appendAll(text, r.toolOrientation);
    appendAll(text, r.force);
    appendAll(text, r.torque);
    appendAs(text, contact.volume);
    text += '\t';
    appendAs(text, r.buttons);
    text += '\t';
    appendAs(text, contact.stage);
    text += '\n';
    if (text.size() < kBuffer) continue;
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  }
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace tactus::studies
