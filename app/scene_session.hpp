#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "collision/cache/collision_object.hpp"
#include "collision/cache/object_builder.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/tick/haptic_tick.hpp"
#include "models/scene/scene.hpp"
#include "response/bodies/world.hpp"

namespace tactus::app {

/// A scene with all that its bodies are built of.
struct LoadedScene {
  models::Scene scene;
  std::vector<collision::CollisionObject> objects;          ///< each model once
  std::vector<std::shared_ptr<const models::Mesh>> meshes;  ///< of each object, to look at
  std::vector<std::size_t> objectOf;                        ///< of each body
  std::vector<response::BodyDescription> bodies;            ///< of each body
  std::size_t triangles = 0;                                ///< of all bodies
};

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

/// How contact is found and by what it pushes: `--method`, or what the scene says. An error if the
/// method does not have the law.
[[nodiscard]] models::Result<response::ContactLaw> lawOf(const models::SceneContact& contact);

/// A hand with all of its device that the tick's outcome hangs on: what a recording keeps of it.
struct SessionHand {
  haptics::Hand hand = haptics::Hand::Right;
  std::string spec;  ///< as behind --device
  haptics::DeviceCapabilities capabilities;
  haptics::DeviceProfile profile;
};
[[nodiscard]] Json sessionJson(std::span<const SessionHand> hands);
/// What sessionJson() has made; nothing if it is not that.
[[nodiscard]] std::optional<std::vector<SessionHand>> sessionHands(const std::string& json);

/// The hands of the scene that have a device, ready for the first tick.
[[nodiscard]] haptics::TickSetup tickSetupOf(const LoadedScene& loaded, response::ContactLaw law,
                                             std::span<const SessionHand> hands,
                                             double tickSeconds);
[[nodiscard]] haptics::TickParameters parametersOf(const haptics::TickSetup& setup);

/// What a simulated hand does by itself: the scene's path, seen from the device.
[[nodiscard]] haptics::HandPath pathOf(const LoadedScene& loaded, const models::SceneHand& hand);

}  // namespace tactus::app
