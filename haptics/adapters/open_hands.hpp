#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "haptics/adapters/pointer_device.hpp"
#include "haptics/adapters/vendor_devices.hpp"
#include "haptics/devices/device_spec.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "haptics/simulated/simulated_hand.hpp"

namespace tactus::haptics {

/// From the words behind `--device` to devices in hands.
struct HandDevice {
  Hand hand = Hand::Right;
  DeviceSpec spec;
  std::unique_ptr<HapticDevice> device;  ///< none for `none`
  PointerDevice* pointer = nullptr;      ///< the same device, if it is the mouse: for the window
  /// The numbers that its limits and its stability margin come from: of a simulated device what it
  /// is made of, of a real one the shipped profile whose name it bears.
  std::optional<DeviceProfile> profile;
};

struct OpenSettings {
  double tickSeconds = 1e-3;
  std::uint64_t seed = 1;
  VendorSettings openHaptics, dhd, chai3d, spaceMouse;
  /// Of a simulated device without a file of its own, by Hand; none: defaultHandPath().
  std::array<std::optional<HandPath>, kHandNames.size()> paths;
};

struct OpenedHands {
  std::vector<HandDevice> hands;  ///< in the order in which they were asked for
  std::vector<std::string> notes;
};

/// What can be said of them before anything is opened: names and files of simulated devices, what
/// this program was built without.
[[nodiscard]] models::Result<models::Done> checkDevices(const std::vector<HandSpec>& specs);

/// Opens them all, or none. Devices of one vendor share a servo. Where no serial number is given
/// for several Force Dimension devices, or no number for several of CHAI3D, left-handed ones go to
/// left hands, and among equals the lower number to the hand that was named first, so that it is
/// the same every day.
[[nodiscard]] models::Result<OpenedHands> openHands(const std::vector<HandSpec>& specs,
                                                    const OpenSettings& settings);

/// What is plugged in. Opens and closes; nothing moves.
struct FoundDevice {
  DeviceSpec spec;  ///< that opens it
  DeviceCapabilities capabilities;
  std::string note;
};
[[nodiscard]] std::vector<FoundDevice> findDevices(const OpenSettings& settings);

/// Those of them that nobody has asked for and that can be used beside what was asked for. CHAI3D
/// drives the same devices as their makers' libraries do: of the two ways only one is left, the
/// makers' own unless CHAI3D was asked for, or a device would be in two hands.
[[nodiscard]] std::vector<FoundDevice> withoutSecondWays(std::vector<FoundDevice> found,
                                                         const std::vector<HandSpec>& asked);

/// The shipped profile that a vendor's model name speaks of ("omega.7" is omega7), if there is one.
[[nodiscard]] std::optional<DeviceProfile> profileOfModel(const std::string& model);

}  // namespace tactus::haptics
