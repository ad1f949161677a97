#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/view.hpp"

namespace tactus::app {
namespace {

// Between neighbours, as a part of the wider one: near enough to compare, far enough to tell apart.
constexpr double kGap = 0.25;

// From so high that a row does not hide the one behind it.
constexpr double kYaw = 0.35;   // [rad]
constexpr double kPitch = 0.6;  // [rad]

/// Stands the models on the floor in rows, as square as their number allows, the first one behind
/// on the left.
void standInRows(std::vector<render::DrawMesh>& meshes) {
  const std::size_t columns =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(meshes.size()))));
  double rowZ = 0.0;
  for (std::size_t first = 0; first < meshes.size(); first += columns) {
    const std::size_t last = std::min(meshes.size(), first + columns);
    double x = 0.0;
    double deepest = 0.0;
    for (std::size_t i = first; i < last; ++i) {
      const models::Bounds box = meshes[i].mesh->bounds();
      const Eigen::Vector3d size = box.upper - box.lower;
      const double width = size.x() * (1.0 + kGap);
      x += 0.5 * width;
      meshes[i].worldFromMesh.translation() =
          Eigen::Vector3d(x - box.centre().x(), -box.lower.y(), rowZ - box.centre().z());
      x += 0.5 * width;
      deepest = std::max(deepest, size.z() * (1.0 + kGap));
    }
    for (std::size_t i = first; i < last; ++i)
      meshes[i].worldFromMesh.translation().x() -= 0.5 * x;
    rowZ += deepest;
  }
}

}  // namespace

ExitCode runShow(const ShowRequest& request) {
  if (const models::Result<models::Done> place = checkPicturePlace(request.view); !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  std::vector<render::DrawMesh> meshes;
  std::string title = "Tactus";
  for (const std::string& name : request.models) {
    models::Result<SourcedModel> source = openModel(name, request.size);
    if (!source) {
      complain(source.error().sentence);
      return ExitCode::BadInput;
    }
    render::DrawMesh drawn;
    drawn.mesh = std::make_shared<const models::Mesh>(std::move(source.value().mesh));
    drawn.colour = render::paletteColour(meshes.size());
    drawn.wireframe = request.view.showsEdges;
    meshes.push_back(std::move(drawn));
    if (request.models.size() <= 3) title += " - " + name;
  }
  standInRows(meshes);
  render::SceneView view;
  view.meshes = std::move(meshes);
  view.camera.yaw = kYaw;
  view.camera.pitch = kPitch;
  return lookAt(std::move(view), title, "", request.view);
}

}  // namespace tactus::app
