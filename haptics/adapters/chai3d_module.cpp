// CHAI3D behind the table of chai3d_table.hpp: a shared library of its own, and the only source
// that includes CHAI3D.
//
// Source: F. Conti and others, CHAI3D 3.3.0, 2024, its headers and device classes.
// What they do and do not:
// - Looking for devices opens and closes each, and prints to standard output what it cannot load.
// - A device that is held stays known by its place in that list; there are no serial numbers.
// - Nothing is limited: the caller has to do that.
// - The first wrench that is written switches the motors on.
// - Devices without a gripper make one up from their switch; it is not asked for here.
#include <fcntl.h>
#include <unistd.h>

#include <devices/CHapticDeviceHandler.h>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "haptics/adapters/chai3d_table.hpp"

namespace {

using tactus::haptics::Chai3dDescription;
using tactus::haptics::Chai3dMeasurement;
using tactus::haptics::Chai3dTable;
using tactus::haptics::Chai3dWrench;

constexpr std::int32_t kGood = 0;
constexpr std::int32_t kFailed = -1;
// CHAI3D's estimates look back 15 ms, of turns 30 ms, and what they find there at first is zeros: a
// grip at rest 2 cm off the middle would start with metres a second. Read every 0.6 ms, this is 38
// ms.
constexpr int kReadsOfNoVelocity = 64;

struct Slot {
  chai3d::cGenericHapticDevicePtr device;
  bool isOpen = false, sensesRotation = false, sensesGripper = false;
  int reads = 0;  ///< since it was opened, up to kReadsOfNoVelocity
};

// Not destroyed at the end: by then the threads of the vendors' libraries are gone. Whoever has
// opened devices has closed them.
chai3d::cHapticDeviceHandler* handler = nullptr;
std::array<Slot, chai3d::C_MAX_HAPTIC_DEVICES> slots;
thread_local std::array<char, 160> said{};

std::int32_t failed(const char* why) {
  std::snprintf(said.data(), said.size(), "%s", why);
  return kFailed;
}

/// What is printed meanwhile goes to standard error: on standard output there may be one JSON
/// value.
class OutputAside {
 public:
  OutputAside() {
    std::fflush(stdout);
    kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (kept_ >= 0) ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  OutputAside(const OutputAside&) = delete;
  OutputAside& operator=(const OutputAside&) = delete;
  ~OutputAside() {
    std::fflush(stdout);
    if (kept_ < 0) return;
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }

 private:
  int kept_ = -1;
};

/// Nothing is thrown into a program that may have been compiled by another compiler.
template <typename Work>
std::int32_t guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::exception& trouble) {
    return failed(trouble.what());
  } catch (...) {
    return failed("CHAI3D has thrown something");
  }
}

template <std::size_t Size>
void copyText(char (&to)[Size], const std::string& from) {
  to[from.copy(to, Size - 1)] = '\0';
}

void describeTo(chai3d::cGenericHapticDevice& device, Chai3dDescription& description) {
  const chai3d::cHapticDeviceInfo info = device.getSpecifications();
  description = {};
  copyText(description.model, info.m_modelName);
  copyText(description.maker, info.m_manufacturerName);
  description.mostForce = info.m_maxLinearForce;
  description.mostTorque = info.m_maxAngularTorque;
  description.mostGripperForce = info.m_maxGripperForce;
  description.mostStiffness = info.m_maxLinearStiffness;
  description.workspaceRadius = info.m_workspaceRadius;
  description.sensesRotation = info.m_sensedRotation;
  description.sensesGripper = info.m_sensedGripper;
  description.drivesPosition = info.m_actuatedPosition;
  description.drivesRotation = info.m_actuatedRotation;
  description.drivesGripper = info.m_actuatedGripper;
  description.fitsLeft = info.m_leftHand;
  description.fitsRight = info.m_rightHand;
}

/// The slot with a device in it, or none.
Slot* slotOf(std::int32_t index) {
  if (handler == nullptr || index < 0) return nullptr;
  const auto place = static_cast<unsigned>(index);
  if (place >= handler->getNumDevices() || place >= slots.size()) return nullptr;
  return &slots[place];
}

Slot* openSlotOf(std::int32_t index) {
  Slot* slot = slotOf(index);
  return slot != nullptr && slot->isOpen ? slot : nullptr;
}

const char* version() {
  return TACTUS_CHAI3D_VERSION;
}

std::int32_t look() {
  for (const Slot& slot : slots) {
    if (slot.isOpen) return static_cast<std::int32_t>(handler->getNumDevices());
  }
  const OutputAside aside;
  slots.fill({});  // or a device would count as in use when it is looked for again
  delete handler;
  handler = nullptr;
  handler = new chai3d::cHapticDeviceHandler;
  const unsigned found = handler->getNumDevices();
  for (unsigned i = 0; i < found && i < slots.size(); ++i)
    handler->getDevice(slots[i].device, i);
  return static_cast<std::int32_t>(found);
}

std::int32_t count() {
  return guarded([] { return look(); });
}

std::int32_t describe(std::int32_t index, Chai3dDescription* description) {
  return guarded([&] {
    Slot* slot = slotOf(index);
    if (slot == nullptr) return failed("there is no device of this number");
    describeTo(*slot->device, *description);
    return kGood;
  });
}

void close(std::int32_t index) {
  guarded([&] {
    Slot* slot = openSlotOf(index);
    if (slot == nullptr) return kFailed;
    slot->isOpen = false;
    slot->device->enableForces(false);
    return slot->device->close() ? kGood : kFailed;
  });
}

std::int32_t open(std::int32_t index, Chai3dDescription* description) {
  return guarded([&] {
    Slot* slot = slotOf(index);
    if (slot == nullptr) return failed("there is no device of this number");
    if (slot->isOpen) return failed("it is in use");
    if (!slot->device->open()) return failed("it cannot be opened");
    slot->isOpen = true;
    slot->reads = 0;
    const std::int32_t answer = guarded([&] {
      if (!slot->device->calibrate()) return failed("it cannot calibrate itself");
      describeTo(*slot->device, *description);
      slot->sensesRotation = description->sensesRotation != 0;
      slot->sensesGripper = description->sensesGripper != 0;
      return kGood;
    });
    if (answer < 0) close(index);
    return answer;
  });
}

std::int32_t read(std::int32_t index, Chai3dMeasurement* measurement) {
  return guarded([&] {
    Slot* slot = openSlotOf(index);
    if (slot == nullptr) return failed("it is not open");
    chai3d::cGenericHapticDevice& device = *slot->device;
    *measurement = {};
    chai3d::cVector3d vector;
    // Before any velocity: CHAI3D estimates velocities when poses are read.
    if (!device.getPosition(vector)) return failed("its position cannot be read");
    for (int i = 0; i < 3; ++i) {
      measurement->position[i] = vector(i);
      measurement->rotation[4 * i] = 1.0;
    }
    if (slot->sensesRotation) {
      chai3d::cMatrix3d rotation;
      if (!device.getRotation(rotation)) return failed("its orientation cannot be read");
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
          measurement->rotation[3 * row + column] = rotation(row, column);
      }
    }
    if (slot->reads < kReadsOfNoVelocity) {
      ++slot->reads;
    } else {
      measurement->hasVelocity = device.getLinearVelocity(vector);
      for (int i = 0; i < 3; ++i)
        measurement->velocity[i] = vector(i);
      measurement->hasAngularVelocity = slot->sensesRotation && device.getAngularVelocity(vector);
      for (int i = 0; i < 3 && measurement->hasAngularVelocity != 0; ++i)
        measurement->angularVelocity[i] = vector(i);
    }
    if (slot->sensesGripper) device.getGripperAngleRad(measurement->gripperAngle);
    unsigned switches = 0;
    if (device.getUserSwitches(switches)) measurement->switches = switches;
    return kGood;
  });
}

std::int32_t write(std::int32_t index, const Chai3dWrench* wrench) {
  return guarded([&] {
    const Slot* slot = openSlotOf(index);
    if (slot == nullptr) return failed("it is not open");
    const double* f = wrench->force;
    const double* t = wrench->torque;
    const bool taken = slot->device->setForceAndTorqueAndGripperForce(
        chai3d::cVector3d(f[0], f[1], f[2]), chai3d::cVector3d(t[0], t[1], t[2]),
        wrench->gripperForce);
    return taken ? kGood : failed("it takes no forces");
  });
}

const char* lastError() {
  return said.data();
}

constexpr Chai3dTable kTable = {version, count, describe, open, read, write, close, lastError};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Chai3dTable* tactusChai3d(
    std::int32_t version) {
  return version == tactus::haptics::kChai3dTableVersion ? &kTable : nullptr;
}
