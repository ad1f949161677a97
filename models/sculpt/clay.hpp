#pragma once
#include <Eigen/Core>
#include <initializer_list>
#include <vector>

#include "models/sculpt/sculpture.hpp"

namespace tactus::models::clay {

/// The words in which animals and hands are sculpted. Lengths are millimetres, because a page of
/// sculpting is read by eye; `inMetres` converts at the end.

/// An ellipsoid as a place to put things on.
struct Egg {
  Eigen::Vector3d centre;
  Eigen::Vector3d halfAxes;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();

  /// The point of the surface that lies from the centre in this direction (of any length).
  [[nodiscard]] Eigen::Vector3d towards(const Eigen::Vector3d& direction) const;
};

/// Right-handed axes whose y axis points along `up` and whose z axis leans as far to `front` as
/// that allows. By dot products and square roots only, so that it is the same on every machine.
[[nodiscard]] Eigen::Matrix3d axesAlong(const Eigen::Vector3d& up, const Eigen::Vector3d& front);

/// A point of a limb and how thick the limb is there.
struct Bead {
  Eigen::Vector3d centre;
  double radius = 0.0;
};

[[nodiscard]] Stroke ball(const Eigen::Vector3d& centre, double radius, double blend);
[[nodiscard]] Stroke cone(const Eigen::Vector3d& from, double fromRadius, const Eigen::Vector3d& to,
                          double toRadius, double blend);
[[nodiscard]] Stroke egg(const Egg& shape, double blend);

/// The same stroke as a tool that takes clay away.
[[nodiscard]] Stroke carved(Stroke stroke);
/// The same stroke on the other side of the plane x = 0.
[[nodiscard]] Stroke mirrored(Stroke stroke);

/// A group under the sculptor's hands.
class Lump {
 public:
  explicit Lump(double blend) { group_.blend = blend; }

  Lump& add(Stroke stroke);
  Lump& carve(const Stroke& stroke);
  /// Left and right. Where both reach the same spot of the surface the order of blending shows (the
  /// smooth union is not associative), so pairs that meet in the middle come first in their group.
  Lump& addBoth(const Stroke& stroke);
  Lump& carveBoth(const Stroke& stroke);
  /// A limb along a line of points. A smooth union of pieces that meet in a point would swell there
  /// by a quarter of `blend`; so each piece stops sqrt(blend * radius / 2) short of an inner point,
  /// where its round end is lower by just that much.
  Lump& rope(const std::vector<Bead>& beads, double blend);
  Lump& ropeBoth(const std::vector<Bead>& beads, double blend);
  /// Takes away what is below y = `height`, with rounded edges. The tool is a ball of 2 m: flat to
  /// 0.4 mm within 40 mm of the middle, and hollow there rather than bulged, so that an animal
  /// stands on the outer rims of its feet.
  Lump& standOnFloor(double height = 0.0, double blend = 1.0);

  [[nodiscard]] const Sculpture::Group& group() const { return group_; }

 private:
  Sculpture::Group group_;
};

/// Joins lumps in this order, moves all by `shift` and converts millimetres to metres.
[[nodiscard]] Sculpture inMetres(std::initializer_list<Lump> lumps,
                                 const Eigen::Vector3d& shift = Eigen::Vector3d::Zero());

}  // namespace tactus::models::clay
