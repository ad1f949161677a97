#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collision/cache/collision_object.hpp"
#include "collision/cache/object_builder.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "haptics/simulated/simulated_hand.hpp"
#include "haptics/tick/haptic_tick.hpp"
#include "models/scene/scene.hpp"
#include "response/bodies/world.hpp"

namespace tactus::haptics {

/// A scene with all that its bodies are built of.
struct LoadedScene {
  models::Scene scene;
  std::vector<collision::CollisionObject> objects;          ///< each model once
  std::vector<std::shared_ptr<const models::Mesh>> meshes;  ///< of each object, to look at
  std::vector<std::size_t> objectOf;                        ///< of each body
  std::vector<response::BodyDescription> bodies;            ///< of each body
  std::size_t triangles = 0;                                ///< of all bodies
};

/// Reads or builds a model of a scene; the number counts models, from 0. Bodies with equal models
/// share one, so each is asked for once.
using ObjectSource = std::function<models::Result<collision::CollisionObject>(
    const models::SceneModel& model, std::size_t number)>;

/// How many models a scene has, each counted once.
[[nodiscard]] std::size_t modelCount(const models::Scene& scene);
/// What a builder is told of a model.
[[nodiscard]] collision::BuildParameters buildParametersOf(const models::SceneModel& model);

[[nodiscard]] models::Result<LoadedScene> loadScene(models::Scene scene,
                                                    const ObjectSource& source);

/// How contact is found and by what it pushes: `--method`, or what the scene says. An error if the
/// method does not have the law.
[[nodiscard]] models::Result<response::ContactLaw> lawOf(const models::SceneContact& contact);

/// What the objects of all bodies were built of and how, as JSON: a recording runs again with these
/// alone.
[[nodiscard]] std::string objectsText(const LoadedScene& loaded);

/// A hand with all of its device that the tick's outcome hangs on: what a recording keeps of it.
struct SessionHand {
  Hand hand = Hand::Right;
  std::string spec;  ///< as behind --device
  DeviceCapabilities capabilities;
  DeviceProfile profile;
};
/// As JSON, for a recording.
[[nodiscard]] std::string sessionText(std::span<const SessionHand> hands);
/// What sessionText() has made; nothing if it is not that.
[[nodiscard]] std::optional<std::vector<SessionHand>> sessionHands(const std::string& text);

/// The hands of the scene that have a device, ready for the first tick.
[[nodiscard]] TickSetup tickSetupOf(const LoadedScene& loaded, response::ContactLaw law,
                                    std::span<const SessionHand> hands, double tickSeconds);
[[nodiscard]] TickParameters parametersOf(const TickSetup& setup);

/// What a simulated hand does by itself: the scene's path, seen from the device.
[[nodiscard]] HandPath pathOf(const LoadedScene& loaded, const models::SceneHand& hand);

}  // namespace tactus::haptics
