#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "haptics/devices/device_mailbox.hpp"
#include "haptics/loop/servo_thread.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// Where servo threads get the time from: nanoseconds of CLOCK_MONOTONIC.
using ServoClock = std::int64_t (*)();

/// What all vendors' adapters are told.
struct VendorSettings {
  std::vector<std::string> libraries;  ///< in this order; empty: the vendor's usual names
  ServoClock clock = &monotonicNs;
  bool hasThreads = true;  ///< false: the test calls VendorServo's functions itself
  /// Only to see what is there: as many devices as are found; none moves, none gets a force.
  bool onlyLooks = false;
};

/// Devices of one vendor, under one servo.
struct VendorDevices {
  std::shared_ptr<VendorServo> servo;
  std::vector<std::unique_ptr<HapticDevice>>
      devices;                     ///< in the order in which they were asked for
  std::vector<std::string> notes;  ///< for people: under which name each was found
};

/// OpenHaptics (HDAPI) of 3D Systems: Touch, Touch X, Phantom. `names` as in the vendor's control
/// panel, empty for the first that is found; one device for each, all under one servo callback.
///
/// Method: after the vendor's example of two devices under one callback. Facts of the interface
/// (names, numbers) are declared in openhaptics_entries.hpp; nothing of the SDK is needed to build.
/// Names: the one asked for; then the default device, if only one is wanted; then the names that
/// the vendor's programs give. Which one it was is in the notes, because drivers disagree about it.
/// A device that is lost is initialised again twice a second, with the scheduler stopped meanwhile,
/// and taken back if its serial number is the same.
[[nodiscard]] models::Result<VendorDevices> openOpenHaptics(const std::vector<std::string>& names,
                                                            const VendorSettings& settings);

/// Force Dimension (DHD, with DRD where it is there): omega, sigma, lambda, delta, Falcon.
/// `serials` as `tactus devices` shows them, empty for the first that is free.
///
/// Method: DHD has no servo loop; all devices share a thread of ours. Native axes are x toward the
/// user, y right, z up: ours = (y, z, x). Positive return codes are no errors: 1 is "called faster
/// than the time guard, the last sample again", 2 "applied, but saturated". Three failed reads in a
/// row are a lost device, which is closed and opened again by serial number.
[[nodiscard]] models::Result<VendorDevices> openDhd(const std::vector<std::string>& serials,
                                                    const VendorSettings& settings);

/// Whatever CHAI3D drives, by its numbers from 0 on; empty for the first that is free.
///
/// Method: CHAI3D is C++, so it comes in a module of its own that a build option makes and that is
/// looked for beside the program, then where the loader looks; chai3d_table.hpp is all that passes.
/// Its devices share a thread of ours and have Force Dimension's axes. Three failed reads in a row
/// are a lost device, which is opened again by number and taken back if its model is the same and
/// no other device of that model is in a hand: CHAI3D tells no serial numbers.
[[nodiscard]] models::Result<VendorDevices> openChai3d(const std::vector<std::string>& indices,
                                                       const VendorSettings& settings);
/// Whether there is such a module, of this program's version. Looks for no devices.
[[nodiscard]] models::Result<models::Done> checkChai3d(const VendorSettings& settings);

/// SpaceMouse and its kin through the daemon spacenavd: six freedoms, no forces. Its cap is pushed,
/// not moved, so the pose is integrated: full deflection moves 0.1 m and turns 1 rad a second.
[[nodiscard]] models::Result<VendorDevices> openSpaceMouse(const VendorSettings& settings);

/// The usual names of the libraries, newest first.
[[nodiscard]] std::vector<std::string> openHapticsLibraries();
[[nodiscard]] std::vector<std::string> dhdLibraries();
[[nodiscard]] std::vector<std::string> chai3dLibraries();
[[nodiscard]] std::vector<std::string> spacenavLibraries();

/// Calls a function again and again on a thread of its own until it is destroyed.
class RepeatingThread {
 public:
  RepeatingThread(std::int64_t periodNs, void (*work)(void*), void* context);
  RepeatingThread(const RepeatingThread&) = delete;
  RepeatingThread& operator=(const RepeatingThread&) = delete;
  ~RepeatingThread();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tactus::haptics
