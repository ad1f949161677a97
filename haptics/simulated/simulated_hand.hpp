#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// How a hand holds a device.
enum class Grasp : std::uint8_t {
  Bias,    ///< not at all: a constant push of 0.5 N, the hardest case for stability
  Loose,   ///< two fingers
  Normal,  ///< as one holds a pen
  Firm,    ///< a whole tense hand
};

/// What a hand feels like to the device: mass, damping and stiffness toward where it wants to be.
///
/// All numbers are estimated, of the order of what studies of the human arm report (Hogan, 1989;
/// Kuchenbecker, Park, Niemeyer, 2003); the stability test takes all four and keeps the worst.
struct HandImpedance {
  double mass = 0.0;                 ///< moves with the grip [kg]
  double damping = 0.0;              ///< [N s/m]
  double stiffness = 0.0;            ///< [N/m]
  double inertia = 0.0;              ///< [kg m^2]
  double rotationalDamping = 0.0;    ///< [N m s]
  double rotationalStiffness = 0.0;  ///< [N m/rad]
  double effort = 0.0;               ///< longest pull toward the intended place [N]
  double rotationalEffort = 0.0;     ///< [N m]
  double bias = 0.0;                 ///< constant push, with Grasp::Bias [N]
};
[[nodiscard]] HandImpedance impedanceOf(Grasp grasp) noexcept;

/// Where the hand wants to be at one moment.
struct HandKey {
  double at = 0.0;                                     ///< since the first tick [s]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< from the workspace's centre [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  double closed = 0.0;        ///< of the fingers, 0 open to 1 closed
  std::uint32_t buttons = 0;  ///< held from this key to the next
};

/// A path of intended poses, as a file:
///
///     grasp = "normal"                  # bias, loose, normal or firm
///     repeats = true                    # from the start again after the last pose; false: stays
///     there bias_direction = [0, -1, 0]       # where the push of grasp = "bias" points; [0, -1,
///     0] if absent
///
///     [[pose]]                          # at least one, in the order of time, the first at 0
///     at_s = 0.0
///     position_m = [0, 0.03, 0]         # from the middle of the device's workspace
///     orientation = [1, 0, 0, 0]        # w x y z; no turn if absent
///     closed = 0.0                      # fingers, 0 open to 1 closed; open if absent
///     buttons = [0]                     # those held down until the next pose; none if absent
///
/// Between two poses the hand moves as people do, with the least jerk, and rests at each (Flash and
/// Hogan, 1985). How it differs: a turn is interpolated along the chord of quaternions instead of
/// the arc, with the same course of time; between poses less than 90 degrees apart that is at most
/// 4 degrees, and needs no sine.
struct HandPath {
  Grasp grasp = Grasp::Normal;
  bool repeats = true;
  Eigen::Vector3d biasDirection = -Eigen::Vector3d::UnitY();
  std::vector<HandKey> keys;
  /// Rests at the first pose so long before the path begins, once: until force is there. Not in
  /// files, in which a pose that stays does the same. [s]
  double restsFirst = 0.0;
};

[[nodiscard]] models::Result<HandPath> parseHandPath(std::string_view text, std::string_view label);
[[nodiscard]] models::Result<HandPath> readHandPath(const std::filesystem::path& file);
/// A slow round about the middle: what a simulated device does when nobody says what.
[[nodiscard]] HandPath defaultHandPath();
/// Nobody holds it: for measuring the device alone.
[[nodiscard]] HandPath noHand();

/// Where the hand wants to be, with its velocity.
struct HandIntent {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  double closed = 0.0;
  std::uint32_t buttons = 0;
};
[[nodiscard]] HandIntent intentAt(const HandPath& path, double seconds) noexcept;

/// Somebody who decides while the device runs where its hand goes: in place of a path.
class HandWill {
 public:
  HandWill() = default;
  HandWill(const HandWill&) = delete;
  HandWill& operator=(const HandWill&) = delete;
  virtual ~HandWill() = default;
  /// Asked for times that only grow, several a tick.
  [[nodiscard]] virtual HandIntent intentAt(double seconds) noexcept = 0;
};

/// The hand's answer to what it feels: after the time that a person needs to notice, a push that
/// has come makes it hold tighter, and let go again as slowly when it is gone.
class HandReaction {
 public:
  explicit HandReaction(double stepSeconds) noexcept;
  /// One step with this force felt; returns the factor on stiffness and damping, 1 to kTightest.
  double advance(double feltForce) noexcept;
  [[nodiscard]] double tightness() const noexcept { return tightness_; }

  // 150 ms from touch to muscle, and half a second to settle; co-contraction about doubles the
  // stiffness of a hand. Estimated.
  static constexpr double kReactionSeconds = 0.15;
  static constexpr double kSettleSeconds = 0.5;
  static constexpr double kTightest = 2.0;
  static constexpr double kNoticedForce = 0.5;  // [N]

 private:
  double perStep_;
  std::uint32_t reactionSteps_;
  std::uint32_t stepsFelt_ = 0;
  double tightness_ = 1.0;
};

}  // namespace tactus::haptics
