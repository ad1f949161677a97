// Of the animals in the shipped scenes the duck has the smallest soles and falls over first.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "haptics/session/scene_session.hpp"
#include "models/builtin.hpp"

namespace tactus::haptics {
namespace {

/// The scene with its table and its duck alone, and nobody who holds anything.
models::Scene duckOn(const char* name) {
  models::Scene scene = models::findScene(name).value();
  std::erase_if(scene.bodies, [](const models::SceneBody& body) {
    return body.name != "table" && body.name != "duck";
  });
  scene.hands.clear();
  scene.neverTouch.clear();
  for (models::SceneBody& body : scene.bodies)
    body.model.points = 0;  // of the other method
  return scene;
}

/// "builtin:NAME@TRIANGLES", scaled as the scene says.
models::Mesh meshOf(const models::SceneModel& model) {
  const std::size_t colon = model.source.find(':');
  const std::size_t at = model.source.find('@');
  models::Mesh mesh = models::makeBuiltin(model.source.substr(colon + 1, at - colon - 1),
                                          std::stoul(model.source.substr(at + 1)))
                          .value();
  models::scale(mesh, model.scale.value_or(1.0));
  return mesh;
}

constexpr double kTick = 1e-3;  // [s]

class StandingDuck : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, StandingDuck, testing::Values("workspace", "haptic-game"),
                         [](const auto& scene) {
                           return scene.param[0] == 'w' ? "Workspace" : "HapticGame";
                         });

TEST_P(StandingDuck, DoesNotLeanOver) {
  const auto loaded =
      loadScene(duckOn(GetParam()), [](const models::SceneModel& model, std::size_t) {
        collision::BuildSettings settings;
        settings.parameters = buildParametersOf(model);
        return models::Result<collision::CollisionObject>(
            collision::buildObject({meshOf(model), {}}, settings).object);
      });
  ASSERT_TRUE(loaded) << loaded.error().sentence;
  const models::Scene& scene = loaded.value().scene;
  ASSERT_EQ(scene.bodies.size(), 2U);
  const std::size_t duck = scene.bodies[0].name == "duck" ? 0 : 1;
  const TickSetup setup = tickSetupOf(loaded.value(), lawOf(scene.contact).value(), {}, kTick);
  HapticTick tick(setup);
  const TickParameters parameters = parametersOf(setup);
  // It comes to rest within a third of a second; what falls over has fallen after two.
  constexpr std::uint64_t kTicks = 600;
  constexpr double kMostLean = 3.0;  // [degrees]
  double lean = 0.0;
  for (TickInputs inputs; inputs.number < kTicks;) {
    ++inputs.number;
    tick.tick(inputs, parameters);
    const double up = tick.world().pose(duck).linear()(1, 1);
    lean = std::max(lean, std::acos(std::min(up, 1.0)) * 180.0 / std::numbers::pi);
  }
  EXPECT_LT(lean, kMostLean);
  const Eigen::Vector3d moved = tick.world().pose(duck).translation() - scene.bodies[duck].position;
  EXPECT_LT(moved.norm(), 1e-3) << "it falls half a millimetre, and stays";
  EXPECT_LT(moved.y(), -0.3e-3) << "it has not come down";
}

}  // namespace
}  // namespace tactus::haptics
