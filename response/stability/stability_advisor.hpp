#pragma once

namespace tactus::response {

/// A device as the theory of sampled walls sees it; of shifts, or of turns with the units of turns.
struct SampledDevice {
  double damping = 0.0;      ///< b, of the device itself [N s/m]
  double friction = 0.0;     ///< Coulomb friction [N]; 0 if unknown
  double encoderStep = 0.0;  ///< [m]; 0 if unknown
  double period = 0.001;     ///< T [s]
  double delay = 0.0;        ///< beyond the hold of a period [s]
};

/// Where displayed stiffness and damping stand beside what is known to be safe with any hand.
struct StabilityAdvice {
  double neededDamping = 0.0;  ///< K (T/2 + delay) + |B| [N s/m]
  double passiveRatio = 0.0;   ///< b over that; above 1 no passive hand can make it swing
  double passiveStiffness =
      0.0;  ///< the K that b allows beside this B [N/m]; 0 if B alone is too much
  /// The K that friction and encoder allow, 2 f_c / step [N/m]; infinite where the encoder is not
  /// known to have steps.
  double quantisedStiffness = 0.0;
  /// By friction alone a wall holds still that damping could not: true if K is within
  /// quantisedStiffness, whatever passiveRatio says.
  bool isWithinFriction = false;
  [[nodiscard]] bool isPassive() const noexcept { return passiveRatio > 1.0; }
};

/// Source: J. Colgate and G. Schenkel, "Passivity of a Class of Sampled-Data Systems: Application
/// to Haptic Interfaces", 1997: b > K T/2 + |B|; with delay, T. Hulin, A. Albu-Schaeffer and G.
/// Hirzinger, "Passivity and Stability Boundaries for Haptic Systems With Time Delay", 2014;
/// friction and encoder, J. Abbott and A. Okamura, "Effects of Position Quantization and Sampling
/// Rate on Virtual-Wall Passivity", 2005: K <= min(2 b / T, 2 f_c / step).
/// It is a lower bound, and strict: real devices, held by real hands, are calm at several times the
/// stiffness. So it is printed and drawn, not enforced; the passivity controller watches what
/// really happens.
[[nodiscard]] StabilityAdvice adviceFor(const SampledDevice& device, double stiffness,
                                        double damping) noexcept;

}  // namespace tactus::response
