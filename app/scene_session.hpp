#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "app/output.hpp"
#include "collision/cache/object_builder.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/session/scene_session.hpp"

namespace tactus::app {

using haptics::LoadedScene;
using haptics::SessionHand;

/// models::findScene(), which also says what to do with a model in place of a scene.
[[nodiscard]] models::Result<models::Scene> findSceneToRun(const std::string& name);

/// How far the models of a scene are.
struct LoadingStep {
  std::size_t model = 0, models = 0;              ///< the model now, from 0, and how many there are
  std::string name;                               ///< of the model
  std::optional<collision::BuildProgress> build;  ///< none while it is read
};
/// False cancels. May be empty: then builds say themselves how far they are.
using LoadingWatcher = std::function<bool(const LoadingStep&)>;

/// Reads or builds every model, as openObject() does. Two bodies of one model share it.
[[nodiscard]] models::Result<LoadedScene> loadScene(models::Scene scene,
                                                    const LoadingWatcher& watcher = {});

}  // namespace tactus::app
