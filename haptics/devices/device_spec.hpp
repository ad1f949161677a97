#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// What is meant by the SPEC of `--device HAND=SPEC`:
///
///     openhaptics[:NAME]        NAME as configured in the vendor's control panel
///     dhd[:SERIAL]              SERIAL as printed on the device and shown by `tactus devices`
///     chai3d[:INDEX]            INDEX from 0, in the order of CHAI3D
///     spacemouse                through the spacenav daemon
///     mouse                     mouse and keyboard of the window
///     sim:PROFILE[,hand=FILE]   PROFILE a shipped name or a TOML file; FILE a path of a hand
///     replay:FILE               FILE a recording
///     none                      no device in this hand
enum class DeviceKind : std::uint8_t {
  OpenHaptics,
  Dhd,
  Chai3d,
  SpaceMouse,
  Mouse,
  Simulated,
  Replay,
  None
};

struct DeviceSpec {
  DeviceKind kind = DeviceKind::None;
  std::string name;      ///< NAME, SERIAL, INDEX, PROFILE or FILE; empty: the first that is found
  std::string handFile;  ///< of a simulated device; empty: the default hand
  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
};

/// Whose device it is. At most four: two people, two hands each.
enum class Hand : std::uint8_t { Left, Right, Left2, Right2 };
inline constexpr std::array kHandNames = {std::string_view("left"), std::string_view("right"),
                                          std::string_view("left2"), std::string_view("right2")};

struct HandSpec {
  Hand hand = Hand::Right;
  DeviceSpec device;
};

[[nodiscard]] models::Result<DeviceSpec> parseDeviceSpec(std::string_view text);
/// "left=dhd:12345".
[[nodiscard]] models::Result<HandSpec> parseHandSpec(std::string_view text);
/// Of several `--device`: also refuses two devices for one hand and one device for two hands.
[[nodiscard]] models::Result<std::vector<HandSpec>> parseHandSpecs(
    const std::vector<std::string>& texts);

/// The text that parses to it.
[[nodiscard]] std::string toText(const DeviceSpec& spec);
[[nodiscard]] std::string_view nameOf(Hand hand) noexcept;

}  // namespace tactus::haptics
