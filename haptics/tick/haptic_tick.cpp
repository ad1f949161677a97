#include "haptics/tick/haptic_tick.hpp"

#include <algorithm>
#include <limits>

#include "haptics/tick/joined_hands.hpp"
#include "response/parameters/material_ranges.hpp"
#include "response/rotation_vector.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using response::BodyKind;
using response::ToolKind;

constexpr std::uint32_t kClutch = 1U << 0U;

bool isDown(std::uint32_t buttons, unsigned which) {
  return ((buttons >> which) & 1U) != 0;
}

/// -1 to 1 about x, y and z.
Vector3d turnsOf(std::uint32_t buttons) {
  Vector3d turns = Vector3d::Zero();
  for (unsigned axis = 0; axis < 3; ++axis) {
    turns[axis] =
        (isDown(buttons, 1 + 2 * axis) ? 1.0 : 0.0) - (isDown(buttons, 2 + 2 * axis) ? 1.0 : 0.0);
  }
  return turns;
}

// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
// section 7.4: three of the Falcon's buttons turn the virtual hand, the fourth changes the way.
constexpr int kButtonsOfFalcon = 4;
Vector3d turnsOfFour(std::uint32_t buttons) {
  const double way = isDown(buttons, 3) ? -1.0 : 1.0;
  Vector3d turns = Vector3d::Zero();
  for (unsigned axis = 0; axis < 3; ++axis)
    turns[axis] = isDown(buttons, axis) ? way : 0.0;
  return turns;
}

/// Its tools move as their hands' couplings want: pulled as bodies among bodies, or where they are
/// told to be.
BodyKind kindOf(ToolKind kind) {
  return kind == ToolKind::Dynamic ? BodyKind::Tool : BodyKind::Kinematic;
}

// Slower, a step of the scene is a microsecond and floats of contacts no longer tell it from none.
constexpr double kSlowest = 1e-3;

double speedOf(double wanted) {
  return wanted >= kSlowest && wanted <= 1.0 ? wanted : 1.0;
}

std::uint32_t budgetOf(double wanted) {
  return wanted >= 1.0 && wanted < static_cast<double>(collision::kNoBudget)
             ? static_cast<std::uint32_t>(wanted)
             : collision::kNoBudget;
}

/// As a scene sees it whose time goes slower: the hand is faster by so much, and a damper weaker,
/// so that what the hand feels of it is the same.
response::HandMotion motionIn(response::HandMotion motion, double faster) {
  motion.velocity *= faster;
  motion.spin *= faster;
  return motion;
}
response::CouplingGains gainsIn(response::CouplingGains gains, double slower) {
  gains.damping *= slower;
  gains.turnDamping *= slower;
  return gains;
}

}  // namespace

HapticTick::HeldHand::HeldHand(const TickHand& given, const Isometry3d& sceneFromTool, double dt)
    : which(given.hand),
      body(given.body),
      buttons(given.capabilities.buttons),
      response(given.setup, sceneFromTool, given.parameters),
      tool(given.body),
      start(given.capabilities, {.tickSeconds = dt}) {}

HapticTick::HapticTick(const TickSetup& setup)
    : world_(setup.bodies, setup.world),
      dt_(setup.tickSeconds),
      materials_(setup.materials),
      materialOf_(setup.materialOf) {
  materialOf_.resize(setup.bodies.size(), kMostMaterials);
  for (const auto& [a, b] : setup.strangers)
    world_.setInterest(a, b, false);
  const std::size_t count = std::min(setup.hands.size(), kMostHands);
  hands_.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const TickHand& given = setup.hands[k];
    world_.setKind(given.body, kindOf(given.parameters.tool));
    hands_.emplace_back(given, world_.pose(given.body), dt_);
  }
}

void HapticTick::tick(const TickInputs& inputs, const TickParameters& wanted) noexcept {
  world_.requestLaw(wanted.law);
  world_.setGravity({wanted.gravity[0], wanted.gravity[1], wanted.gravity[2]});
  world_.setBudgetOfPair(budgetOf(wanted.budgetOfPair));
  takeMaterials(wanted);
  const double sceneSeconds = dt_ * speedOf(wanted.speed);
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    HeldHand& hand = hands_[k];
    readHand(hand, inputs.hands[k], inputs);
    hand.inputs.isPaused = wanted.isPaused;
    hand.wish =
        hand.response.begin(hand.inputs, wanted.hands[static_cast<std::size_t>(hand.which)], dt_);
  }
  if (!wanted.isPaused) {
    for (HeldHand& hand : hands_)
      moveTool(hand, sceneSeconds);
    world_.step(sceneSeconds);
  } else if (wanted.steps != steps_) {
    for (const HeldHand& hand : hands_)
      rest(hand);
    world_.step(dt_);
  }
  steps_ = wanted.steps;
  tellDeficits();
  for (HeldHand& hand : hands_)
    answerHand(hand, sceneSeconds);
  wasCut_ = world_.counters().cut != 0;
}

/// Slewed, so that no slider can kick a hand that touches.
void HapticTick::takeMaterials(const TickParameters& wanted) noexcept {
  haveMaterialsMoved_ = false;
  for (std::size_t material = 0; material < kMostMaterials; ++material) {
    if (!response::slewMaterial(materials_[material], wanted.materials[material], dt_)) continue;
    haveMaterialsMoved_ = true;
    for (std::size_t body = 0; body < materialOf_.size(); ++body) {
      if (materialOf_[body] == material) world_.setMaterial(body, materials_[material]);
    }
  }
}

/// In a single step of a paused scene nobody moves or pulls a tool.
void HapticTick::rest(const HeldHand& hand) noexcept {
  if (hand.wish.kind == ToolKind::Dynamic) {
    world_.setExternal(hand.body, {});
  } else {
    world_.setTwist(hand.body, Vector3d::Zero(), Vector3d::Zero());
  }
}

/// What one hand's loop generates may come out at another's device, through tools that touch.
void HapticTick::tellDeficits() noexcept {
  const auto group =
      joinedHands<kMostHands>(hands_.size(), [this](std::size_t k, std::size_t other) {
        return world_.areJoined(hands_[k].body, hands_[other].body);
      });
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    hands_[k].inputs.othersDeficit = 0.0;
    for (std::size_t other = 0; other < hands_.size(); ++other) {
      if (other == k || group[other] != group[k]) continue;
      hands_[k].inputs.othersDeficit += std::min(0.0, hands_[other].response.passivity().balance);
    }
  }
}

void HapticTick::readHand(HeldHand& hand, const HandSample& from,
                          const TickInputs& inputs) noexcept {
  const DeviceSample& sample = from.sample;
  // By what would come if it were running: the coupling's wrench of the last tick.
  const response::Wrench& wouldCome = hand.result.response.safe.stages.coupling;
  static_cast<void>(hand.start.advance(from.status, sample, wouldCome));
  hand.result.stage = hand.start.stage();
  hand.result.waitingFor = hand.start.waitingFor();

  response::HandInputs& now = hand.inputs;
  now.position = sample.position;
  now.orientation = sample.orientation.toRotationMatrix();
  if (from.status.has(DeviceFlag::NotFinite)) {
    // The adapter has repeated an old measurement. The chain has to know, and stops.
    now.position.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  now.vendorVelocity = {sample.velocity, sample.angularVelocity};
  // Force may come as soon as the grip has been near the middle; from there the chain's own ramp
  // brings it up.
  const StartStage stage = hand.start.stage();
  const bool isRunning = stage == StartStage::Ramp || stage == StartStage::Running;
  now.isDeadManHeld = !from.status.has(DeviceFlag::ForcesOff);
  // One that is there and only let go of is not called lost.
  const bool isLetGo = !now.isDeadManHeld && hand.response.setup().device.needsDeadMan;
  now.isConnected = isRunning || (isLetGo && !from.status.has(DeviceFlag::Lost));
  const bool turnsByFour = hand.buttons == kButtonsOfFalcon &&
                           response::turnsByButtons(hand.response.parameters().level);
  now.isClutchPressed = !turnsByFour && (sample.buttons & kClutch) != 0;
  now.buttons = turnsByFour ? turnsOfFour(sample.buttons) : turnsOf(sample.buttons);
  now.skippedTicks = inputs.skipped;
  now.contactAge = 0.0;  // those of what a hand holds are computed in this very tick
  now.wasCut = wasCut_;
  now.haveMaterialsMoved = haveMaterialsMoved_;
}

void HapticTick::moveTool(HeldHand& hand, double sceneSeconds) noexcept {
  world_.setKind(hand.body, kindOf(hand.wish.kind));
  if (hand.wish.kind == ToolKind::Dynamic) {
    hand.isPulled = hand.tool.pull(world_, motionIn(hand.wish.motion, dt_ / sceneSeconds),
                                   gainsIn(hand.wish.gains, sceneSeconds / dt_), hand.wish.shape);
    return;
  }
  auto loadAt = [&](const Isometry3d& pose) noexcept { return world_.loadOn(hand.body, pose); };
  auto clearShare = [&](const Isometry3d& from, const Isometry3d& to,
                        const Vector3d& pivot) noexcept {
    return world_.clearShare(hand.body, from, to, pivot);
  };
  world_.beginLoads(hand.body, sceneSeconds);
  hand.settled = hand.response.settled(hand.wish, response::ContactQuery(loadAt), dt_,
                                       response::ClearWay(clearShare));
  world_.endLoads(hand.body, hand.settled.sceneFromTool);
  // There within the step, by an even motion: what it meets on the way is pushed.
  const Isometry3d from = world_.pose(hand.body);
  const Isometry3d& to = hand.settled.sceneFromTool;
  const Vector3d& centre = world_.mass(hand.body).centre;
  const Vector3d shift = to * centre - from * centre;
  const Vector3d turn = response::rotationVector(to.linear() * from.linear().transpose());
  world_.setTwist(hand.body, shift / sceneSeconds, turn / sceneSeconds);
}

void HapticTick::answerHand(HeldHand& hand, double sceneSeconds) noexcept {
  response::CoupledTool& tool = hand.settled;
  if (hand.wish.kind == ToolKind::Dynamic) {
    tool = hand.tool.held(world_, motionIn(hand.wish.motion, dt_ / sceneSeconds),
                          gainsIn(hand.wish.gains, sceneSeconds / dt_), hand.wish.shape);
    tool.isFinite = tool.isFinite && hand.isPulled;
  }
  hand.result.response = hand.response.end(hand.wish, tool, hand.inputs, dt_);
  tool.broughtEnergy = 0.0;  // told once, also where a paused scene leaves the tool as it is
  world_.setStiffnessFactor(hand.body, hand.result.response.contactFactor);
  hand.result.command.wrench = hand.result.response.safe.applied;
}

}  // namespace tactus::haptics
