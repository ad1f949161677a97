#pragma once
#include "haptics/adapters/shared_library.hpp"

namespace tactus::haptics {

/// The few C functions and numbers of Force Dimension's SDK that we use, as facts of its binary
/// interface; Force Dimension SDK documentation, 3.17, 2023. SI units, x toward the user, y right,
/// z up.
namespace dhd {

inline constexpr int kTimeGuard = 1, kMotorSaturated = 2;  // positive answers, no errors
inline constexpr int kStatusCount = 17;
inline constexpr int kStatusReset = 3, kStatusForce = 5;
inline constexpr unsigned char kOn = 1, kOff = 0;

}  // namespace dhd

struct DhdEntries {
  int (*getDeviceCount)() = nullptr;
  int (*openById)(char index) = nullptr;
  int (*openBySerial)(int serial) = nullptr;
  int (*close)(char id) = nullptr;
  const char* (*lastError)() = nullptr;
  const char* (*getSystemName)(char id) = nullptr;
  int (*getSerialNumber)(unsigned short* serial, char id) = nullptr;
  bool (*isLeftHanded)(char id) = nullptr;
  bool (*hasWrist)(char id) = nullptr;
  bool (*hasActiveWrist)(char id) = nullptr;
  bool (*hasGripper)(char id) = nullptr;
  bool (*hasActiveGripper)(char id) = nullptr;
  double (*getMaxForce)(char id) = nullptr;         // newer ones only
  double (*getMaxTorque)(char id) = nullptr;        // newer ones only
  double (*getMaxGripperForce)(char id) = nullptr;  // newer ones only
  int (*getStatus)(int* status, char id) = nullptr;
  int (*setGravityCompensation)(int on, char id) = nullptr;
  int (*enableForce)(unsigned char on, char id) = nullptr;
  int (*getPositionAndFrame)(double* x, double* y, double* z, double (*frame)[3],
                             char id) = nullptr;
  int (*getLinearVelocity)(double* x, double* y, double* z, char id) = nullptr;
  int (*getAngularVelocity)(double* x, double* y, double* z, char id) = nullptr;
  int (*getGripperAngle)(double* angle, char id) = nullptr;
  unsigned int (*getButtonMask)(char id) = nullptr;
  int (*setForceTorqueGripper)(double fx, double fy, double fz, double tx, double ty, double tz,
                               double grip, char id) = nullptr;
  // the robotics part, where the library has it
  bool (*drdIsSupported)(char id) = nullptr;
  bool (*drdIsInitialized)(char id) = nullptr;
  int (*drdOpenById)(char index) = nullptr;
  int (*drdAutoInit)(char id) = nullptr;
  int (*drdStop)(bool leavesForcesOn, char id) = nullptr;

  [[nodiscard]] models::Result<models::Done> bind(const SharedLibrary& library) {
    EntryPoints entries(library);
    entries.need(getDeviceCount, "dhdGetDeviceCount")
        .need(openById, "dhdOpenID")
        .need(openBySerial, "dhdOpenSerial")
        .need(close, "dhdClose")
        .need(lastError, "dhdErrorGetLastStr")
        .need(getSystemName, "dhdGetSystemName")
        .need(getSerialNumber, "dhdGetSerialNumber")
        .need(isLeftHanded, "dhdIsLeftHanded")
        .need(hasWrist, "dhdHasWrist")
        .need(hasActiveWrist, "dhdHasActiveWrist")
        .need(hasGripper, "dhdHasGripper")
        .need(hasActiveGripper, "dhdHasActiveGripper")
        .need(getStatus, "dhdGetStatus")
        .need(setGravityCompensation, "dhdSetGravityCompensation")
        .need(enableForce, "dhdEnableForce")
        .need(getPositionAndFrame, "dhdGetPositionAndOrientationFrame")
        .need(getLinearVelocity, "dhdGetLinearVelocity")
        .need(getAngularVelocity, "dhdGetAngularVelocityRad")
        .need(getGripperAngle, "dhdGetGripperAngleRad")
        .need(getButtonMask, "dhdGetButtonMask")
        .need(setForceTorqueGripper, "dhdSetForceAndTorqueAndGripperForce")
        .want(getMaxForce, "dhdGetMaxForce")
        .want(getMaxTorque, "dhdGetMaxTorque")
        .want(getMaxGripperForce, "dhdGetMaxGripperForce")
        .want(drdIsSupported, "drdIsSupported")
        .want(drdIsInitialized, "drdIsInitialized")
        .want(drdOpenById, "drdOpenID")
        .want(drdAutoInit, "drdAutoInit")
        .want(drdStop, "drdStop");
    return entries.finish();
  }
};

}  // namespace tactus::haptics
