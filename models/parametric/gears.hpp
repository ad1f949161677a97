#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// A spur gear with involute teeth.
struct GearDimensions {
  int teeth = 24;                ///< even
  double moduleLength = 2.5e-3;  ///< pitch diameter / teeth [m]
  double thinning = 1.0e-4;      ///< of each tooth at the pitch circle, half the backlash [m]
  double width = 10.0e-3;        ///< along the axis [m]
  double bore = 6.0e-3;          ///< radius [m]
  double keyHalfWidth = 2.0e-3;  ///< of the keyway [m]
  double keyDepth = 8.3e-3;      ///< its floor from the axis [m]
  bool toothOnAxis = false;      ///< a tooth points along +x, else a gap
};

/// The two gears that mesh. The mate stands with its axis at (kGearDistance, 0, 0), both axes along
/// z. In the poses in which they are made a tooth of the mate points into a gap of the gear, with
/// half of the backlash on either flank; they stay in mesh when the gear turns by 16 t and the mate
/// by -24 t. Backlash at the pitch circle is 0.2 mm.
inline constexpr GearDimensions kGear{};
inline constexpr GearDimensions kGearMate{.teeth = 16, .toothOnAxis = true};
constexpr double kGearDistance = 0.5 * kGear.moduleLength * (kGear.teeth + kGearMate.teeth);  // [m]

/// Outline of one tooth in the plane, symmetric about the angle 0. Full depth of 2.25 modules,
/// pressure angle 20 degrees; below the base circle the flanks are radial, and run into the root
/// circle through a fillet.
///
/// Source: F. Litvin and A. Fuentes, "Gear Geometry and Applied Theory", 2004, chapter 10.
/// Deviation: a cutter would leave a trochoid below the base circle; with 16 teeth and more the
/// radial line keeps clear of the mate's tip (tested).
class GearTooth {
 public:
  explicit GearTooth(const GearDimensions& dimensions);

  [[nodiscard]] double pitchRadius() const noexcept { return pitch_; }
  [[nodiscard]] double baseRadius() const noexcept { return base_; }
  [[nodiscard]] double tipRadius() const noexcept { return tip_; }
  [[nodiscard]] double rootRadius() const noexcept { return root_; }
  [[nodiscard]] double filletRadius() const noexcept { return fillet_; }
  /// Half the angle between the middles of two gaps [rad].
  [[nodiscard]] double halfPitchAngle() const noexcept { return halfPitch_; }
  /// Half of the tooth's angle at a radius between root and tip [rad].
  [[nodiscard]] double halfAngleAt(double radius) const;

  /// A point of the flank on the side of positive angles, at the share of its length from the base
  /// circle to the tip.
  [[nodiscard]] Eigen::Vector2d flank(double share) const;
  [[nodiscard]] double flankLength() const noexcept { return flankLength_; }
  /// The same from the middle of the gap to the base circle: root circle, fillet, radial line.
  [[nodiscard]] Eigen::Vector2d foot(double share) const;
  [[nodiscard]] double footLength() const noexcept {
    return rootLength_ + filletLength_ + radialLength_;
  }

 private:
  double pitch_, base_, tip_, root_, fillet_;
  double halfPitch_;
  double halfAtBase_;   ///< half angle at the base circle
  double filletAngle_;  ///< between the radial line and the fillet's end on the root circle
  double radialFrom_;   ///< radius at which the fillet becomes radial
  double tipRoll_;      ///< tangent of the pressure angle at the tip
  double flankLength_, rootLength_, filletLength_, radialLength_;
};

/// Origin in the middle of the axis.
[[nodiscard]] Mesh makeGearOf(const GearDimensions& dimensions, std::size_t triangles);
[[nodiscard]] Mesh makeGear(std::size_t triangles);
[[nodiscard]] Mesh makeGearMate(std::size_t triangles);

}  // namespace tactus::models
