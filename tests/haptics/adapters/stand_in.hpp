#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace tactus::tests {

/// How a test steers a stand-in library: through one C function that the library has beside the
/// vendor's. Plain data, because the library is loaded a second time by the code under test.

/// One device of the stand-in for HDAPI. Units are the vendor's: mm, mN m.
struct HdArm {
  const char* name = "";  ///< configured; matched by hdInitDevice
  const char* serial = "";
  bool isPlugged = false, isDefault = false, isInitialised = false, forcesOn = false;
  bool actuatesRotation = false;
  unsigned calibration = 0x5000;  ///< what hdCheckCalibration answers
  int calibrationUpdates = 0;
  unsigned raised = 0;  ///< an error that the next frame puts on the stack
  double transform[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  double velocity[3] = {0, 0, 0}, angularVelocity[3] = {0, 0, 0};
  int buttons = 0;
  double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};  ///< last applied
};

struct HdStandIn {
  std::array<HdArm, 2> arms;
  bool isRunning = false;
  int callbacks = 0;                  ///< scheduled
  int framesOpen = 0;                 ///< must be 0 between ticks
  int wrongCalls = 0;                 ///< calls outside of what the vendor allows
  void (*tick)(int count) = nullptr;  ///< runs the servo callback that often, here and now
  void (*startThread)() =
      nullptr;  ///< from the next start of the scheduler on: a real servo thread
  std::atomic<std::uint64_t> ticks{0};
};

/// One device of the stand-in for DHD. SI, native axes.
struct DhdArm {
  int serial = 0;
  bool isPlugged = false, isOpen = false, isLeft = false;
  bool hasWrist = true, hasActiveWrist = true, hasGripper = true;
  bool isReset = true, forcesOn = false, gravity = false, emergencyStop = false;
  int answerOfRead = 0;   ///< 1: called too fast
  int answerOfWrite = 0;  ///< 2: saturated
  int failures = 0;       ///< so many reads fail from now on
  double position[3] = {0, 0, 0}, velocity[3] = {0, 0, 0}, angularVelocity[3] = {0, 0, 0};
  double frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double gripperAngle = 0.0;
  unsigned buttons = 0;
  double wrench[7] = {0, 0, 0, 0, 0, 0, 0};  ///< last applied
  std::atomic<bool> blocksReads{false};      ///< a read waits until this is false again
  std::atomic<std::uint64_t> reads{0};
};

struct DhdStandIn {
  std::array<DhdArm, 2> arms;
  int wrongCalls = 0;
};

/// One device of the stand-in for CHAI3D. SI, native axes.
struct Chai3dArm {
  const char* model = "sigma.7R";
  bool isPlugged = false, isOpen = false, forcesOn = false, fitsLeft = false, fitsRight = true;
  bool hasWrist = true, hasGripper = true;
  bool calibrates = true, throws = false, takesForces = true;
  int failures = 0;  ///< so many reads fail from now on
  int openings = 0, calibrations = 0;
  double position[3] = {0, 0, 0}, velocity[3] = {0, 0, 0}, angularVelocity[3] = {0, 0, 0};
  double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double gripperAngle = 0.0;
  unsigned switches = 0;
  double wrench[7] = {0, 0, 0, 0, 0, 0, 0};  ///< last applied
  std::atomic<bool> blocksReads{false};      ///< a read waits until this is false again
  std::atomic<std::uint64_t> reads{0};
};

struct Chai3dStandIn {
  std::array<Chai3dArm, 2> arms;
  int wrongCalls = 0;
  bool prints = false;  ///< to standard output, while it looks for devices
};

struct SpnavStandIn {
  bool daemonRuns = true, isOpen = false;
  /// motion x y z rx ry rz, then whether there is one
  int motion[6] = {0, 0, 0, 0, 0, 0};
  bool hasMotion = false;
  int button = -1, press = 0;
};

}  // namespace tactus::tests
