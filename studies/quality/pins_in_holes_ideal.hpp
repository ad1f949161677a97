#pragma once
#include <Eigen/Core>

#include "response/wrench.hpp"
#include "studies/quality/ideal_law.hpp"

namespace tactus::studies {

/// A block with holes of the length a through it, along z, and pins of exactly their size in them.
/// The pins stand on a base which is `gap` away from the block, so their tops are `gap` below the
/// block's upper face. Middles of the holes, the side of the square one and the diameter of the
/// round one are those of the built-in models; a pin that is not in a hole is not asked for.
struct SquarePin {
  double side = 0.0;    ///< of pin and hole [m]
  double length = 0.0;  ///< of the hole [m]
  double gap = 0.0;     ///< [m]
};
struct RoundPin {
  double radius = 0.0;  ///< of pin and hole [m]
  double length = 0.0;  ///< of the hole [m]
  double gap = 0.0;     ///< [m]
};

/// The exact wrench on a square pin that is turned by 0 < `angle` < pi/2 about the hole's axis,
/// about the middle of the pin.
///
/// Each of its corners is a right-angled triangle in the wall, h high and h (tan + cot) wide, with
/// h = c/2 (sqrt(2) cos(pi/4 - angle) - 1).
[[nodiscard]] response::Wrench idealWrenchOfTurn(const SquarePin& pin, double angle, IdealLaw law);

/// The exact wrench on a square pin that is shifted by less than half of its side, about the middle
/// of the pin.
///
/// Its sides are cut where they leave the hole, which has round corners below its surface.
[[nodiscard]] response::Wrench idealWrenchOfShift(const SquarePin& pin,
                                                  const Eigen::Vector2d& shift, IdealLaw law);

/// The same on a round pin that is shifted by less than its radius.
[[nodiscard]] response::Wrench idealWrenchOfShift(const RoundPin& pin, const Eigen::Vector2d& shift,
                                                  IdealLaw law);

}  // namespace tactus::studies
