#include <array>

#include "models/files/toml_entries.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene.hpp"

namespace tactus::models {
namespace {

/// Lines of "key = value", in the order in which they are put.
class TomlLines {
 public:
  void table(std::string_view name) { text_ += say("\n", name, "\n"); }
  void put(std::string_view key, double value) { line(key, tomlNumber(value)); }
  void put(std::string_view key, std::string_view value) { line(key, tomlString(value)); }
  void put(std::string_view key, bool value) { line(key, value ? "true" : "false"); }
  void put(std::string_view key, std::uint64_t value) { line(key, say(value)); }
  void put(std::string_view key, const Eigen::Vector3d& value) {
    line(key, list({value.x(), value.y(), value.z()}));
  }
  void put(std::string_view key, const Eigen::Quaterniond& value) {
    line(key, list({value.w(), value.x(), value.y(), value.z()}));
  }
  void line(std::string_view key, std::string_view value) { text_ += say(key, " = ", value, "\n"); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static std::string list(std::initializer_list<double> values) {
    std::string text = "[";
    for (const double value : values)
      text += say(text.size() == 1 ? "" : ", ", tomlNumber(value));
    return text + "]";
  }

  std::string text_;
};

template <typename Choice, std::size_t N>
std::string_view wordOf(Choice choice, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(choice)];
}

std::string colourText(std::uint32_t colour) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4)
    text += kDigits[(colour >> static_cast<unsigned>(shift)) & 15U];
  return text;
}

void putMaterial(TomlLines& lines, const SceneMaterial& material) {
  lines.table("[[material]]");
  lines.put("name", std::string_view(material.name));
  lines.put("stiffness_n_per_m3", material.stiffness);
  lines.put("pressure_pa", material.pressure);
  lines.put("layer_stiffness_n_per_m", material.layerStiffness);
  lines.put("damping_per_w", material.damping);
  lines.put("relaxation_s", material.relaxation);
  lines.put("static_friction", material.staticFriction);
  lines.put("kinetic_friction", material.kineticFriction);
  lines.put("slip_speed_m_per_s", material.slipSpeed);
  lines.put("bristle_stiffness_n_per_m", material.bristleStiffness);
  lines.put("bristle_damping_s", material.bristleDamping);
}

void putBody(TomlLines& lines, const SceneBody& body, const Scene& scene) {
  lines.table("[[body]]");
  lines.put("name", std::string_view(body.name));
  lines.put("model", std::string_view(body.model.source));
  lines.put("kind", wordOf(body.kind, kSceneBodyKindNames));
  if (body.model.scale) lines.put("scale", *body.model.scale);
  if (body.model.fit) lines.put("fit_m", *body.model.fit);
  lines.put("spheres", body.model.spheres);
  if (body.model.points) lines.put("points", *body.model.points);
  if (body.model.voxel != 0.0) lines.put("voxel_m", body.model.voxel);
  lines.put("material", std::string_view(scene.materials[body.material].name));
  if (body.mass) {
    lines.put("mass_kg", *body.mass);
  } else {
    lines.put("density_kg_per_m3", body.density);
  }
  lines.put("position_m", body.position);
  lines.put("orientation", body.orientation);
  lines.put("colour", std::string_view(colourText(body.colour)));
}

void putHand(TomlLines& lines, const SceneHand& hand, const Scene& scene) {
  lines.table("[[hand]]");
  lines.put("name", wordOf(hand.name, kHandNames));
  lines.put("tool", std::string_view(scene.bodies[hand.tool].name));
  lines.put("coupling", wordOf(hand.coupling, kSceneCouplingNames));
  lines.put("level", wordOf(hand.level, kSceneLevelNames));
  lines.put("length_scale", hand.lengthScale);
  lines.put("force_scale", hand.forceScale);
  lines.put("grip_position_m", hand.gripPosition);
  lines.put("grip_orientation", hand.gripOrientation);
  lines.put("grasp", wordOf(hand.grasp, kSceneGraspNames));
  lines.put("bias_direction", hand.biasDirection);
  lines.put("repeats", hand.repeats);
  for (const SceneHandKey& key : hand.path) {
    lines.table("[[hand.pose]]");
    lines.put("at_s", key.at);
    lines.put("position_m", key.position);
    lines.put("orientation", key.orientation);
    lines.put("closed", key.closed);
    std::string buttons;
    for (unsigned button = 0; button < 32; ++button) {
      if (((key.buttons >> button) & 1U) != 0) buttons += say(buttons.empty() ? "" : ", ", button);
    }
    lines.line("buttons", say("[", buttons, "]"));
  }
}

}  // namespace

std::string sceneText(const Scene& scene) {
  TomlLines lines;
  lines.put("title", std::string_view(scene.title));
  lines.put("gravity_m_per_s2", scene.gravity);
  lines.table("[camera]");
  lines.put("eye_m", scene.camera.eye);
  lines.put("target_m", scene.camera.target);
  lines.put("up", scene.camera.up);
  lines.put("view_angle_rad", scene.camera.verticalFieldOfView);
  lines.table("[contact]");
  lines.put("law", wordOf(scene.contact.law, kSceneLawNames));
  lines.put("method", wordOf(scene.contact.method, kSceneMethodNames));
  lines.put("budget_tests", std::uint64_t{scene.contact.budget});
  for (const SceneMaterial& material : scene.materials)
    putMaterial(lines, material);
  for (const SceneBody& body : scene.bodies)
    putBody(lines, body, scene);
  for (const SceneHand& hand : scene.hands)
    putHand(lines, hand, scene);
  for (const auto& [a, b] : scene.neverTouch) {
    lines.table("[[never_touch]]");
    lines.line("bodies", say("[", tomlString(scene.bodies[a].name), ", ",
                             tomlString(scene.bodies[b].name), "]"));
  }
  return lines.take();
}

}  // namespace tactus::models
