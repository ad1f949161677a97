#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "response/coupling/contact_ratio.hpp"
#include "response/coupling/coupling_spring.hpp"
#include "response/coupling/device_scale.hpp"
#include "response/coupling/interaction_level.hpp"
#include "response/safety/order_of_safety.hpp"
#include "response/velocity/velocity_estimator.hpp"

namespace tactus::response {

enum class ToolKind : std::uint8_t { QuasiStatic, Dynamic };

/// Everything that shapes a hand's force and may be changed while it is felt. Stiffness and damping
/// are the device's, because that is where they are felt and where stability is decided; the
/// scene's follow by the scale. Names end in their unit where it is not one of N, m, s, kg, rad by
/// kind.
struct ForceParameters {
  // coupling, as felt at the device
  double stiffness = 1000.0;   ///< [N/m]
  double turnStiffness = 0.5;  ///< [N m/rad]
  // Four milliseconds of stiffness: 2.7 times what a tick's hold and a tick of delay take, so that
  // the passivity controller has nothing to do (see tests/response/hand, hands from limp to firm).
  double damping = 4.0;          ///< [N s/m]
  double turnDamping = 2e-3;     ///< [N m s/rad]
  double contactRatioLow = 5.0;  ///< contact over coupling stiffness, kept between the two
  double contactRatioHigh = 10.0;
  // dynamic tool
  double toolMass = 0.1;      ///< [kg]
  double toolDrag = 0.0;      ///< [N s/m]
  double toolTurnDrag = 0.0;  ///< [N m s/rad]
  // scales
  double lengthScale = 1.0;  ///< s_p, scene over device
  double forceScale = 1.0;   ///< s_f, device over scene
  // limits; never more than the device's own
  double mostForce = 40.0;    ///< [N]
  double mostTorque = 4.0;    ///< [N m]
  double mostSpeed = 2.0;     ///< interlock [m/s]
  double mostSpin = 30.0;     ///< interlock [rad/s]
  double forceSlew = 2000.0;  ///< [N/s]
  double torqueSlew = 40.0;   ///< [N m/s]
  // re-entry
  double rampSeconds = 0.5;       ///< [s]
  double smallForce = 0.2;        ///< [N]
  double smallTorque = 0.01;      ///< [N m]
  double smallSeconds = 0.3;      ///< [s]
  double calmEnergy = 5e-3;       ///< [J]
  double safeDamping = 2.0;       ///< of the damping-only field [N s/m]
  double safeTurnDamping = 2e-3;  ///< [N m s/rad]
  // passivity
  double allowance = 0.5e-3;    ///< [J]
  double credit = 1e-3;         ///< [J]
  double forgivenPower = 2e-4;  ///< [W]
  double mostDamping = 10.0;    ///< of the controller [N s/m]
  // velocity
  double cutoffHertz = 30.0;  ///< [Hz]
  // workspace
  double buttonSpin = 0.7;     ///< [rad/s]
  double edgeStiffness = 100;  ///< [N/m]
  double mostRate = 0.1;       ///< [m/s]
  // choices; switched where no force is felt
  ToolKind tool = ToolKind::QuasiStatic;
  InteractionLevel level = InteractionLevel::SixInSixOut;
  VelocityMethod velocity = VelocityMethod::AdaptiveWindow;
  bool isPassivityOn = true;
  bool isRateControlled = false;
  bool isTurnClutched = true;
};
static_assert(std::is_trivially_copyable_v<ForceParameters>);

/// What a slider needs to know of a parameter.
struct ParameterRange {
  std::string_view name, unit;
  double ForceParameters::* value;
  double low, high;
  double seconds;            ///< to cross the whole range
  bool fallsAtOnce = false;  ///< a limit that is lowered holds in the same tick
  bool isScale = false;      ///< moves by factors, not by differences
};

/// Every number of ForceParameters, in its order.
extern const std::array<ParameterRange, 32> kForceParameterRanges;

/// The same with every number in its range; what is no number is as in `otherwise`.
[[nodiscard]] ForceParameters withinRanges(const ForceParameters& wanted,
                                           const ForceParameters& otherwise) noexcept;

/// Moves towards what the panel wants, no number faster than its range in its `seconds`: a slider
/// that is slammed from one end to the other is felt as if somebody had drawn it. `isFree`: no
/// force is felt, so choices may switch. True if anything that changes stored energy moved: the
/// tick's coupling error is then to be booked as Parameters.
bool slewParameters(ForceParameters& now, const ForceParameters& wanted, bool isFree,
                    double dt) noexcept;

// What the parts need, for a device of these limits.

/// In the scene's lengths.
[[nodiscard]] CouplingGains couplingGains(const ForceParameters& parameters,
                                          const WrenchLimits& devicePeak) noexcept;
/// Keeps what only the device's profile knows (masses, limits, delay, friction) as it is in
/// `device`.
[[nodiscard]] SafetySettings safetySettings(const ForceParameters& parameters,
                                            const SafetySettings& device) noexcept;
[[nodiscard]] DeviceScale deviceScale(const ForceParameters& parameters) noexcept;
[[nodiscard]] ContactRatio::Band contactRatioBand(const ForceParameters& parameters) noexcept;

}  // namespace tactus::response
