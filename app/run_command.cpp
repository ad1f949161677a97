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
constexpr Place kWorkspace[] = {{"well", 0.0, -0.03, 0.0, 0.0, render::Paint::Clay},
                                {"monkey", -0.19, -0.04, 0.9, 0.0, render::Paint::Vermilion},
                                {"rhino", -0.17, 0.07, 0.7, 0.0, render::Paint::Sky},
                                {"bear", -0.08, 0.13, 0.3, 0.0, render::Paint::Orange},
                                {"rabbit", 0.01, 0.15, 0.0, 0.0, render::Paint::Purple},
                                {"duck", 0.10, 0.13, -0.4, 0.0, render::Paint::Yellow},
                                {"turtle", 0.18, 0.05, -0.8, 0.0, render::Paint::Green},
                                {"hand-left", -0.12, -0.02, 0.0, 0.12, render::Paint::Blue},
                                {"hand-right", 0.12, -0.02, 0.0, 0.12, render::Paint::Blue}};

// Seen as by somebody who sits before it, a little from the right.
constexpr double kYaw = 0.2;     // [rad]
constexpr double kPitch = 0.55;  // [rad]

// Together about what a software renderer draws sixty times a second.
constexpr std::size_t kTrianglesForWindow = 2'000;
constexpr std::size_t kTrianglesForPicture = 12'000;

Eigen::Isometry3d standingAt(const Place& place, const models::Bounds& box) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::AngleAxisd(place.turn, Eigen::Vector3d::UnitY()).toRotationMatrix();
  pose.translation() = Eigen::Vector3d(place.x, place.above - box.lower.y(), place.z);
  return pose;
}

}  // namespace

ExitCode runWorkspace(const ViewOptions& options) {
  if (const models::Result<models::Done> place = checkPicturePlace(options); !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  complain("The workspace is a view today: devices and forces are not built yet.");
  render::SceneView view;
  view.camera.yaw = kYaw;
  view.camera.pitch = kPitch;
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
