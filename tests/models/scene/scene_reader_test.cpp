// What a scene file says comes out as it says it; what is wrong is one sentence with file and line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "models/scene/scene.hpp"
#include "tests/fuzz/scene_check.hpp"
#include "tests/test_folder.hpp"

namespace tactus::models {
namespace {

using Eigen::Vector3d;

// Every key once, none of them with its default.
constexpr const char* kWhole = R"(title = "All of it"
gravity_m_per_s2 = [0, -1.62, 0.5]
[camera]
eye_m = [1, 2, 3]
target_m = [0, 0.5, 0]
up = [0, 0, -2]
view_angle_rad = 0.8
[contact]
law = "seed"
method = "vps"
budget_tests = 5000
[[material]]
name = "steel"
stiffness_n_per_m3 = 3e7
pressure_pa = 3e4
layer_stiffness_n_per_m = 300
damping_per_w = 0.2
relaxation_s = 2e-3
static_friction = 0.3
kinetic_friction = 0.25
slip_speed_m_per_s = 4e-3
bristle_stiffness_n_per_m = 4e3
bristle_damping_s = 4e-3
[[body]]
name = "floor"
model = "shapes/floor.obj"
fit_m = 0.7
spheres = 3000
points = 0
voxel_m = 0.004
material = "steel"
[[body]]
name = "cup"
model = "builtin:well@5000"
kind = "dynamic"
scale = 0.5
density_kg_per_m3 = 7800
position_m = [0.1, 0.2, -0.3]
orientation = [0, 0, 2, 0]
colour = "#3a7FB8"
[[body]]
name = "spoon"
model = "builtin:bolt"
kind = "tool"
mass_kg = 0.25
position_m = [0, 0.3, 0]
orientation = [1, 1, 0, 0]
[[body]]
name = "fork"
model = "/abs/fork.tactus"
kind = "tool"
[[hand]]
name = "right2"
tool = "spoon"
coupling = "dynamic"
level = "3in+buttons"
length_scale = 3.0
force_scale = 0.5
grip_position_m = [0, 0.01, 0]
grip_orientation = [1, 0, 0, 1]
grasp = "bias"
bias_direction = [3, 0, 0]
repeats = false
pose = [
  { at_s = 0 },
  { at_s = 1.5, position_m = [0.01, 0.2, 0], orientation = [2, 0, 0, 0], closed = 0.5, buttons = [0, 31] },
]
[[hand]]
name = "left"
tool = "fork"
[[never_touch]]
bodies = ["cup", "floor"]
[[never_touch]]
bodies = ["spoon", "fork"]
[[never_touch]]
bodies = ["floor", "cup"]
)";

TEST(SceneReader, ReadsWhatItsFormatSays) {
  const Result<Scene> read = parseScene(kWhole, "some/where/all.toml");
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  const Scene& scene = read.value();
  EXPECT_EQ(scene.file, "some/where/all.toml");
  EXPECT_EQ(scene.text, kWhole);
  EXPECT_EQ(scene.name, "all");
  EXPECT_EQ(scene.title, "All of it");
  EXPECT_EQ(scene.gravity, Vector3d(0, -1.62, 0.5));
  EXPECT_EQ(scene.camera.eye, Vector3d(1, 2, 3));
  EXPECT_EQ(scene.camera.target, Vector3d(0, 0.5, 0));
  EXPECT_EQ(scene.camera.up, Vector3d(0, 0, -1));
  EXPECT_EQ(scene.camera.verticalFieldOfView, 0.8);
  EXPECT_EQ(scene.contact.law, SceneLaw::Seed);
  EXPECT_EQ(scene.contact.method, SceneMethod::Voxmap);
  EXPECT_EQ(scene.contact.budget, 5000U);

  ASSERT_EQ(scene.materials.size(), 2U) << "one for those that name none";
  const SceneMaterial& steel = scene.materials[0];
  EXPECT_EQ(steel.name, "steel");
  EXPECT_EQ(steel.stiffness, 3e7);
  EXPECT_EQ(steel.pressure, 3e4);
  EXPECT_EQ(steel.layerStiffness, 300.0);
  EXPECT_EQ(steel.damping, 0.2);
  EXPECT_EQ(steel.relaxation, 2e-3);
  EXPECT_EQ(steel.staticFriction, 0.3);
  EXPECT_EQ(steel.kineticFriction, 0.25);
  EXPECT_EQ(steel.slipSpeed, 4e-3);
  EXPECT_EQ(steel.bristleStiffness, 4e3);
  EXPECT_EQ(steel.bristleDamping, 4e-3);
  EXPECT_EQ(scene.materials[1].name, "default");

  ASSERT_EQ(scene.bodies.size(), 4U);
  const SceneBody& floor = scene.bodies[0];
  EXPECT_EQ(floor.name, "floor");
  EXPECT_EQ(floor.model.source, "some/where/shapes/floor.obj");
  EXPECT_EQ(floor.model.scale, std::nullopt);
  EXPECT_EQ(floor.model.fit, 0.7);
  EXPECT_EQ(floor.model.spheres, 3000U);
  EXPECT_EQ(floor.model.points, 0U);
  EXPECT_EQ(floor.model.voxel, 0.004);
  EXPECT_EQ(floor.kind, SceneBodyKind::Fixed);
  EXPECT_EQ(floor.material, 0U);
  EXPECT_EQ(floor.density, 1000.0);
  EXPECT_EQ(floor.mass, std::nullopt);
  EXPECT_TRUE(floor.pose().isApprox(Eigen::Isometry3d::Identity()));
  const SceneBody& cup = scene.bodies[1];
  EXPECT_EQ(cup.model.source, "builtin:well@5000");
  EXPECT_EQ(cup.model.scale, 0.5);
  EXPECT_EQ(cup.model.points, std::nullopt);
  EXPECT_EQ(cup.kind, SceneBodyKind::Dynamic);
  EXPECT_EQ(cup.material, 1U);
  EXPECT_EQ(cup.density, 7800.0);
  EXPECT_EQ(cup.position, Vector3d(0.1, 0.2, -0.3));
  EXPECT_EQ(cup.orientation.y(), 1.0) << "made a unit quaternion";
  EXPECT_EQ(cup.colour, 0x3A7FB8U);
  // half a turn about y, then the shift
  EXPECT_TRUE((cup.pose() * Vector3d(1, 2, 3)).isApprox(Vector3d(-0.9, 2.2, -3.3)));
  EXPECT_EQ(scene.bodies[2].mass, 0.25);
  EXPECT_EQ(scene.bodies[3].model.source, "/abs/fork.tactus");

  ASSERT_EQ(scene.hands.size(), 2U);
  const SceneHand& left = scene.hands[0];
  EXPECT_EQ(left.name, HandName::Left) << "sorted";
  EXPECT_EQ(left.tool, 3U);
  EXPECT_EQ(left.coupling, SceneCoupling::QuasiStatic);
  EXPECT_EQ(left.level, SceneLevel::SixInSixOut);
  EXPECT_EQ(left.grasp, SceneGrasp::Normal);
  EXPECT_TRUE(left.repeats);
  ASSERT_EQ(left.path.size(), 1U) << "it rests where its tool is";
  const SceneHand& right = scene.hands[1];
  EXPECT_EQ(right.name, HandName::Right2);
  EXPECT_EQ(right.tool, 2U);
  EXPECT_EQ(right.coupling, SceneCoupling::Dynamic);
  EXPECT_EQ(right.level, SceneLevel::ThreeInAndButtons);
  EXPECT_EQ(right.lengthScale, 3.0);
  EXPECT_EQ(right.forceScale, 0.5);
  EXPECT_EQ(right.gripPosition, Vector3d(0, 0.01, 0));
  EXPECT_DOUBLE_EQ(right.gripOrientation.z(), std::sqrt(0.5));
  // a quarter turn about z, then the shift
  EXPECT_TRUE((right.toolFromGrip() * Vector3d(1, 0, 0)).isApprox(Vector3d(0, 1.01, 0)));
  EXPECT_EQ(right.grasp, SceneGrasp::Bias);
  EXPECT_EQ(right.biasDirection, Vector3d(1, 0, 0));
  EXPECT_FALSE(right.repeats);
  ASSERT_EQ(right.path.size(), 2U);
  EXPECT_EQ(right.path[0].position, Vector3d(0, 0.3, 0)) << "as the tool stands";
  EXPECT_DOUBLE_EQ(right.path[0].orientation.x(), std::sqrt(0.5));
  EXPECT_EQ(right.path[1].at, 1.5);
  EXPECT_EQ(right.path[1].position, Vector3d(0.01, 0.2, 0));
  EXPECT_EQ(right.path[1].orientation.w(), 1.0);
  EXPECT_EQ(right.path[1].closed, 0.5);
  EXPECT_EQ(right.path[1].buttons, 0x80000001U);

  const std::vector<std::pair<std::size_t, std::size_t>> apart = {{0, 1}, {2, 3}};
  EXPECT_EQ(scene.neverTouch, apart) << "each pair once";
}

TEST(SceneReader, ABodyIsEnough) {
  const Result<Scene> read = parseScene("[[body]]\nname = \"b\"\nmodel = \"m.stl\"", "x.toml");
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  EXPECT_EQ(read.value().title, "x");
  EXPECT_EQ(read.value().gravity, Vector3d(0, -9.81, 0));
  EXPECT_EQ(read.value().bodies[0].model.source, "m.stl");
  EXPECT_TRUE(read.value().hands.empty());
  const Scene again = parseScene(read.value().text, read.value().file).value();
  EXPECT_EQ(again.bodies[0].model, read.value().bodies[0].model);
}

TEST(SceneReader, OneFrictionFollowsTheOther) {
  const std::string rest = "\n[[body]]\nname = \"b\"\nmodel = \"m.stl\"\nmaterial = \"a\"";
  const std::string material = "[[material]]\nname = \"a\"\n";
  const SceneMaterial slippery =
      parseScene(material + "static_friction = 0.1" + rest, "x").value().materials[0];
  EXPECT_EQ(slippery.kineticFriction, 0.1);
  const SceneMaterial rough =
      parseScene(material + "kinetic_friction = 0.9" + rest, "x").value().materials[0];
  EXPECT_EQ(rough.staticFriction, 0.9);
}

TEST(SceneReader, ADefaultMaterialCanBeGiven) {
  const Scene scene = parseScene(
                          "[[material]]\nname = \"default\"\nstatic_friction = 0.45\n"
                          "[[body]]\nname = \"b\"\nmodel = \"m.stl\"",
                          "x")
                          .value();
  ASSERT_EQ(scene.materials.size(), 1U);
  EXPECT_EQ(scene.materials[0].staticFriction, 0.45);
}

std::string bodies(std::size_t count, const std::string& more = "") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmodel = \"m.stl\"\n" + more;
  return text;
}

TEST(SceneReader, WhateverIsWrongIsSaidWithFileAndLine) {
  const std::string body = "[[body]]\nname = \"b\"\nmodel = \"m.stl\"\n";       // 3 lines
  const std::string tool = body + "kind = \"tool\"\n";                          // 4
  const std::string hand = tool + "[[hand]]\nname = \"left\"\ntool = \"b\"\n";  // 7
  const std::string pose = "[[hand.pose]]\nat_s = 0\n";
  const std::string tools = bodies(5, "kind = \"tool\"\n");
  const auto handOf = [](const std::string& name, const std::string& of) {
    return "[[hand]]\nname = \"" + name + "\"\ntool = \"" + of + "\"\n";
  };
  ASSERT_TRUE(parseScene(hand + pose, "x.toml").ok());
  struct Case {
    std::string text;
    const char* says;
  };
  const Case cases[] = {
      // the file as a whole
      {"", "x.toml: there is no [[body]]"},
      {"title = \"t\"", "there is no [[body]]"},
      {"[[body]", "line 1: this is not TOML"},
      {"titel = \"t\"\n" + body, "line 1: there is no key \"titel\"; the nearest is 'title'"},
      {body + "kid = \"fixed\"",
       "line 4: there is no key \"body.kid\"; the nearest is 'body.kind'"},
      {body + "[camra]\n", "line 4: there is no table \"camra\"; the nearest is 'camera'"},
      {body + "[[camera]]\n", "line 4: this table must be written [camera]"},
      {"[body]\nname = \"b\"", "line 1: this table must be written [[body]]"},
      {body + "[[hand.pose]]\nat_s = 0", "this table must be written [[hand]]"},
      {"body = 3", "line 1: 'body' must be a table"},
      {hand + "pose = []", "line 8: 'hand.pose' must be a table"},
      {hand + "[[hand.path]]\n", "line 8: there is no table \"hand.path\""},
      {"title = \"\"\n" + body, "line 1: 'title' must be a text"},
      {"title = \"a\\nb\"\n" + body, "must be a text"},
      {"title = 5\n" + body, "must be a text"},
      {"title = \"" + std::string(201, 'a') + "\"\n" + body, "must be a text"},
      {"gravity_m_per_s2 = [0, 1]\n" + body, "a list of three numbers of at most 100.0"},
      {"gravity_m_per_s2 = -9.81\n" + body, "a list of three numbers"},
      {"gravity_m_per_s2 = [0, nan, 0]\n" + body, "a list of three numbers"},
      {"gravity_m_per_s2 = [0, inf, 0]\n" + body, "a list of three numbers"},
      // camera and contact
      {body + "[camera]\neye_m = [0, 0, 0]", "line 4: the camera must look at something"},
      {body + "[camera]\neye_m = [0, 1, 0]", "line 4: the camera must look at something"},
      {body + "[camera]\nup = [0, 0, 0]", "line 5: 'camera.up' must be a list of three numbers"},
      {body + "[camera]\nview_angle_rad = 30", "must be a number from 0.02 to 2.6"},
      {body + "[contact]\nlaw = \"dept\"",
       "must be one of \"depth\", \"volume\", \"seed\"; the "
       "nearest is 'depth'"},
      {body + "[contact]\nmethod = 1", "must be one of \"ist\", \"vps\""},
      {body + "[contact]\nlaw = \"volume\"\nmethod = \"vps\"", "points do not know a volume"},
      {body + "[contact]\nbudget_tests = 0.5", "a whole number from 0 to"},
      {body + "[contact]\nbudget_tests = -1", "a whole number from 0 to"},
      // materials
      {body + "[[material]]\n", "line 4: this [[material]] has no 'name'"},
      {body + "[[material]]\nname = \"a\"\nstiffness_n_per_m3 = nan",
       "line 6: "
       "'material.stiffness_n_per_m3'"},
      {body + "[[material]]\nname = \"a\"\n[[material]]\nname = \"a\"",
       "line 7: there is another material named \"a\""},
      {body + "[[material]]\nname = \"a\"\nstatic_friction = 0.1\nkinetic_friction = 0.2",
       "must not be above"},
      {body + "material = \"stel\"\n[[material]]\nname = \"steel\"",
       "line 4: there is no material \"stel\"; the nearest is 'steel'"},
      // bodies
      {"[[body]]\n", "line 1: this [[body]] has no 'name'"},
      {body + "[[body]]\nmodel = \"m.stl\"", "line 4: this [[body]] has no 'name'"},
      {"[[body]]\nname = \"b\"", "line 1: this [[body]] has no 'model'"},
      {body + body, "line 5: there is another body named \"b\""},
      {"[[body]]\nname = \"b\"\nmodel = \"builtin:rino\"",
       "line 3: there is no built-in model \"rino\"; the nearest is 'rhino'"},
      {"[[body]]\nname = \"b\"\nmodel = \"builtin:rhino@10\"", "line 3: built-in models have 1000"},
      {"[[body]]\nname = \"b\"\nmodel = \"builtin:rhino@\"", "line 3: built-in models have 1000"},
      {"[[body]]\nname = \"b\"\nmodel = \"builtin:rhino@5000x\"", "built-in models have 1000"},
      {"[[body]]\nname = \"b\"\nmodel = \"\"", "line 3: 'body.model' must be a text"},
      {body + "scale = 2\nfit_m = 1", "there are 'scale' and 'fit_m'; one of them is enough"},
      {body + "mass_kg = 2\ndensity_kg_per_m3 = 1000",
       "there are 'density_kg_per_m3' and 'mass_kg'"},
      {body + "scale = 0", "must be a number from 1e-04"},
      {body + "scale = nan", "must be a number from 1e-04"},
      {body + "fit_m = -1", "must be a number from 1e-04"},
      {body + "spheres = 0", "must be a whole number from 1"},
      {body + "spheres = 1e4", "must be a whole number from 1"},
      {body + "points = -1", "must be a whole number from 0"},
      {body + "voxel_m = 0", "must be a number from"},
      {body + "density_kg_per_m3 = 0", "must be a number from 1.0"},
      {body + "mass_kg = 0", "must be a number from 1e-04"},
      {body + "kind = \"dynamc\"", "the nearest is 'dynamic'"},
      {body + "position_m = [0, 0, 250]", "line 4: 'body.position_m' must be a list of three"},
      {body + "orientation = [0, 0, 0, 0]", "line 4: 'body.orientation' must be a quaternion"},
      {body + "orientation = [1, 0, 0]", "must be a quaternion"},
      {body + "orientation = [nan, 0, 0, 1]", "must be a quaternion"},
      {body + "colour = \"red\"", "must be a colour as on web pages"},
      {body + "colour = \"#12345\"", "must be a colour"},
      {body + "colour = \"#12345g\"", "must be a colour"},
      {body + "colour = \"#-12345\"", "must be a colour"},
      {body + "colour = [1, 0, 0]", "must be a colour"},
      {bodies(257), "there are more than 256 bodies"},
      // hands
      {tool, "line 1: no [[hand]] holds the tool 'b'"},
      {tool + "[[hand]]\ntool = \"b\"", "line 5: this [[hand]] has no 'name'"},
      {tool + "[[hand]]\nname = \"left\"", "line 5: this [[hand]] has no 'tool'"},
      {tool + handOf("middle", "b"), "must be one of \"left\", \"right\", \"left2\", \"right2\""},
      {tool + handOf("left", "c"), "line 7: there is no body \"c\""},
      {tools + handOf("left", "b11"), "line 23: there is no body \"b11\"; the nearest is 'b1'"},
      {body + handOf("left", "b"), "line 6: the body 'b' is of another kind than \"tool\""},
      {hand + handOf("right", "b"), "line 10: the hand 'left' holds 'b' already"},
      {tools + handOf("left", "b0") + handOf("left", "b1"),
       "line 25: there is another hand named 'left'"},
      {tools + handOf("left", "b0") + handOf("right", "b1") + handOf("left2", "b2") +
           handOf("right2", "b3") + handOf("right", "b4"),
       "there are more than 4 hands"},
      {hand + "level = \"6in5out\"", "the nearest is '6in6out'"},
      {hand + "coupling = \"quasistatic\"", "the nearest is 'quasi-static'"},
      {hand + "length_scale = 0", "must be a number from 0.01 to 100.0"},
      {hand + "force_scale = nan", "must be a number from 0.01 to 10.0"},
      {hand + "repeats = 1", "must be true or false"},
      {hand + "bias_direction = [0, 0, 0]", "point somewhere"},
      {hand + "grasp = \"hard\"", "must be one of \"bias\""},
      // paths
      {hand + "[[hand.pose]]\n", "line 8: this [[hand.pose]] has no 'at_s'"},
      {hand + "[[hand.pose]]\nat_s = 1", "line 8: the first pose must be at_s = 0"},
      {hand + pose + pose, "line 10: this pose is not later"},
      {hand + pose + "closed = 1.5", "must be a number from 0.0 to 1.0"},
      {hand + pose + "buttons = [32]", "a list of button numbers"},
      {hand + pose + "buttons = [0.5]", "a list of button numbers"},
      {hand + pose + "buttons = 1", "a list of button numbers"},
      {hand + pose + "buttons = [\"a\"]", "a list of button numbers"},
      {hand + pose + "at = 0", "the nearest is 'hand.pose.at_s'"},
      {hand + pose + "[[hand.pose]]\nat_s = 1\nposition_m = [0, 0, 0.1]",
       "line 10: the last pose must be the first one again"},
      {hand + pose + "[[hand.pose]]\nat_s = 1\norientation = [1, 0, 0, 0.1]",
       "the last pose must be the first one again"},
      {hand + pose + "[[hand.pose]]\nat_s = 1\nclosed = 0.1",
       "the last pose must be the first one again"},
      // pairs
      {body + "[[never_touch]]\n", "line 4: this [[never_touch]] has no 'bodies'"},
      {body + "[[never_touch]]\nbodies = [\"b\"]", "must be a list of two names"},
      {body + "[[never_touch]]\nbodies = [1, 2]", "must be a list of two names"},
      {body + "[[never_touch]]\nbodies = [\"b\", \"b\"]", "line 4: a body never touches itself"},
      {body + "[[never_touch]]\nbodies = [\"b\", \"d\"]", "line 5: there is no body \"d\""},
      {body + "[[never_touch]]\nbodies = [\"a\", \"b\"]", "there is no body \"a\""},
  };
  for (const Case& c : cases) {
    const Result<Scene> read = parseScene(c.text, "x.toml");
    ASSERT_FALSE(read.ok()) << c.text.substr(0, 400);
    const std::string& sentence = read.error().sentence;
    EXPECT_NE(sentence.find(c.says), std::string::npos) << c.text.substr(0, 400) << "\n"
                                                        << sentence;
    EXPECT_TRUE(sentence.starts_with("x.toml")) << sentence;
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  EXPECT_TRUE(parseScene(bodies(256), "x").ok());
}

// The other sign of a quaternion is the same turn.
TEST(SceneReader, APathMayComeBackTheOtherWayRound) {
  const std::string text =
      "[[body]]\nname = \"b\"\nmodel = \"m.stl\"\nkind = \"tool\"\n"
      "[[hand]]\nname = \"left\"\ntool = \"b\"\npose = [\n{ at_s = 0 },\n"
      "{ at_s = 1, position_m = [0, 0.1, 0] },\n{ at_s = 2, orientation = [-1, 0, 0, 0] }]\n";
  EXPECT_TRUE(parseScene(text, "x").ok()) << parseScene(text, "x").error().sentence;
}

TEST(SceneReader, FilesAreFoundAndTheirModelsBesideThem) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "tactus_scene_test";
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "mine.toml";
  std::ofstream(file) << "[[body]]\nname = \"b\"\nmodel = \"../m.stl\"\n";
  for (const Result<Scene>& read : {readScene(file), findScene(file.string())}) {
    ASSERT_TRUE(read.ok()) << read.error().sentence;
    EXPECT_EQ(read.value().name, "mine");
    EXPECT_EQ(read.value().bodies[0].model.source,
              (folder / "../m.stl").lexically_normal().string());
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(findScene("/no/such/scene.toml").error().reason, Reason::FileMissing);
  EXPECT_FALSE(readScene("/").ok());
}

TEST(SceneReader, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(findScene("workspce").error().sentence,
            "There is no scene \"workspce\"; did you mean 'workspace'?");
  EXPECT_NE(findScene("").error().sentence.find("quality-Ib, rhino-pair, workspace"),
            std::string::npos);
}

// A poor man's fuzzer: cut anywhere, and with changed bytes; must end in a scene or a sentence.
TEST(SceneReader, HalfAFileAndNoiseAreRefusedAndNeverMore) {
  const std::string whole = kWhole;
  std::uint32_t state = 5;
  const auto random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % below;
  };
  std::size_t refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text = whole.substr(0, random(whole.size()) + 1);
    for (std::size_t n = random(4); n > 0; --n)
      text[random(text.size())] = static_cast<char>(random(256));
    const Result<Scene> read = parseScene(text, "x.toml");
    if (read.ok()) continue;
    ++refused;
    ASSERT_TRUE(read.error().sentence.starts_with("x.toml")) << read.error().sentence;
    ASSERT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
    ASSERT_EQ(read.error().sentence.find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 400U);
}

// Every file the fuzzer starts from.
TEST(SceneReader, TakesEveryFileOfTheCorpus) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(tactus::test::kTestFolder) / "fuzz/corpus/scene")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_EQ(test::complaintAboutScene(text.str()), "") << entry.path();
    ++files;
  }
  EXPECT_GE(files, 8U);
}

// The text of a scene is that scene. Only what is made a unit again may differ in its last bit.
TEST(SceneWriter, ReadsBackToTheSameScene) {
  std::vector<std::string> texts = {kWhole};
  for (const ShippedText& shipped : shippedScenes())
    texts.emplace_back(shipped.text);
  for (const std::string& text : texts) {
    const Result<Scene> read = parseScene(text, "scene.toml");
    ASSERT_TRUE(read) << read.error().sentence;
    const std::string written = sceneText(read.value());
    const Result<Scene> again = parseScene(written, "scene.toml");
    ASSERT_TRUE(again) << again.error().sentence << "\n" << written;
    const Scene& a = read.value();
    const Scene& b = again.value();
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
      EXPECT_EQ(a.bodies[k].name, b.bodies[k].name);
      EXPECT_EQ(a.bodies[k].model, b.bodies[k].model);
      EXPECT_EQ(a.bodies[k].kind, b.bodies[k].kind);
      EXPECT_EQ(a.bodies[k].material, b.bodies[k].material);
      EXPECT_EQ(a.bodies[k].mass, b.bodies[k].mass);
      EXPECT_EQ(a.bodies[k].position, b.bodies[k].position);
      EXPECT_EQ(a.bodies[k].colour, b.bodies[k].colour);
      EXPECT_TRUE(a.bodies[k].orientation.isApprox(b.bodies[k].orientation, 1e-15));
    }
    ASSERT_EQ(a.hands.size(), b.hands.size());
    for (std::size_t k = 0; k < a.hands.size(); ++k) {
      EXPECT_EQ(a.hands[k].tool, b.hands[k].tool);
      EXPECT_EQ(a.hands[k].path.size(), b.hands[k].path.size());
    }
    EXPECT_EQ(a.neverTouch, b.neverTouch);
    EXPECT_EQ(a.contact.budget, b.contact.budget);
  }
}

}  // namespace
}  // namespace tactus::models
