#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/core_share.hpp"
#include "app/recording_player.hpp"

namespace tactus::app {

/// Opens a session in a thread of its own, while somebody shows how far it is.
class SceneLoader {
 public:
  SceneLoader(models::Scene scene, const SessionRequest& request, const CoreShare& cores);
  /// The scene of a recording, which is to be looked at.
  SceneLoader(const std::string& recording, const CoreShare& cores);
  SceneLoader(const SceneLoader&) = delete;
  SceneLoader& operator=(const SceneLoader&) = delete;
  /// Cancels and waits.
  ~SceneLoader();

  void cancel() noexcept { isCancelled_ = true; }
  [[nodiscard]] bool isDone() const noexcept { return isDone_; }
  /// Once, when it is done.
  [[nodiscard]] models::Result<OpenedSession> take();
  /// After take(): of a recording its player, else null.
  [[nodiscard]] std::unique_ptr<RecordingPlayer> takePlayer() { return std::move(player_); }

  struct Progress {
    std::string text;    ///< "builtin:rhino@20000: packing 40 %, ..."
    double share = 0.0;  ///< of all models, from 0 to 1
    std::optional<double> secondsLeft;
  };
  [[nodiscard]] Progress progress() const;

 private:
  void start(const CoreShare& cores, std::function<models::Result<OpenedSession>()> open);
  bool note(const LoadingStep& step);
  [[nodiscard]] models::Result<OpenedSession> openRecording(const std::string& file);

  std::chrono::steady_clock::time_point began_, buildBegan_;
  std::size_t model_ = 0;
  mutable std::mutex mutex_;
  Progress progress_;
  std::optional<models::Result<OpenedSession>> outcome_;
  std::unique_ptr<RecordingPlayer> player_;
  std::atomic<bool> isCancelled_ = false, isDone_ = false;
  std::thread thread_;
};

}  // namespace tactus::app
