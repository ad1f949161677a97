#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/panel/panel_model.hpp"
#include "app/recorded_session.hpp"
#include "haptics/tick/tick_replay.hpp"

namespace tactus::app {

/// A recording to be looked at, forth and back: what stood at any tick, as a snapshot that is drawn
/// like one of the running loop.
///
/// Bodies, tools, forces on hands and times are as recorded. What no recording holds is left out:
/// contacts between bodies, where on its tool a hand's force acts (it is drawn at the grip), where
/// the hand wanted its tool, shared volume, periods.
class RecordingPlayer {
 public:
  /// Times as fast as it was.
  static constexpr std::array kSpeeds = {0.02, 0.1, 0.25, 1.0, 4.0};

  /// Reads all forces once, for the curves. Begins at the first tick and stands still.
  [[nodiscard]] static models::Result<std::unique_ptr<RecordingPlayer>> open(
      const std::string& file, haptics::RecordingReader recording, const RecordedSession& recorded);

  RecordingPlayer(const RecordingPlayer&) = delete;
  RecordingPlayer& operator=(const RecordingPlayer&) = delete;
  ~RecordingPlayer() = default;

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::uint64_t firstTick() const noexcept { return first_; }
  [[nodiscard]] std::uint64_t lastTick() const noexcept { return last_; }
  [[nodiscard]] std::uint64_t tick() const noexcept { return snapshot_.number; }
  [[nodiscard]] bool isPlaying() const noexcept { return isPlaying_; }
  [[nodiscard]] double speed() const noexcept { return speed_; }

  /// To a tick, or where the recording has none to the one before it.
  void goTo(std::uint64_t tick);
  /// Single ticks, forth or back; it stands still then.
  void step(std::int64_t ticks);
  /// Goes on from where it is; from its end it begins anew.
  void play(bool plays);
  void setSpeed(double speed) noexcept { speed_ = speed; }
  /// Of somebody's time.
  void advance(double seconds);

  [[nodiscard]] const haptics::TickSnapshot& snapshot() const noexcept { return snapshot_; }
  /// The ten seconds before; without volume and periods.
  [[nodiscard]] const Curves& curves() const noexcept { return curves_; }
  /// As they were then.
  [[nodiscard]] const haptics::TickParameters& parameters() const noexcept { return parameters_; }
  /// The largest force on any hand [N] in each of so many equal parts of the recording.
  [[nodiscard]] std::span<const float> overview(std::size_t parts);
  /// One sentence about a part of the file that cannot be read; empty if all can.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  /// Of a hand, from tick to tick.
  struct HandOfRecording {
    haptics::StreamCursor records;
    Eigen::Matrix3d sceneFromDevice;
    Eigen::Isometry3d toolFromGrip;
    std::size_t place = 0;  ///< by Hand
    bool hasMotors = false;
    std::vector<float> force, torque;  ///< as shown, from the first tick on [N, N m]
  };

  RecordingPlayer(const std::string& file, haptics::RecordingReader recording,
                  const RecordedSession& recorded);
  [[nodiscard]] models::Result<models::Done> readCurves();
  void fillSnapshot(std::uint64_t tick);
  void fillHand(const HandOfRecording& hand, const haptics::HandRecord& record,
                haptics::TickSnapshot::Hand& shown) const;
  void fillParameters(std::uint64_t tick);
  void fillCurves(std::uint64_t tick);
  /// Whether there is such a record; notes what cannot be read.
  [[nodiscard]] bool has(haptics::StreamCursor& records, std::uint64_t tick, void* record);

  std::string file_;
  haptics::RecordingReader recording_;
  haptics::TickParameters begin_, parameters_;
  std::vector<HandOfRecording> hands_;
  haptics::StreamCursor ticks_, bodies_;
  std::vector<haptics::BodyRecord> bodyRecords_;
  std::vector<float> computeUs_;
  std::uint64_t first_ = 0, last_ = 0, curvesEnd_ = 0;
  double at_ = 0.0;  ///< [ticks]
  double speed_ = 1.0;
  bool isPlaying_ = false;
  haptics::TickSnapshot snapshot_;
  Curves curves_;
  std::vector<float> overview_;
  std::string failure_;
};

}  // namespace tactus::app
