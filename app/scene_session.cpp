#include "app/scene_session.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "app/model_source.hpp"
#include "app/object_source.hpp"
#include "app/recording_info.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;
using models::SceneModel;

Result<models::Scene> findSceneToRun(const std::string& name) {
  std::error_code ignored;
  const bool isFile = std::filesystem::is_regular_file(name, ignored);
  if (name.ends_with(".toml") || (!isFile && !name.starts_with("builtin:")))
    return models::findScene(name);
  const std::string shown = models::printable(name);
  if (isRecording(name)) {
    return Error{
        Reason::Unsupported, -1,
        fmt::format("{}: this is a recording and no scene; 'tactus replay' runs it again, and with "
                    "--window shows it.",
                    shown)};
  }
  return Error{Reason::Unsupported, -1,
               fmt::format("{}: this is a model and no scene; look at it with 'tactus show', or "
                           "touch it: drop the file on the window of 'tactus run', or name it in a "
                           "scene of your own (docs/scenes.md).",
                           shown)};
}

Result<LoadedScene> loadScene(models::Scene scene, const LoadingWatcher& watcher) {
  // a name that means nothing is told before anything is built
  for (const models::SceneBody& body : scene.bodies) {
    if (const Result<Done> good = checkModelName(body.model.source); !good) return good.error();
  }
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
