// The whole tick of a hand, in every state it can be in, asks for no memory: the program's
// allocator ends it otherwise. How the guard works is tested beside it, in
// tests/collision/allocation.
#include <gtest/gtest.h>

#include <limits>

#include "response/hand/hand_response.hpp"
#include "response/rotation_vector.hpp"
#include "tests/collision/allocation/no_allocation.hpp"
#include "tests/response/coupling/closed_contacts.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using tests::anyVector;
using tests::NoAllocation;
using tests::PlaneContact;
using tests::SeededBits;

TEST(ResponseAllocationDeathTest, AContactThatAllocatesIsNoticed) {
  HandResponse hand({}, Eigen::Isometry3d::Identity(), {});
  auto greedy = [](const Eigen::Isometry3d&) {
    const Eigen::VectorXd room = Eigen::VectorXd::Ones(20);
    ContactLoad load;
    load.energy = 1e-9 * room.sum();
    return load;
  };
  EXPECT_DEATH(
      {
        const NoAllocation guard("a hand's tick");
        static_cast<void>(hand.tick({}, {}, ContactQuery(greedy), 0.001));
      },
      "in a hand's tick");
}

TEST(ResponseAllocation, OfAHandsTick) {
  SeededBits random(1);
  for (const ToolKind kind : {ToolKind::QuasiStatic, ToolKind::Dynamic}) {
    for (const VelocityMethod velocity :
         {VelocityMethod::Vendor, VelocityMethod::LowPass, VelocityMethod::AdaptiveWindow}) {
      HandSetup setup;
      setup.device.peak = {12.0, 0.2};
      setup.device.continuous = {5.0, 0.1};
      setup.device.delayTicks = 2;
      ForceParameters parameters;
      parameters.tool = kind;
      parameters.velocity = velocity;
      HandResponse hand(setup, Eigen::Isometry3d::Identity(), parameters);
      PlaneContact plane{.pointInTool = Eigen::Vector3d(0.02, 0, 0)};
      int forces = 0;
      HandInputs inputs;
      for (int tick = 0; tick < 4000; ++tick) {
        inputs.position += 1e-4 * anyVector(random) - 0.01 * inputs.position;
        inputs.position.y() -= tick > 1000 ? 5e-5 : 0.0;
        inputs.orientation = rectified(turnBy(1e-3 * anyVector(random)) * inputs.orientation);
        HandInputs now = inputs;
        now.isClutchPressed = tick / 100 % 10 == 9;
        now.isEmergencyStop = tick == 3000;
        now.isReset = tick == 3010;
        now.isConnected = tick / 50 % 50 != 48;
        if (tick == 2500) now.position.x() = std::numeric_limits<double>::quiet_NaN();
        parameters.stiffness = tick / 300 % 2 == 0 ? 500.0 : 4000.0;
        const NoAllocation guard("a hand's tick");
        const HandTick out = hand.tick(now, parameters, ContactQuery(plane), 0.001);
        if (!out.safe.applied.force.isZero(0.0)) ++forces;
      }
      EXPECT_GT(forces, 500);
    }
  }
}

}  // namespace
}  // namespace tactus::response
