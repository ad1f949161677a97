#include "app/scene_additions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "app/model_source.hpp"
#include "models/files/file_label.hpp"
#include "render/palette.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

// What a hand holds and turns; beside the animals of the workspace neither a crumb nor a wall.
constexpr double kLeastDiagonal = 0.03;  // [m]
constexpr double kMostDiagonal = 0.2;    // [m]
constexpr double kFittedDiagonal = 0.09;
constexpr double kFallFrom = 0.02;  // over everything [m]
constexpr std::uint64_t kSpheres = 10'000;
constexpr double kDensity = 800.0;           // of a toy [kg/m^3]
constexpr std::uint32_t kColour = 0x7C6BB0;  // none of the shipped scenes' bodies has it

std::string freeBodyName(const models::Scene& scene, const std::string& wanted) {
  const auto isTaken = [&](const std::string& name) {
    return std::ranges::find(scene.bodies, name, &models::SceneBody::name) != scene.bodies.end();
  };
  if (!isTaken(wanted)) return wanted;
  for (int number = 2;; ++number) {
    std::string name = fmt::format("{}-{}", wanted, number);
    if (!isTaken(name)) return name;
  }
}

/// No corner of any body is higher; bounds by its model's box.
double highest(const models::Scene& scene) {
  double top = 0.0;
  for (const models::SceneBody& body : scene.bodies) {
    const Result<SourcedModel> model =
        openModel(body.model.source, {.scale = body.model.scale, .fit = body.model.fit});
    if (!model) continue;
    const models::Bounds box = model.value().mesh.bounds();
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d at((corner & 1) != 0 ? box.upper.x() : box.lower.x(),
                               (corner & 2) != 0 ? box.upper.y() : box.lower.y(),
                               (corner & 4) != 0 ? box.upper.z() : box.lower.z());
      top = std::max(top, (body.pose() * at).y());
    }
  }
  return top;
}

}  // namespace

Result<models::Scene> sceneWithModel(models::Scene scene, const std::string& file) {
  if (scene.bodies.size() >= models::kMostSceneBodies) {
    return Error{Reason::TooLarge, -1,
                 fmt::format("The scene has {} bodies already, and there can be no more.",
                             models::kMostSceneBodies)};
  }
  const std::string source = std::filesystem::absolute(file).string();
  Result<SourcedModel> model = openModel(source, {});
  if (!model) return model.error();
  const models::Bounds box = model.value().mesh.bounds();
  models::SceneBody body;
  body.name = freeBodyName(scene, std::filesystem::path(file).stem().string());
  body.model.source = source;
  body.model.spheres = kSpheres;
  body.kind = models::SceneBodyKind::Dynamic;
  body.density = kDensity;
  body.colour = kColour;
  double scale = 1.0;
  Eigen::Vector3d middle = box.centre();
  if (box.diagonal() < kLeastDiagonal || box.diagonal() > kMostDiagonal) {
    body.model.fit = kFittedDiagonal;
    scale = box.diagonal() > 0.0 ? kFittedDiagonal / box.diagonal() : 1.0;
    middle.setZero();  // what is fitted has its middle at its origin
  }
  const double half = 0.5 * scale * (box.upper.y() - box.lower.y());
  body.position = Eigen::Vector3d(scene.camera.target.x(), highest(scene) + kFallFrom + half,
                                  scene.camera.target.z()) -
                  middle;
  scene.bodies.push_back(std::move(body));
  const std::string name = scene.name;
  Result<models::Scene> whole = models::parseScene(models::sceneText(scene), scene.file);
  if (whole) whole.value().name = name;
  return whole;
}

Result<Done> writeNewFile(const std::string& file, const std::string& text) {
  std::error_code ignored;
  const std::string shown = models::printable(file);
  if (std::filesystem::exists(file, ignored)) {
    return Error{Reason::AlreadyExists, -1,
                 fmt::format("{} is there already; choose another name.", shown)};
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (stream) return Done{};
  return Error{Reason::CannotWrite, -1, fmt::format("{} cannot be written.", shown)};
}

}  // namespace tactus::app
