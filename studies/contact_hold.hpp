#pragma once
#include <cstdint>

#include "haptics/profiles/device_profile.hpp"
#include "haptics/simulated/simulated_hand.hpp"
#include "response/parameters/force_parameters.hpp"
#include "studies/held_contacts.hpp"

namespace tactus::studies {

/// A hand that presses a tool against something, holds it for six seconds and lets go.
struct HoldCase {
  haptics::DeviceProfile profile;
  response::ForceParameters parameters;
  HeldShape shape = HeldShape::Plane;
  haptics::Grasp grasp = haptics::Grasp::Normal;
  std::uint32_t extraDelayTicks = 0;  ///< of 1 ms
  std::uint64_t seed = 1;
  /// 16 kHz instead of 1 kHz, no delay, no steps of encoders: what the device would do if the loop
  /// were none.
  bool isIdeal = false;
};

struct HoldFigures {
  /// Of the device's force in 2 to 500 Hz over the last two seconds of holding, over all axes [N].
  double rms = 0.0;
  double turnRms = 0.0;    ///< of its torque [N m]
  double meanForce = 0.0;  ///< length of the mean force in that time [N]
  /// What the motors gave to hand and device from free space to free space. With Grasp::Bias, which
  /// never lets go: from the first to the last tick, and what coupling and contact hold more than
  /// at first, as if that came back whole [J].
  double work = 0.0;
  std::uint32_t ticks = 0, contactTicks = 0;  ///< in contact: the hand feels 0.05 N
  std::uint32_t passivityTicks = 0;           ///< in contact, in which the controller did something
  bool hasPassivityActed = false;             ///< anywhere; if not, a run without it is the same
  double heldShare = 0.0;                     ///< of the two seconds, in contact
  /// The order of safety stopped or faded the force: interlocks, or what was no number. What is
  /// then calm is not so by itself.
  bool isInterrupted = false;
};

/// A run: one hand, one device, one contact, a function of its arguments and nothing else.
///
/// Method, from HandResponse and SimulatedDevice as they are shipped:
/// 1. the device is held still above the contact until its force has come up
/// 2. hand loose, normal or firm: presses within 0.3 s to where its own spring and the felt one
///    balance at `kHeldForce` (less on weak devices), holds six seconds, returns within 0.3 s,
///    waits 0.2 s. Hand bias: the device is moved into the contact to that force, then let go of
///    but for 0.5 N, for six seconds.
/// Seeds move the start by up to a millimetre, the force by a fifth, and of hands that have a
/// spring the press sideways by 2 mm and its tilt by 2 degrees: other steps of the encoders, other
/// places on the objects, other starts of a swing.
///
/// The contact is seven times stiffer than the coupling, the middle of the band in which
/// ContactRatio keeps it, so that there is nothing to adapt that would feed energy in.
[[nodiscard]] HoldFigures hold(const HoldCase& how, const RhinoPair* rhinos,
                               response::ContactScratch* scratch);

inline constexpr double kHoldSeconds = 6.0;
inline constexpr double kMeasuredSeconds = 2.0;
inline constexpr double kLowHertz = 2.0, kHighHertz = 500.0;
inline constexpr double kHeldForce = 1.5;  ///< [N]

/// What a run must not exceed.
struct HoldLimits {
  double excessRms = 0.0;  ///< max(1 % of the mean force, 2 K encoder step, 0.03 N) [N]
  double work = 1e-3;      ///< [J]
};
[[nodiscard]] HoldLimits limitsOf(const HoldCase& how, const HoldFigures& figures) noexcept;

}  // namespace tactus::studies
