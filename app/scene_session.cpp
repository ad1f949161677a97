#include "app/scene_session.hpp"

#include <fmt/format.h>

#include <utility>

#include "app/object_source.hpp"

namespace tactus::app {

using models::Error;
using models::Reason;
using models::Result;
using models::SceneModel;

Result<LoadedScene> loadScene(models::Scene scene, const LoadingWatcher& watcher) {
  LoadingStep step;
  step.models = haptics::modelCount(scene);
  const std::string name = scene.name;
  return haptics::loadScene(
      std::move(scene),
      [&](const SceneModel& model, std::size_t number) -> Result<collision::CollisionObject> {
        step.model = number;
        step.name = model.source;
        step.build.reset();
        if (watcher && !watcher(step)) {
          return Error{
              Reason::Cancelled, -1,
              fmt::format("The scene '{}' was not loaded, because somebody stopped it.", name)};
        }
        BuildWatcher ofBuild;
        if (watcher) {
          ofBuild = [&](const collision::BuildProgress& progress) {
            step.build = progress;
            return watcher(step);
          };
        }
        return openObject(model.source, haptics::buildParametersOf(model),
                          {.scale = model.scale, .fit = model.fit}, ofBuild);
      });
}

}  // namespace tactus::app
