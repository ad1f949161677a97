#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/haptics/tick/press_scene.hpp"

/// Two hands with a simulated device each, whose tools, boxes of 4 cm, are 2 cm apart.
namespace tactus::haptics::test {

inline HandPath path(const std::vector<std::pair<double, Eigen::Vector3d>>& places,
                     Grasp grasp = Grasp::Normal) {
  HandPath made;
  made.grasp = grasp;
  made.repeats = false;
  made.keys.reserve(places.size());
  for (const auto& [at, position] : places) {
    HandKey key;
    key.at = at;
    key.position = position;
    made.keys.push_back(key);
  }
  return made;
}

struct TwoHandsSettings {
  response::ToolKind kind = response::ToolKind::QuasiStatic;
  double friction = 0.0;
  double stiffer = 1.0;  ///< stiffness, of shifts and turns
  double damped = 1.0;   ///< and damping
  std::uint32_t delayTicks = 0;
  bool isPassivityOn = true;
};

inline TickSetup twoHandsScene(const TwoHandsSettings& settings) {
  TickSetup setup = pressScene(settings.kind);
  setup.bodies[2].kind = response::BodyKind::Tool;
  setup.bodies[2].pose = setup.bodies[1].pose;
  setup.bodies[2].pose.translation().x() = 0.06;
  for (response::BodyDescription& body : setup.bodies)
    body.material.staticFriction = body.material.kineticFriction = settings.friction;
  setup.hands.push_back(setup.hands[0]);
  setup.hands[1].body = 2;
  setup.hands[1].hand = Hand::Left;
  for (TickHand& hand : setup.hands) {
    hand.parameters.stiffness *= settings.stiffer;
    hand.parameters.turnStiffness *= settings.stiffer;
    hand.parameters.damping *= settings.damped;
    hand.parameters.turnDamping *= settings.damped;
    hand.parameters.isPassivityOn = settings.isPassivityOn;
    hand.setup.device.delayTicks += settings.delayTicks;
  }
  return setup;
}

inline SimulatedSettings simulated(std::uint64_t seed, std::uint32_t delayTicks) {
  SimulatedSettings settings;
  settings.seed = seed;
  settings.extraDelayTicks = delayTicks;
  return settings;
}

/// The driver's part.
struct TwoRigs {
  TwoRigs(const TwoHandsSettings& settings, HandPath first, HandPath second)
      : setup(twoHandsScene(settings)),
        right(findProfile("sigma7").value(), std::move(first), simulated(1, settings.delayTicks)),
        left(findProfile("sigma7").value(), std::move(second), simulated(2, settings.delayTicks)),
        tick(setup),
        wanted(test::parametersOf(setup)) {}

  void step() {
    ++inputs.number;
    for (std::size_t k = 0; k < 2; ++k)
      inputs.hands[k].status = devices[k]->read(0, inputs.hands[k].sample);
    tick.tick(inputs, wanted);
    for (std::size_t k = 0; k < 2; ++k) {
      static_cast<void>(devices[k]->write(tick.result(k).command));
      const response::SafeWrench& safe = tick.result(k).response.safe;
      if (tick.result(k).command.wrench.force.norm() < 0.05) continue;
      ++contactTicks;
      if (safe.damping > 0.0 || safe.isHeldBack) ++actedTicks;
    }
  }
  [[nodiscard]] const response::EnergyLedger& ledger(std::size_t hand) const {
    return tick.response(hand).ledger();
  }
  [[nodiscard]] double balance(std::size_t hand) const {
    return tick.response(hand).passivity().balance;
  }
  /// What the motors really gave to both hands.
  [[nodiscard]] double worked() const { return right.truth().workOnHand + left.truth().workOnHand; }

  TickSetup setup;
  SimulatedDevice right, left;
  std::array<SimulatedDevice*, 2> devices = {&right, &left};
  HapticTick tick;
  TickParameters wanted;
  TickInputs inputs;
  int contactTicks = 0, actedTicks = 0;  // of both hands
};

}  // namespace tactus::haptics::test
