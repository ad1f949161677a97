#pragma once
#include <cstdint>

namespace tactus::haptics {

/// What passes between this program and the module that holds CHAI3D: C functions and plain
/// numbers, because the module is compiled with another Eigen, and maybe for another processor.
/// This is all that both sides include.
///
/// Units are SI, axes are CHAI3D's: x toward the user, y right, z up. A number that is an answer is
/// negative if it failed; lastError() then says why. `index` is CHAI3D's number of a device.
struct Chai3dDescription {
  char model[64], maker[64];
  double mostForce, mostTorque, mostGripperForce;  ///< [N], [N m], [N]; 0 if CHAI3D does not know
  double mostStiffness;                            ///< at 1 kHz [N/m]
  double workspaceRadius;                          ///< of the largest ball inside of it [m]
  std::uint8_t sensesRotation, sensesGripper, drivesPosition, drivesRotation, drivesGripper;
  std::uint8_t fitsLeft, fitsRight;  ///< hands
};

struct Chai3dMeasurement {
  double position[3];
  double rotation[9];  ///< row by row; the identity if it is not sensed
  double velocity[3], angularVelocity[3];
  double gripperAngle;     ///< 0 is closed [rad]
  std::uint32_t switches;  ///< bit k: switch k is down
  std::uint8_t hasVelocity, hasAngularVelocity;
};

struct Chai3dWrench {
  double force[3], torque[3];
  double gripperForce;  ///< opens the fingers if positive [N]
};

struct Chai3dTable {
  const char* (*version)();  ///< of CHAI3D
  /// How many devices there are. Looks anew, which opens and closes them, unless one is in use.
  std::int32_t (*count)();
  std::int32_t (*describe)(std::int32_t index, Chai3dDescription* description);
  /// Opens and calibrates; the device may move. Described anew, for another one may answer by now.
  std::int32_t (*open)(std::int32_t index, Chai3dDescription* description);
  std::int32_t (*read)(std::int32_t index, Chai3dMeasurement* measurement);
  std::int32_t (*write)(std::int32_t index, const Chai3dWrench* wrench);
  void (*close)(std::int32_t index);  ///< forces off first
  const char* (*lastError)();         ///< of the calling thread
};

/// The module's one symbol: `const Chai3dTable* tactusChai3d(std::int32_t version)`, its table, or
/// nothing if it is of another version of this file.
inline constexpr const char* kChai3dEntryName = "tactusChai3d";
inline constexpr std::int32_t kChai3dTableVersion = 1;

}  // namespace tactus::haptics
