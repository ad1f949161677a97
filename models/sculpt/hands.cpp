#include "models/sculpt/hands.hpp"

#include <Eigen/Geometry>  // cross product
#include <array>
#include <cstddef>
#include <vector>

#include "models/sculpt/clay.hpp"

namespace tactus::models {
namespace {

using clay::axesAlong;
using clay::ball;
using clay::Bead;
using clay::cone;
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

// Fingers melt where their gap is less than half of this: a web as between real ones, where a sharp
// valley would bring two surfaces as near to each other as one cares to look.
constexpr double kWeb = 4.0;  // [mm]

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
  std::vector<Bead> beads{{finger.knuckle, finger.radii[0]}};
  std::vector<Stroke> details;
  for (std::size_t i = 0; i < 3; ++i) {
    direction = bend(direction, across, finger.half[i]);
    const Vector3d back = direction.cross(across);
    const Vector3d joint = beads.back().centre;
    const Vector3d next = joint + finger.lengths[i] * direction;
    if (i > 0) details.push_back(ball(joint + 2.4 * back, finger.radii[i] - 1.9, 3.0));
    beads.push_back({next, finger.radii[i + 1]});
  }
  lump.rope(beads, 4.0);
  for (const Stroke& detail : details)
    lump.add(detail);
  const Vector3d back = direction.cross(across);
  const double radius = finger.radii[3];
  lump.add(egg({beads.back().centre + 0.70 * radius * back - 0.22 * radius * direction,
                {0.74 * radius, 0.46 * radius, 0.86 * radius},
                axesAlong(back, direction)},
               0.3));
  return lump;
}

}  // namespace

Sculpture handLeft() {
  const Finger index{
      {31.5, 2, -34}, {0.12, 0, -1}, {42, 25, 17}, {0.24, 0.36, 0.22}, {9.8, 9.2, 8.7, 8.0}};
  const Finger middle{
      {10.5, 4, -38}, {0.02, 0, -1}, {46, 29, 18}, {0.25, 0.37, 0.22}, {10.0, 9.4, 8.9, 8.2}};
  const Finger ring{
      {-10.5, 3, -35}, {-0.08, 0, -1}, {43, 27, 18}, {0.26, 0.39, 0.24}, {9.7, 9.1, 8.6, 7.9}};
  const Finger little{
      {-30.5, -1, -27}, {-0.20, 0, -1}, {35, 20, 15}, {0.28, 0.4, 0.26}, {8.9, 8.3, 7.8, 7.1}};

  Lump thumb(kWeb);
  const Vector3d root(17, -6, 42);
  const Vector3d base(42, -22, 8);
  const Vector3d joint(52, -43, -13);
  const Vector3d tip(51, -59, -31);
  thumb.rope({{root, 14.5}, {base, 13.2}, {joint, 10.8}, {tip, 9.2}}, 6.0);
  const Matrix3d nail = axesAlong({0.9, -0.3, 0.4}, tip - joint);
  thumb.add(ball(joint + nail * Vector3d(0, 2.4, 0), 8.8, 3.0));
  thumb.add(egg({tip + nail * Vector3d(0, 6.5, -2.0), {6.8, 4.1, 7.8}, nail}, 0.3));

  Lump palm(5.0);
  palm.add(egg({{0, -1, 6}, {35, 13.5, 44}}, 0.0));
  palm.add(cone({11, -1, 52}, 13.0, {30, 1.5, -28}, 10.0, 6.0));
  palm.add(cone({4, 0, 50}, 13.0, {10.5, 3.5, -32}, 10.2, 5.0));
  palm.add(cone({-4, 0, 50}, 13.0, {-10.5, 2.5, -29}, 9.8, 5.0));
  palm.add(cone({-11, -1, 52}, 13.0, {-29, -1.5, -21}, 9.2, 6.0));
  palm.add(cone({-18, -7, 34}, 12.0, {-29, -3.5, -16}, 9.2, 6.0));  // ball of the little finger
  palm.add(cone({25, -4, -24}, 9.2, {-25, -5, -17}, 8.6, 6.0));     // pads below the fingers
  palm.add(egg({{0, -1, 49}, {26, 15, 29.5}}, 8.0));                // wrist

  return inMetres({sculptFinger(index, kWeb), sculptFinger(middle, kWeb), sculptFinger(ring, kWeb),
                   sculptFinger(little, kWeb), thumb, palm});
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
