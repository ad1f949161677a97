#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/files/shipped_texts.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

// What a scene is: plain data, as its file says it, with names resolved to numbers. Nobody here
// loads a model or knows what a force is; docs/scenes.md explains the file.

/// Where the eye is when the scene opens.
struct SceneCamera {
  Eigen::Vector3d eye = Eigen::Vector3d(0.12, 0.28, 0.55);  ///< [m]
  Eigen::Vector3d target = Eigen::Vector3d::Zero();         ///< the point looked at [m]
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  double verticalFieldOfView = 0.5;  ///< whole angle from lower to upper edge [rad]
};

enum class SceneLaw : std::uint8_t { Depth, Volume, Seed };
enum class SceneMethod : std::uint8_t { InnerSpheres, Voxmap };

/// How overlap is found and by what it pushes.
struct SceneContact {
  SceneLaw law = SceneLaw::Depth;
  SceneMethod method = SceneMethod::InnerSpheres;
  std::uint32_t budget = 0;  ///< tests of one pair of bodies in a tick; 0: as many as it takes
};

/// What bodies are made of, as far as their contacts tell. The numbers are those of
/// response::Material, which says what they mean between two bodies; so are the defaults.
struct SceneMaterial {
  std::string name;
  double stiffness = 8e6;       ///< K of the depth law [N/m^3]
  double pressure = 2e4;        ///< k of the volume law [Pa]
  double layerStiffness = 2e2;  ///< of one point and the law of layers [N/m]
  double damping = 0.3;         ///< beta of 1 + beta dE/dt [1/W]
  double relaxation = 1e-3;     ///< damping of each way to move, per stiffness [s]
  double staticFriction = 0.5;
  double kineticFriction = 0.4;   ///< not above the static one
  double slipSpeed = 5e-3;        ///< between the two [m/s]
  double bristleStiffness = 5e3;  ///< of friction before it slides [N/m]
  double bristleDamping = 5e-3;   ///< per stiffness [s]
};

/// A shape and how finely it is built. Bodies whose models are equal can share what is built of it.
struct SceneModel {
  std::string source;           ///< "builtin:NAME[@TRIANGLES]", or a mesh or cache file
  std::optional<double> scale;  ///< factor on all coordinates; not with `fit`
  std::optional<double> fit;    ///< wanted diagonal of the box, whose middle becomes the origin [m]
  std::uint64_t spheres = 10'000;  ///< at most so many
  std::optional<std::uint64_t>
      points;          ///< of the pointshell, 0: none; if absent as many as spheres
  double voxel = 0.0;  ///< edge [m]; 0: the smallest that suits the spheres

  [[nodiscard]] bool operator==(const SceneModel&) const = default;
};

enum class SceneBodyKind : std::uint8_t {
  Fixed,    ///< never moves
  Dynamic,  ///< falls and is pushed
  Tool,     ///< held by a hand
};

struct SceneBody {
  std::string name;
  SceneModel model;
  SceneBodyKind kind = SceneBodyKind::Fixed;
  std::size_t material = 0;                            ///< of Scene::materials
  double density = 1000.0;                             ///< where there is no `mass` [kg/m^3]
  std::optional<double> mass;                          ///< [kg]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the model's origin when it begins [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  std::uint32_t colour = 0xCBC4BA;  ///< as on web pages, sRGB

  [[nodiscard]] Eigen::Isometry3d pose() const {
    return Eigen::Translation3d(position) * orientation;
  }
};

enum class HandName : std::uint8_t { Left, Right, Left2, Right2 };
enum class SceneCoupling : std::uint8_t { QuasiStatic, Dynamic };
/// What is sensed and felt; `6in6out`, `6in3out`, `3in3out`, `3in+buttons`.
enum class SceneLevel : std::uint8_t {
  SixInSixOut,
  SixInThreeOut,
  ThreeInThreeOut,
  ThreeInAndButtons
};
/// How a simulated hand holds its device.
enum class SceneGrasp : std::uint8_t { Bias, Loose, Normal, Firm };

/// Where a simulated hand wants its tool to be at one moment.
struct SceneHandKey {
  double at = 0.0;                                     ///< since the first tick [s]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the tool, in the scene [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  double closed = 0.0;        ///< of the fingers, 0 open to 1 closed
  std::uint32_t buttons = 0;  ///< bits; held from this key to the next
};

struct SceneHand {
  HandName name = HandName::Right;
  std::size_t tool = 0;  ///< of Scene::bodies, of kind Tool; each is held by one hand
  SceneCoupling coupling = SceneCoupling::QuasiStatic;
  SceneLevel level = SceneLevel::SixInSixOut;
  double lengthScale = 1.0;  ///< metres in the scene for one at the device
  double forceScale = 1.0;   ///< newtons at the device for one in the scene
  Eigen::Vector3d gripPosition = Eigen::Vector3d::Zero();  ///< in the tool's frame [m]
  Eigen::Quaterniond gripOrientation = Eigen::Quaterniond::Identity();

  // What the hand does if it is a simulated one and nobody gives it another path. The middle of the
  // device's workspace belongs to the tool's pose when the scene begins.
  SceneGrasp grasp = SceneGrasp::Normal;
  bool repeats = true;  ///< then the last key is the first pose again
  Eigen::Vector3d biasDirection = -Eigen::Vector3d::UnitY();  ///< unit; of Grasp::Bias' push
  std::vector<SceneHandKey> path;                             ///< never empty; times grow from 0

  [[nodiscard]] Eigen::Isometry3d toolFromGrip() const {
    return Eigen::Translation3d(gripPosition) * gripOrientation;
  }
};

struct Scene {
  std::string file;   ///< as parseScene() was told
  std::string text;   ///< all of the file: parseScene(text, file) gives this scene again
  std::string name;   ///< the file's without folder and ending
  std::string title;  ///< the name, if the file has none
  Eigen::Vector3d gravity = Eigen::Vector3d(0.0, -9.81, 0.0);  ///< [m/s^2]
  SceneCamera camera;
  SceneContact contact;
  std::vector<SceneMaterial> materials;  ///< never empty
  std::vector<SceneBody> bodies;         ///< never empty
  std::vector<SceneHand> hands;          ///< sorted by name
  /// Bodies that never touch each other, the lower number first, sorted.
  std::vector<std::pair<std::size_t, std::size_t>> neverTouch;
};

constexpr std::size_t kMostSceneBodies = 256;
constexpr std::size_t kMostSceneHands = 4;

// The words of the file, by their enumerations.
inline constexpr std::array<std::string_view, 3> kSceneLawNames = {"depth", "volume", "seed"};
inline constexpr std::array<std::string_view, 2> kSceneMethodNames = {"ist", "vps"};
inline constexpr std::array<std::string_view, 3> kSceneBodyKindNames = {"fixed", "dynamic", "tool"};
inline constexpr std::array<std::string_view, 4> kHandNames = {"left", "right", "left2", "right2"};
inline constexpr std::array<std::string_view, 2> kSceneCouplingNames = {"quasi-static", "dynamic"};
inline constexpr std::array<std::string_view, 4> kSceneLevelNames = {"6in6out", "6in3out",
                                                                     "3in3out", "3in+buttons"};
inline constexpr std::array<std::string_view, 4> kSceneGraspNames = {"bias", "loose", "normal",
                                                                     "firm"};

/// Reads a scene from text. `file` is how sentences call it, and where models that are files lie
/// beside it. An error is one sentence with file and line; a name that is not known comes with the
/// nearest one that is. Whether the models' files are there is not asked.
[[nodiscard]] Result<Scene> parseScene(std::string_view text, std::string_view file);
[[nodiscard]] Result<Scene> readScene(const std::filesystem::path& file);
/// By a shipped name, or a file if it ends with .toml.
[[nodiscard]] Result<Scene> findScene(std::string_view nameOrFile);

/// The text that reads back to the same scene, whatever its comments were. Models that are files
/// are named as `source` says: relative ones from where the text is read.
[[nodiscard]] std::string sceneText(const Scene& scene);

/// Sorted by name.
[[nodiscard]] std::span<const ShippedText> shippedScenes();

}  // namespace tactus::models
