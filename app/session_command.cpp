#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/machine_json.hpp"
#include "app/object_source.hpp"
#include "app/recorded_hand.hpp"
#include "app/recording_info.hpp"
#include "app/scene_session.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/loop/haptic_loop.hpp"
#include "haptics/tick/hand_setup.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

using haptics::Hand;
using haptics::HandDevice;
using haptics::HandSpec;
using haptics::HapticLoop;
using haptics::Recorder;
using haptics::TickTimes;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

constexpr std::int64_t kTickNs = 1'000'000;
constexpr double kTickSeconds = 1e-3;
constexpr double kNsPerUs = 1e3;
constexpr auto kPollInterval = std::chrono::milliseconds(10);
constexpr std::string_view kDefaultDevice = "sim:sigma7";

/// Which device each hand of the scene gets.
Result<std::vector<HandSpec>> specsOf(const models::Scene& scene,
                                      const std::vector<std::string>& texts) {
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
  for (const models::SceneHand& hand : scene.hands) {
    const auto name = static_cast<Hand>(hand.name);
    const auto found = std::ranges::find(asked.value(), name, &HandSpec::hand);
    if (found != asked.value().end()) {
      specs.push_back(*found);
      continue;
    }
    Result<haptics::DeviceSpec> usual = haptics::parseDeviceSpec(kDefaultDevice);
    if (!usual) return usual.error();
    specs.push_back({name, std::move(usual).value()});
  }
  return specs;
}

/// Everything of a run that outlives the loop.
struct Session {
  LoadedScene loaded;
  std::vector<HandDevice> devices;  ///< of each of `hands`
  std::vector<SessionHand> hands;
  haptics::TickSetup setup;
};

Result<Session> openSession(const SessionRequest& request) {
  Result<models::Scene> scene = models::findScene(request.scene);
  if (!scene) return scene.error();
  if (request.method == "vps") scene.value().contact.method = models::SceneMethod::Voxmap;
  if (request.method == "ist") scene.value().contact.method = models::SceneMethod::InnerSpheres;
  const Result<response::ContactLaw> law = lawOf(scene.value().contact);
  if (!law) return law.error();
  const Result<std::vector<HandSpec>> specs = specsOf(scene.value(), request.devices);
  if (!specs) return specs.error();

  Session session;
  Result<LoadedScene> loaded = loadScene(std::move(scene).value());
  if (!loaded) return loaded.error();
  session.loaded = std::move(loaded).value();
  haptics::OpenSettings settings;
  settings.tickSeconds = kTickSeconds;
  for (const models::SceneHand& hand : session.loaded.scene.hands)
    settings.paths[static_cast<std::size_t>(hand.name)] = pathOf(session.loaded, hand);
  std::vector<HandSpec> alive = specs.value();
  for (HandSpec& spec : alive) {
    if (spec.device.kind == haptics::DeviceKind::Replay) spec.device = {};
  }
  Result<haptics::OpenedHands> opened = haptics::openHands(alive, settings);
  if (!opened) return opened.error();
  for (const std::string& note : opened.value().notes)
    complain(note);
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
  session.setup = tickSetupOf(session.loaded, law.value(), session.hands, kTickSeconds);
  return session;
}

Result<std::unique_ptr<Recorder>> startRecorder(const SessionRequest& request,
                                                const std::string& file, const Session& session,
                                                const haptics::TickParameters& parameters) {
  const models::Scene& scene = session.loaded.scene;
  std::vector<std::string> names;
  Json identities = Json::array();
  names.reserve(session.hands.size());
  for (const SessionHand& hand : session.hands)
    names.emplace_back(haptics::nameOf(hand.hand));
  for (const std::size_t object : session.loaded.objectOf)
    identities.push_back(session.loaded.objects[object].identity.text());
  const std::map<std::string, std::string> meta = {
      {"version", TACTUS_VERSION},
      {"scene", scene.name},
      {"scene_file", scene.file},
      {"scene_text", scene.text},
      {"method", request.method},
      {"hands", jsonText(sessionJson(session.hands))},
      {"objects", jsonText(identities)},
      {"parameters", haptics::parametersText(parameters)},
      {"tick_seconds", fmt::format("{}", kTickSeconds)},
      {"time", request.hasSimulatedTime ? "simulated" : "wall"},
      {"seed", fmt::format("{}", haptics::OpenSettings{}.seed)}};
  return Recorder::start(file, request.overwrites, meta,
                         haptics::TickRecorder::streamsOf(names, session.setup.bodies.size()),
                         request.hasSimulatedTime ? haptics::RecorderPace::ByDriver
                                                  : haptics::RecorderPace::OwnThread);
}

Json percentiles(const TickTimes& times) {
  const auto us = [&](double share) {
    return static_cast<double>(times.percentile(share)) / kNsPerUs;
  };
  return {{"p50", us(0.5)},
          {"p99", us(0.99)},
          {"p999", us(0.999)},
          {"max", static_cast<double>(times.longest()) / kNsPerUs}};
}

Json servoJson(const haptics::ServoTimes& times, const std::string& policy) {
  const double span = static_cast<double>(times.endedNs - times.beganNs) * 1e-9;
  const double rate =
      times.ticks > 1 && span > 0.0 ? static_cast<double>(times.ticks - 1) / span : 0.0;
  return {{"ticks", times.ticks},
          {"rate_hz", rate},
          {"late", times.late},
          {"skipped", times.skipped},
          {"compute_us", percentiles(times.compute)},
          {"period_us", percentiles(times.period)},
          {"policy", policy}};
}

Json contactsJson(const haptics::ContactTotals& totals) {
  const auto mean = [&](std::uint64_t sum) {
    return totals.ticks == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(totals.ticks);
  };
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return {{"pairs_mean", mean(totals.touching)},
          {"pairs_max", totals.mostTouching},
          {"asleep_mean", mean(totals.asleep)},
          {"cut_share", share(totals.cut, totals.asked)},
          // a contact is computed in the tick that uses it or in the one before
          {"age_ticks",
           {{"p99", 100 * totals.carried > totals.touching ? 1 : 0},
            {"max", totals.carried > 0 ? 1 : 0}}},
          {"carried_share", share(totals.carried, totals.touching)},
          {"dropped", totals.dropped}};
}

Json handsJson(const Session& session, const haptics::HapticTick& tick) {
  Json list = Json::array();
  for (std::size_t k = 0; k < session.hands.size(); ++k) {
    const haptics::HandResult& last = tick.result(k);
    const haptics::DeviceCounters counters = session.devices[k].device->counters();
    list.push_back({{"hand", haptics::nameOf(session.hands[k].hand)},
                    {"spec", session.hands[k].spec},
                    {"model", session.hands[k].capabilities.model},
                    {"profile", session.hands[k].profile.name},
                    {"stage", haptics::nameOf(last.stage)},
                    {"phase", response::nameOf(last.response.safe.phase)},
                    {"reason", response::nameOf(last.response.safe.reason)},
                    {"energy_given_j", tick.response(k).ledger().givenToHand},
                    {"held_back_ticks", tick.response(k).passivity().heldBack},
                    {"damped_ticks", tick.response(k).passivity().damped},
                    {"stale", counters.stale},
                    {"saturated", counters.saturated},
                    {"losses", counters.losses}});
  }
  return list;
}

void printText(const Json& json) {
  const Json& servo = json["servo"];
  const Json& contacts = json["contacts"];
  fmt::print("{} ticks at {:.1f} Hz; {} late, {} skipped; {}\n",
             servo["ticks"].get<std::uint64_t>(), servo["rate_hz"].get<double>(),
             servo["late"].get<std::uint64_t>(), servo["skipped"].get<std::uint64_t>(),
             servo["policy"].get<std::string>());
  const auto line = [](const char* name, const Json& of) {
    fmt::print("{:<8} median {:8.1f} us, p99 {:8.1f}, p99.9 {:8.1f}, longest {:8.1f}\n", name,
               of["p50"].get<double>(), of["p99"].get<double>(), of["p999"].get<double>(),
               of["max"].get<double>());
  };
  line("compute", servo["compute_us"]);
  line("period", servo["period_us"]);
  fmt::print(
      "{:.1f} pairs in contact, at most {}; {:.1f} bodies asleep; {:.2f} % of the queries "
      "cut\n",
      contacts["pairs_mean"].get<double>(), contacts["pairs_max"].get<std::uint64_t>(),
      contacts["asleep_mean"].get<double>(), 100.0 * contacts["cut_share"].get<double>());
  for (const Json& hand : json["hands"]) {
    const std::string reason = hand["reason"].get<std::string>();
    fmt::print("{:<7} {} ({}): {}{}{}\n", hand["hand"].get<std::string>(),
               hand["spec"].get<std::string>(), hand["model"].get<std::string>(),
               hand["phase"].get<std::string>(), reason.empty() ? "" : ", ", reason);
  }
  const Json& recorder = json["recorder"];
  if (!recorder.is_null()) {
    fmt::print("{} records written, {} dropped\n", recorder["records"].get<std::uint64_t>(),
               recorder["dropped"].get<std::uint64_t>());
  }
}

}  // namespace

ExitCode runSession(const SessionRequest& request) {
  if (request.recording) {
    if (const Result<Done> place = checkRecordingPlace(*request.recording, request.overwrites);
        !place) {
      complain(place.error().sentence);
      return ExitCode::BadInput;
    }
  }
  Result<Session> opened = openSession(request);
  if (!opened) {
    complain(opened.error().sentence);
    return exitCodeOf(opened.error());
  }
  Session session = std::move(opened).value();
  haptics::HapticTick tick(session.setup);
  const haptics::TickParameters parameters = parametersOf(session.setup);
  std::unique_ptr<Recorder> recorder;
  if (request.recording) {
    Result<std::unique_ptr<Recorder>> started =
        startRecorder(request, *request.recording, session, parameters);
    if (!started) {
      complain(started.error().sentence);
      return exitCodeOf(started.error());
    }
    recorder = std::move(started).value();
  }
  HapticLoop::Parts parts{.tick = &tick,
                          .devices = {},
                          .recorder = recorder.get(),
                          .pace = request.hasSimulatedTime ? haptics::RecorderPace::ByDriver
                                                           : haptics::RecorderPace::OwnThread};
  for (const HandDevice& hand : session.devices)
    parts.devices.push_back(hand.device.get());
  HapticLoop loop(parts, parameters);

  haptics::ServoSettings servo;
  servo.periodNs = kTickNs;
  servo.time =
      request.hasSimulatedTime ? haptics::TimeSource::Simulated : haptics::TimeSource::Wall;
  if (request.seconds)
    servo.ticks = static_cast<std::uint64_t>(std::llround(*request.seconds / kTickSeconds));
  const Interruption interruption;
  const studies::StolenTime stolen;
  std::atomic<bool> stops = false;
  std::atomic<bool> hasEnded = false;
  std::string policy = "simulated time";
  std::thread thread([&] {
    if (!request.hasSimulatedTime) policy = haptics::becomeServoThread().text;
    loop.run(servo, stops);
    hasEnded = true;
  });
  while (!hasEnded) {
    if (Interruption::wasAsked()) stops = true;
    std::this_thread::sleep_for(kPollInterval);
  }
  thread.join();
  const double stolenShare = stolen.share();

  ExitCode code = ExitCode::Good;
  Json recorded;
  if (recorder != nullptr) {
    const Result<Done> finished = recorder->finish();
    recorded = {{"records", recorder->records()}, {"dropped", recorder->dropped()}};
    if (!finished) {
      complain(finished.error().sentence);
      code = ExitCode::WorkFailed;
    }
  } else {
    recorded = {{"records", 0}, {"dropped", 0}};
  }
  const models::Scene& scene = session.loaded.scene;
  const Json json = {{"scene", scene.name},
                     {"bodies", scene.bodies.size()},
                     {"triangles", session.loaded.triangles},
                     {"servo", servoJson(loop.times(), policy)},
                     {"contacts", contactsJson(loop.totals())},
                     {"recorder", recorded},
                     {"hands", handsJson(session, tick)},
                     {"machine", machineJson(stolenShare)}};
  if (request.asJson) {
    printJson(json);
  } else {
    printText(json);
  }
  return code;
}

}  // namespace tactus::app
