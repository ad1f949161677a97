#include "app/opened_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/recorded_hand.hpp"
#include "haptics/tick/hand_setup.hpp"
#include "haptics/tick/tick_records.hpp"

namespace tactus::app {
namespace {

using haptics::Hand;
using haptics::HandDevice;
using haptics::HandSpec;
using haptics::Recorder;
using models::Error;
using models::Reason;
using models::Result;

constexpr std::string_view kSimulatedDevice = "sim:sigma7";

/// For hands without a wish: what is plugged in, left-handed devices into left hands; else `usual`.
class UsualDevices {
 public:
  UsualDevices(UsualDevice usual, const std::vector<HandSpec>& asked) : usual_(usual) {
    if (usual_ != UsualDevice::FoundElseMouse) return;
    found_ = haptics::withoutSecondWays(haptics::findDevices({}), asked);
  }

  Result<haptics::DeviceSpec> take(Hand hand) {
    if (usual_ == UsualDevice::Simulated) return haptics::parseDeviceSpec(kSimulatedDevice);
    const bool isLeft = hand == Hand::Left || hand == Hand::Left2;
    const haptics::Side other = isLeft ? haptics::Side::Right : haptics::Side::Left;
    const auto fits = std::ranges::find_if(found_, [&](const haptics::FoundDevice& device) {
      return device.capabilities.side != other;
    });
    if (fits == found_.end()) return haptics::parseDeviceSpec("mouse");
    haptics::DeviceSpec spec = fits->spec;
    found_.erase(fits);
    return spec;
  }

 private:
  UsualDevice usual_;
  std::vector<haptics::FoundDevice> found_;
};

/// Which device each hand of the scene gets.
Result<std::vector<HandSpec>> specsOf(const models::Scene& scene,
                                      const std::vector<std::string>& texts, UsualDevice usual) {
  Result<std::vector<HandSpec>> asked = haptics::parseHandSpecs(texts);
  if (!asked) return asked.error();
  const auto isInScene = [&](const HandSpec& spec) {
    return std::ranges::any_of(scene.hands, [&](const models::SceneHand& hand) {
      return static_cast<Hand>(hand.name) == spec.hand;
    });
  };
  for (const HandSpec& spec : asked.value()) {
    if (isInScene(spec)) continue;
    std::string known;
    for (const models::SceneHand& hand : scene.hands) {
      if (!known.empty()) known += ", ";
      known += haptics::nameOf(static_cast<Hand>(hand.name));
    }
    return Error{Reason::BadValue, -1,
                 fmt::format("The scene '{}' has no hand '{}'; it has: {}.", scene.name,
                             haptics::nameOf(spec.hand), known.empty() ? "none" : known)};
  }
  std::vector<HandSpec> specs;
  UsualDevices others(usual, asked.value());
  for (const models::SceneHand& hand : scene.hands) {
    const auto name = static_cast<Hand>(hand.name);
    const auto found = std::ranges::find(asked.value(), name, &HandSpec::hand);
    if (found != asked.value().end()) {
      specs.push_back(*found);
      continue;
    }
    Result<haptics::DeviceSpec> other = others.take(name);
    if (!other) return other.error();
    specs.push_back({name, std::move(other).value()});
  }
  return specs;
}

}  // namespace

Result<OpenedSession> openSession(models::Scene scene, const SessionRequest& request,
                                  UsualDevice usual, const LoadingWatcher& watcher) {
  if (request.method == "vps") scene.contact.method = models::SceneMethod::Voxmap;
  if (request.method == "ist") scene.contact.method = models::SceneMethod::InnerSpheres;
  const Result<response::ContactLaw> law = haptics::lawOf(scene.contact);
  if (!law) return law.error();
  const Result<std::vector<HandSpec>> specs = specsOf(scene, request.devices, usual);
  if (!specs) return specs.error();
  // packing the scene's models may take minutes
  if (const Result<models::Done> good = haptics::checkDevices(specs.value()); !good)
    return good.error();

  OpenedSession session;
  session.method = request.method;
  Result<LoadedScene> loaded = loadScene(std::move(scene), watcher);
  if (!loaded) return loaded.error();
  session.loaded = std::move(loaded).value();
  haptics::OpenSettings settings;
  settings.tickSeconds = kTickSeconds;
  for (const models::SceneHand& hand : session.loaded.scene.hands)
    settings.paths[static_cast<std::size_t>(hand.name)] = haptics::pathOf(session.loaded, hand);
  std::vector<HandSpec> alive = specs.value();
  for (HandSpec& spec : alive) {
    if (spec.device.kind == haptics::DeviceKind::Replay) spec.device = {};
  }
  Result<haptics::OpenedHands> opened = haptics::openHands(alive, settings);
  if (!opened) return opened.error();
  session.notes = std::move(opened.value().notes);
  for (std::size_t k = 0; k < alive.size(); ++k) {
    HandDevice& hand = opened.value().hands[k];
    if (const HandSpec& spec = specs.value()[k]; spec.device.kind == haptics::DeviceKind::Replay) {
      Result<RecordedHand> recorded = openRecordedHand(spec.device.name, spec.hand);
      if (!recorded) return recorded.error();
      hand.spec = spec.device;
      hand.device = std::move(recorded.value().device);
      hand.profile = std::move(recorded.value().profile);
    }
    if (hand.device == nullptr) continue;  // none
    const haptics::DeviceCapabilities& device = hand.device->capabilities();
    session.hands.push_back({hand.hand, haptics::toText(hand.spec), device,
                             hand.profile ? *hand.profile : haptics::profileFrom(device)});
    session.devices.push_back(std::move(hand));
  }
  session.setup = haptics::tickSetupOf(session.loaded, law.value(), session.hands, kTickSeconds);
  return session;
}

Result<std::unique_ptr<Recorder>> startRecorder(const std::string& file, bool overwrites,
                                                haptics::RecorderPace pace,
                                                const OpenedSession& session,
                                                const haptics::TickParameters& parameters) {
  const models::Scene& scene = session.loaded.scene;
  std::vector<std::string> names;
  names.reserve(session.hands.size());
  for (const SessionHand& hand : session.hands)
    names.emplace_back(haptics::nameOf(hand.hand));
  const std::map<std::string, std::string> meta = {
      {"version", TACTUS_VERSION},
      {"scene", scene.name},
      {"scene_file", scene.file},
      {"scene_text", scene.text},
      {"method", session.method},
      {"hands", haptics::sessionText(session.hands)},
      {"objects", haptics::objectsText(session.loaded)},
      {"parameters", haptics::parametersText(parameters)},
      {"tick_seconds", fmt::format("{}", kTickSeconds)},
      {"time", pace == haptics::RecorderPace::ByDriver ? "simulated" : "wall"},
      {"seed", fmt::format("{}", haptics::OpenSettings{}.seed)}};
  return Recorder::start(file, overwrites, meta,
                         haptics::TickRecorder::streamsOf(names, session.setup.bodies.size()),
                         pace);
}

}  // namespace tactus::app
