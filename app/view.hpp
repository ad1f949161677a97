#pragma once
#include <string>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "render/scene_view.hpp"

namespace tactus::app {

/// Whether the picture that is asked for, if any, may and can be written: before it is drawn, and
/// before the models are read that it shows.
[[nodiscard]] models::Result<models::Done> checkPicturePlace(const ViewOptions& options);

/// As a picture, by its own camera. There must be a file for it.
[[nodiscard]] ExitCode writeView(const render::SceneView& view, const ViewOptions& options);

/// Frames the view and shows it: in a window until it is closed, or as a picture. `note` stands in
/// the window beside the help on mouse and keys.
[[nodiscard]] ExitCode lookAt(render::SceneView view, const std::string& title,
                              const std::string& note, const ViewOptions& options);

}  // namespace tactus::app
