#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "haptics/simulated/simulated_hand.hpp"
#include "haptics/tick/tick_records.hpp"
#include "studies/plan/simulated_traits.hpp"
#include "studies/protocol/study_protocol.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {

/// One hand of a simulated participant in one trial: goes from place to place as people do, with
/// the least jerk (Flash and Hogan, 1985), errs and trembles, looks at the scene between two moves
/// and decides what is next. Rests until the start signal.
class SimulatedHandPlayer final : public haptics::HandWill {
 public:
  struct Setup {
    const ProtocolTask* task = nullptr;
    std::size_t side = 0;  ///< of the task's
    models::HandName hand = models::HandName::Right;
    response::InteractionLevel level = response::InteractionLevel::SixInSixOut;
    bool hasFourButtons = false;
    bool isDominant = true;
    double lengthScale = 1.0;
    std::size_t tool = 0;                           ///< body
    Eigen::Isometry3d sceneFromTool, toolFromGrip;  ///< when it begins
    std::vector<std::size_t> loose;                 ///< bodies that can be pocketed
    std::vector<std::size_t> otherTools;            ///< of all other hands
    double startSeconds = 1.5;                      ///< of the start signal
    SimulatedTraits traits;
    std::uint64_t seed = 0;
  };
  explicit SimulatedHandPlayer(const Setup& setup);

  [[nodiscard]] haptics::HandIntent intentAt(double seconds) noexcept override;

  /// Once a tick: what is to be seen. `other`: the player's other hand, or null.
  void see(std::span<const haptics::BodyRecord> bodies, double seconds,
           const SimulatedHandPlayer* other) noexcept;

  /// Presses that have ended, of a task that has them.
  [[nodiscard]] int presses() const noexcept { return presses_; }

 private:
  struct Move {
    Eigen::Vector3d from, to;  // of the tool, in the scene
    Eigen::Quaterniond turnFrom, turnTo;
    double begins = 0.0, lasts = 0.0;
    std::uint32_t buttons = 0;
  };
  // of intentAt(): no tick is known, after a decision
  static constexpr double kNoTick = -10.0;
  [[nodiscard]] haptics::HandIntent willAt(double seconds) const noexcept;
  void go(const Eigen::Vector3d& to, const Eigen::Quaterniond& turn, double seconds,
          double speedFactor = 1.0) noexcept;
  void wait(double seconds, double lasts, std::uint32_t buttons = 0) noexcept;
  void pocket(std::span<const haptics::BodyRecord> bodies, double seconds,
              const SimulatedHandPlayer* other) noexcept;
  [[nodiscard]] bool isStuck(std::span<const haptics::BodyRecord> bodies, double seconds) noexcept;
  void drawBack(const Eigen::Vector3d& tool, double seconds) noexcept;
  [[nodiscard]] Eigen::Vector3d placeAt(double seconds) const noexcept;
  void bringToTarget(std::span<const haptics::BodyRecord> bodies, double seconds) noexcept;
  void press(double seconds) noexcept;
  [[nodiscard]] std::uint32_t buttonsFor(const Eigen::Quaterniond& is,
                                         const Eigen::Quaterniond& wanted) const noexcept;
  [[nodiscard]] const TaskTarget* target() const noexcept;
  [[nodiscard]] Eigen::Vector3d miss(double size) noexcept;

  Setup setup_;
  Eigen::Isometry3d start_;  // of the grip
  RandomStream random_;
  Move move_;
  haptics::HandIntent atTick_, atNextTick_;
  double tick_ = kNoTick;
  int stage_ = 0, presses_ = 0, strokes_ = 0;
  double error_, turnError_;
  double turnsUntil_ = 0.0, freeAt_ = 0.0;
  std::optional<std::size_t> wanted_;  // body that it is after
  Eigen::Vector3d wantedPlace_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d tremorWay_;
  double tremorPhase_;
};

}  // namespace tactus::studies
