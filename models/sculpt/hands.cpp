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
  const Vector3d across = Vector3d::UnitY().cross(direction).normalized();
  Vector3d joint = finger.knuckle;
  for (std::size_t i = 0; i < 3; ++i) {
    direction = bend(direction, across, finger.half[i]);
    const Vector3d back = direction.cross(across);
    const Vector3d next = joint + finger.lengths[i] * direction;
    lump.add(cone(joint, finger.radii[i], next, finger.radii[i + 1], 2.0));
    if (i > 0) lump.add(ball(joint + 1.6 * back, finger.radii[i] - 0.4, 3.0));
    if (i == 2) {
      const double radius = finger.radii[3];
      lump.add(egg({next + 0.62 * radius * back - 0.1 * radius * direction,
                    {0.72 * radius, 0.42 * radius, 0.95 * radius},
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
      {29, 2, -38}, {0.07, 0, -1}, {42, 26, 19}, {0.17, 0.27, 0.2}, {9.6, 8.8, 8.0, 7.0}};
  const Finger middle{
      {8.5, 4, -42}, {0.01, 0, -1}, {46, 30, 20}, {0.18, 0.28, 0.2}, {9.8, 9.0, 8.2, 7.2}};
  const Finger ring{
      {-12, 3, -39}, {-0.06, 0, -1}, {43, 28, 20}, {0.2, 0.3, 0.22}, {9.4, 8.6, 7.8, 6.9}};
  const Finger little{
      {-31, -1, -31}, {-0.17, 0, -1}, {34, 21, 17}, {0.22, 0.32, 0.24}, {8.4, 7.6, 6.9, 6.1}};

  Lump thumb(1.0);
  thumb.add(cone({24, -6, 30}, 14.0, {40, -24, 8}, 11.6, 0.0));
  thumb.add(cone({40, -24, 8}, 11.0, {45, -47, -14}, 9.8, 4.0));
  thumb.add(cone({45, -47, -14}, 9.6, {40, -64, -34}, 7.8, 2.0));

  Lump palm(10.0);
  palm.add(egg({{0, -1, 2}, {39, 15, 48}}, 0.0));
  palm.add(cone({20, 0, 28}, 14, {28, 1, -34}, 11.5, 8.0));
  palm.add(cone({-20, -2, 28}, 14, {-28, -3, -28}, 10.5, 8.0));
  palm.add(egg({{0, -1, 44}, {27, 18, 26}}, 8.0));
  palm.carve(egg({{0, -22, -6}, {24, 12, 28}}, 8.0));

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
