// A library with DHD's C entry points, some of DRD's, and devices that are not there.
#include <cstring>
#include <thread>

#include "tests/haptics/adapters/stand_in.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

using tactus::tests::DhdArm;
using tactus::tests::DhdStandIn;

DhdStandIn state;

DhdArm* armOf(char id) {
  const auto index = static_cast<std::size_t>(static_cast<unsigned char>(id));  // -1 is beyond all
  if (index >= state.arms.size() || !state.arms[index].isOpen) {
    ++state.wrongCalls;
    return nullptr;
  }
  return &state.arms[index];
}

int openArm(std::size_t index) {
  if (index >= state.arms.size()) return -1;
  DhdArm& arm = state.arms[index];
  if (!arm.isPlugged || arm.isOpen) return -1;
  arm.isOpen = true;
  return static_cast<int>(index);
}

int copied(const double* from, double* x, double* y, double* z) {
  *x = from[0];
  *y = from[1];
  *z = from[2];
  return 0;
}

}  // namespace

EXPORTED DhdStandIn* tactusStandIn() {
  return &state;
}

EXPORTED int dhdGetDeviceCount() {
  int count = 0;
  for (const DhdArm& arm : state.arms)
    count += arm.isPlugged ? 1 : 0;
  return count;
}
EXPORTED int dhdOpenID(char index) {
  return openArm(static_cast<std::size_t>(index));
}
EXPORTED int dhdOpenSerial(int serial) {
  for (std::size_t i = 0; i < state.arms.size(); ++i) {
    if (state.arms[i].serial == serial) return openArm(i);
  }
  return -1;
}
EXPORTED int dhdClose(char id) {
  DhdArm* arm = armOf(id);
  if (arm == nullptr) return -1;
  arm->isOpen = false;
  return 0;
}
EXPORTED const char* dhdErrorGetLastStr() {
  return "no device found";
}
EXPORTED const char* dhdGetSystemName(char id) {
  return armOf(id) == nullptr ? nullptr : "sigma.7";
}
EXPORTED int dhdGetSerialNumber(unsigned short* serial, char id) {
  const DhdArm* arm = armOf(id);
  if (arm == nullptr) return -1;
  *serial = static_cast<unsigned short>(arm->serial);
  return 0;
}
EXPORTED bool dhdIsLeftHanded(char id) {
  return armOf(id)->isLeft;
}
EXPORTED bool dhdHasWrist(char id) {
  return armOf(id)->hasWrist;
}
EXPORTED bool dhdHasActiveWrist(char id) {
  return armOf(id)->hasActiveWrist;
}
EXPORTED bool dhdHasGripper(char id) {
  return armOf(id)->hasGripper;
}
EXPORTED bool dhdHasActiveGripper(char id) {
  return armOf(id)->hasGripper;
}
EXPORTED double dhdGetMaxForce(char) {
  return 20.0;
}
EXPORTED double dhdGetMaxTorque(char) {
  return -1.0;
}
EXPORTED int dhdGetStatus(int* status, char id) {
  const DhdArm* arm = armOf(id);
  if (arm == nullptr) return -1;
  std::memset(status, 0, 17 * sizeof(int));
  status[3] = arm->isReset ? 1 : 0;
  status[5] = arm->forcesOn && !arm->emergencyStop ? 1 : 0;
  return 0;
}
EXPORTED int dhdSetGravityCompensation(int on, char id) {
  armOf(id)->gravity = on != 0;
  return 0;
}
EXPORTED int dhdEnableForce(unsigned char on, char id) {
  armOf(id)->forcesOn = on != 0;
  return 0;
}
EXPORTED int dhdGetPositionAndOrientationFrame(double* x, double* y, double* z, double (*frame)[3],
                                               char id) {
  DhdArm* arm = armOf(id);
  if (arm == nullptr) return -1;
  while (arm->blocksReads.load())
    std::this_thread::yield();
  ++arm->reads;
  if (!arm->isPlugged) return -1;
  if (arm->failures > 0) {
    --arm->failures;
    return -1;
  }
  std::memcpy(frame, arm->frame, sizeof arm->frame);
  copied(arm->position, x, y, z);
  return arm->answerOfRead;
}
EXPORTED int dhdGetLinearVelocity(double* x, double* y, double* z, char id) {
  return copied(armOf(id)->velocity, x, y, z);
}
EXPORTED int dhdGetAngularVelocityRad(double* x, double* y, double* z, char id) {
  return copied(armOf(id)->angularVelocity, x, y, z);
}
EXPORTED int dhdGetGripperAngleRad(double* angle, char id) {
  const DhdArm* arm = armOf(id);
  *angle = arm->isLeft ? -arm->gripperAngle : arm->gripperAngle;
  return 0;
}
EXPORTED unsigned dhdGetButtonMask(char id) {
  return armOf(id)->buttons;
}
EXPORTED int dhdSetForceAndTorqueAndGripperForce(double fx, double fy, double fz, double tx,
                                                 double ty, double tz, double grip, char id) {
  DhdArm* arm = armOf(id);
  if (arm == nullptr) return -1;
  const double wrench[7] = {fx, fy, fz, tx, ty, tz, grip};
  std::memcpy(arm->wrench, wrench, sizeof wrench);
  return arm->answerOfWrite;
}
EXPORTED bool drdIsSupported(char) {
  return true;
}
EXPORTED bool drdIsInitialized(char id) {
  return armOf(id)->isReset;
}
EXPORTED int drdOpenID(char index) {
  return dhdOpenID(index);
}
EXPORTED int drdAutoInit(char id) {
  armOf(id)->isReset = true;
  return 0;
}
EXPORTED int drdStop(bool, char) {
  return 0;
}
