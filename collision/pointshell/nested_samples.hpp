#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/pointshell/point_grid.hpp"
#include "models/mesh/parallel_while.hpp"

namespace tactus::collision {

/// Chooses `count` of many spots on a surface of `area` so that they are spread evenly, and orders
/// them so that the first n of them, for any n, are spread evenly, too.
///
/// Source: C. Yuksel, "Sample Elimination for Generating Poisson Disk Sample Sets", 2015, with its
/// progressive order. How ours differs: distances are those of apartness(), so that thin plates and
/// sharp edges have points on each side.
///
/// Method: the spot that is crowded most goes first, by the sum over its neighbours of
/// (1 - d / 2 r)^8, r the largest radius that `count` discs on the area can have. Then half of
/// those that are left go by the radius for that half, and so on; what goes later comes earlier in
/// the order. Where nobody is crowded any more before enough are gone, the radius is doubled: on a
/// rod or plate that is thinner than the radius points are further apart than on an area that is
/// all of one piece, and which of them went would else be left to their numbers.
///
/// `spots` should be four times `count` or more. The order depends on the spots alone, not on
/// `threads` (0: one a core). Returns all of them if there are fewer, and none if `goesOn` ends it.
[[nodiscard]] std::vector<std::uint32_t> nestedSamples(std::span<const SurfaceSpot> spots,
                                                       std::size_t count, double area,
                                                       unsigned threads = 0,
                                                       const models::GoesOn& goesOn = {});

/// How far apart evenly spread points are, at most: of the hexagonal lattice [m].
[[nodiscard]] double latticeSpacing(double area, std::size_t count) noexcept;

}  // namespace tactus::collision
