#include "studies/runner/trial_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "haptics/simulated/simulated_device.hpp"
#include "studies/runner/simulated_hand_player.hpp"

namespace tactus::studies {
namespace {

using models::Result;

// Force comes 1.2 s after a device is ready; then comes the start signal.
constexpr std::uint64_t kStartTick = 1500;

/// The hands of all simulated participants of a trial.
class SimulatedDoer final : public TrialDoer {
 public:
  void add(const SimulatedHandPlayer::Setup& setup, std::size_t player) {
    hands_.push_back({std::make_unique<SimulatedHandPlayer>(setup), player});
  }
  [[nodiscard]] SimulatedHandPlayer& last() { return *hands_.back().hand; }

  void see(std::span<const haptics::BodyRecord> bodies, double seconds) noexcept override {
    for (std::size_t k = 0; k < hands_.size(); ++k)
      hands_[k].hand->see(bodies, seconds, partnerOf(k));
  }
  [[nodiscard]] int presses() const noexcept override {
    int presses = 0;
    for (const DoersHand& one : hands_)
      presses = std::max(presses, one.hand->presses());
    return presses;
  }

 private:
  struct DoersHand {
    std::unique_ptr<SimulatedHandPlayer> hand;
    std::size_t player = 0;
  };
  [[nodiscard]] const SimulatedHandPlayer* partnerOf(std::size_t hand) const noexcept {
    for (std::size_t k = 0; k < hands_.size(); ++k) {
      if (k != hand && hands_[k].player == hands_[hand].player) return hands_[k].hand.get();
    }
    return nullptr;
  }

  std::vector<DoersHand> hands_;
};

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
  const models::Scene& scene = request.loaded->scene;
  const PlannedTrial& trial = *request.trial;
  const std::vector<HandOwner> owners = ownersOf(protocol, *request.session, trial.period);

  TrialLoop::Parts parts;
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
    parts.hands.push_back(std::move(hand));
  }
  parts.setup = trialSetupOf(request, parts.hands);

  std::vector<std::size_t> loose;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (scene.bodies[k].kind == models::SceneBodyKind::Dynamic) loose.push_back(k);
  }
  RandomStream random(trial.seed + request.attempt);
  SimulatedDoer doer;
  std::vector<std::unique_ptr<haptics::SimulatedDevice>> devices;
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    const models::SceneHand& hand = scene.hands[k];
    const PlannedPlayer& planned = request.session->players[owners[k].player];
    SimulatedHandPlayer::Setup made;
    made.task = &protocol.task;
    made.side = owners[k].seat->side;
    made.hand = hand.name;
    made.level = parts.setup.hands[k].parameters.level;
    made.hasFourButtons = parts.hands[k].capabilities.buttons == 4;
    made.traits = traitsOf(planned.seed);
    made.isDominant = isRightHanded(planned) == isInRightHand(planned, *owners[k].seat, hand.name);
    made.lengthScale = hand.lengthScale;
    made.tool = hand.tool;
    made.sceneFromTool = scene.bodies[hand.tool].pose();
    made.toolFromGrip = hand.toolFromGrip();
    made.loose = loose;
    for (const models::SceneHand& other : scene.hands) {
      if (other.tool != hand.tool) made.otherTools.push_back(other.tool);
    }
    made.startSeconds = static_cast<double>(kStartTick) * kTrialTickSeconds;
    made.seed = random.next();
    doer.add(made, owners[k].player);
    haptics::HandPath path;
    path.grasp = static_cast<haptics::Grasp>(hand.grasp);
    haptics::SimulatedSettings settings;
    settings.tickSeconds = kTrialTickSeconds;
    settings.seed = random.next();
    settings.will = &doer.last();
    devices.push_back(
        std::make_unique<haptics::SimulatedDevice>(parts.hands[k].profile, path, settings));
    parts.devices.push_back(devices.back().get());
  }
  parts.doer = &doer;
  parts.startTick = kStartTick;
  parts.meta["simulated_participants"] = "true";
  Result<std::unique_ptr<TrialLoop>> loop = TrialLoop::prepare(request, std::move(parts));
  if (!loop) return loop.error();
  loop.value()->run();
  Result<TrialResult> result = loop.value()->finish();
  if (result && protocol.psychophysics) {
    PlayerResult& player = result.value().players.front();
    const double weber = traitsOf(request.session->players.front().seed).weber;
    const bool chose = choosesComparison(player, weber, trial.seed ^ 0x9e3779b97f4a7c15U);
    result.value().wasRight = noteChoice(player, protocol, request.comparison, chose);
  }
  return result;
}

}  // namespace tactus::studies
