#pragma once

namespace tactus::response {

/// What a body is made of, as far as its contacts tell. Between two bodies pairedWith() counts.
struct Material {
  /// K of the depth law and of what is measured like it: flat faces of area S that are pressed into
  /// each other by d push with K S d / 2. The default is a spring of 2 N/mm for a face of 5 cm^2.
  double stiffness = 8e6;       ///< [N/m^3]
  double pressure = 2e4;        ///< k of the volume law [Pa]
  double layerStiffness = 2e2;  ///< of one point and the law of layers [N/m]
  double damping = 0.3;  ///< beta of the factor 1 + beta dE/dt, E the pair's elastic energy [1/W]
  /// Every way that two bodies can move against each other is damped by its stiffness times this,
  /// rocking and turning, too, which the factor of the whole pair does not see [s].
  double relaxation = 1e-3;
  double staticFriction = 0.5;   ///< mu before a contact slides
  double kineticFriction = 0.4;  ///< mu while it slides; not above the static one
  /// Speed at which friction is half way from static to kinetic [m/s].
  double slipSpeed = 5e-3;
  /// Of the bristles of a patch, before it slides [N/m]. 0: no friction at all.
  double bristleStiffness = 5e3;
  /// Bristles are damped by their stiffness times this [s]; otherwise what sticks would ring.
  double bristleDamping = 5e-3;
};

/// What counts between two bodies: stiffnesses in series, so that two alike make one of the same;
/// the geometric mean of frictions; the mean of dampings and of slip speeds. Symmetric to the bit.
[[nodiscard]] Material pairedWith(const Material& a, const Material& b) noexcept;

}  // namespace tactus::response
