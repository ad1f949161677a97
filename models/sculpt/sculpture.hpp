#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// One piece of clay, or of a tool that takes clay away.
///
/// A round cone is the hull of two balls (a capsule whose ends differ). An ellipsoid is given by
/// its centre, half axes and the rotation of its axes. Both have signed distances, negative inside,
/// that are exact or a lower bound of the magnitude near the surface.
struct Stroke {
  enum class Shape : std::uint8_t { RoundCone, Ellipsoid };
  enum class Action : std::uint8_t {
    Add,    ///< smooth union with what is there
    Carve,  ///< smooth difference: takes this piece away
  };

  Shape shape = Shape::RoundCone;
  Action action = Action::Add;
  Eigen::Vector3d from =
      Eigen::Vector3d::Zero();  ///< round cone: first centre; ellipsoid: centre [m]
  Eigen::Vector3d to = Eigen::Vector3d::Zero();        ///< round cone: second centre [m]
  double fromRadius = 0.0;                             ///< [m]
  double toRadius = 0.0;                               ///< [m]
  Eigen::Vector3d halfAxes = Eigen::Vector3d::Ones();  ///< ellipsoid [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< ellipsoid: columns are its axes
  double blend = 0.0;  ///< width of the smooth joint with what is there [m]; 0: a crease
};

/// A solid as an ordered list of strokes in groups. Strokes of one group are blended in their
/// order; the finished groups are then joined by smooth union with the group's own blend. Groups
/// keep neighbouring limbs (fingers, legs) from melting together.
struct Sculpture {
  struct Group {
    std::vector<Stroke> strokes;
    double blend = 0.0;  ///< with the groups before it [m]
  };
  std::vector<Group> groups;
};

/// Signed distance at a point, negative inside: exact or a lower bound of the magnitude near the
/// surface. The plain reference; meshing evaluates the same expressions many points at a time.
[[nodiscard]] double distanceTo(const Sculpture& sculpture, const Eigen::Vector3d& point);

/// A box that holds the whole solid.
[[nodiscard]] Bounds boundsOf(const Sculpture& sculpture);

}  // namespace tactus::models
