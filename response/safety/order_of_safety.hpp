#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>

#include "response/safety/energy_ledger.hpp"
#include "response/safety/passivity.hpp"
#include "response/safety/thermal_limit.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

enum class SafetyPhase : std::uint8_t {
  Waiting,      ///< no force: until the hand is slow and the force that would come is small
  Ramping,      ///< force is coming up
  Active,       ///< the whole force
  DampingOnly,  ///< nothing but damping
  Stopped,      ///< zero
};

/// Why a hand does not get the whole force.
enum class SafetyReason : std::uint8_t {
  None,
  Starting,
  EmergencyStop,
  DeviceLost,
  DeadManOpen,
  TooFast,        ///< the device moves faster than its interlock allows
  TicksMissed,    ///< the loop stood still; the last force was held all that time
  CouplingStale,  ///< no new force came from the simulation
  Clutched,
  ForceNotSmall,  ///< waits for the force that would come to be small
  HandNotCalm,    ///< waits for the device's energy of motion to be small
  // Something was not a number, seen first here:
  NotANumberTime,
  NotANumberPose,
  NotANumberVelocity,
  NotANumberCoupling,
  NotANumberBlend,
  NotANumberSlew,
  NotANumberPassivity,
  NotANumberClamp,
  Paused,  ///< the scene stands still because somebody wants it to
};

struct SafetySettings {
  // re-entry
  double rampSeconds = 0.5;     ///< from nothing to the whole force
  double fadeSeconds = 0.02;    ///< and back
  double smallForce = 0.2;      ///< what would come must be below, at the start [N]
  double smallTorque = 0.01;    ///< [N m]
  double smallSeconds = 0.3;    ///< for so long
  double calmEnergy = 5e-3;     ///< of the moving device, at most, while force comes up [J]
  double deviceMass = 0.2;      ///< [kg]
  double deviceInertia = 2e-4;  ///< [kg m^2]
  // watchdogs
  double staleFrom = 0.005;       ///< a coupling of that age begins to fade [s]
  double staleUntil = 0.035;      ///< and has faded [s]
  double gapSeconds = 0.01;       ///< a standstill this long makes the force come up anew
  double dampingSeconds = 0.1;    ///< nothing but damping for so long after a fault
  double safeDamping = 2.0;       ///< of the damping-only field [N s/m]
  double safeTurnDamping = 2e-3;  ///< [N m s/rad]
  // interlocks
  double mostSpeed = 2.0;  ///< [m/s]
  double mostSpin = 30.0;  ///< [rad/s]
  bool needsDeadMan = false;
  // slew
  double forceSlew = 2000.0;  ///< [N/s]
  double torqueSlew = 40.0;   ///< [N m/s]
  PassivitySettings passivity;
  std::uint32_t delayTicks = 0;  ///< from sample to force at the hand, beyond the tick's own hold
  // the device
  WrenchLimits peak{3.0, 0.0};
  WrenchLimits continuous{3.0, 0.0};
  double thermalSeconds = 20.0;  ///< time constant; 0 for none
};

/// What a tick brings. All in the device's frame and units, wrenches on the hand about its grip.
struct SafetyInputs {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();         ///< of the grip [m]
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();  ///< of the grip
  Motion velocity;                                            ///< estimated
  bool isConnected = true;
  bool isEmergencyStop = false;  ///< stays until `isReset`
  bool isReset = false;
  bool isDeadManHeld = true;
  bool isClutched = false;
  bool isPaused = false;           ///< fades and comes back as by the clutch
  std::uint32_t skippedTicks = 0;  ///< between the last call and this one
  Wrench coupling;                 ///< what motors are to give
  Wrench unactuated;               ///< what they cannot; see ported()
  /// In coupling and contact, scaled to the device [J]. Of a law that does not say what it stores,
  /// 0: then every spring looks like a brake, and like a generator when it gives back.
  double storedEnergy = 0.0;
  /// The part of its change since the last call that others brought, scaled to the device [J].
  double broughtEnergy = 0.0;
  double othersDeficit = 0.0;               ///< of hands joined to this one, see controlled() [J]
  double couplingAge = 0.0;                 ///< since coupling was computed [s]
  EnergyPort cause = EnergyPort::Coupling;  ///< to whom an error of the coupling's energy is booked
};

/// The wrench between the stages.
struct StageWrenches {
  Wrench coupling, unactuated, blended, slewed, passive, applied;
};

inline constexpr std::size_t kMostDelayTicks = 15;

/// All that is kept from tick to tick, as plain values: a copy goes on to the same bytes.
struct SafetyState {
  SafetyPhase phase = SafetyPhase::Waiting;
  SafetyReason reason = SafetyReason::Starting;
  double gain = 0.0, dampingGain = 0.0;  ///< of the blend
  double calmSeconds = 0.0;              ///< since the force that would come is small
  double dampingLeft = 0.0;              ///< of a fault [s]
  bool needsSmallForce = true;           ///< before force may come up again
  bool needsRezero = true;               ///< until force comes up again
  bool isLatched = false;                ///< by the emergency stop
  bool isTooFast = false;
  bool hasPose = false;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();
  double storedEnergy = 0.0;
  double share = 0.0;      ///< of the coupling's wrench that was shown
  double shownGain = 0.0;  ///< of ramp and watchdog
  std::array<StageWrenches, kMostDelayTicks + 1> past{};  ///< ring, newest at `newest`
  std::size_t newest = 0;
  PassivityState passivity;
  ThermalLimit forceWarmth, torqueWarmth;
  EnergyLedger ledger;
};

struct SafeWrench {
  Wrench applied;  ///< for the device, nothing left to do to it
  SafetyPhase phase = SafetyPhase::Waiting;
  SafetyReason reason = SafetyReason::None;
  StageWrenches stages;
  WrenchLimits limits;   ///< of this tick, thermal ones included
  double gain = 0.0;     ///< of ramp and watchdog
  double damping = 0.0;  ///< that the passivity controller added [N s/m]
  bool isSlewed = false, isHeldBack = false, isClamped = false;
  /// The coupling should be let go where the tool is (see WorkspaceMap): until then no small force
  /// will come, and force cannot return.
  bool wantsRezero = false;
};

/// From what the coupling wants to what the device gets. Everything that protects hand and device
/// is here, in the one order in which nothing undoes what came before:
///
///     coupling -> ramp-in and watchdog blend -> slew -> passivity -> clamp -> device
///
/// The ramp comes before the slew, so that its end cannot be a step; the slew before passivity, so
/// that energy it makes (a force that rises late and falls at once pushes out more than it took in)
/// is seen; the clamp last, because limits hold whatever happened; and the observer sees what was
/// applied, next tick. Reads no clock and allocates nothing: (state, inputs, dt) decide.
///
/// Anything that is not a number gives zero in the same tick, then nothing but damping for
/// `dampingSeconds`, then the way back from the start; the reason says where it was seen first.
[[nodiscard]] SafeWrench safeWrench(SafetyState& state, const SafetySettings& settings,
                                    const SafetyInputs& inputs, double dt) noexcept;

[[nodiscard]] const char* nameOf(SafetyPhase phase) noexcept;
/// A few words for the panel.
[[nodiscard]] const char* nameOf(SafetyReason reason) noexcept;

}  // namespace tactus::response
