#pragma once
#include <cstdint>

/// Whose gradient is ideal. Of two solids, A stands still and B moves; E is for K = 1 N/m^3 or
/// k = 1 Pa.
///
/// How all ideals are computed: the lesser of two depths at a point is the number of depths t at
/// which the point is deeper than t below both surfaces. So the integral of depth is one over t of
/// the *volume* that A and B share when a layer of thickness t is taken off both (or off A alone),
/// and its gradient is that of these volumes: a sum over faces. Boxes, cones, balls, cylinders and
/// squares stay what they are when a layer is taken off; a square hole gets round corners.
namespace tactus::studies {

enum class IdealLaw : std::uint8_t {
  Depth,     ///< E = integral of min(d_A, d_B) over what both share: the default law of the trees
  DepthOfA,  ///< E = integral of d_A: points of B in A's voxmap
  Volume,    ///< E = volume
};

}  // namespace tactus::studies
