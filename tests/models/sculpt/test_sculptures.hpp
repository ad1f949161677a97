#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>

#include "models/sculpt/sculpture.hpp"

/// Sculptures with known answers, and one without, for the tests of models/sculpt. All coordinates
/// are short binary fractions or come from square roots only, so that meshes of them can be
/// compared to the byte between machines.
namespace tactus::models::test {

inline Stroke cone(const Eigen::Vector3d& from, double fromRadius, const Eigen::Vector3d& to,
                   double toRadius, double blend = 0.0) {
  Stroke stroke;
  stroke.from = from;
  stroke.to = to;
  stroke.fromRadius = fromRadius;
  stroke.toRadius = toRadius;
  stroke.blend = blend;
  return stroke;
}

inline Stroke ballStroke(const Eigen::Vector3d& centre, double radius, double blend = 0.0) {
  return cone(centre, radius, centre, radius, blend);
}

inline Stroke ellipsoid(const Eigen::Vector3d& centre, const Eigen::Vector3d& halfAxes,
                        double blend = 0.0) {
  Stroke stroke;
  stroke.shape = Stroke::Shape::Ellipsoid;
  stroke.from = centre;
  stroke.halfAxes = halfAxes;
  stroke.blend = blend;
  return stroke;
}

inline Stroke carved(Stroke stroke) {
  stroke.action = Stroke::Action::Carve;
  return stroke;
}

inline Sculpture ball(double radius = 0.5) {
  return {{{{ballStroke(Eigen::Vector3d::Zero(), radius)}, 0.0}}};
}

/// Eight capsules around a hole: genus 1.
inline Sculpture ring() {
  const double diagonal = std::sqrt(0.5);
  const std::array<Eigen::Vector3d, 8> corners = {
      Eigen::Vector3d(1, 0, 0),  Eigen::Vector3d(diagonal, diagonal, 0),
      Eigen::Vector3d(0, 1, 0),  Eigen::Vector3d(-diagonal, diagonal, 0),
      Eigen::Vector3d(-1, 0, 0), Eigen::Vector3d(-diagonal, -diagonal, 0),
      Eigen::Vector3d(0, -1, 0), Eigen::Vector3d(diagonal, -diagonal, 0)};
  Sculpture::Group group;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    group.strokes.push_back(
        cone(0.5 * corners[i], 0.125, 0.5 * corners[(i + 1) % 8], 0.125, i == 0 ? 0.0 : 0.03125));
  }
  return {{group}};
}

/// Two balls that overlap, joined by a fillet.
inline Sculpture dumbbell(double blend = 0.125) {
  return {{{{ballStroke({-0.25, 0, 0}, 0.3125), ballStroke({0.25, 0, 0}, 0.25, blend)}, 0.0}}};
}

/// The same without a fillet, and with a bite: creases that meet.
inline Sculpture creased() {
  return {{{{ballStroke({-0.1875, 0, 0}, 0.3125), ballStroke({0.1875, 0, 0}, 0.3125),
             carved(cone({0, 0.3125, 0}, 0.1875, {0, 0.5, 0}, 0.1875))},
            0.0}}};
}

/// Five fingers on a bar, each a group, 35 times as long as its tip is wide.
inline Sculpture rods() {
  Sculpture sculpture{{{{cone({-0.3125, 0, 0}, 0.09375, {0.3125, 0, 0}, 0.09375)}, 0.0}}};
  for (int i = -2; i <= 2; ++i) {
    const double x = 0.140625 * i;
    sculpture.groups.push_back({{cone({x, 0, 0}, 0.03125, {x, 0.6875, 0}, 0.01953125)}, 0.03125});
  }
  return sculpture;
}

/// A plate of clay with sharp rims: curvature that few triangles cannot show.
inline Sculpture lens() {
  return {{{{ellipsoid(Eigen::Vector3d::Zero(), {0.40625, 0.3125, 0.03125})}, 0.0}}};
}

/// Strokes of both kinds and actions at random, in groups: clefts, thin walls, near misses.
inline Sculpture muddle(std::uint32_t seed, int strokes = 30) {
  const auto random = [&seed] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<double>(seed >> 8U) / 8388608.0 - 1.0;
  };
  Sculpture sculpture;
  for (int i = 0; i < strokes; ++i) {
    if (i % 10 == 0) sculpture.groups.push_back({{}, i == 20 ? 0.0 : 0.02});
    // One draw a line, since compilers differ in the order in which they call for arguments; from
    // the last to the first as it was when the hashes were committed.
    const auto vector = [&random] {
      const double z = random();
      const double y = random();
      return Eigen::Vector3d(random(), y, z);
    };
    const Eigen::Vector3d from = Eigen::Vector3d(0.3, 0.2, 0.2).cwiseProduct(vector());
    const Eigen::Vector3d to = Eigen::Vector3d(0.4, 0.25, 0.25).cwiseProduct(vector());
    Stroke stroke;
    if (i % 4 == 1) {
      const double second = 0.07 + 0.05 * random();
      const Eigen::Vector3d halfAxes(0.07 + 0.05 * random(), second, 0.025);
      stroke = ellipsoid(to, halfAxes, i % 8 == 1 ? 0.02 : 0.0);
      const Eigen::Vector3d axis = vector();
      const Eigen::Quaterniond turn(1.0, axis.x(), axis.y(), axis.z());
      stroke.axes = turn.normalized().toRotationMatrix();
      if (i % 8 == 5) stroke.action = Stroke::Action::Carve;
    } else {
      const double end = 0.05 + 0.03 * random();
      stroke = cone(from, 0.08 + 0.05 * random(), to, end, 0.03);
    }
    sculpture.groups.back().strokes.push_back(stroke);
  }
  return sculpture;
}

}  // namespace tactus::models::test
