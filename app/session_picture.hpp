#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/opened_session.hpp"
#include "app/panel/panel_model.hpp"
#include "app/structure_clouds.hpp"
#include "haptics/loop/haptic_loop.hpp"
#include "render/scene_view.hpp"

namespace tactus::app {

/// From a session and a tick's snapshot to what is drawn of them: bodies, what queries know of
/// them, contacts and forces as arrows, where hands want their tools, and where they have been.
class SessionPicture {
 public:
  /// `isInSoftware`: a processor draws, and gets copies with few triangles.
  SessionPicture(const OpenedSession& session, bool isInSoftware);

  /// How the scene's file wants to be seen.
  [[nodiscard]] render::OrbitCamera camera() const;

  /// Everything but the camera. Each call also lengthens the hands' trails.
  void fill(const haptics::TickSnapshot& now, const ViewLayers& layers, render::SceneView& view);
  /// The scene as it begins, before there is a snapshot.
  void fillStart(const ViewLayers& layers, render::SceneView& view);
  /// After either: a body's ghost where it is to be brought.
  void addTarget(std::size_t body, const Eigen::Isometry3d& pose, render::SceneView& view) const;

 private:
  void fillBodies(const ViewLayers& layers, render::SceneView& view) const;
  void fillStructures(const ViewLayers& layers, render::SceneView& view);
  void fillForces(const haptics::TickSnapshot& now, const ViewLayers& layers,
                  render::SceneView& view) const;
  void fillHands(const haptics::TickSnapshot& now, const ViewLayers& layers,
                 render::SceneView& view);

  const OpenedSession* session_;
  std::vector<std::shared_ptr<const models::Mesh>> copies_;  ///< of each body, to be drawn
  std::vector<Eigen::Isometry3d> poses_;                     ///< of each body
  double size_ = 0.1;                                        ///< of what can move and its tools [m]
  double floor_ = 0.0;                                       ///< below everything [m]
  std::vector<std::deque<Eigen::Vector3d>> trails_;          ///< of each hand

  // Of each object, made when they are first looked at.
  struct Structures {
    std::shared_ptr<const render::SphereCloud> spheres;
    int level = -2;  ///< of `spheres`
    std::shared_ptr<const render::PointCloud> points;
    std::optional<VoxmapSlice> slice;
    float sliceAt = -1.0F;  ///< of `slice`
  };
  std::vector<Structures> structures_;
};

}  // namespace tactus::app
