#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/view.hpp"
#include "models/builtin.hpp"

namespace tactus::app {
namespace {

/// Where a built-in stands in the workspace.
struct Place {
  const char* model;
  double x, z;   ///< [m]
  double turn;   ///< about the vertical [rad]
  double above;  ///< of its lowest point over the floor [m]
  render::Paint paint;
};

// The game of the studies: a well in the middle, animals around it, a hand on each side.
constexpr Place kWorkspace[] = {{"well", 0.0, -0.02, 0.0, 0.0, render::Paint::Clay},
                                {"rhino", -0.15, 0.10, 0.5, 0.0, render::Paint::Sky},
                                {"bear", -0.06, 0.15, 0.2, 0.0, render::Paint::Orange},
                                {"rabbit", 0.03, 0.16, -0.1, 0.0, render::Paint::Purple},
                                {"duck", 0.12, 0.13, -0.4, 0.0, render::Paint::Yellow},
                                {"turtle", 0.20, 0.07, -0.9, 0.0, render::Paint::Green},
                                {"monkey", -0.22, 0.02, 0.9, 0.0, render::Paint::Vermilion},
                                {"hand-left", -0.15, -0.02, 0.0, 0.13, render::Paint::Blue},
                                {"hand-right", 0.15, -0.02, 0.0, 0.13, render::Paint::Blue}};

// Together about what a software renderer draws sixty times a second.
constexpr std::size_t kTrianglesForWindow = 2'000;
constexpr std::size_t kTrianglesForPicture = 30'000;

Eigen::Isometry3d standingAt(const Place& place, const models::Bounds& box) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::AngleAxisd(place.turn, Eigen::Vector3d::UnitY()).toRotationMatrix();
  pose.translation() = Eigen::Vector3d(place.x, place.above - box.lower.y(), place.z);
  return pose;
}

}  // namespace

ExitCode runWorkspace(const ViewOptions& options) {
  complain("The workspace is a view today: devices and forces are not built yet.");
  render::SceneView view;
  for (const Place& place : kWorkspace) {
    models::Result<models::Mesh> made = models::makeBuiltin(
        place.model, options.screenshot ? kTrianglesForPicture : kTrianglesForWindow);
    if (!made) {
      complain(made.error().sentence);
      return ExitCode::WorkFailed;
    }
    render::DrawMesh drawn;
    drawn.worldFromMesh = standingAt(place, made.value().bounds());
    drawn.mesh = std::make_shared<const models::Mesh>(std::move(made).value());
    drawn.colour = render::paletteColour(place.paint);
    drawn.wireframe = options.showsEdges;
    view.meshes.push_back(std::move(drawn));
  }
  return lookAt(std::move(view), "Tactus - workspace",
                "A view of the workspace. Devices and forces are not built yet.", options);
}

}  // namespace tactus::app
