// What runs in the servo tick asks for no memory: the allocator ends the program if it does.
#include <gtest/gtest.h>

#include <atomic>

#include "haptics/devices/start_sequence.hpp"
#include "haptics/loop/haptic_loop.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "haptics/tick/tick_records.hpp"
#include "tests/collision/allocation/no_allocation.hpp"
#include "tests/collision/cache/temporary_file.hpp"
#include "tests/haptics/tick/two_hands_scene.hpp"

namespace tactus::haptics {
namespace {

TEST(HapticsAllocation, ASimulatedDeviceAndItsStart) {
  SimulatedSettings settings;
  settings.faults.lostFrom = 100;
  settings.faults.lostUntil = 200;
  SimulatedDevice device(findProfile("sigma7").value(), defaultHandPath(), settings);
  StartSequence start(device.capabilities(), {});
  const tests::NoAllocation none("the tick of a simulated device");
  for (int n = 0; n < 1000; ++n) {
    DeviceSample sample;
    DeviceCommand command;
    command.wrench.force.x() = 20.0;
    const DeviceStatus status = device.read(0, sample);
    command.wrench.force *= start.advance(status, sample, command.wrench);
    (void)device.write(command);
  }
}

// Devices, tick, snapshots, parameters and the recorder's side of it, as in a real run.
TEST(HapticsAllocation, TheWholeLoopInAndOutOfContact) {
  for (const response::ToolKind kind :
       {response::ToolKind::QuasiStatic, response::ToolKind::Dynamic}) {
    const TickSetup setup = test::pressScene(kind);
    SimulatedSettings faults;
    faults.faults.notFiniteAt = 2600;
    faults.faults.lostFrom = 2700;
    faults.faults.lostUntil = 2800;
    SimulatedDevice device(findProfile("sigma7").value(), test::pressing(0.004), faults);
    HapticTick tick(setup);
    const tests::TemporaryFile file("loop.tacr");
    auto recorder = Recorder::start(file.path(), true, {},
                                    TickRecorder::streamsOf({{"right"}}, setup.bodies.size()),
                                    RecorderPace::OwnThread);
    ASSERT_TRUE(recorder) << recorder.error().sentence;
    HapticLoop loop({.tick = &tick, .devices = {&device}, .recorder = recorder.value().get()},
                    test::parametersOf(setup));
    const std::atomic<bool> stops = false;
    TickParameters changed = test::parametersOf(setup);
    test::rightOf(changed).stiffness = 1500.0;
    loop.parameters().back() = changed;
    loop.parameters().publish();
    {
      const tests::NoAllocation none("the loop");
      loop.run({.time = TimeSource::Simulated, .ticks = 3500}, stops);
    }
    EXPECT_EQ(loop.times().ticks, 3500U);
    EXPECT_GT(loop.totals().touching, 100U);
    ASSERT_TRUE(recorder.value()->finish());
  }
}

TEST(HapticsAllocation, TwoHandsThatMeet) {
  for (const response::ToolKind kind :
       {response::ToolKind::QuasiStatic, response::ToolKind::Dynamic}) {
    test::TwoRigs rigs({.kind = kind, .friction = 0.4},
                       test::path({{0.0, Eigen::Vector3d::Zero()},
                                   {1.5, Eigen::Vector3d::Zero()},
                                   {1.9, Eigen::Vector3d(0.04, 0.0, 0.0)},
                                   {2.3, Eigen::Vector3d::Zero()}}),
                       test::path({{0.0, Eigen::Vector3d::Zero()}}));
    {
      const tests::NoAllocation none("the tick of two hands");
      for (int k = 0; k < 2400; ++k)
        rigs.step();
    }
    EXPECT_GT(rigs.contactTicks, 300);
  }
}

}  // namespace
}  // namespace tactus::haptics
