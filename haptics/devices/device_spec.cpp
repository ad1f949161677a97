#include "haptics/devices/device_spec.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "models/files/file_label.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::inQuotes;
using models::Reason;
using models::Result;
using models::say;

/// What may, or must, follow the colon.
enum class Argument : std::uint8_t { Never, MayFollow, MustFollow };

struct KnownKind {
  std::string_view word;
  DeviceKind kind;
  Argument argument;
  std::string_view what;  ///< the argument in a sentence
  bool isNumber;
};

constexpr std::array kKinds = {
    KnownKind{"openhaptics", DeviceKind::OpenHaptics, Argument::MayFollow, "a device name", false},
    KnownKind{"dhd", DeviceKind::Dhd, Argument::MayFollow, "a serial number", true},
    KnownKind{"chai3d", DeviceKind::Chai3d, Argument::MayFollow, "an index", true},
    KnownKind{"spacemouse", DeviceKind::SpaceMouse, Argument::Never, "", false},
    KnownKind{"mouse", DeviceKind::Mouse, Argument::Never, "", false},
    KnownKind{"sim", DeviceKind::Simulated, Argument::MustFollow, "a profile", false},
    KnownKind{"replay", DeviceKind::Replay, Argument::MustFollow, "a recording", false},
    KnownKind{"none", DeviceKind::None, Argument::Never, "", false},
};

// A serial number of Force Dimension is 16 bits, an index of CHAI3D below 16.
constexpr std::size_t kMostDigits = 9;

Error wrong(Reason reason, std::string sentence) {
  return {reason, -1, std::move(sentence)};
}

Error unknownWord(std::string_view what, std::string_view word,
                  std::span<const std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string nearest = models::nearestName(word, names);
  std::string sentence = say("There is no ", what, " ", inQuotes(word), "; ");
  if (!nearest.empty()) {
    sentence += say("did you mean '", nearest, "'?");
  } else {
    sentence += "there are";
    for (std::size_t i = 0; i < known.size(); ++i)
      sentence += say(i == 0 ? " " : (i + 1 == known.size() ? " and " : ", "), known[i]);
    sentence += ".";
  }
  return wrong(Reason::UnknownName, std::move(sentence));
}

bool isDigits(std::string_view text) {
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

const KnownKind& kindOf(DeviceKind kind) {
  return *std::ranges::find(kKinds, kind, &KnownKind::kind);
}

/// PROFILE[,hand=FILE]. What stands behind "hand=" is the file, commas and all.
Result<DeviceSpec> parseSimulated(std::string_view text, std::string_view whole) {
  constexpr std::string_view kHand = "hand=";
  DeviceSpec spec;
  spec.kind = DeviceKind::Simulated;
  const std::size_t comma = text.find(',');
  spec.name = text.substr(0, comma);
  if (spec.name.empty()) {
    return wrong(Reason::BadValue,
                 say("The device ", inQuotes(whole), " needs a profile, such as sim:sigma7."));
  }
  if (comma == std::string_view::npos) return spec;
  const std::string_view rest = text.substr(comma + 1);
  if (!rest.starts_with(kHand) || rest.size() == kHand.size()) {
    return wrong(Reason::BadValue, say("The device ", inQuotes(whole),
                                       " may have ',hand=FILE' behind its profile, and nothing "
                                       "else; it has ",
                                       inQuotes(rest), "."));
  }
  spec.handFile = rest.substr(kHand.size());
  return spec;
}

}  // namespace

Result<DeviceSpec> parseDeviceSpec(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const auto known = std::ranges::find(kKinds, word, &KnownKind::word);
  if (known == kKinds.end()) {
    std::array<std::string_view, kKinds.size()> words;
    std::ranges::transform(kKinds, words.begin(), &KnownKind::word);
    return unknownWord("device", word, words);
  }
  const bool hasColon = colon != std::string_view::npos;
  const std::string_view argument = hasColon ? text.substr(colon + 1) : std::string_view();
  if (hasColon && known->argument == Argument::Never) {
    return wrong(Reason::BadValue,
                 say("The device '", known->word, "' takes nothing behind a colon, but there is ",
                     inQuotes(argument), "."));
  }
  if (argument.empty() && (hasColon || known->argument == Argument::MustFollow)) {
    return wrong(Reason::BadValue, say("The device ", inQuotes(text), " needs ", known->what,
                                       " behind its colon, as in '", known->word, ":",
                                       known->isNumber ? "1" : "NAME", "'."));
  }
  if (known->isNumber && hasColon && !isDigits(argument)) {
    return wrong(Reason::BadValue,
                 say("The device ", inQuotes(text), " needs ", known->what, " behind its colon; ",
                     inQuotes(argument), " is no whole number."));
  }
  if (known->kind == DeviceKind::Simulated) return parseSimulated(argument, text);
  return DeviceSpec{known->kind, std::string(argument), {}};
}

Result<HandSpec> parseHandSpec(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view word = text.substr(0, equals);
  if (equals == std::string_view::npos) {
    const bool isHand = std::ranges::find(kHandNames, text) != kHandNames.end();
    if (isHand) {
      return wrong(Reason::BadValue,
                   say("--device ", inQuotes(text), ": what does it hold? Write HAND=SPEC, as in ",
                       text, "=mouse."));
    }
    return wrong(Reason::BadValue, say("--device ", inQuotes(text),
                                       ": which hand holds it? Write HAND=SPEC, as in right=",
                                       text.empty() ? "mouse" : models::printable(text, 60), "."));
  }
  const auto hand = std::ranges::find(kHandNames, word);
  if (hand == kHandNames.end()) return unknownWord("hand", word, kHandNames);
  Result<DeviceSpec> device = parseDeviceSpec(text.substr(equals + 1));
  if (!device) return device.error();
  return HandSpec{static_cast<Hand>(hand - kHandNames.begin()), std::move(device).value()};
}

Result<std::vector<HandSpec>> parseHandSpecs(const std::vector<std::string>& texts) {
  std::vector<HandSpec> hands;
  for (const std::string& text : texts) {
    Result<HandSpec> parsed = parseHandSpec(text);
    if (!parsed) return parsed.error();
    HandSpec hand = std::move(parsed).value();
    for (const HandSpec& other : hands) {
      if (other.hand == hand.hand) {
        return wrong(Reason::BadValue,
                     say("Two devices for the ", nameOf(hand.hand), " hand: ", toText(other.device),
                         " and ", toText(hand.device), "."));
      }
      const DeviceKind kind = hand.device.kind;
      // any number of simulated hands may be alike
      const bool isOnlyOne = kind != DeviceKind::Simulated && kind != DeviceKind::None;
      if (isOnlyOne && !hand.device.name.empty() && other.device == hand.device) {
        return wrong(Reason::BadValue,
                     say("The device ", toText(hand.device), " cannot be in the ",
                         nameOf(other.hand), " and in the ", nameOf(hand.hand), " hand."));
      }
    }
    hands.push_back(std::move(hand));
  }
  return hands;
}

std::string toText(const DeviceSpec& spec) {
  std::string text(kindOf(spec.kind).word);
  if (!spec.name.empty()) text += ":" + spec.name;
  if (!spec.handFile.empty()) text += ",hand=" + spec.handFile;
  return text;
}

std::string_view nameOf(Hand hand) noexcept {
  return kHandNames[static_cast<std::size_t>(hand)];
}

}  // namespace tactus::haptics
