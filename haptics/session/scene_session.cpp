#include "haptics/session/scene_session.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "haptics/profiles/hand_defaults.hpp"
#include "haptics/tick/hand_setup.hpp"

namespace tactus::haptics {
namespace {

using Json = nlohmann::ordered_json;

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using models::Error;
using models::Reason;
using models::Result;
using models::SceneBody;
using models::SceneHand;
using models::SceneModel;
using response::BodyKind;
using response::ContactLaw;

// Force comes 1.2 s after a device is ready, if its hand is calm. Before that a path would be
// walked without its tool.
constexpr double kRestSeconds = 1.5;

response::Material materialOf(const models::SceneMaterial& from) {
  return {.stiffness = from.stiffness,
          .pressure = from.pressure,
          .layerStiffness = from.layerStiffness,
          .damping = from.damping,
          .relaxation = from.relaxation,
          .staticFriction = from.staticFriction,
          .kineticFriction = from.kineticFriction,
          .slipSpeed = from.slipSpeed,
          .bristleStiffness = from.bristleStiffness,
          .bristleDamping = from.bristleDamping};
}

BodyKind kindOf(models::SceneBodyKind kind) {
  switch (kind) {
    case models::SceneBodyKind::Fixed:
      return BodyKind::Fixed;
    case models::SceneBodyKind::Dynamic:
      return BodyKind::Dynamic;
    case models::SceneBodyKind::Tool:
      break;
  }
  // until somebody holds it
  return BodyKind::Kinematic;
}

response::BodyMass massOf(const SceneBody& body, const models::Mesh& mesh) {
  response::BodyMass mass = response::bodyMassOf(mesh, body.density);
  if (body.mass) {
    mass.inertia *= *body.mass / mass.mass;
    mass.mass = *body.mass;
  }
  return mass;
}

/// Twice the radius of the largest ball inside.
double thicknessOf(const response::ContactSolid& solid) {
  float largest = 0.0F;
  for (const collision::InnerSphereTree::Contents& block : solid.body.spheres.contents()) {
    for (const float radius : block.lowerRadius)
      largest = std::max(largest, radius);
  }
  return 2.0 * static_cast<double>(largest);
}

HandKey keySeenFromDevice(const models::SceneHandKey& key, const SceneHand& hand,
                          const Isometry3d& sceneFromTool) {
  const Isometry3d grip = hand.toolFromGrip();
  const Isometry3d wanted = Isometry3d(Eigen::Translation3d(key.position) * key.orientation) * grip;
  const Isometry3d start = sceneFromTool * grip;
  HandKey seen;
  seen.at = key.at;
  seen.position = (wanted.translation() - start.translation()) / hand.lengthScale;
  seen.orientation = Quaterniond(wanted.linear() * start.linear().transpose()).normalized();
  seen.closed = key.closed;
  seen.buttons = key.buttons;
  return seen;
}

// A device's numbers, in a list that is written and read by the same names.
template <typename Capabilities, typename Visit>
void eachNumber(Capabilities& of, const Visit& visit) {
  visit("workspace_centre_x", of.workspaceCentre.x());
  visit("workspace_centre_y", of.workspaceCentre.y());
  visit("workspace_centre_z", of.workspaceCentre.z());
  visit("workspace_extent_x", of.workspaceExtent.x());
  visit("workspace_extent_y", of.workspaceExtent.y());
  visit("workspace_extent_z", of.workspaceExtent.z());
  visit("rotation_range", of.rotationRange);
  visit("peak_force", of.peakForce);
  visit("continuous_force", of.continuousForce);
  visit("peak_torque", of.peakTorque);
  visit("continuous_torque", of.continuousTorque);
  visit("peak_gripper_force", of.peakGripperForce);
  visit("most_stiffness", of.mostStiffness);
  visit("rate", of.rate);
}
template <typename Capabilities, typename Visit>
void eachFlag(Capabilities& of, const Visit& visit) {
  visit("senses_rotation", of.sensesRotation);
  visit("actuates_position", of.actuatesPosition);
  visit("actuates_rotation", of.actuatesRotation);
  visit("senses_gripper", of.sensesGripper);
  visit("actuates_gripper", of.actuatesGripper);
}

}  // namespace

std::size_t modelCount(const models::Scene& scene) {
  std::vector<SceneModel> known;
  for (const SceneBody& body : scene.bodies) {
    if (std::ranges::find(known, body.model) == known.end()) known.push_back(body.model);
  }
  return known.size();
}

collision::BuildParameters buildParametersOf(const SceneModel& model) {
  collision::BuildParameters parameters;
  parameters.spheres = model.spheres;
  if (model.points) parameters.points = *model.points;
  parameters.voxelSize = model.voxel;
  return parameters;
}

Result<LoadedScene> loadScene(models::Scene scene, const ObjectSource& source) {
  LoadedScene loaded;
  std::vector<SceneModel> known;
  for (const SceneBody& body : scene.bodies) {
    const auto found = std::ranges::find(known, body.model);
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) {
      Result<collision::CollisionObject> object = source(body.model, known.size());
      if (!object) return object.error();
      Result<collision::SolidMesh> solid = object.value().cold->solid();
      if (!solid) return solid.error();
      known.push_back(body.model);
      loaded.meshes.push_back(std::make_shared<const models::Mesh>(std::move(solid.value().mesh)));
      loaded.objects.push_back(std::move(object).value());
    }
    loaded.objectOf.push_back(place);
    loaded.triangles += loaded.meshes[place]->triangles.size();

    response::BodyDescription description;
    description.solid = response::contactSolidOf(loaded.objects[place]);
    description.mass = massOf(body, *loaded.meshes[place]);
    description.material = materialOf(scene.materials[body.material]);
    description.kind = kindOf(body.kind);
    description.pose = body.pose();
    loaded.bodies.push_back(std::move(description));
  }
  loaded.scene = std::move(scene);
  return loaded;
}

Result<ContactLaw> lawOf(const models::SceneContact& contact) {
  if (contact.method == models::SceneMethod::InnerSpheres) {
    switch (contact.law) {
      case models::SceneLaw::Depth:
        return ContactLaw::Depth;
      case models::SceneLaw::Volume:
        return ContactLaw::Volume;
      case models::SceneLaw::Seed:
        return ContactLaw::Seed;
    }
  }
  switch (contact.law) {
    case models::SceneLaw::Seed:
      return ContactLaw::PointLayers;
    case models::SceneLaw::Volume:
      return Error{Reason::BadValue, -1,
                   "The method 'vps' has the laws 'depth' and 'seed'; 'volume' is one of 'ist'."};
    case models::SceneLaw::Depth:
      break;
  }
  return ContactLaw::PointDepth;
}

std::string objectsText(const LoadedScene& loaded) {
  Json identities = Json::array();
  for (const std::size_t object : loaded.objectOf)
    identities.push_back(loaded.objects[object].identity.text());
  return identities.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string sessionText(std::span<const SessionHand> hands) {
  Json list = Json::array();
  for (const SessionHand& hand : hands) {
    const DeviceCapabilities& device = hand.capabilities;
    Json numbers = Json::object();
    eachNumber(device, [&](const char* name, double value) { numbers[name] = value; });
    eachFlag(device, [&](const char* name, bool value) { numbers[name] = value; });
    list.push_back({{"hand", nameOf(hand.hand)},
                    {"spec", hand.spec},
                    {"model", device.model},
                    {"serial", device.serial},
                    {"side", static_cast<int>(device.side)},
                    {"buttons", device.buttons},
                    {"device", std::move(numbers)},
                    {"profile", profileText(hand.profile, {})}});
  }
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<std::vector<SessionHand>> sessionHands(const std::string& text) try {
  const Json list = Json::parse(text);
  if (!list.is_array() || list.size() > kMostHands) return std::nullopt;
  std::vector<SessionHand> hands;
  for (const Json& entry : list) {
    if (!entry.is_object()) return std::nullopt;
    SessionHand hand;
    const auto word = [&](const char* key) { return entry.value(key, std::string()); };
    const auto name = std::ranges::find(kHandNames, word("hand"));
    const Json device = entry.value("device", Json::object());
    const Result<DeviceProfile> profile = parseProfile(word("profile"), "the recording's profile");
    if (name == kHandNames.end() || !profile) return std::nullopt;
    hand.hand = static_cast<Hand>(name - kHandNames.begin());
    hand.spec = word("spec");
    hand.profile = profile.value();
    hand.capabilities.model = word("model");
    hand.capabilities.serial = word("serial");
    hand.capabilities.side = static_cast<Side>(std::clamp(entry.value("side", 0), 0, 2));
    hand.capabilities.buttons = entry.value("buttons", 0);
    eachNumber(hand.capabilities, [&](const char* key, double& value) {
      if (device.contains(key) && device[key].is_number()) value = device[key].get<double>();
    });
    eachFlag(hand.capabilities, [&](const char* key, bool& value) {
      if (device.contains(key) && device[key].is_boolean()) value = device[key].get<bool>();
    });
    hands.push_back(std::move(hand));
  }
  return hands;
} catch (const Json::exception&) {
  return std::nullopt;
}

TickSetup tickSetupOf(const LoadedScene& loaded, ContactLaw law, std::span<const SessionHand> hands,
                      double tickSeconds) {
  const models::Scene& scene = loaded.scene;
  TickSetup setup;
  setup.tickSeconds = tickSeconds;
  setup.bodies = loaded.bodies;
  setup.world.gravity = scene.gravity;
  setup.world.law = law;
  if (scene.contact.budget != 0) setup.world.budgetOfPair = scene.contact.budget;
  setup.strangers = scene.neverTouch;
  for (std::size_t k = 0; k < std::min(scene.materials.size(), kMostMaterials); ++k)
    setup.materials[k] = materialOf(scene.materials[k]);
  for (const SceneBody& body : scene.bodies)
    setup.materialOf.push_back(body.material);
  double thinnest = std::numeric_limits<double>::max();
  for (const response::BodyDescription& body : loaded.bodies)
    thinnest = std::min(thinnest, thicknessOf(body.solid));
  for (const SceneHand& hand : scene.hands) {
    const auto device = std::ranges::find(hands, static_cast<Hand>(hand.name), &SessionHand::hand);
    if (device == hands.end()) continue;
    TickHand made;
    made.hand = device->hand;
    made.body = hand.tool;
    made.capabilities = device->capabilities;
    made.setup = handSetupOf(device->profile, device->capabilities,
                             {.mass = loaded.bodies[hand.tool].mass,
                              .toolFromGrip = hand.toolFromGrip(),
                              .thinnestPart = thinnest},
                             tickSeconds);
    made.parameters = defaultParametersFor(device->profile);
    made.parameters.tool = hand.coupling == models::SceneCoupling::Dynamic
                               ? response::ToolKind::Dynamic
                               : response::ToolKind::QuasiStatic;
    // fewer freedoms than the scene wants if the device has no more
    made.parameters.level =
        std::max(made.parameters.level, static_cast<response::InteractionLevel>(hand.level));
    made.parameters.lengthScale = hand.lengthScale;
    made.parameters.forceScale = hand.forceScale;
    setup.hands.push_back(std::move(made));
  }
  return setup;
}

TickParameters parametersOf(const TickSetup& setup) {
  TickParameters parameters;
  for (const TickHand& hand : setup.hands)
    parameters.hands[static_cast<std::size_t>(hand.hand)] = hand.parameters;
  parameters.law = setup.world.law;
  parameters.materials = setup.materials;
  if (setup.world.budgetOfPair != collision::kNoBudget)
    parameters.budgetOfPair = setup.world.budgetOfPair;
  for (std::size_t axis = 0; axis < 3; ++axis)
    parameters.gravity[axis] = setup.world.gravity[static_cast<Eigen::Index>(axis)];
  return parameters;
}

HandPath pathOf(const LoadedScene& loaded, const SceneHand& hand) {
  HandPath path;
  path.grasp = static_cast<Grasp>(hand.grasp);
  path.repeats = hand.repeats;
  path.biasDirection = hand.biasDirection;
  path.restsFirst = kRestSeconds;
  for (const models::SceneHandKey& key : hand.path)
    path.keys.push_back(keySeenFromDevice(key, hand, loaded.scene.bodies[hand.tool].pose()));
  return path;
}

}  // namespace tactus::haptics
