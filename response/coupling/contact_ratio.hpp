#pragma once

namespace tactus::response {

/// Keeps the contact five to ten times stiffer than the coupling, by a factor on the contact law.
///
/// Softer, and objects sink in visibly and the hand feels the contact law rather than the coupling
/// that was chosen for its device; stiffer, and the tool's balance takes more steps for nothing: at
/// 5 the hand feels 83 % of the coupling's stiffness, at 10 91 %.
class ContactRatio {
 public:
  struct Band {
    double low = 5.0, high = 10.0;
    double ratePerSecond = 2.0;  ///< the factor at most so many e-folds a second
    double leastFactor = 0.1, mostFactor = 10.0;
  };

  /// The factor for the next tick. `ratio` is that of this tick, with the present factor in it; 0
  /// without contact, which changes nothing.
  [[nodiscard]] double tick(double ratio, const Band& band, double dt) noexcept;
  [[nodiscard]] double factor() const noexcept { return factor_; }

 private:
  double factor_ = 1.0;
};

}  // namespace tactus::response
