#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "response/wrench.hpp"

namespace tactus::studies {

/// Force and torque as one vector, so that both are integrated at once.
using WrenchVector = Eigen::Matrix<double, 6, 1>;

[[nodiscard]] inline response::Wrench wrenchOf(const WrenchVector& vector) {
  return {vector.head<3>(), vector.tail<3>()};
}

/// Integral of a function over an interval by Gauss's rule of eight points in `panels` equal parts.
///
/// The integrands of the ideals have kinks, where the rule errs by the square of a part's length.
template <typename Function>
[[nodiscard]] auto integral(const Function& function, double from, double to, int panels) {
  // M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 1964, table 25.4.
  constexpr std::array kPlaces = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
  constexpr std::array kWeights = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                   0.1012285362903763};
  const double half = 0.5 * (to - from) / panels;
  using Value = decltype(function(from));
  Value sum = 0.0 * function(from);
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = from + (2.0 * panel + 1.0) * half;
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
      const Value both =
          function(middle - kPlaces[i] * half) + function(middle + kPlaces[i] * half);
      sum += kWeights[i] * half * both;
    }
  }
  return sum;
}

}  // namespace tactus::studies
