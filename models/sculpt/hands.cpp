#include "models/sculpt/hands.hpp"

#include <array>

#include "models/sculpt/clay.hpp"

namespace tactus::models {
namespace {

using clay::axesAlong;
using clay::ball;
using clay::cone;
using clay::Egg;
using clay::egg;
using clay::inMetres;
using clay::Lump;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Bends a direction about the unit axis by the angle whose half has this tangent: cosine (1 - t^2)
// / (1 + t^2), sine 2 t / (1 + t^2), without trigonometry. The axis must be square to the
// direction.
Vector3d bend(const Vector3d& direction, const Vector3d& axis, double tangentOfHalf) {
  const double square = tangentOfHalf * tangentOfHalf;
  return ((1.0 - square) * direction + 2.0 * tangentOfHalf * axis.cross(direction)) /
         (1.0 + square);
}

struct Finger {
  Vector3d knuckle;               // centre of the base joint [mm]
  Vector3d direction;             // of the stretched finger, in the plane of the palm
  std::array<double, 3> lengths;  // of the phalanges, base to tip [mm]
  std::array<double, 3> half;     // tangents of the half bends at the three joints
  std::array<double, 4> radii;    // at the joints and the tip [mm]
};

Lump sculptFinger(const Finger& finger, double blend) {
  Lump lump(blend);
  Vector3d direction = finger.direction / finger.direction.norm();
  const Vector3d level = Vector3d::UnitY().cross(direction);
  const Vector3d across = level / level.norm();
  Vector3d joint = finger.knuckle;
  for (std::size_t i = 0; i < 3; ++i) {
    direction = bend(direction, across, finger.half[i]);
    const Vector3d back = direction.cross(across);
    const Vector3d next = joint + finger.lengths[i] * direction;
    lump.add(cone(joint, finger.radii[i], next, finger.radii[i + 1], 0.6));
    if (i > 0) lump.add(ball(joint + 1.4 * back, finger.radii[i] - 0.6, 1.5));
    if (i == 2) {
      const double radius = finger.radii[3];
      lump.add(egg({next + 0.62 * radius * back - 0.05 * radius * direction,
                    {0.74 * radius, 0.46 * radius, 0.95 * radius},
                    axesAlong(back, direction)},
                   0.4));
    }
    joint = next;
  }
  return lump;
}

}  // namespace

Sculpture handLeft() {
  const Finger index{
      {31, 2, -36}, {0.10, 0, -1}, {41, 26, 18}, {0.20, 0.32, 0.2}, {10.4, 9.5, 8.8, 7.9}};
  const Finger middle{
      {10, 4, -40}, {0.02, 0, -1}, {45, 30, 19}, {0.21, 0.33, 0.2}, {10.6, 9.7, 9.0, 8.1}};
  const Finger ring{
      {-11, 3, -37}, {-0.07, 0, -1}, {42, 28, 19}, {0.22, 0.35, 0.22}, {10.2, 9.3, 8.6, 7.7}};
  const Finger little{
      {-31, -1, -29}, {-0.19, 0, -1}, {34, 21, 16}, {0.24, 0.36, 0.24}, {9.2, 8.4, 7.7, 6.9}};

  Lump thumb(1.0);
  thumb.add(cone({22, -7, 34}, 14.5, {42, -23, 8}, 12.0, 0.0));
  thumb.add(cone({42, -23, 8}, 11.6, {50, -44, -14}, 10.0, 1.0));
  thumb.add(cone({50, -44, -14}, 10.2, {47, -60, -33}, 8.4, 0.6));
  {
    const Vector3d along = Vector3d(47, -60, -33) - Vector3d(50, -44, -14);
    const Matrix3d nail = axesAlong(Vector3d(0.9, -0.35, 0.35), along);
    thumb.add(egg({Vector3d(47, -60, -33) + nail * Vector3d(0, 5.4, -0.5), {6.2, 3.8, 8.0}, nail}, 0.4));
  }

  Lump palm(7.0);
  palm.add(cone({15, 0, 40}, 13.0, {31, 1, -34}, 12.0, 0.0));
  palm.add(cone({5, 1, 40}, 13.0, {10, 3, -38}, 12.0, 6.0));
  palm.add(cone({-6, 1, 40}, 13.0, {-11, 2, -35}, 11.6, 6.0));
  palm.add(cone({-16, 0, 40}, 12.5, {-31, -2, -27}, 10.6, 6.0));
  palm.add(egg({{-22, -8, 18}, {12, 10, 30}}, 8.0));  // ball of the little finger
  palm.add(cone({11, 0, 46}, 15.5, {9, 0, 62}, 14.5, 6.0));
  palm.add(cone({-11, 0, 46}, 15.5, {-9, 0, 62}, 14.5, 6.0));

  return inMetres({sculptFinger(index, 1.0), sculptFinger(middle, 1.0), sculptFinger(ring, 1.0),
                   sculptFinger(little, 1.0), thumb, palm});
}

Sculpture handRight() {
  Sculpture hand = handLeft();
  for (Sculpture::Group& group : hand.groups) {
    for (Stroke& stroke : group.strokes)
      stroke = clay::mirrored(stroke);
  }
  return hand;
}

}  // namespace tactus::models
