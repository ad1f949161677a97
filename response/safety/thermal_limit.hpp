#pragma once

namespace tactus::response {

/// How warm a motor has become, 1 being what it can bear for ever, and the force that it may still
/// give: its peak while cool, its continuous force once warm.
///
/// Source: a first-order thermal model, as drives have it ("I squared t"): warmth follows the
/// square of force over continuous force with the motor's time constant.
/// How ours differs: the limit comes down on a straight line over the last part of the way, where
/// drives switch; a hand would feel the step. Warmth never passes 1, because the limit meets the
/// continuous force there.
struct ThermalLimit {
  double warmth = 0.0;

  /// What may be given now [N or N m]; never more than the peak.
  [[nodiscard]] double most(double peak, double continuous) const noexcept;
  /// After a tick with `given` [N or N m].
  void tick(double given, double continuous, double timeConstantSeconds, double dt) noexcept;
};

}  // namespace tactus::response
