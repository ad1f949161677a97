#include "models/sculpt/clay.hpp"

#include <Eigen/Geometry>  // cross product
#include <cmath>
#include <cstddef>
#include <utility>

namespace tactus::models::clay {
namespace {

constexpr double kMillimetre = 1e-3;     // [m]
constexpr double kFloorRadius = 2000.0;  // [mm]

std::vector<Stroke> ropePieces(const std::vector<Bead>& beads, double blend) {
  std::vector<Stroke> pieces;
  for (std::size_t i = 0; i + 1 < beads.size(); ++i) {
    const Bead& first = beads[i];
    const Bead& second = beads[i + 1];
    const Eigen::Vector3d span = second.centre - first.centre;
    const double length = span.norm();
    const auto shortfall = [&](const Bead& bead) {
      return std::sqrt(0.5 * blend * bead.radius) / length;
    };
    const double begin = i == 0 ? 0.0 : shortfall(first);
    const double end = i + 2 == beads.size() ? 1.0 : 1.0 - shortfall(second);
    const double growth = second.radius - first.radius;
    pieces.push_back(cone(first.centre + begin * span, first.radius + begin * growth,
                          first.centre + end * span, first.radius + end * growth, blend));
  }
  return pieces;
}

}  // namespace

Eigen::Vector3d Egg::towards(const Eigen::Vector3d& direction) const {
  const Eigen::Vector3d local = (axes.transpose() * direction).cwiseQuotient(halfAxes);
  return centre + direction / local.norm();
}

Eigen::Matrix3d axesAlong(const Eigen::Vector3d& up, const Eigen::Vector3d& front) {
  const Eigen::Vector3d y = up / up.norm();
  const Eigen::Vector3d across = y.cross(front);
  const Eigen::Vector3d x = across / across.norm();
  Eigen::Matrix3d axes;
  axes << x, y, x.cross(y);
  return axes;
}

Stroke ball(const Eigen::Vector3d& centre, double radius, double blend) {
  return cone(centre, radius, centre, radius, blend);
}

Stroke cone(const Eigen::Vector3d& from, double fromRadius, const Eigen::Vector3d& to,
            double toRadius, double blend) {
  Stroke stroke;
  stroke.shape = Stroke::Shape::RoundCone;
  stroke.from = from;
  stroke.to = to;
  stroke.fromRadius = fromRadius;
  stroke.toRadius = toRadius;
  stroke.blend = blend;
  return stroke;
}

Stroke egg(const Egg& shape, double blend) {
  Stroke stroke;
  stroke.shape = Stroke::Shape::Ellipsoid;
  stroke.from = shape.centre;
  stroke.to = shape.centre;
  stroke.halfAxes = shape.halfAxes;
  stroke.axes = shape.axes;
  stroke.blend = blend;
  return stroke;
}

Stroke carved(Stroke stroke) {
  stroke.action = Stroke::Action::Carve;
  return stroke;
}

// An ellipsoid is its own mirror image in each of its axes, so one column may change its sign to
// keep the axes right-handed: the first row and the first column together.
Stroke mirrored(Stroke stroke) {
  stroke.from.x() = -stroke.from.x();
  stroke.to.x() = -stroke.to.x();
  stroke.axes.row(0) *= -1.0;
  stroke.axes.col(0) *= -1.0;
  return stroke;
}

Lump& Lump::add(Stroke stroke) {
  group_.strokes.push_back(std::move(stroke));
  return *this;
}

Lump& Lump::carve(const Stroke& stroke) {
  return add(carved(stroke));
}

Lump& Lump::addBoth(const Stroke& stroke) {
  return add(stroke).add(mirrored(stroke));
}

Lump& Lump::carveBoth(const Stroke& stroke) {
  return carve(stroke).carve(mirrored(stroke));
}

Lump& Lump::rope(const std::vector<Bead>& beads, double blend) {
  for (const Stroke& piece : ropePieces(beads, blend))
    add(piece);
  return *this;
}

Lump& Lump::ropeBoth(const std::vector<Bead>& beads, double blend) {
  for (const Stroke& piece : ropePieces(beads, blend))
    addBoth(piece);
  return *this;
}

Lump& Lump::standOnFloor(double height, double blend) {
  return carve(ball({0.0, height - kFloorRadius, 0.0}, kFloorRadius, blend));
}

Sculpture inMetres(std::initializer_list<Lump> lumps, const Eigen::Vector3d& shift) {
  Sculpture sculpture;
  for (const Lump& lump : lumps) {
    Sculpture::Group group = lump.group();
    group.blend *= kMillimetre;
    for (Stroke& stroke : group.strokes) {
      stroke.from = (stroke.from + shift) * kMillimetre;
      stroke.to = (stroke.to + shift) * kMillimetre;
      stroke.fromRadius *= kMillimetre;
      stroke.toRadius *= kMillimetre;
      stroke.halfAxes *= kMillimetre;
      stroke.blend *= kMillimetre;
    }
    sculpture.groups.push_back(std::move(group));
  }
  return sculpture;
}

}  // namespace tactus::models::clay
