#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/scene_session.hpp"
#include "haptics/recording/recorder.hpp"
#include "haptics/tick/tick_parameters.hpp"

namespace tactus::app {

inline constexpr double kTickSeconds = 1e-3;

/// What a hand of the scene gets for which no device was asked.
enum class UsualDevice : std::uint8_t {
  Simulated,       ///< that does what the scene says
  FoundElseMouse,  ///< what is plugged in, and where there is nothing the mouse
};

/// A scene with its devices: everything of a run that outlives the loop.
struct OpenedSession {
  LoadedScene loaded;
  std::vector<haptics::HandDevice> devices;  ///< of each of `hands`
  std::vector<SessionHand> hands;
  haptics::TickSetup setup;
  std::vector<std::string> notes;  ///< about devices, for people
  std::string method;              ///< as the request said; empty: as the scene says
  /// Of each object, for processors that draw; empty if nobody is to look.
  std::vector<std::shared_ptr<const models::Mesh>> drawingCopies;
};

/// `scene`: what `request.scene` names, or what somebody has put together.
[[nodiscard]] models::Result<OpenedSession> openSession(models::Scene scene,
                                                        const SessionRequest& request,
                                                        UsualDevice usual,
                                                        const LoadingWatcher& watcher = {});

/// The recorder of a run that begins with these parameters.
[[nodiscard]] models::Result<std::unique_ptr<haptics::Recorder>> startRecorder(
    const std::string& file, bool overwrites, haptics::RecorderPace pace,
    const OpenedSession& session, const haptics::TickParameters& parameters);

}  // namespace tactus::app
