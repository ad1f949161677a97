#pragma once
#include <string>

#include "models/mesh/result.hpp"
#include "models/scene/scene.hpp"

namespace tactus::app {

/// The scene with one more body, which falls into it from above its middle: the model of a mesh
/// file, as large as it is if that suits a hand, else fitted to it. The surface is read and must be
/// a model at all; whether it is closed the builder says.
///
/// The scene gets a text of its own, so that a recording of it can be replayed.
[[nodiscard]] models::Result<models::Scene> sceneWithModel(models::Scene scene,
                                                           const std::string& file);

/// Writes a text where there is no file yet.
[[nodiscard]] models::Result<models::Done> writeNewFile(const std::string& file,
                                                        const std::string& text);

}  // namespace tactus::app
