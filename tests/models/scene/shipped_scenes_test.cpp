// The scenes that travel in the library hold what is promised of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "models/parametric/well.hpp"
#include "models/scene/scene.hpp"

namespace tactus::models {
namespace {

Scene shipped(std::string_view name) {
  Result<Scene> read = findScene(name);
  EXPECT_TRUE(read.ok()) << read.error().sentence;
  return read.ok() ? std::move(read).value() : Scene{};
}

/// "rhino" and 20000 of "builtin:rhino@20000".
std::pair<std::string, std::size_t> namedModel(const SceneModel& model) {
  const std::string_view prefix = "builtin:";
  EXPECT_TRUE(model.source.starts_with(prefix)) << model.source << " needs a file";
  const std::string name = model.source.substr(prefix.size());
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return {name, kDefaultTriangles};
  return {name.substr(0, at), std::stoul(name.substr(at + 1))};
}

/// Shapes hardly change with the number of triangles.
Mesh roughMesh(const SceneModel& model) {
  static std::map<std::string, Mesh> made;
  const std::string name = namedModel(model).first;
  if (!made.contains(name)) made.emplace(name, makeBuiltin(name, 10'000).value());
  Mesh mesh = made.at(name);
  if (model.scale) scale(mesh, *model.scale);
  if (model.fit) fitToDiagonal(mesh, *model.fit);
  return mesh;
}

Bounds boxOf(const SceneBody& body) {
  const Mesh mesh = roughMesh(body.model);
  const Eigen::Isometry3d pose = body.pose();
  Bounds box;
  box.lower.setConstant(1e9);
  box.upper.setConstant(-1e9);
  for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3d p = pose * mesh.position(i);
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  return box;
}

double gapOf(const Bounds& a, const Bounds& b) {
  return (a.lower - b.upper).cwiseMax(b.lower - a.upper).maxCoeff();
}

TEST(ShippedScenes, AreSortedByNameAndReadable) {
  std::vector<std::string_view> names;
  for (const ShippedScene& scene : shippedScenes()) {
    names.push_back(scene.name);
    const Scene read = shipped(scene.name);
    EXPECT_EQ(read.name, scene.name);
    EXPECT_EQ(read.text, scene.text);
    EXPECT_NE(read.title, read.name) << "each has a title";
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"pile-20", "rhino-pair", "workspace"}));
}

TEST(ShippedScenes, NeedNoFileAndAskForModelsThatExist) {
  for (const ShippedScene& scene : shippedScenes()) {
    for (const SceneBody& body : shipped(scene.name).bodies) {
      const auto [name, triangles] = namedModel(body.model);
      EXPECT_NE(std::ranges::find(builtins(), name, &Builtin::name), builtins().end()) << name;
      EXPECT_GE(triangles, kFewestTriangles);
      EXPECT_LE(triangles, kMostTriangles);
    }
  }
}

TEST(ShippedScenes, BodiesBeginApart) {
  for (const ShippedScene& shippedScene : shippedScenes()) {
    const Scene scene = shipped(shippedScene.name);
    std::vector<Bounds> boxes;
    boxes.reserve(scene.bodies.size());
    for (const SceneBody& body : scene.bodies)
      boxes.push_back(boxOf(body));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        // what is in a bowl is in its box, see below
        if (scene.bodies[i].name == "bowl" || scene.bodies[j].name == "bowl") continue;
        EXPECT_GT(gapOf(boxes[i], boxes[j]), 0.0)
            << scene.name << ": " << scene.bodies[i].name << ", " << scene.bodies[j].name;
      }
    }
  }
}

// The bowl as the curve that is turned about its axis, cut into 400 pieces of some 2 mm; so 4 mm
// from its points is no less than 3 mm from the bowl, and a body in its wall would be nearer.
TEST(ShippedScenes, PileOfTwentyBeginsOffItsBowl) {
  const Scene scene = shipped("pile-20");
  const auto bowl = std::ranges::find(scene.bodies, "bowl", &SceneBody::name);
  ASSERT_NE(bowl, scene.bodies.end());
  ASSERT_EQ(namedModel(bowl->model).first, "well");
  ASSERT_TRUE(bowl->pose().isApprox(Eigen::Isometry3d::Identity()));
  std::vector<Eigen::Vector2d> outline;
  for (const ProfilePiece& piece : wellProfile()) {
    for (int step = 0; step <= 50; ++step)
      outline.push_back(bowl->model.scale.value_or(1.0) * piece.at(step, 50));
  }
  for (const SceneBody& body : scene.bodies) {
    if (body.kind == SceneBodyKind::Fixed || boxOf(body).lower.y() > 0.15) continue;
    const Mesh mesh = roughMesh(body.model);
    const Eigen::Isometry3d pose = body.pose();
    double nearest = 1.0;
    for (std::uint32_t i = 0; i < mesh.positions.size(); i += 4) {
      const Eigen::Vector3d p = pose * mesh.position(i);
      const Eigen::Vector2d turned(std::sqrt(p.x() * p.x() + p.z() * p.z()), p.y());
      for (const Eigen::Vector2d& point : outline)
        nearest = std::min(nearest, (point - turned).norm());
    }
    EXPECT_GT(nearest, 0.004) << body.name;
  }
}

TEST(ShippedScenes, PathsAreContinuousAndWithinADevicesReach) {
  // A sigma.7 moves 75 mm to each side of its middle.
  constexpr double kReach = 0.07;
  // A hand's fastest, at the middle of a motion of least jerk.
  constexpr double kMostSpeed = 0.4;
  constexpr double kPeakOverMean = 15.0 / 8.0;
  for (const ShippedScene& shippedScene : shippedScenes()) {
    const Scene scene = shipped(shippedScene.name);
    EXPECT_FALSE(scene.hands.empty()) << "a headless run does something";
    for (const SceneHand& hand : scene.hands) {
      ASSERT_GE(hand.path.size(), 2U) << scene.name;
      EXPECT_TRUE(hand.repeats);
      const SceneBody& tool = scene.bodies[hand.tool];
      EXPECT_EQ(hand.path.front().position, tool.position) << "begins where its tool is";
      EXPECT_EQ(hand.path.front().orientation.coeffs(), tool.orientation.coeffs());
      EXPECT_EQ(hand.path.back().position, tool.position);
      EXPECT_EQ(hand.path.back().orientation.coeffs(), tool.orientation.coeffs());
      const Eigen::Vector3d begin = tool.pose() * hand.gripPosition;
      for (std::size_t i = 0; i < hand.path.size(); ++i) {
        const SceneHandKey& key = hand.path[i];
        const Eigen::Vector3d grip = key.position + key.orientation * hand.gripPosition;
        EXPECT_LE((grip - begin).cwiseAbs().maxCoeff() / hand.lengthScale, kReach)
            << scene.name << " at " << key.at;
        if (i == 0) continue;
        const SceneHandKey& before = hand.path[i - 1];
        const double speed = (key.position - before.position).norm() / (key.at - before.at);
        EXPECT_LE(kPeakOverMean * speed, kMostSpeed) << scene.name << " at " << key.at;
      }
    }
  }
}

TEST(ShippedScenes, PileOfTwentyIsAsLargeAsItsNameSays) {
  const Scene scene = shipped("pile-20");
  std::size_t triangles = 0;
  std::size_t dynamic = 0;
  std::vector<SceneModel> models;
  for (const SceneBody& body : scene.bodies) {
    if (body.kind != SceneBodyKind::Dynamic) continue;
    ++dynamic;
    triangles += namedModel(body.model).second;
    EXPECT_GE(body.model.spheres, 50'000U) << body.name;
    if (std::ranges::find(models, body.model) == models.end()) models.push_back(body.model);
    const Bounds box = boxOf(body);
    EXPECT_GE((box.upper - box.lower).maxCoeff(), 0.05) << body.name;
    EXPECT_LE((box.upper - box.lower).maxCoeff(), 0.08) << body.name;
    EXPECT_LE(box.upper.y(), 0.28) << "does not fall long: " << body.name;
  }
  EXPECT_EQ(dynamic, 20U);
  EXPECT_EQ(triangles, 1'000'000U);
  EXPECT_LE(models.size(), 7U) << "the same model is written the same way, to be shared";
  ASSERT_EQ(scene.hands.size(), 2U);
  EXPECT_EQ(scene.hands[0].name, HandName::Left);
  EXPECT_EQ(scene.hands[1].name, HandName::Right);
}

// Neither rests, and their pestles (54 mm wide) stay off each other.
TEST(ShippedScenes, PileOfTwentyIsStirredAllTheTime) {
  const Scene scene = shipped("pile-20");
  ASSERT_EQ(scene.hands.size(), 2U);
  const auto placeAt = [](const SceneHand& hand, double seconds) -> Eigen::Vector3d {
    for (std::size_t i = 1; i < hand.path.size(); ++i) {
      const SceneHandKey& from = hand.path[i - 1];
      const SceneHandKey& to = hand.path[i];
      if (seconds > to.at) continue;
      const double u = (seconds - from.at) / (to.at - from.at);
      const double s = u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
      return from.position + s * (to.position - from.position);
    }
    return hand.path.back().position;
  };
  for (const SceneHand& hand : scene.hands) {
    for (std::size_t i = 1; i < hand.path.size(); ++i) {
      EXPECT_LE(hand.path[i].at - hand.path[i - 1].at, 0.6);
      EXPECT_GE((hand.path[i].position - hand.path[i - 1].position).norm(), 0.015);
    }
  }
  const double whole = scene.hands[0].path.back().at;
  EXPECT_EQ(scene.hands[1].path.back().at, whole);
  for (double t = 0.0; t <= whole; t += 0.01) {
    Eigen::Vector3d apart = placeAt(scene.hands[0], t) - placeAt(scene.hands[1], t);
    apart.y() = 0.0;
    ASSERT_GT(apart.norm(), 0.065) << t;
  }
}

TEST(ShippedScenes, RhinoPairIsOneModelTwice) {
  const Scene scene = shipped("rhino-pair");
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies[0].model, scene.bodies[1].model);
  EXPECT_EQ(scene.bodies[0].kind, SceneBodyKind::Fixed);
  EXPECT_EQ(scene.bodies[1].kind, SceneBodyKind::Tool);
  EXPECT_GE(scene.bodies[0].model.spheres, 10'000U);
}

// Somebody who wants to write a scene reads this one.
TEST(ShippedScenes, WorkspaceExplainsEveryKey) {
  const Scene scene = shipped("workspace");
  EXPECT_LE(scene.bodies.size(), 10U) << "it opens fast";
  for (const SceneBody& body : scene.bodies)
    EXPECT_LE(body.model.spheres, 10'000U) << body.name;
  for (const char* key : {"title =",
                          "gravity_m_per_s2 =",
                          "[camera]",
                          "eye_m =",
                          "target_m =",
                          "up =",
                          "view_angle_rad =",
                          "[contact]",
                          "law =",
                          "method =",
                          "budget_tests =",
                          "[[material]]",
                          "stiffness_n_per_m3 =",
                          "pressure_pa =",
                          "layer_stiffness_n_per_m =",
                          "damping_per_w =",
                          "relaxation_s =",
                          "static_friction =",
                          "kinetic_friction =",
                          "slip_speed_m_per_s =",
                          "bristle_stiffness_n_per_m =",
                          "bristle_damping_s =",
                          "[[body]]",
                          "name =",
                          "model =",
                          "kind =",
                          "scale =",
                          "fit_m =",
                          "spheres =",
                          "points =",
                          "voxel_m =",
                          "material =",
                          "density_kg_per_m3 =",
                          "mass_kg =",
                          "position_m =",
                          "orientation =",
                          "colour =",
                          "[[hand]]",
                          "tool =",
                          "coupling =",
                          "level =",
                          "length_scale =",
                          "force_scale =",
                          "grip_position_m =",
                          "grip_orientation =",
                          "grasp =",
                          "bias_direction =",
                          "repeats =",
                          "pose =",
                          "at_s =",
                          "closed =",
                          "buttons =",
                          "[[never_touch]]",
                          "bodies ="}) {
    EXPECT_NE(scene.text.find(key), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace tactus::models
