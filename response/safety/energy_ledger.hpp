#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::response {

/// Where the energy came from that the device gave to the hand; what it took counts as negative.
enum class EnergyPort : std::uint8_t {
  Coupling,    ///< contact law, friction, damping, and what the tool's balance was not exact in
  Budget,      ///< the same in ticks whose query was cut by its budget
  StaleList,   ///< the same in ticks that used an older separation list
  Parameters,  ///< the same while parameters moved
  Workspace,   ///< the same while clutch or rate control moved the hand's frame
  Unactuated,  ///< turns that are sensed but not driven: done by nobody's hand
  Sampling,    ///< the force is held for a tick while the hand moves on
  Delay,       ///< and reaches the hand ticks later
  Blend,       ///< ramp, watchdog, damping-only field
  Slew,
  Passivity,  ///< what the controller took out (negative)
  Clamp,
  Others,  ///< what touches the tool has brought by moving: another hand, a body that falls on it
};
inline constexpr std::size_t kEnergyPorts = 13;

/// For display and recording.
inline constexpr std::array<const char*, kEnergyPorts> kEnergyPortNames = {
    "coupling", "budget", "stale_list", "parameters", "workspace", "unactuated", "sampling",
    "delay",    "blend",  "slew",       "passivity",  "clamp",     "others"};

/// Energies at the device since the start [J]. At any tick, to rounding,
///     givenToHand = sum of all ports - stored.
struct EnergyLedger {
  std::array<double, kEnergyPorts> ports{};
  double givenToHand = 0.0;
  double stored = 0.0;           ///< in coupling and contact, since the first tick
  std::uint64_t unobserved = 0;  ///< ticks whose work is unknown: pose or device was missing

  [[nodiscard]] double& operator[](EnergyPort port) noexcept {
    return ports[static_cast<std::size_t>(port)];
  }
  [[nodiscard]] double operator[](EnergyPort port) const noexcept {
    return ports[static_cast<std::size_t>(port)];
  }
};

}  // namespace tactus::response
