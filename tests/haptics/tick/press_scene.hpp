#pragma once
#include <Eigen/Geometry>
#include <memory>
#include <utility>
#include <vector>

#include "haptics/profiles/device_profile.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "haptics/tick/hand_setup.hpp"
#include "haptics/tick/haptic_tick.hpp"
#include "tests/response/bodies/test_bodies.hpp"

/// A hand with a simulated device that holds a box of 4 cm over a plate, beside it a loose box.
namespace tactus::haptics::test {

inline constexpr double kBoxSide = 0.04;
inline constexpr double kGap = 0.01;  // between the box and the plate, where it begins [m]
inline constexpr double kTick = 1e-3;

inline response::Material tough() {
  response::Material material;
  material.stiffness = 8e6;
  return material;
}

/// Rests at the middle until the force is there, then goes down to `depth` below the touch and
/// stays.
inline HandPath pressing(double depth, double at = 2.0) {
  HandPath path;
  path.repeats = false;
  const auto key = [](double seconds, double y) {
    HandKey made;
    made.at = seconds;
    made.position = Eigen::Vector3d(0.0, y, 0.0);
    return made;
  };
  path.keys = {key(0.0, 0.0), key(at, 0.0), key(at + 1.0, -kGap - depth)};
  return path;
}

inline TickSetup pressScene(response::ToolKind kind, const char* profileName = "sigma7") {
  const response::Material material = tough();
  const models::Mesh box = models::test::box({kBoxSide, kBoxSide, kBoxSide});
  TickSetup setup;
  setup.bodies = {
      response::test::plateOf(material, 0.2, 0.04, 20'000),
      response::test::bodyOf(box, 1000.0, material, response::BodyKind::Tool, 8'000),
      response::test::bodyOf(box, 1000.0, material, response::BodyKind::Dynamic, 8'000)};
  setup.bodies[1].pose.translation().y() = kGap + 0.5 * kBoxSide;
  setup.bodies[2].pose.translation() = Eigen::Vector3d(0.06, 0.5 * kBoxSide + 1e-4, 0.0);
  const DeviceProfile profile = findProfile(profileName).value();
  TickHand hand;
  hand.body = 1;
  hand.capabilities = profile.capabilities;
  hand.setup = handSetupOf(profile, profile.capabilities,
                           {.mass = setup.bodies[1].mass, .thinnestPart = 0.02}, kTick);
  hand.parameters.tool = kind;
  setup.hands = {hand};
  return setup;
}

inline TickParameters parametersOf(const TickSetup& setup) {
  TickParameters parameters;
  for (const TickHand& hand : setup.hands)
    parameters.hands[static_cast<std::size_t>(hand.hand)] = hand.parameters;
  return parameters;
}

/// Of the right hand.
inline response::ForceParameters& rightOf(TickParameters& parameters) {
  return parameters.hands[static_cast<std::size_t>(Hand::Right)];
}

/// The driver's part, for one hand: read, tick, write.
struct Rig {
  explicit Rig(TickSetup given, HandPath path, const SimulatedSettings& settings = {})
      : setup(std::move(given)),
        device(findProfile("sigma7").value(), std::move(path), settings),
        tick(setup),
        wanted(parametersOf(setup)) {}

  const HandResult& step(std::uint32_t skipped = 0) {
    inputs.number += skipped + 1;
    inputs.skipped = skipped;
    for (std::uint32_t k = 0; k < skipped; ++k) {
      // the device goes on with the last command while nobody is there
      DeviceSample missed;
      static_cast<void>(device.read(0, missed));
      static_cast<void>(device.write(tick.result(0).command));
    }
    inputs.hands[0].status = device.read(0, inputs.hands[0].sample);
    tick.tick(inputs, wanted);
    written = device.write(tick.result(0).command);
    return tick.result(0);
  }
  void run(int ticks) {
    for (int k = 0; k < ticks; ++k)
      step();
  }

  TickSetup setup;
  SimulatedDevice device;
  HapticTick tick;
  TickParameters wanted;
  TickInputs inputs;
  DeviceStatus written;
};

}  // namespace tactus::haptics::test
