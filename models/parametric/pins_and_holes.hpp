#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// The block with a square and a round hole, and the plate with the pins that fit them.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 6.4.2, scenarios III and IV: block b = 2a wide and a thick, holes of the side and the
/// diameter c through its thickness, pins of length a. The figure's proportions, which the text
/// does not give, are fixed here: c = a / 3, holes at -b/4 (square) and +b/4 (round) along x,
/// block a high.
///
/// Pins have exactly the size of the holes, loose ones are thinner: all of them scaled would no
/// longer be as far from each other as the holes. At the identity pose the pins fill the holes and
/// the base's face lies on the block's face z = -a/2.
constexpr double kPinsA = 0.060;              ///< thickness of the block, length of the pins [m]
constexpr double kPinsB = 2.0 * kPinsA;       ///< extent along x [m]
constexpr double kPinsC = kPinsA / 3.0;       ///< side of the square, diameter of the circle [m]
constexpr double kPinsPlace = 0.25 * kPinsB;  ///< of the axes along x: square -, round + [m]
constexpr double kPinsBase = kPinsC;          ///< thickness of the base [m]
constexpr double kPinsClearance = 0.3e-3;     ///< of a loose pin to each wall of its hole [m]

/// Centred on the origin, holes along z.
[[nodiscard]] Mesh makeBlockWithHoles(std::size_t triangles);

/// Origin in the middle of the pins; the base lies in -a/2 - kPinsBase <= z <= -a/2.
[[nodiscard]] Mesh makePins(std::size_t triangles);

/// The same with pins that a hand can put into the holes, kPinsClearance off their walls.
[[nodiscard]] Mesh makeLoosePins(std::size_t triangles);

}  // namespace tactus::models
