// The few classes of CHAI3D that our module uses, by CHAI3D's names, with devices that are not there.
// They have the same meaning; layout and order are not CHAI3D's.
#ifndef CHapticDeviceHandlerH
#define CHapticDeviceHandlerH

#include <memory>
#include <string>

#ifndef LINUX
#error "CHAI3D's headers know the system by this name"
#endif
#ifndef CHAI3D_STAND_IN
#error "what the package defines has not arrived"
#endif
#if defined(EIGEN_WORLD_VERSION) || defined(EIGEN_DONT_VECTORIZE) || \
    defined(EIGEN_MAX_STATIC_ALIGN_BYTES)
#error "CHAI3D brings an Eigen of its own"
#endif

namespace chai3d {

const unsigned int C_MAX_HAPTIC_DEVICES = 16;

struct cVector3d {
  cVector3d() : m_values{0.0, 0.0, 0.0} {}
  cVector3d(const double a_x, const double a_y, const double a_z) : m_values{a_x, a_y, a_z} {}
  double& operator()(const int a_index) { return m_values[a_index]; }
  const double& operator()(const int a_index) const { return m_values[a_index]; }
  double m_values[3];
};

struct cMatrix3d {
  double& operator()(const int a_row, const int a_column) { return m_values[a_row][a_column]; }
  const double& operator()(const int a_row, const int a_column) const {
    return m_values[a_row][a_column];
  }
  double m_values[3][3];
};

struct cHapticDeviceInfo {
  std::string m_modelName, m_manufacturerName;
  double m_maxLinearForce, m_maxAngularTorque, m_maxGripperForce, m_maxLinearStiffness;
  double m_workspaceRadius;
  bool m_sensedPosition, m_sensedRotation, m_sensedGripper;
  bool m_actuatedPosition, m_actuatedRotation, m_actuatedGripper;
  bool m_leftHand, m_rightHand;
};

class cGenericHapticDevice {
 public:
  virtual ~cGenericHapticDevice() {}
  virtual bool open() = 0;
  virtual bool close() = 0;
  virtual bool calibrate(bool a_forceCalibration = false) = 0;
  virtual bool getPosition(cVector3d& a_position) = 0;
  virtual bool getLinearVelocity(cVector3d& a_linearVelocity) = 0;
  virtual bool getRotation(cMatrix3d& a_rotation) = 0;
  virtual bool getAngularVelocity(cVector3d& a_angularVelocity) = 0;
  virtual bool getGripperAngleRad(double& a_angle) = 0;
  virtual bool getUserSwitches(unsigned int& a_userSwitches) = 0;
  virtual bool setForceAndTorqueAndGripperForce(const cVector3d& a_force, const cVector3d& a_torque,
                                                double a_gripperForce) = 0;
  virtual bool enableForces(bool a_value) = 0;
  cHapticDeviceInfo getSpecifications() { return m_specifications; }
  cHapticDeviceInfo m_specifications;
};
typedef std::shared_ptr<cGenericHapticDevice> cGenericHapticDevicePtr;

class cHapticDeviceHandler {
 public:
  cHapticDeviceHandler();
  virtual ~cHapticDeviceHandler();
  unsigned int getNumDevices() { return m_numDevices; }
  bool getDevice(cGenericHapticDevicePtr& a_hapticDevice, unsigned int a_index = 0);

 private:
  unsigned int m_numDevices;
  cGenericHapticDevicePtr m_devices[C_MAX_HAPTIC_DEVICES];
};

}  // namespace chai3d

#endif
