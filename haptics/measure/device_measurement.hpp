#pragma once
#include <cstdint>
#include <functional>

#include "haptics/devices/device.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// How a device moves, found by pushing it: rate, jitter, noise, encoder step, latency, mass,
/// damping and dry friction along x, with nobody's hand on it.
///
/// Method:
/// - a second of rest: when measurements come, and how they scatter
/// - a force that grows until the grip breaks away, then one push that tells how quick it is
/// - some seconds of a square wave of force with a weak spring to the middle, its half periods in
///   three lengths, below the continuous force
/// - m x'' + b x' + f sign(x') = F(t - d) + c is multiplied by bumps of some half periods' length
/// and
///   integrated by parts, so that nothing is ever differentiated twice (M. Shinbrot, 1957, the
///   method of modulating functions); m, b, f and the constant c, what is left of the weight,
///   follow by least squares, for every delay d on a grid of 1/16 tick; the best d is the latency
/// How it differs: bumps are (s (1 - s))^4 in place of sines, for their ends are flat enough and
/// nothing but products is needed; the sign of the velocity is integrated across its zeros.
///
/// What was put into a simulated device comes out within 2 % (mass), 0.03 N s/m and as much again
/// of a heavy one of 1.5 kg, which is slow, 5 % (friction) and a quarter of a tick
/// (tests/haptics/measure).
struct DeviceMeasurement {
  double rate = 0.0;          ///< new measurements a second [Hz]
  double jitter = 0.0;        ///< standard deviation of the time between them [s]
  double noise = 0.0;         ///< standard deviation of the position at rest, mean of the axes [m]
  double positionStep = 0.0;  ///< smallest change that was seen [m]
  double latency = 0.0;      ///< from command to force and back to the sample, without the hold [s]
  double mass = 0.0;         ///< [kg]
  double damping = 0.0;      ///< [N s/m]; 0 if the fit is below
  double friction = 0.0;     ///< [N]; 0 if the fit is below
  double breakaway = 0.0;    ///< [N]
  double pushForce = 0.0;    ///< amplitude of the square wave [N]
  double unexplained = 0.0;  ///< share of the force's square that the model does not explain
  std::uint64_t ticks = 0;
  DeviceCounters counters;
};

struct MeasurementSettings {
  double tickSeconds = 1e-3;
  double restSeconds = 1.0;
  double pushSeconds = 6.0;
  double readySeconds = 30.0;  ///< at most, for calibration
  /// Waits for the tick of that number and returns its time [ns]; true in `stop` ends everything.
  std::function<std::int64_t(std::uint64_t tick, bool& stop)> pace;
};

/// Pushes the device about. Ends with zero force, whatever happens.
[[nodiscard]] models::Result<DeviceMeasurement> measureDevice(HapticDevice& device,
                                                              const MeasurementSettings& settings);

/// The device's profile: what was measured, what its library says, and for the rest the numbers of
/// `known`, the shipped profile of the nearest model.
[[nodiscard]] DeviceProfile profileOf(const DeviceMeasurement& measurement,
                                      const DeviceCapabilities& device, const DeviceProfile& known);

}  // namespace tactus::haptics
