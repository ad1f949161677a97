#pragma once
#include "haptics/adapters/shared_library.hpp"

namespace tactus::haptics {

/// The few C functions and numbers of HDAPI that we use, as facts of its binary interface;
/// OpenHaptics API Reference, 3D Systems, 2018. Positions are mm, torques mN m, axes ours.
namespace hd {

using Handle = unsigned int;
struct ErrorInfo {
  unsigned int code;
  int internalCode;
  Handle device;
};
using Callback = unsigned int (*)(void*);

inline constexpr Handle kInvalidHandle = 0xFFFFFFFFU;
inline constexpr unsigned int kCallbackDone = 0, kCallbackContinue = 1;
inline constexpr unsigned short kDefaultPriority = 0xFFFF / 2;

// what to read
inline constexpr unsigned int kCurrentButtons = 0x2000, kCurrentVelocity = 0x2051,
                              kCurrentTransform = 0x2052, kCurrentAngularVelocity = 0x2053;
inline constexpr unsigned int kModelType = 0x2501, kSerialNumber = 0x2504;
inline constexpr unsigned int kUsableWorkspace = 0x2551, kInputDof = 0x2553, kOutputDof = 0x2554,
                              kCalibrationStyle = 0x2555;
inline constexpr unsigned int kUpdateRate = 0x2600, kMaxStiffness = 0x2602, kMaxForce = 0x2603,
                              kMaxContinuousForce = 0x2604, kMaxTorque = 0x2622,
                              kMaxContinuousTorque = 0x2623;
// what to write
inline constexpr unsigned int kCurrentForce = 0x2700, kCurrentTorque = 0x2701;
// switches
inline constexpr unsigned int kForceOutput = 0x4000, kForceRamping = 0x4002;
// calibration
inline constexpr unsigned int kCalibrationOk = 0x5000, kCalibrationNeedsUpdate = 0x5001;
// errors; 0x02.. are of forces, 0x03.. of the device
inline constexpr unsigned int kWarmMotors = 0x0200, kExceededMaxForce = 0x0201,
                              kForceError = 0x0204, kDeviceFault = 0x0300, kTimerError = 0x0304;

}  // namespace hd

struct OpenHapticsEntries {
  hd::Handle (*initDevice)(const char* name) = nullptr;
  void (*disableDevice)(hd::Handle device) = nullptr;
  void (*makeCurrentDevice)(hd::Handle device) = nullptr;
  void (*beginFrame)(hd::Handle device) = nullptr;
  void (*endFrame)(hd::Handle device) = nullptr;
  hd::ErrorInfo (*getError)() = nullptr;
  const char* (*getErrorString)(unsigned int code) = nullptr;
  void (*getIntegerv)(unsigned int what, int* values) = nullptr;
  void (*getDoublev)(unsigned int what, double* values) = nullptr;
  const char* (*getString)(unsigned int what) = nullptr;
  void (*setDoublev)(unsigned int what, const double* values) = nullptr;
  void (*enable)(unsigned int capability) = nullptr;
  void (*disable)(unsigned int capability) = nullptr;
  unsigned int (*checkCalibration)() = nullptr;
  void (*updateCalibration)(unsigned int style) = nullptr;
  unsigned long (*scheduleAsynchronous)(hd::Callback callback, void* context,
                                        unsigned short priority) = nullptr;
  void (*unschedule)(unsigned long handle) = nullptr;
  void (*startScheduler)() = nullptr;
  void (*stopScheduler)() = nullptr;

  [[nodiscard]] models::Result<models::Done> bind(const SharedLibrary& library) {
    EntryPoints entries(library);
    entries.need(initDevice, "hdInitDevice")
        .need(disableDevice, "hdDisableDevice")
        .need(makeCurrentDevice, "hdMakeCurrentDevice")
        .need(beginFrame, "hdBeginFrame")
        .need(endFrame, "hdEndFrame")
        .need(getError, "hdGetError")
        .need(getErrorString, "hdGetErrorString")
        .need(getIntegerv, "hdGetIntegerv")
        .need(getDoublev, "hdGetDoublev")
        .need(getString, "hdGetString")
        .need(setDoublev, "hdSetDoublev")
        .need(enable, "hdEnable")
        .need(disable, "hdDisable")
        .need(checkCalibration, "hdCheckCalibration")
        .need(updateCalibration, "hdUpdateCalibration")
        .need(scheduleAsynchronous, "hdScheduleAsynchronous")
        .need(unschedule, "hdUnschedule")
        .need(startScheduler, "hdStartScheduler")
        .need(stopScheduler, "hdStopScheduler");
    return entries.finish();
  }
};

}  // namespace tactus::haptics
