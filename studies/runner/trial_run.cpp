#include "studies/runner/trial_run.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "haptics/loop/haptic_loop.hpp"
#include "haptics/recording/recorder.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "models/mesh/wording.hpp"
#include "studies/runner/simulated_hand_player.hpp"

namespace tactus::studies {
namespace {

using haptics::BodyRecord;
using haptics::HandRecord;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

constexpr double kTickSeconds = 1e-3;
constexpr std::int64_t kTickNs = 1'000'000;
constexpr std::uint64_t kTicksPerSecond = 1000;

// Force comes 1.2 s after a device is ready; then comes the start signal.
constexpr std::uint64_t kStartTick = 1500;

std::string levelNamed(const std::map<std::string, std::string>& conditions, FactorKind kind) {
  const auto found = conditions.find(std::string(kFactorKindNames[static_cast<std::size_t>(kind)]));
  return found == conditions.end() ? std::string() : found->second;
}

const ProtocolDevice& deviceOf(const StudyProtocol& protocol, const PlannedSeat& seat) {
  static const ProtocolDevice kUsual;
  const std::string level = levelNamed(seat.conditions, FactorKind::Device);
  const auto found = std::ranges::find(protocol.devices, level, &ProtocolDevice::level);
  return found == protocol.devices.end() ? kUsual : *found;
}

response::InteractionLevel levelNamed(const std::string& name) {
  const auto found = std::ranges::find(models::kSceneLevelNames, name);
  return static_cast<response::InteractionLevel>(found - models::kSceneLevelNames.begin());
}

/// What of the plan holds for one hand of the scene.
struct HandOwner {
  std::size_t player = 0;
  const PlannedSeat* seat = nullptr;
};

std::vector<HandOwner> ownersOf(const TrialRequest& request) {
  std::vector<HandOwner> owners;
  for (const models::SceneHand& hand : request.scene->loaded.scene.hands) {
    HandOwner owner;
    for (std::size_t p = 0; p < request.session->players.size(); ++p) {
      const PlannedSeat& seat = request.session->players[p].periods[request.trial->period - 1];
      const TaskSide& side = request.protocol->task.sides[seat.side];
      if (owner.seat == nullptr || std::ranges::find(side.hands, hand.name) != side.hands.end())
        owner = {p, &seat};
    }
    owners.push_back(owner);
  }
  return owners;
}

/// Measures, tells the players what is to be seen, and ends the trial: all in the loop's thread.
class TrialWatch final : public haptics::TickObserver {
 public:
  TrialWatch(TrialSheet& sheet, std::vector<std::unique_ptr<SimulatedHandPlayer>>& players,
             const std::vector<HandOwner>& owners, haptics::Recorder& recorder,
             std::size_t firstStream, std::size_t bodies, const ProtocolBlock& block,
             std::uint64_t limitTicks, TaskKind kind)
      : sheet_(sheet),
        players_(players),
        owners_(owners),
        recorder_(recorder),
        firstStream_(firstStream),
        block_(block),
        limitTicks_(limitTicks),
        kind_(kind),
        hands_(players.size()),
        contacts_(players.size()),
        bodies_(bodies) {}

  void attach(haptics::HapticLoop& loop, const haptics::TickParameters& parameters,
              double secondStiffness) {
    loop_ = &loop;
    parameters_ = parameters;
    secondStiffness_ = secondStiffness;
  }
  [[nodiscard]] const std::atomic<bool>& stops() const noexcept { return stops_; }

  void see(const haptics::RecordRing::Stamp& stamp, const haptics::TickInputs& inputs,
           const haptics::HapticTick& tick,
           std::span<const haptics::DeviceStatus> written) noexcept override {
    const std::uint16_t stage = stageOf(inputs.number);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const Eigen::Vector3d place = tick.world().pose(k).translation();
      const Eigen::Quaterniond& turn = tick.world().motion(k).turn;
      bodies_[k] = {{place.x(), place.y(), place.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}};
    }
    for (std::size_t k = 0; k < hands_.size(); ++k) {
      hands_[k] =
          haptics::handRecord(inputs.hands[k], tick.result(k), tick.response(k), written[k]);
      const response::ContactLoad& load = tick.result(k).response.tool.contact;
      ContactRecord& contact = contacts_[k];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = static_cast<Eigen::Index>(axis);
        contact.force[axis] = static_cast<float>(load.wrench.force[at]);
        contact.torque[axis] = static_cast<float>(load.wrench.torque[at]);
      }
      contact.volume = static_cast<float>(load.volume);
      contact.touches = load.wrench.force.squaredNorm() > 0.0 ? 1 : 0;
      contact.stage = stage;
      recorder_.push(firstStream_ + k, stamp, &contact);
    }
    sheet_.add(hands_, contacts_, bodies_);
    const double seconds = static_cast<double>(inputs.number) * kTickSeconds;
    for (std::size_t k = 0; k < players_.size(); ++k)
      players_[k]->see(bodies_, seconds, partnerOf(k));
    if (inputs.number == kStartTick) note(stamp, "start");
    if (stage == 2 && !hasChanged_) {
      hasChanged_ = true;
      note(stamp, "second_press");
      parameters_.hands[static_cast<std::size_t>(tick.handOf(0))].stiffness = secondStiffness_;
      loop_->parameters().back() = parameters_;
      loop_->parameters().publish();
    }
    if (isOver()) {
      note(stamp, "end");
      stops_ = true;
    }
  }

 private:
  [[nodiscard]] std::uint16_t stageOf(std::uint64_t tick) const noexcept {
    if (tick < kStartTick) return 0;
    if (kind_ != TaskKind::Press) return 1;
    int presses = 0;
    for (const auto& player : players_)
      presses = std::max(presses, player->presses());
    return static_cast<std::uint16_t>(1 + presses);
  }
  [[nodiscard]] bool isOver() const noexcept {
    if (sheet_.ticks() >= limitTicks_) return true;
    if (kind_ == TaskKind::Press) return !contacts_.empty() && contacts_.front().stage == 3;
    if (block_.ends == BlockEnd::Success) return sheet_.judge().isDone();
    return block_.ends == BlockEnd::EachPocketed && sheet_.judge().hasEachPocketed();
  }
  [[nodiscard]] const SimulatedHandPlayer* partnerOf(std::size_t hand) const noexcept {
    for (std::size_t k = 0; k < players_.size(); ++k) {
      if (k != hand && owners_[k].player == owners_[hand].player) return players_[k].get();
    }
    return nullptr;
  }
  void note(const haptics::RecordRing::Stamp& stamp, const char* name) noexcept {
    haptics::RecorderNote what;
    std::strncpy(what.name.data(), name, what.name.size() - 1);
    recorder_.note(stamp, what);
  }

  TrialSheet& sheet_;
  std::vector<std::unique_ptr<SimulatedHandPlayer>>& players_;
  const std::vector<HandOwner>& owners_;
  haptics::Recorder& recorder_;
  std::size_t firstStream_;
  const ProtocolBlock& block_;
  std::uint64_t limitTicks_;
  TaskKind kind_;
  std::vector<HandRecord> hands_;
  std::vector<ContactRecord> contacts_;
  std::vector<BodyRecord> bodies_;
  haptics::HapticLoop* loop_ = nullptr;
  haptics::TickParameters parameters_;
  double secondStiffness_ = 0.0;
  bool hasChanged_ = false;
  std::atomic<bool> stops_{false};
};

std::map<std::string, std::string> metaOf(const TrialRequest& request,
                                          const std::vector<haptics::SessionHand>& hands,
                                          const haptics::TickParameters& parameters) {
  const models::Scene& scene = request.scene->loaded.scene;
  std::map<std::string, std::string> meta = {
      {"version", request.version},
      {"scene", scene.name},
      {"scene_file", scene.file},
      {"scene_text", scene.text},
      {"method", request.scene->method},
      {"hands", haptics::sessionText(hands)},
      {"objects", haptics::objectsText(request.scene->loaded)},
      {"parameters", haptics::parametersText(parameters)},
      {"tick_seconds", "0.001"},
      {"time", "simulated"},
      {"seed", std::to_string(request.trial->seed)},
      {"simulated_participants", "true"},
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

/// The stiffer one, felt with a spread.
bool choosesComparison(const PlayerResult& result, double weber, std::uint64_t seed) {
  RandomStream random(seed);
  const auto felt = [&](const char* name) {
    const auto found = result.measures.find(name);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k)
      sum += random.aroundZero();
    return found == result.measures.end() ? sum : found->second * (1.0 + weber * sum);
  };
  const double reference = felt("stiffness_reference");
  return felt("stiffness_comparison") > reference;
}

}  // namespace

Result<TrialResult> runSimulatedTrial(const TrialRequest& request) {
  const StudyProtocol& protocol = *request.protocol;
  const haptics::LoadedScene& loaded = request.scene->loaded;
  const models::Scene& scene = loaded.scene;
  const PlannedTrial& trial = *request.trial;
  const ProtocolBlock& block = protocol.blocks[trial.block - 1];
  const std::vector<HandOwner> owners = ownersOf(request);

  std::vector<haptics::SessionHand> hands;
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    const ProtocolDevice& device = deviceOf(protocol, *owners[k].seat);
    Result<haptics::DeviceProfile> profile = haptics::findProfile(device.profile);
    if (!profile) return profile.error();
    haptics::SessionHand hand;
    hand.hand = static_cast<haptics::Hand>(scene.hands[k].name);
    hand.spec = "sim:" + device.profile;
    hand.profile = std::move(profile).value();
    hand.capabilities =
        haptics::SimulatedDevice(hand.profile, {}, haptics::SimulatedSettings()).capabilities();
    hands.push_back(std::move(hand));
  }
  haptics::TickSetup setup = haptics::tickSetupOf(loaded, request.scene->law, hands, kTickSeconds);
  const double first = trial.isReferenceFirst && protocol.psychophysics
                           ? protocol.psychophysics->reference
                           : request.comparison;
  const double second = trial.isReferenceFirst || !protocol.psychophysics
                            ? request.comparison
                            : protocol.psychophysics->reference;
  for (std::size_t k = 0; k < setup.hands.size(); ++k) {
    response::ForceParameters& parameters = setup.hands[k].parameters;
    const PlannedSeat& seat = *owners[k].seat;
    const ProtocolDevice& device = deviceOf(protocol, seat);
    if (const std::string dof = levelNamed(seat.conditions, FactorKind::Dof); !dof.empty())
      parameters.level = levelNamed(dof);
    if (device.dof) parameters.level = static_cast<response::InteractionLevel>(*device.dof);
    if (const std::string level = levelNamed(seat.conditions, FactorKind::Stiffness);
        !level.empty())
      std::from_chars(level.data(), level.data() + level.size(), parameters.stiffness);
    if (protocol.psychophysics) parameters.stiffness = first;
  }
  const haptics::TickParameters parameters = haptics::parametersOf(setup);

  std::vector<std::size_t> loose;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (scene.bodies[k].kind == models::SceneBodyKind::Dynamic) loose.push_back(k);
  }
  RandomStream random(trial.seed + request.attempt);
  std::vector<std::unique_ptr<SimulatedHandPlayer>> players;
  std::vector<std::unique_ptr<haptics::SimulatedDevice>> devices;
  haptics::HapticLoop::Parts parts;
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    const models::SceneHand& hand = scene.hands[k];
    const PlannedPlayer& planned = request.session->players[owners[k].player];
    SimulatedHandPlayer::Setup made;
    made.task = &protocol.task;
    made.side = owners[k].seat->side;
    made.hand = hand.name;
    made.level = setup.hands[k].parameters.level;
    made.hasFourButtons = hands[k].capabilities.buttons == 4;
    made.traits = traitsOf(planned.seed);
    const bool isLeft = hand.name == models::HandName::Left || hand.name == models::HandName::Left2;
    made.isDominant = made.traits.isRightHanded != isLeft;
    made.lengthScale = hand.lengthScale;
    made.tool = hand.tool;
    made.sceneFromTool = scene.bodies[hand.tool].pose();
    made.toolFromGrip = hand.toolFromGrip();
    made.loose = loose;
    made.startSeconds = static_cast<double>(kStartTick) * kTickSeconds;
    made.seed = random.next();
    players.push_back(std::make_unique<SimulatedHandPlayer>(made));
    haptics::HandPath path;
    path.grasp = static_cast<haptics::Grasp>(hand.grasp);
    haptics::SimulatedSettings settings;
    settings.tickSeconds = kTickSeconds;
    settings.seed = random.next();
    settings.will = players.back().get();
    devices.push_back(std::make_unique<haptics::SimulatedDevice>(hands[k].profile, path, settings));
    parts.devices.push_back(devices.back().get());
  }

  std::vector<std::string> names;
  std::vector<models::HandName> handNames;
  for (const models::SceneHand& hand : scene.hands) {
    names.emplace_back(models::kHandNames[static_cast<std::size_t>(hand.name)]);
    handNames.push_back(hand.name);
  }
  std::vector<haptics::StreamLayout> streams =
      haptics::TickRecorder::streamsOf(names, scene.bodies.size());
  const std::size_t firstStream = streams.size();
  for (const std::string& name : names)
    streams.push_back({"contact." + name, kContactFields, sizeof(ContactRecord)});
  Result<std::unique_ptr<haptics::Recorder>> recorder =
      haptics::Recorder::start(request.recording, true, metaOf(request, hands, parameters),
                               std::move(streams), haptics::RecorderPace::ByDriver);
  if (!recorder) return recorder.error();

  const auto limitTicks = static_cast<std::uint64_t>(std::max<std::int64_t>(
      1, std::llround(block.limitSeconds * request.timeScale * kTicksPerSecond)));
  TrialSheet sheet(protocol, *request.session, trial, handNames, limitTicks, kTickSeconds);
  haptics::HapticTick tick(setup);
  parts.tick = &tick;
  parts.recorder = recorder.value().get();
  parts.pace = haptics::RecorderPace::ByDriver;
  // A trial that is cut off is done anew: nothing of it has to survive a kill.
  parts.drainTicks = haptics::Recorder::kRingTicks / 2;
  TrialWatch watch(sheet, players, owners, *recorder.value(), firstStream, scene.bodies.size(),
                   block, limitTicks, protocol.task.kind);
  parts.observer = &watch;
  haptics::HapticLoop loop(parts, parameters);
  watch.attach(loop, parameters, second);
  loop.run({.time = haptics::TimeSource::Simulated,
            .periodNs = kTickNs,
            .ticks = kStartTick + limitTicks + 1},
           watch.stops());
  if (const Result<models::Done> finished = recorder.value()->finish(); !finished)
    return finished.error();

  TrialResult result;
  result.players = sheet.results();
  result.ticks = loop.times().ticks;
  result.dropped = recorder.value()->dropped();
  result.seconds = static_cast<double>(sheet.ticks()) * kTickSeconds;
  result.isSuccess = std::ranges::all_of(result.players, [](const PlayerResult& player) {
    return player.measures.at("success") > 0.0;
  });
  if (protocol.psychophysics) {
    PlayerResult& player = result.players.front();
    const bool chose =
        choosesComparison(player, traitsOf(request.session->players.front().seed).weber,
                          trial.seed ^ 0x9e3779b97f4a7c15U);
    player.measures["chose_comparison"] = chose ? 1.0 : 0.0;
    player.measures["difference"] = request.comparison - protocol.psychophysics->reference;
    result.wasRight = chose == (request.comparison > protocol.psychophysics->reference);
  }
  return result;
}

}  // namespace tactus::studies
