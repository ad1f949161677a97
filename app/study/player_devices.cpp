#include "app/study/player_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "haptics/adapters/turned_device.hpp"
#include "studies/runner/trial_loop.hpp"

namespace tactus::app {
namespace {

using haptics::DeviceKind;
using haptics::HandSpec;
using models::HandName;
using models::Result;

bool isLeft(HandName name) {
  return name == HandName::Left || name == HandName::Left2;
}

/// The spec for this hand: of its own name, else of the same hand of the other side, for a level's
/// devices stand at either.
std::string specFor(const std::vector<HandSpec>& specs, HandName hand) {
  const auto same = std::ranges::find(specs, static_cast<haptics::Hand>(hand), &HandSpec::hand);
  const auto like = std::ranges::find_if(specs, [&](const HandSpec& spec) {
    return isLeft(static_cast<HandName>(spec.hand)) == isLeft(hand);
  });
  const auto found = same != specs.end() ? same : like;
  return found == specs.end() ? std::string() : haptics::toText(found->device);
}

}  // namespace

Result<std::vector<std::string>> playerDevices(const studies::StudyProtocol& protocol,
                                               const studies::PlannedSession& session,
                                               std::uint32_t period,
                                               const std::vector<std::string>& asked) {
  const Result<std::vector<HandSpec>> given = haptics::parseHandSpecs(asked);
  if (!given) return given.error();
  for (const HandSpec& spec : given.value()) {
    const auto name = static_cast<HandName>(spec.hand);
    if (std::ranges::find(protocol.scene.hands, name, &models::SceneHand::name) ==
        protocol.scene.hands.end()) {
      return models::Error{models::Reason::BadValue, -1,
                           fmt::format("The scene '{}' has no hand '{}'.", protocol.scene.name,
                                       haptics::nameOf(spec.hand))};
    }
    if (spec.device.kind != DeviceKind::Simulated) continue;
    if (const Result<haptics::DeviceProfile> profile = haptics::findProfile(spec.device.name);
        !profile)
      return profile.error();
  }
  const std::vector<studies::HandOwner> owners = studies::ownersOf(protocol, session, period);
  std::vector<std::string> specs;
  specs.reserve(owners.size());
  for (std::size_t k = 0; k < owners.size(); ++k) {
    const HandName hand = protocol.scene.hands[k].name;
    const std::string name(models::kHandNames[static_cast<std::size_t>(hand)]);
    const auto own =
        std::ranges::find(given.value(), static_cast<haptics::Hand>(hand), &HandSpec::hand);
    std::string spec;
    if (own != given.value().end()) {
      spec = haptics::toText(own->device);
    } else {
      const Result<std::vector<HandSpec>> planned =
          haptics::parseHandSpecs(studies::deviceOf(protocol, *owners[k].seat).specs);
      if (!planned) return planned.error();
      spec = specFor(planned.value(), hand);
    }
    if (spec.empty() || spec == "none") {
      return models::Error{
          models::Reason::BadValue, -1,
          fmt::format("Nothing says which device the hand '{}' has; give --device {}=SPEC, or name "
                      "it in the protocol's [[device]] ('tactus devices' lists them).",
                      name, name)};
    }
    specs.push_back(fmt::format("{}={}", name, spec));
  }
  return specs;
}

bool isRehearsal(const std::vector<std::string>& specs) {
  const Result<std::vector<HandSpec>> parsed = haptics::parseHandSpecs(specs);
  return !parsed || std::ranges::any_of(parsed.value(), [](const HandSpec& spec) {
    return spec.device.kind == DeviceKind::Simulated || spec.device.kind == DeviceKind::Replay ||
           spec.device.kind == DeviceKind::Mouse;
  });
}

void turnDevices(const studies::StudyProtocol& protocol, OpenedSession& session) {
  for (std::size_t k = 0; k < session.devices.size(); ++k) {
    haptics::HandDevice& hand = session.devices[k];
    // these move in the scene's frame already
    if (hand.spec.kind == DeviceKind::Simulated || hand.spec.kind == DeviceKind::Replay ||
        hand.spec.kind == DeviceKind::Mouse)
      continue;
    const auto name = static_cast<HandName>(hand.hand);
    const bool isTurned =
        std::ranges::any_of(protocol.task.sides, [&](const studies::TaskSide& side) {
          return side.isTurned && std::ranges::find(side.hands, name) != side.hands.end();
        });
    if (!isTurned) continue;
    hand.device = std::make_unique<haptics::TurnedDevice>(std::move(hand.device));
    session.hands[k].capabilities = hand.device->capabilities();
  }
}

}  // namespace tactus::app
