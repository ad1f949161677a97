// What runs in the servo tick asks for no memory: the allocator ends the program if it does.
#include <gtest/gtest.h>

#include "haptics/devices/start_sequence.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "tests/collision/allocation/no_allocation.hpp"

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

}  // namespace
}  // namespace tactus::haptics
