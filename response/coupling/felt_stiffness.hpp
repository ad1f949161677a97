#pragma once
#include "collision/tree/contact_energy.hpp"
#include "response/coupling/coupling_spring.hpp"

namespace tactus::response {

/// A contact's stiffness beside the coupling's, at the coupling's pivot.
///
/// Source: two springs in a row, (K_vc^-1 + K_c^-1)^-1; projection after N. Higham, "Computing a
/// nearest symmetric positive semidefinite matrix", 1988.
/// Method: with D = K_vc^1/2 (diagonal) one eigendecomposition D^-1 K_c D^-1 = Q L Q^T gives all:
/// - L without what is negative is the projection, in the one metric that belongs to the problem
/// - the largest of L is how many times stiffer the contact is than the coupling
/// - the Newton system is D Q (1 + L) Q^T D, never singular, solved by D^-1 Q (1 + L)^-1 Q^T D^-1
/// - a step within a radius is D^-1 Q (1 + L + l)^-1 Q^T D^-1 b with the least l >= 0 that is
///   short enough, by Newton's method on 1/length, which comes to it from below (J. More and D.
///   Sorensen, "Computing a Trust Region Step", 1983)
/// - what the hand feels is D Q L/(1 + L) Q^T D: below the coupling along every direction
class StiffnessInSeries {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  /// `contact` about the pivot. The secants must be above 0.
  StiffnessInSeries(double secant, double turnSecant, const collision::Stiffness& contact) noexcept;

  /// Largest stiffness of the contact in units of the coupling's along the same direction.
  [[nodiscard]] double ratio() const noexcept { return values_.maxCoeff(); }
  /// Solves (K_vc + PSD(K_c)) x = b.
  [[nodiscard]] Vector6 solve(const Vector6& b) const noexcept;
  /// The x of least model energy x^T (K_vc + PSD(K_c)) x / 2 - b^T x among those with
  /// x^T K_vc x <= radius^2: bent from solve(b) toward what the push itself wants. [sqrt(J)]
  [[nodiscard]] Vector6 solveWithin(const Vector6& b, double radius) const noexcept;
  /// sqrt(x^T K_vc x) [sqrt(J)].
  [[nodiscard]] double lengthOf(const Vector6& x) const noexcept {
    return root_.cwiseProduct(x).norm();
  }
  /// b^T x - x^T (K_vc + PSD(K_c)) x / 2: what the model says a step gains [J].
  [[nodiscard]] double gainOf(const Vector6& b, const Vector6& x) const noexcept;
  /// A stiffness that resists x alone, `ratio` times as stiff as the coupling is to it.
  [[nodiscard]] collision::Stiffness along(const Vector6& x, double ratio) const noexcept;
  /// K_vc + PSD(K_c).
  [[nodiscard]] collision::Stiffness sum() const noexcept;
  /// (K_vc^-1 + PSD(K_c)^-1)^-1; zero where the contact gives way.
  [[nodiscard]] collision::Stiffness felt() const noexcept;
  [[nodiscard]] bool isFinite() const noexcept { return isFinite_; }

 private:
  [[nodiscard]] collision::Stiffness withValues(const Vector6& values) const noexcept;

  Vector6 root_;    // of the coupling's stiffness
  Vector6 values_;  // not negative
  collision::Stiffness directions_;
  bool isFinite_ = true;
};

}  // namespace tactus::response
