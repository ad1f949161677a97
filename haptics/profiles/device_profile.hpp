#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "haptics/devices/device.hpp"
#include "models/files/shipped_texts.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// How the velocity of a grip is found from its measurements.
enum class VelocityEstimator : std::uint8_t {
  Vendor,   ///< as the device's library says
  LowPass,  ///< differences, then one pole at velocityCutoff
  Window,   ///< adaptive window (Janabi-Sharifi, Hayward, Chen, 2000)
};

/// What a device can do and how it moves, in numbers: a simulated one is made of them, limits and
/// the stability margin of a real one are taken from them. What a number means stands at its key in
/// profiles/*.toml, all of which list every key; where a number comes from stands there too.
struct DeviceProfile {
  std::string name;  ///< as in `sim:NAME`
  std::string model, maker;
  DeviceCapabilities capabilities;  ///< serial stays empty

  double mass = 0.0;                ///< felt at the grip [kg]
  double damping = 0.0;             ///< [N s/m]
  double friction = 0.0;            ///< Coulomb's, whole length of the force [N]
  double inertia = 0.0;             ///< of the wrist, all axes alike [kg m^2]
  double rotationalDamping = 0.0;   ///< [N m s]
  double rotationalFriction = 0.0;  ///< [N m]
  double gripperRange = 0.0;        ///< whole angle [rad]

  double positionStep = 0.0;   ///< of the encoders, at the grip [m]
  double rotationStep = 0.0;   ///< [rad]
  double gripperStep = 0.0;    ///< [rad]
  double positionNoise = 0.0;  ///< standard deviation on top of the steps [m]
  double delay = 0.0;          ///< from command to force, beyond the hold of one tick [s]

  VelocityEstimator velocity = VelocityEstimator::LowPass;
  double velocityCutoff = 0.0;  ///< [Hz]
};

/// Reads a profile from text; `label` is how sentences call it.
[[nodiscard]] models::Result<DeviceProfile> parseProfile(std::string_view text,
                                                         std::string_view label);
/// By a shipped name, or a file if it ends with .toml.
[[nodiscard]] models::Result<DeviceProfile> findProfile(std::string_view nameOrFile);

/// The text of a profile file with every key; parses back to the same numbers to the bit. `origins`
/// are lines of comment that say where the numbers come from.
[[nodiscard]] std::string profileText(const DeviceProfile& profile,
                                      std::span<const std::string> origins);

[[nodiscard]] std::span<const models::ShippedText> shippedProfiles();

}  // namespace tactus::haptics
