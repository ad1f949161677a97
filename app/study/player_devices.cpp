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

/// The spec for this hand of the scene: of its own name, else of the same hand of the other side,
/// for a level's devices stand at either. Where the person takes it into the other hand, one that
/// stands there comes first.
std::string specFor(const std::vector<HandSpec>& specs, HandName hand, bool isHeldRight) {
  const auto same = std::ranges::find(specs, static_cast<haptics::Hand>(hand), &HandSpec::hand);
  const auto like = std::ranges::find_if(specs, [&](const HandSpec& spec) {
    return isLeft(static_cast<HandName>(spec.hand)) != isHeldRight;
  });
  const bool isOwn = isHeldRight != isLeft(hand);
  const auto found = same != specs.end() && (isOwn || like == specs.end()) ? same : like;
  return found == specs.end() ? std::string() : haptics::toText(found->device);
}

}  // namespace

Result<std::vector<std::string>> playerDevices(const studies::StudyProtocol& protocol,
                                               const studies::PlannedSession& session,
                                               std::uint32_t period,
                                               const std::vector<std::string>& asked) {
  const Result<std::vector<HandSpec>> given = haptics::parseHandSpecs(asked);
  if (!given) return given.error();
  const bool isHandChosen =
      std::ranges::find(protocol.factors, studies::FactorKind::Hand,
                        &studies::ProtocolFactor::kind) != protocol.factors.end();
  for (const HandSpec& spec : given.value()) {
    const auto name = static_cast<HandName>(spec.hand);
    if (!isHandChosen && std::ranges::find(protocol.scene.hands, name, &models::SceneHand::name) ==
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
    const studies::HandOwner& owner = owners[k];
    const bool isHeldRight =
        studies::isInRightHand(session.players[owner.player], *owner.seat, hand);
    const auto own =
        std::ranges::find(given.value(), static_cast<haptics::Hand>(hand), &HandSpec::hand);
    std::string spec;
    if (isHandChosen) {
      spec = specFor(given.value(), hand, isHeldRight);
    } else if (own != given.value().end()) {
      spec = haptics::toText(own->device);
    }
    if (spec.empty()) {
      const Result<std::vector<HandSpec>> planned =
          haptics::parseHandSpecs(studies::deviceOf(protocol, *owner.seat).specs);
      if (!planned) return planned.error();
      spec = specFor(planned.value(), hand, isHeldRight);
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
