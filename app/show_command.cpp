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

constexpr double kYaw = 0.35;   // [rad]
constexpr double kPitch = 0.6;  // [rad]

// A row stands off the one behind it by this part of its own height, 1 / tan(kPitch): seen from
// there, it hides nothing of it.
constexpr double kRoomToSee = 1.46;

double heightOf(const render::DrawMesh& drawn) {
  const models::Bounds box = drawn.mesh->bounds();
  return box.upper.y() - box.lower.y();
}

/// Stands the models on the floor in rows, as square as their number allows: one row in the order
/// they came, more than one with the tallest behind.
void standInRows(std::vector<render::DrawMesh>& meshes) {
  constexpr std::size_t kInOneRow = 3;
  std::size_t columns = meshes.size();
  if (meshes.size() > kInOneRow) {
    columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(meshes.size()))));
    std::stable_sort(meshes.begin(), meshes.end(),
                     [](const auto& a, const auto& b) { return heightOf(a) > heightOf(b); });
  }
  double rowZ = 0.0;
  for (std::size_t first = 0; first < meshes.size(); first += columns) {
    const std::size_t last = std::min(meshes.size(), first + columns);
    if (first > 0) rowZ += kRoomToSee * heightOf(meshes[first]);  // the tallest of its row
    double x = 0.0;
    double deepest = 0.0;
    for (std::size_t i = first; i < last; ++i) {
      const models::Bounds box = meshes[i].mesh->bounds();
      const Eigen::Vector3d size = box.upper - box.lower;
      const double width = size.x() * (1.0 + kGap);
      x += 0.5 * width;
      meshes[i].worldFromMesh.translation() =
          Eigen::Vector3d(x - box.centre().x(), -box.lower.y(), rowZ - box.lower.z());
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
