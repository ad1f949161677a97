#pragma once
#include "app/commands.hpp"

namespace tactus::app {

/// A scene in a window: the haptic loop in its thread, the picture and the panel in this one. The
/// models are read or built in a third, with a window that says how far they are.
[[nodiscard]] ExitCode runSceneWindow(const SessionRequest& request, const ViewOptions& view);

/// A recording in a window, to go through it forth and back. Nothing of it runs.
[[nodiscard]] ExitCode runRecordingWindow(const ReplayRequest& request, const ViewOptions& view);

/// A picture of a scene as it begins, or with simulated hands after `view.seconds`.
[[nodiscard]] ExitCode drawScenePicture(const SessionRequest& request, const ViewOptions& view);

}  // namespace tactus::app
