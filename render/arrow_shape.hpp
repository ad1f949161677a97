#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "render/scene_view.hpp"

namespace tactus::render {

/// A corner of an arrow, as it lies on the graphics card.
struct ArrowVertex {
  Eigen::Vector3f position, normal;
  Colour colour;
};

/// Surfaces of arrows, straight and bent, all in one.
///
/// An arrow is a line of rings: along its shaft, out to the head's foot, and to a point. A bent one
/// has the same rings, only that they are set along a circle; its head is bent with it, so that tip
/// and foot both lie on the circle. Heads are as long as kHeadLength shaft radii, or shorter where
/// the arrow is short: a force that fades away ends as a small cone and not as a disc.
struct ArrowSurface {
  /// In the shaft's radii: a head that is read as one from any side.
  static constexpr double kHeadRadius = 2.6;
  static constexpr double kHeadLength = 6.5;
  /// The head's share of a short arrow.
  static constexpr double kMostHead = 0.6;

  std::vector<ArrowVertex> vertices;
  std::vector<models::Triangle> triangles;

  void clear();
  /// All positions are relative to `origin`. Without length, nothing is added.
  void add(const DrawArrow& arrow, const Eigen::Vector3d& origin);
  /// `middle` is where the arrow is even about if the turn itself does not say it.
  void add(const DrawTurn& turn, const Eigen::Vector3d& origin, const Eigen::Vector3d& middle);
};

}  // namespace tactus::render
