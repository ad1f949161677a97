#include "studies/runner/trial_loop.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "haptics/recording/recorder.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::studies {
namespace {

using models::Result;
using models::say;

constexpr std::int64_t kTickNs = 1'000'000;
constexpr std::uint64_t kTicksPerSecond = 1000;

// Forces are gone after 20 ms (SafetySettings::fadeSeconds); some more, for the slew.
constexpr std::uint64_t kFadeTicks = 100;

std::string levelNamed(const PlannedSeat& seat, FactorKind kind) {
  const auto found =
      seat.conditions.find(std::string(kFactorKindNames[static_cast<std::size_t>(kind)]));
  return found == seat.conditions.end() ? std::string() : found->second;
}

response::InteractionLevel interactionLevel(const std::string& name) {
  const auto found = std::ranges::find(models::kSceneLevelNames, name);
  return static_cast<response::InteractionLevel>(found - models::kSceneLevelNames.begin());
}

std::map<std::string, std::string> metaOf(const TrialRequest& request,
                                          std::span<const haptics::SessionHand> hands,
                                          const haptics::TickParameters& parameters,
                                          haptics::TimeSource time) {
  const models::Scene& scene = request.loaded->scene;
  std::map<std::string, std::string> meta = {
      {"version", request.version},
      {"scene", scene.name},
      {"scene_file", scene.file},
      {"scene_text", scene.text},
      {"method", request.method},
      {"hands", haptics::sessionText(hands)},
      {"objects", haptics::objectsText(*request.loaded)},
      {"parameters", haptics::parametersText(parameters)},
      {"tick_seconds", "0.001"},
      {"time", time == haptics::TimeSource::Wall ? "wall" : "simulated"},
      {"seed", std::to_string(request.trial->seed)},
      {"study", request.protocol->name},
      {"protocol_hash", request.protocol->hash},
      {"instructions_version", request.protocol->instructionsVersion},
      {"session", request.session->code},
      {"trial", std::to_string(request.trial->number)},
      {"attempt", std::to_string(request.attempt)},
      {"block", request.protocol->blocks[request.trial->block - 1].name},
      {"period", std::to_string(request.trial->period)}};
  for (const PlannedPlayer& player : request.session->players) {
    const PlannedSeat& seat = player.periods[request.trial->period - 1];
    std::string text =
        say("seat ", seat.seat, ", side ", request.protocol->task.sides[seat.side].name);
    for (const auto& [factor, level] : seat.conditions)
      text += say(", ", factor, "=", level);
    meta["participant." + player.code] = text;
  }
  return meta;
}

/// Nominal stiffness of the first and the second press [N/m].
std::pair<double, double> pressesOf(const TrialRequest& request) {
  if (!request.protocol->psychophysics) return {0.0, 0.0};
  const double reference = request.protocol->psychophysics->reference;
  return request.trial->isReferenceFirst ? std::pair(reference, request.comparison)
                                         : std::pair(request.comparison, reference);
}

}  // namespace

std::string methodOf(const PlannedSeat& seat) {
  return levelNamed(seat, FactorKind::Method);
}

Result<models::Scene> sceneOf(const StudyProtocol& protocol, const PlannedSeat& seat) {
  models::Scene scene = protocol.scene;
  const std::string method = methodOf(seat);
  if (method == "vps") scene.contact.method = models::SceneMethod::Voxmap;
  if (method == "ist") scene.contact.method = models::SceneMethod::InnerSpheres;
  if (const std::string law = levelNamed(seat, FactorKind::Law); !law.empty()) {
    scene.contact.law = static_cast<models::SceneLaw>(
        std::ranges::find(models::kSceneLawNames, law) - models::kSceneLawNames.begin());
  }
  return models::parseScene(models::sceneText(scene), scene.file);
}

const ProtocolDevice& deviceOf(const StudyProtocol& protocol, const PlannedSeat& seat) {
  static const ProtocolDevice kUsual;
  const std::string level = levelNamed(seat, FactorKind::Device);
  const auto found = std::ranges::find(protocol.devices, level, &ProtocolDevice::level);
  return found == protocol.devices.end() ? kUsual : *found;
}

std::vector<HandOwner> ownersOf(const StudyProtocol& protocol, const PlannedSession& session,
                                std::uint32_t period) {
  std::vector<HandOwner> owners;
  for (const models::SceneHand& hand : protocol.scene.hands) {
    HandOwner owner;
    for (std::size_t p = 0; p < session.players.size(); ++p) {
      const PlannedSeat& seat = session.players[p].periods[period - 1];
      const TaskSide& side = protocol.task.sides[seat.side];
      if (owner.seat == nullptr || std::ranges::find(side.hands, hand.name) != side.hands.end())
        owner = {p, &seat};
    }
    owners.push_back(owner);
  }
  return owners;
}

haptics::TickSetup trialSetupOf(const TrialRequest& request,
                                std::span<const haptics::SessionHand> hands) {
  const StudyProtocol& protocol = *request.protocol;
  const std::vector<HandOwner> owners = ownersOf(protocol, *request.session, request.trial->period);
  haptics::TickSetup setup =
      haptics::tickSetupOf(*request.loaded, request.law, hands, kTrialTickSeconds);
  for (std::size_t k = 0; k < setup.hands.size(); ++k) {
    response::ForceParameters& parameters = setup.hands[k].parameters;
    const PlannedSeat& seat = *owners[k].seat;
    const ProtocolDevice& device = deviceOf(protocol, seat);
    if (const std::string dof = levelNamed(seat, FactorKind::Dof); !dof.empty())
      parameters.level = interactionLevel(dof);
    if (device.dof) parameters.level = static_cast<response::InteractionLevel>(*device.dof);
    if (const std::string level = levelNamed(seat, FactorKind::Stiffness); !level.empty())
      std::from_chars(level.data(), level.data() + level.size(), parameters.stiffness);
    if (protocol.psychophysics) parameters.stiffness = pressesOf(request).first;
  }
  return setup;
}

bool noteChoice(PlayerResult& player, const StudyProtocol& protocol, double comparison,
                bool choseComparison) {
  const double difference =
      comparison - (protocol.psychophysics ? protocol.psychophysics->reference : 0.0);
  player.measures["chose_comparison"] = choseComparison ? 1.0 : 0.0;
  player.measures["difference"] = difference;
  return choseComparison == (difference > 0.0);
}

TrialLoop::TrialLoop(const haptics::TickSetup& setup)
    : begin_(haptics::parametersOf(setup)), tick_(setup) {}

Result<std::unique_ptr<TrialLoop>> TrialLoop::prepare(const TrialRequest& request, Parts parts) {
  const StudyProtocol& protocol = *request.protocol;
  const ProtocolBlock& block = protocol.blocks[request.trial->block - 1];
  std::unique_ptr<TrialLoop> made(new TrialLoop(parts.setup));
  made->time_ = parts.time;
  const bool isWall = parts.time == haptics::TimeSource::Wall;
  const haptics::RecorderPace pace =
      isWall ? haptics::RecorderPace::OwnThread : haptics::RecorderPace::ByDriver;

  std::vector<std::string> names;
  std::vector<models::HandName> handNames;
  for (const haptics::SessionHand& hand : parts.hands) {
    names.emplace_back(haptics::nameOf(hand.hand));
    handNames.push_back(static_cast<models::HandName>(hand.hand));
  }
  const std::size_t bodies = parts.setup.bodies.size();
  std::vector<haptics::StreamLayout> streams = haptics::TickRecorder::streamsOf(names, bodies);
  const std::size_t firstStream = streams.size();
  for (const std::string& name : names)
    streams.push_back({"contact." + name, kContactFields, sizeof(ContactRecord)});
  std::map<std::string, std::string> meta = metaOf(request, parts.hands, made->begin_, parts.time);
  meta.merge(parts.meta);
  Result<std::unique_ptr<haptics::Recorder>> recorder =
      haptics::Recorder::start(request.recording, true, meta, std::move(streams), pace);
  if (!recorder) return recorder.error();
  made->recorder_ = std::move(recorder).value();

  made->limitTicks_ = static_cast<std::uint64_t>(std::max<std::int64_t>(
      1, std::llround(block.limitSeconds * request.timeScale * kTicksPerSecond)));
  if (parts.startTick) made->mostTicks_ = *parts.startTick + made->limitTicks_ + 1;
  made->sheet_ = std::make_unique<TrialSheet>(protocol, *request.session, *request.trial, handNames,
                                              made->limitTicks_, kTrialTickSeconds);
  made->watch_ = std::make_unique<TrialWatch>(
      *made->sheet_, parts.doer, *made->recorder_, firstStream, names.size(), bodies,
      WatchSettings{.startTick = parts.startTick,
                    .fadeTicks = parts.doer == nullptr ? kFadeTicks : 0,
                    .limitTicks = made->limitTicks_,
                    .kind = protocol.task.kind,
                    .ends = block.ends,
                    .tickSeconds = kTrialTickSeconds,
                    .secondStiffness = pressesOf(request).second});
  haptics::HapticLoop::Parts ofLoop;
  ofLoop.tick = &made->tick_;
  ofLoop.devices = std::move(parts.devices);
  ofLoop.recorder = made->recorder_.get();
  ofLoop.pace = pace;
  ofLoop.observer = made->watch_.get();
  // A trial that is cut off is done anew: nothing of it has to survive a kill.
  ofLoop.drainTicks = haptics::Recorder::kRingTicks / 2;
  made->loop_ = std::make_unique<haptics::HapticLoop>(ofLoop, made->begin_);
  made->watch_->attach(*made->loop_, made->begin_);
  return made;
}

TrialLoop::~TrialLoop() {
  if (watch_ != nullptr) watch_->abort();
  if (thread_.joinable()) thread_.join();
}

void TrialLoop::run() noexcept {
  haptics::ServoSettings servo;
  servo.time = time_;
  servo.periodNs = kTickNs;
  if (mostTicks_ != 0) servo.ticks = mostTicks_;
  loop_->run(servo, watch_->stops());
  hasEnded_ = true;
}

void TrialLoop::start() {
  thread_ = std::thread([this] {
    if (time_ == haptics::TimeSource::Wall) static_cast<void>(haptics::becomeServoThread());
    run();
  });
}

Result<TrialResult> TrialLoop::finish() {
  if (thread_.joinable()) thread_.join();
  if (const Result<models::Done> finished = recorder_->finish(); !finished) return finished.error();
  TrialResult result;
  result.players = sheet_->results();
  result.ticks = loop_->times().ticks;
  result.late = loop_->times().late;
  result.skipped = loop_->times().skipped;
  result.dropped = recorder_->dropped();
  result.seconds = static_cast<double>(sheet_->ticks()) * kTrialTickSeconds;
  result.isSuccess = std::ranges::all_of(result.players, [](const PlayerResult& player) {
    return player.measures.at("success") > 0.0;
  });
  result.wasAborted = watch_->wasAborted();
  if (watch_->wasPaused()) result.flags.insert("paused");
  if (watch_->wasDeviceLost()) result.flags.insert("device lost");
  if (result.dropped > 0) result.flags.insert("records dropped");
  return result;
}

}  // namespace tactus::studies
