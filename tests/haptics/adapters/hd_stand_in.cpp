// A library with HDAPI's C entry points and devices that are not there.
#include <cstring>
#include <deque>
#include <memory>
#include <thread>

#include "tests/haptics/adapters/stand_in.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

using tactus::tests::HdArm;
using tactus::tests::HdStandIn;

struct ErrorInfo {
  unsigned code;
  int internalCode;
  unsigned device;
};
using Callback = unsigned (*)(void*);

constexpr unsigned kInvalid = 0xFFFFFFFFU;
constexpr unsigned kCommError = 0x0302;
constexpr unsigned kDeviceFault = 0x0300;
constexpr unsigned kBadHandle = 0x0104;

HdStandIn state;
std::deque<ErrorInfo> errors;
unsigned current = kInvalid;
Callback callback = nullptr;
void* context = nullptr;
bool wantsThread = false;
std::unique_ptr<std::jthread> servo;

HdArm* armOf(unsigned handle) {
  if (handle >= state.arms.size() || !state.arms[handle].isInitialised) {
    errors.push_back({kBadHandle, 0, handle});
    ++state.wrongCalls;
    return nullptr;
  }
  return &state.arms[handle];
}

void runTicks(int count) {
  for (int i = 0; i < count && state.isRunning && callback != nullptr; ++i) {
    callback(context);
    ++state.ticks;
    if (state.framesOpen != 0) ++state.wrongCalls;
  }
}

}  // namespace

EXPORTED HdStandIn* tactusStandIn() {
  errors.clear();
  wantsThread = false;
  state.tick = &runTicks;
  state.startThread = [] { wantsThread = true; };
  return &state;
}

EXPORTED unsigned hdInitDevice(const char* name) {
  if (state.isRunning) ++state.wrongCalls;
  for (unsigned i = 0; i < state.arms.size(); ++i) {
    HdArm& arm = state.arms[i];
    const bool isMeant = name == nullptr ? arm.isDefault : std::strcmp(name, arm.name) == 0;
    if (!isMeant || !arm.isPlugged) continue;
    if (arm.isInitialised) {
      errors.push_back({0x0301, 0, i});
      return kInvalid;
    }
    arm.isInitialised = true;
    current = i;
    return i;
  }
  errors.push_back({kDeviceFault, 0, kInvalid});
  return kInvalid;
}
EXPORTED void hdDisableDevice(unsigned handle) {
  if (state.isRunning) ++state.wrongCalls;
  if (HdArm* arm = armOf(handle)) arm->isInitialised = arm->forcesOn = false;
}
EXPORTED void hdMakeCurrentDevice(unsigned handle) {
  if (armOf(handle) != nullptr) current = handle;
}
EXPORTED void hdBeginFrame(unsigned handle) {
  if (armOf(handle) == nullptr) return;
  current = handle;
  ++state.framesOpen;
}
EXPORTED void hdEndFrame(unsigned handle) {
  HdArm* arm = armOf(handle);
  if (arm == nullptr) return;
  --state.framesOpen;
  if (!arm->isPlugged) errors.push_back({kCommError, 7, handle});
  if (arm->raised != 0) errors.push_back({arm->raised, 0, handle});
  arm->raised = 0;
}
EXPORTED ErrorInfo hdGetError() {
  if (errors.empty()) return {0, 0, kInvalid};
  const ErrorInfo error = errors.back();
  errors.pop_back();
  return error;
}
EXPORTED const char* hdGetErrorString(unsigned code) {
  return code == kDeviceFault ? "Device fault" : "error";
}
EXPORTED void hdGetIntegerv(unsigned what, int* values) {
  const HdArm* arm = armOf(current);
  if (arm == nullptr) return;
  if (what == 0x2000) *values = arm->buttons;
  if (what == 0x2553) *values = 6;
  if (what == 0x2554) *values = arm->actuatesRotation ? 6 : 3;
  if (what == 0x2555) *values = 2;
}
EXPORTED void hdGetDoublev(unsigned what, double* values) {
  const HdArm* arm = armOf(current);
  if (arm == nullptr) return;
  switch (what) {
    case 0x2051:
      std::memcpy(values, arm->velocity, sizeof arm->velocity);
      break;
    case 0x2052:
      std::memcpy(values, arm->transform, sizeof arm->transform);
      break;
    case 0x2053:
      std::memcpy(values, arm->angularVelocity, sizeof arm->angularVelocity);
      break;
    case 0x2551: {
      const double corners[6] = {-80, -60, -35, 80, 60, 35};
      std::memcpy(values, corners, sizeof corners);
      break;
    }
    case 0x2602:
      *values = 0.5;  // N/mm
      break;
    case 0x2603:
      *values = 3.3;
      break;
    case 0x2604:
      *values = 0.88;
      break;
    case 0x2622:
      *values = 188;
      break;
    case 0x2623:
      *values = 48;
      break;
    default:
      errors.push_back({0x0100, 0, current});
  }
}
EXPORTED const char* hdGetString(unsigned what) {
  const HdArm* arm = armOf(current);
  if (arm == nullptr) return nullptr;
  return what == 0x2504 ? arm->serial : "Touch";
}
EXPORTED void hdSetDoublev(unsigned what, const double* values) {
  HdArm* arm = armOf(current);
  if (arm == nullptr || state.framesOpen != 1) {
    ++state.wrongCalls;
    return;
  }
  if (what == 0x2700) std::memcpy(arm->force, values, sizeof arm->force);
  if (what == 0x2701) std::memcpy(arm->torque, values, sizeof arm->torque);
}
EXPORTED void hdEnable(unsigned capability) {
  HdArm* arm = armOf(current);
  if (arm != nullptr && capability == 0x4000) arm->forcesOn = true;
}
EXPORTED void hdDisable(unsigned capability) {
  HdArm* arm = armOf(current);
  if (arm != nullptr && capability == 0x4000) arm->forcesOn = false;
}
EXPORTED unsigned hdCheckCalibration() {
  const HdArm* arm = armOf(current);
  return arm == nullptr ? 0U : arm->calibration;
}
EXPORTED void hdUpdateCalibration(unsigned) {
  HdArm* arm = armOf(current);
  if (arm == nullptr) return;
  ++arm->calibrationUpdates;
  arm->calibration = 0x5000;
}
EXPORTED unsigned long hdScheduleAsynchronous(Callback what, void* with, unsigned short) {
  callback = what;
  context = with;
  ++state.callbacks;
  return 42;
}
EXPORTED void hdUnschedule(unsigned long handle) {
  if (handle != 42 || state.isRunning) ++state.wrongCalls;
  callback = nullptr;
  --state.callbacks;
}
EXPORTED void hdStartScheduler() {
  if (state.isRunning) ++state.wrongCalls;
  state.isRunning = true;
  if (!wantsThread) return;
  servo = std::make_unique<std::jthread>([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      runTicks(1);
      std::this_thread::yield();
    }
  });
}
EXPORTED void hdStopScheduler() {
  if (servo) {
    servo->request_stop();
    servo->join();
    servo.reset();
  }
  if (!state.isRunning) ++state.wrongCalls;
  state.isRunning = false;
}
