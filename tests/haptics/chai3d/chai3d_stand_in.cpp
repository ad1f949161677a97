// A CHAI3D that is none: the classes that our module uses, and devices that are not there.
#include <devices/CHapticDeviceHandler.h>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "tests/haptics/adapters/stand_in.hpp"

namespace {

using tactus::tests::Chai3dArm;
using tactus::tests::Chai3dStandIn;

Chai3dStandIn state;

class StandInDevice final : public chai3d::cGenericHapticDevice {
 public:
  // Like CHAI3D's for Force Dimension: opened once, so that it can say what it is.
  explicit StandInDevice(std::size_t number) : number_(number) {
    StandInDevice::open();
    StandInDevice::close();
  }

  bool open() override {
    if (!arm().isPlugged) return false;
    if (arm().isOpen) ++state.wrongCalls;
    arm().isOpen = true;
    ++arm().openings;
    m_specifications.m_modelName = arm().model;
    m_specifications.m_manufacturerName = "Nobody";
    m_specifications.m_maxLinearForce = 12.0;
    m_specifications.m_maxAngularTorque = arm().hasWrist ? 0.2 : 0.0;
    m_specifications.m_maxGripperForce = arm().hasGripper ? 8.0 : 0.0;
    m_specifications.m_maxLinearStiffness = 4000.0;
    m_specifications.m_workspaceRadius = 0.075;
    m_specifications.m_sensedPosition = m_specifications.m_actuatedPosition = true;
    m_specifications.m_sensedRotation = m_specifications.m_actuatedRotation = arm().hasWrist;
    m_specifications.m_sensedGripper = m_specifications.m_actuatedGripper = arm().hasGripper;
    m_specifications.m_leftHand = arm().fitsLeft;
    m_specifications.m_rightHand = arm().fitsRight;
    return true;
  }
  bool close() override {
    if (!isOpen()) return false;
    arm().isOpen = false;
    return true;
  }
  bool calibrate(bool /*a_forceCalibration*/) override {
    if (!isOpen()) return false;
    ++arm().calibrations;
    if (arm().throws) throw std::runtime_error("a broken wire");
    return arm().calibrates;
  }
  bool getPosition(chai3d::cVector3d& a_position) override {
    if (!isOpen()) return false;
    while (arm().blocksReads.load())
      std::this_thread::yield();
    ++arm().reads;
    if (!arm().isPlugged) return false;
    if (arm().failures > 0) {
      --arm().failures;
      return false;
    }
    return copied(arm().position, a_position);
  }
  bool getLinearVelocity(chai3d::cVector3d& a_linearVelocity) override {
    return isOpen() && copied(arm().velocity, a_linearVelocity);
  }
  bool getRotation(chai3d::cMatrix3d& a_rotation) override {
    if (!isOpen() || !arm().hasWrist) return false;
    std::memcpy(a_rotation.m_values, arm().rotation, sizeof arm().rotation);
    return true;
  }
  bool getAngularVelocity(chai3d::cVector3d& a_angularVelocity) override {
    return isOpen() && copied(arm().angularVelocity, a_angularVelocity);
  }
  bool getGripperAngleRad(double& a_angle) override {
    // Without a gripper CHAI3D makes one up from the switch.
    a_angle = arm().hasGripper ? arm().gripperAngle : 0.4;
    return isOpen();
  }
  bool getUserSwitches(unsigned int& a_userSwitches) override {
    a_userSwitches = arm().switches;
    return isOpen();
  }
  bool setForceAndTorqueAndGripperForce(const chai3d::cVector3d& a_force,
                                        const chai3d::cVector3d& a_torque,
                                        double a_gripperForce) override {
    if (!isOpen() || !arm().takesForces) return false;
    arm().forcesOn = true;
    for (int i = 0; i < 3; ++i) {
      arm().wrench[i] = a_force(i);
      arm().wrench[3 + i] = a_torque(i);
    }
    arm().wrench[6] = a_gripperForce;
    return true;
  }
  bool enableForces(bool a_value) override {
    arm().forcesOn = a_value;
    return isOpen();
  }

 private:
  Chai3dArm& arm() const { return state.arms[number_]; }
  bool isOpen() const {
    if (!arm().isOpen) ++state.wrongCalls;
    return arm().isOpen;
  }
  static bool copied(const double* from, chai3d::cVector3d& to) {
    to = chai3d::cVector3d(from[0], from[1], from[2]);
    return true;
  }

  std::size_t number_;
};

}  // namespace

chai3d::cHapticDeviceHandler::cHapticDeviceHandler() : m_numDevices(0) {
  if (state.prints) std::printf("*** CPhantomDevices: cannot be loaded\n");
  for (std::size_t i = 0; i < state.arms.size(); ++i) {
    if (state.arms[i].isPlugged) m_devices[m_numDevices++] = std::make_shared<StandInDevice>(i);
  }
}

chai3d::cHapticDeviceHandler::~cHapticDeviceHandler() = default;

bool chai3d::cHapticDeviceHandler::getDevice(cGenericHapticDevicePtr& a_hapticDevice,
                                             unsigned int a_index) {
  if (a_index >= m_numDevices) return false;
  a_hapticDevice = m_devices[a_index];
  return true;
}

extern "C" Chai3dStandIn* tactusStandIn() {
  return &state;
}
