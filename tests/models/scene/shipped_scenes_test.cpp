// The scenes that travel in the library hold what is promised of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/builtin.hpp"
#include "models/parametric/bolt_and_nut.hpp"
#include "models/parametric/boxes.hpp"
#include "models/parametric/gears.hpp"
#include "models/parametric/pins_and_holes.hpp"
#include "models/parametric/round_solids.hpp"
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
  for (const ShippedText& scene : shippedScenes()) {
    names.push_back(scene.name);
    const Scene read = shipped(scene.name);
    EXPECT_EQ(read.name, scene.name);
    EXPECT_EQ(read.text, scene.text);
    EXPECT_NE(read.title, read.name) << "each has a title";
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{
                       "bimanual-assembly", "bolt-and-nut", "gears", "haptic-game", "peg-in-hole",
                       "pile-20", "press-plate", "quality-II", "quality-III", "quality-IV",
                       "quality-Ia", "quality-Ib", "rhino-pair", "workspace"}));
}

TEST(ShippedScenes, NeedNoFileAndAskForModelsThatExist) {
  for (const ShippedText& scene : shippedScenes()) {
    for (const SceneBody& body : shipped(scene.name).bodies) {
      const auto [name, triangles] = namedModel(body.model);
      EXPECT_NE(std::ranges::find(builtins(), name, &Builtin::name), builtins().end()) << name;
      EXPECT_GE(triangles, kFewestTriangles);
      EXPECT_LE(triangles, kMostTriangles);
    }
  }
}

TEST(ShippedScenes, BodiesBeginApart) {
  for (const ShippedText& shippedScene : shippedScenes()) {
    const Scene scene = shipped(shippedScene.name);
    std::vector<Bounds> boxes;
    boxes.reserve(scene.bodies.size());
    for (const SceneBody& body : scene.bodies)
      boxes.push_back(boxOf(body));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        // what is in a bowl is in its box, and an axle in that of its gear, see below
        if (scene.bodies[i].name == "bowl" || scene.bodies[j].name == "bowl") continue;
        if (scene.bodies[i].name == "right axle" && scene.bodies[j].name == "driven") continue;
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
  // And turns by 1.2 rad to each side.
  constexpr double kTurn = 1.2;
  // A hand's fastest, at the middle of a motion of least jerk.
  constexpr double kMostSpeed = 0.4;
  constexpr double kPeakOverMean = 15.0 / 8.0;
  for (const ShippedText& shippedScene : shippedScenes()) {
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
        EXPECT_LE(key.orientation.angularDistance(tool.orientation), kTurn)
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

const SceneBody& bodyOf(const Scene& scene, std::string_view name) {
  const auto found = std::ranges::find(scene.bodies, name, &SceneBody::name);
  EXPECT_NE(found, scene.bodies.end()) << name;
  return found == scene.bodies.end() ? scene.bodies.front() : *found;
}

Eigen::Isometry3d poseOf(const SceneHandKey& key) {
  return Eigen::Translation3d(key.position) * key.orientation;
}

TEST(ShippedScenes, PegsGoAllTheWayIntoTheirHoles) {
  const Scene scene = shipped("peg-in-hole");
  const Eigen::Isometry3d block = bodyOf(scene, "block").pose();
  // of the pins in the block's frame; at zero the base lies on the block
  double deepest = -1.0;
  for (const SceneHandKey& key : scene.hands.at(0).path) {
    const Eigen::Vector3d place = block.inverse() * key.position;
    deepest = std::max(deepest, place.z());
    if (place.z() < -0.9 * kPinsA) continue;  // on the face, pressed at most
    EXPECT_LT(place.head<2>().norm(), kPinsClearance) << "at " << key.at;
  }
  EXPECT_GE(deepest, 0.0);
  EXPECT_LE(deepest, 0.002) << "pressed by what a hand can press";
}

// The path says where the nut would be had nobody let it go, so what the clutch leaves out is added
// here. Half of the axial play is 0.12 mm, 14 degrees.
TEST(ShippedScenes, NutFollowsTheThread) {
  constexpr double kPlay = 0.2;  // [rad]
  const Scene scene = shipped("bolt-and-nut");
  const Eigen::Isometry3d bolt = bodyOf(scene, "bolt").pose();
  Eigen::Quaterniond leftOut = Eigen::Quaterniond::Identity();
  double turned = 0.0;
  int onThread = 0;
  const std::vector<SceneHandKey>& path = scene.hands.at(0).path;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0 && path[i - 1].buttons == 1U) {
      EXPECT_EQ(path[i].position, path[i - 1].position) << "the clutch would shift the thread";
      leftOut = leftOut * path[i - 1].orientation * path[i].orientation.conjugate();
    } else if (i > 0) {
      turned += path[i].orientation.angularDistance(path[i - 1].orientation);
    }
    const Eigen::Quaterniond nut = leftOut * path[i].orientation;
    const Eigen::Vector3d place = bolt.inverse() * path[i].position;
    EXPECT_LT(place.x() * place.x() + place.z() * place.z(), 1e-12);
    EXPECT_LT(place.y(), kNutHighest);
    // one pitch of the ends of either thread has faded
    const bool isOn = place.y() > -kBoltLength - 0.5 * kNutHeight + 2.0 * kThreadPitch;
    if (!isOn) continue;
    ++onThread;
    const Eigen::Quaterniond wanted(
        bolt.linear() *
        Eigen::AngleAxisd(nutAngleAt(place.y()), Eigen::Vector3d::UnitY()).toRotationMatrix());
    EXPECT_LT(nut.angularDistance(wanted), kPlay) << "at " << path[i].at;
  }
  EXPECT_GT(onThread, 20);
  EXPECT_GT(turned, 2.0 * 1.5 * 2.0 * 3.14) << "one and a half turns on, and off again";
  EXPECT_LT(leftOut.angularDistance(Eigen::Quaterniond::Identity()), 1e-3) << "ends as it began";
}

TEST(ShippedScenes, GearsBeginOffTheirAxlesAndMeshOnThem) {
  const Scene scene = shipped("gears");
  const SceneBody& driven = bodyOf(scene, "driven");
  const SceneBody& driver = bodyOf(scene, "driver");
  for (const auto& [axleName, gear] :
       {std::pair{"right axle", &driven}, std::pair{"left axle", &driver}}) {
    const SceneBody& axle = bodyOf(scene, axleName);
    const double radius = axle.model.scale.value_or(1.0) * kCylinderRadius;
    EXPECT_NEAR(radius, kGear.bore - 0.3e-3, 1e-5);
    EXPECT_EQ(gear->position.x(), axle.position.x());
    EXPECT_EQ(gear->position.z(), axle.position.z());
  }
  const SceneBody& axle = bodyOf(scene, "right axle");
  const Mesh mesh = roughMesh(driven.model);
  double nearest = 1.0;
  for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3d p = driven.pose() * mesh.position(i) - axle.position;
    nearest = std::min(nearest, std::hypot(p.x(), p.z()));
  }
  EXPECT_GT(nearest, axle.model.scale.value_or(1.0) * kCylinderRadius);
  // as they are made the gears mesh at this distance, and one is put beside the other
  EXPECT_NEAR((driven.position - driver.position).x(), kGearDistance, 1e-12);
  EXPECT_TRUE(driven.orientation.isApprox(driver.orientation));
  EXPECT_EQ(driven.kind, SceneBodyKind::Dynamic);
}

TEST(ShippedScenes, BothHandsArriveTogether) {
  const Scene scene = shipped("bimanual-assembly");
  ASSERT_EQ(scene.hands.size(), 2U);
  const std::vector<SceneHandKey>& left = scene.hands[0].path;
  const std::vector<SceneHandKey>& right = scene.hands[1].path;
  ASSERT_EQ(left.size(), right.size());
  int together = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].at, right[i].at);
    const Eigen::Isometry3d blockFromPins = poseOf(left[i]).inverse() * poseOf(right[i]);
    EXPECT_LT(blockFromPins.translation().head<2>().norm(), 1e-9)
        << "pins in line with their holes";
    EXPECT_LT(Eigen::AngleAxisd(blockFromPins.linear()).angle(), 1e-6);
    if (std::abs(blockFromPins.translation().z()) < 0.002) ++together;
  }
  EXPECT_GE(together, 5) << "and then move as one";
}

/// The keys from one time to another.
std::vector<SceneHandKey> keysBetween(const Scene& scene, double from, double to) {
  std::vector<SceneHandKey> keys;
  for (const SceneHandKey& key : scene.hands.at(0).path) {
    if (key.at >= from && key.at <= to) keys.push_back(key);
  }
  EXPECT_GE(keys.size(), 2U) << scene.name;
  return keys;
}

// The scenarios of the benchmark, in the times that the files name.
TEST(ShippedScenes, QualityIsAConeAThirdOfItsHeightDeep) {
  for (const auto& [name, extents] :
       {std::pair{"quality-Ia", kBlockExtents}, std::pair{"quality-Ib", kPlateExtents}}) {
    const Scene scene = shipped(name);
    const SceneBody& cone = bodyOf(scene, "cone");
    const double height = cone.model.scale.value_or(1.0) * kConeHeight;
    const SceneBody& under = scene.bodies[0];
    const double top = under.position.y() + 0.5 * extents.y();
    const std::vector<SceneHandKey> keys = keysBetween(scene, 2.0, 8.0);
    for (const SceneHandKey& key : keys) {
      const Eigen::Vector3d tip = poseOf(key) * Eigen::Vector3d(0.0, 0.5 * height, 0.0);
      EXPECT_NEAR(top - tip.y(), height / 3.0, 1e-9) << name;
      EXPECT_NEAR(tip.z(), under.position.z(), 1e-9) << name;
    }
    EXPECT_NEAR(keys.back().position.x() - keys.front().position.x(), extents.x() + 2.0 * 0.02,
                1e-9);
  }
}

TEST(ShippedScenes, QualityIiIsABallRoundACylinder) {
  static_assert(kSphereRadius == kCylinderRadius);
  const Scene scene = shipped("quality-II");
  const std::vector<SceneHandKey> keys = keysBetween(scene, 1.0, 10.6);
  double angle = 0.0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_NEAR(keys[i].position.norm(), 5.0 / 3.0 * kSphereRadius, 1e-5);
    EXPECT_EQ(keys[i].position.y(), 0.0);
    if (i == 0) continue;
    const Eigen::Vector3d turn = keys[i - 1].position.cross(keys[i].position);
    angle += std::atan2(turn.y(), keys[i - 1].position.dot(keys[i].position));
  }
  EXPECT_NEAR(angle, 2.0 * 3.14159265, 1e-3);
  const Eigen::Vector3d axis = bodyOf(scene, "cylinder").orientation * Eigen::Vector3d::UnitY();
  EXPECT_NEAR(std::abs(axis.y()), 1.0, 1e-12);
}

constexpr double kBetweenFaces = 1e-3 * kPinsC;

TEST(ShippedScenes, QualityIiiTurnsTheSquarePinInItsHole) {
  const Scene scene = shipped("quality-III");
  const Eigen::Vector3d axis(-kPinsPlace, 0.0, 0.0);
  double largest = 0.0;
  for (const SceneHandKey& key : keysBetween(scene, 2.0, 5.0)) {
    // half an ulp of the four digits that quaternions have, at this arm
    const Eigen::Vector3d pin = poseOf(key) * axis;
    EXPECT_LT((pin - axis).head<2>().norm(), 1e-5) << "at " << key.at;
    EXPECT_NEAR(pin.z(), -kBetweenFaces, 1e-9);
    const Eigen::Quaterniond start = scene.bodies[scene.hands[0].tool].orientation;
    largest = std::max(largest, key.orientation.angularDistance(start));
    const Eigen::Vector3d round = poseOf(key) * Eigen::Vector3d(kPinsPlace, 0.0, 0.0);
    EXPECT_LT(round.x(), -0.5 * kPinsB - 0.5 * kPinsC) << "the round pin is off the block";
  }
  EXPECT_NEAR(largest, 3.14159265 / 6.0, 1e-3);
}

TEST(ShippedScenes, QualityIvGoesRoundInItsHoles) {
  const Scene scene = shipped("quality-IV");
  struct Orbit {
    double from, to, radius;
  };
  for (const Orbit& orbit : {Orbit{2.5, 7.3, kPinsC / 10.0}, Orbit{7.8, 12.6, kPinsC / 20.0}}) {
    const std::vector<SceneHandKey> keys = keysBetween(scene, orbit.from, orbit.to);
    EXPECT_EQ(keys.size(), 25U);
    for (const SceneHandKey& key : keys) {
      EXPECT_NEAR(key.position.head<2>().norm(), orbit.radius, 1e-5);
      EXPECT_NEAR(key.position.z(), -kBetweenFaces, 1e-12);
      EXPECT_TRUE(key.orientation.isApprox(Eigen::Quaterniond::Identity()));
    }
  }
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
