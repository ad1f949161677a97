#include "haptics/adapters/open_hands.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <tuple>
#include <utility>

#include "haptics/simulated/simulated_device.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

// As many as there are hands of two people, and some to spare for a rack.
constexpr std::size_t kMostFound = 8;

/// Which of the specs are of this kind, by their place in the list.
std::vector<std::size_t> placesOf(const std::vector<HandSpec>& specs, DeviceKind kind) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].device.kind == kind) places.push_back(i);
  }
  return places;
}

long numberOf(const std::string& serial) {
  long number = 0;
  std::from_chars(serial.data(), serial.data() + serial.size(), number);
  return number;
}

bool isLeft(Hand hand) {
  return hand == Hand::Left || hand == Hand::Left2;
}

/// Puts devices that were asked for without a serial number into the hands that they fit.
void sortIntoHands(std::vector<HandDevice>& hands, DeviceKind kind) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < hands.size(); ++i) {
    if (hands[i].spec.kind == kind && hands[i].spec.name.empty()) open.push_back(i);
  }
  std::vector<std::unique_ptr<HapticDevice>> devices;
  devices.reserve(open.size());
  for (const std::size_t i : open)
    devices.push_back(std::move(hands[i].device));
  // CHAI3D's have none, and stay in the order of their numbers.
  std::ranges::stable_sort(
      devices, {}, [](const auto& device) { return numberOf(device->capabilities().serial); });
  const auto take = [&devices](auto fits) {
    const auto found = std::ranges::find_if(devices, fits);
    std::unique_ptr<HapticDevice> device = std::move(*found);
    devices.erase(found);
    return device;
  };
  // those with a side first, then what is left
  for (const std::size_t i : open) {
    const Side wanted = isLeft(hands[i].hand) ? Side::Left : Side::Right;
    const auto fits = [wanted](const auto& device) {
      return device->capabilities().side == wanted;
    };
    if (std::ranges::any_of(devices, fits)) hands[i].device = take(fits);
  }
  for (const std::size_t i : open) {
    if (hands[i].device == nullptr) hands[i].device = take([](const auto&) { return true; });
  }
}

Result<HandDevice> openSimulated(const HandSpec& spec, const OpenSettings& settings) {
  Result<DeviceProfile> profile = findProfile(spec.device.name);
  if (!profile) return profile.error();
  const std::optional<HandPath>& usual = settings.paths[static_cast<std::size_t>(spec.hand)];
  HandPath path = usual ? *usual : defaultHandPath();
  if (!spec.device.handFile.empty()) {
    Result<HandPath> read = readHandPath(spec.device.handFile);
    if (!read) return read.error();
    path = std::move(read).value();
  }
  SimulatedSettings simulated;
  simulated.tickSeconds = settings.tickSeconds;
  simulated.seed = settings.seed;
  HandDevice hand{spec.hand, spec.device, nullptr, nullptr, profile.value()};
  hand.device = std::make_unique<SimulatedDevice>(profile.value(), std::move(path), simulated);
  return hand;
}

/// One that is on its own: no other device has to be opened with it.
Result<HandDevice> openSingle(const HandSpec& spec, const OpenSettings& settings) {
  HandDevice hand{spec.hand, spec.device, nullptr, nullptr, std::nullopt};
  switch (spec.device.kind) {
    case DeviceKind::Simulated:
      return openSimulated(spec, settings);
    case DeviceKind::Mouse: {
      auto pointer = std::make_unique<PointerDevice>();
      hand.pointer = pointer.get();
      hand.device = std::move(pointer);
      return hand;
    }
    case DeviceKind::Replay:
      return Error{Reason::Unsupported, -1,
                   say("The device ", toText(spec.device),
                       " is opened with its recording; take 'tactus replay'.")};
    default:
      return hand;
  }
}

using Opener = Result<VendorDevices> (*)(const std::vector<std::string>&, const VendorSettings&);

Result<VendorDevices> openOneSpaceMouse(const std::vector<std::string>& names,
                                        const VendorSettings& settings) {
  if (names.size() > 1) {
    return Error{Reason::BadValue, -1,
                 "There can be one SpaceMouse; the daemon spacenavd does not tell two apart."};
  }
  return openSpaceMouse(settings);
}

std::string plainName(std::string model) {
  std::erase_if(model, [](char c) { return c == '.' || c == ' ' || c == '-'; });
  std::ranges::transform(model, model.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return model;
}

}  // namespace

std::optional<DeviceProfile> profileOfModel(const std::string& model) {
  const std::string plain = plainName(model);
  std::optional<DeviceProfile> best;
  std::size_t longest = 0;
  for (const models::ShippedText& shipped : shippedProfiles()) {
    const std::string name = plainName(std::string(shipped.name));
    // "Touch X" is also a "Touch": the longest name that fits
    if (name.size() <= longest || !plain.starts_with(name)) continue;
    Result<DeviceProfile> profile = parseProfile(shipped.text, shipped.name);
    if (!profile) continue;
    best = std::move(profile).value();
    longest = name.size();
  }
  return best;
}

Result<Done> checkDevices(const std::vector<HandSpec>& specs) {
  for (const HandSpec& spec : specs) {
    if (spec.device.kind == DeviceKind::Chai3d) {
      if (Result<Done> module = checkChai3d({}); !module) return module;
    }
    if (spec.device.kind != DeviceKind::Simulated) continue;
    if (Result<DeviceProfile> profile = findProfile(spec.device.name); !profile)
      return profile.error();
    if (spec.device.handFile.empty()) continue;
    if (Result<HandPath> path = readHandPath(spec.device.handFile); !path) return path.error();
  }
  return Done{};
}

Result<OpenedHands> openHands(const std::vector<HandSpec>& specs, const OpenSettings& settings) {
  OpenedHands opened;
  for (const HandSpec& spec : specs) {
    Result<HandDevice> hand = openSingle(spec, settings);
    if (!hand) return hand.error();
    opened.hands.push_back(std::move(hand).value());
  }
  const std::tuple<DeviceKind, Opener, const VendorSettings&> vendors[] = {
      {DeviceKind::OpenHaptics, &openOpenHaptics, settings.openHaptics},
      {DeviceKind::Dhd, &openDhd, settings.dhd},
      {DeviceKind::Chai3d, &openChai3d, settings.chai3d},
      {DeviceKind::SpaceMouse, &openOneSpaceMouse, settings.spaceMouse}};
  for (const auto& [kind, open, vendorSettings] : vendors) {
    // Named ones first: or the first free one would be the one that another hand has named.
    std::vector<std::size_t> places = placesOf(specs, kind);
    std::ranges::stable_partition(places,
                                  [&](std::size_t i) { return !specs[i].device.name.empty(); });
    if (places.empty()) continue;
    std::vector<std::string> names;
    names.reserve(places.size());
    for (const std::size_t i : places)
      names.push_back(specs[i].device.name);
    Result<VendorDevices> vendor = open(names, vendorSettings);
    if (!vendor) return vendor.error();
    for (std::size_t k = 0; k < places.size(); ++k)
      opened.hands[places[k]].device = std::move(vendor.value().devices[k]);
    for (const std::string& note : vendor.value().notes)
      opened.notes.push_back(note);
  }
  sortIntoHands(opened.hands, DeviceKind::Dhd);
  sortIntoHands(opened.hands, DeviceKind::Chai3d);
  for (HandDevice& hand : opened.hands) {
    if (hand.device != nullptr && !hand.profile)
      hand.profile = profileOfModel(hand.device->capabilities().model);
  }
  return opened;
}

std::vector<FoundDevice> findDevices(const OpenSettings& settings) {
  std::vector<FoundDevice> found;
  const std::vector<std::string> any(kMostFound);
  const std::tuple<DeviceKind, Opener, const VendorSettings&> vendors[] = {
      {DeviceKind::OpenHaptics, &openOpenHaptics, settings.openHaptics},
      {DeviceKind::Dhd, &openDhd, settings.dhd},
      {DeviceKind::Chai3d, &openChai3d, settings.chai3d}};
  for (const auto& [kind, open, vendorSettings] : vendors) {
    VendorSettings looking = vendorSettings;
    looking.onlyLooks = true;
    const Result<VendorDevices> vendor = open(any, looking);
    if (!vendor) continue;
    for (std::size_t i = 0; i < vendor.value().devices.size(); ++i) {
      const DeviceCapabilities& device = vendor.value().devices[i]->capabilities();
      // Force Dimension's are known by their serial numbers, CHAI3D's by their place, 3D Systems'
      // by a name of the driver's.
      std::string name;
      if (kind == DeviceKind::Dhd) name = device.serial;
      if (kind == DeviceKind::Chai3d) name = std::to_string(i);
      found.push_back({{kind, name, {}}, device, vendor.value().notes[i]});
    }
  }
  const Result<VendorDevices> mouse = openSpaceMouse(settings.spaceMouse);
  if (mouse.ok()) {
    found.push_back({{DeviceKind::SpaceMouse, {}, {}},
                     mouse.value().devices[0]->capabilities(),
                     "through spacenavd"});
  }
  return found;
}

std::vector<FoundDevice> withoutSecondWays(std::vector<FoundDevice> found,
                                           const std::vector<HandSpec>& asked) {
  const auto isMakers = [](const FoundDevice& device) {
    return device.spec.kind == DeviceKind::OpenHaptics || device.spec.kind == DeviceKind::Dhd;
  };
  const bool wantsChai3d = std::ranges::any_of(
      asked, [](const HandSpec& spec) { return spec.device.kind == DeviceKind::Chai3d; });
  const bool takesMakers = !wantsChai3d && std::ranges::any_of(found, isMakers);
  std::erase_if(found, [&](const FoundDevice& device) {
    if (wantsChai3d && isMakers(device)) return true;
    if (takesMakers && device.spec.kind == DeviceKind::Chai3d) return true;
    return std::ranges::any_of(asked,
                               [&](const HandSpec& spec) { return spec.device == device.spec; });
  });
  return found;
}

}  // namespace tactus::haptics
