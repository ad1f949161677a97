// Points of a shell at their place in a map, and what the map says of them, sixteen at a time.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include "collision/pointshell/posed_points.hpp"
#include "collision/voxmap/voxmap_lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_POSED_POINTS_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_POSED_POINTS_LANES
#undef TACTUS_POSED_POINTS_LANES
#else
#define TACTUS_POSED_POINTS_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

struct Spots16 {
  F32x16 x, y, z;
};

/// From the shell's coordinates into the map's.
LANES_INLINE Spots16 placed(const PosedPoints& p, F32x16 x, F32x16 y, F32x16 z) {
  const std::array<float, 9>& r = p.rotation;
  return {r[0] * x + r[1] * y + r[2] * z + p.offset[0],
          r[3] * x + r[4] * y + r[5] * z + p.offset[1],
          r[6] * x + r[7] * y + r[8] * z + p.offset[2]};
}

/// Distances that hold also out of the map's grid, where the map adds the way to the border: that
/// is too much for deciding what can be left out.
struct Reach16 {
  F32x16 least;   ///< the surface is no nearer, as good as the field is [m]
  F32x16 likely;  ///< there is a point of the surface about as near as this [m]
};

/// The places in the map's grid that are nearest to these.
LANES_INLINE Spots16 heldInGrid(const Voxmap::Arrays& map, const Spots16& at) {
  const float voxels = map.voxel * static_cast<float>(Voxmap::kCells);
  return {min(max(at.x, 0.0F), voxels * static_cast<float>(map.size[0])),
          min(max(at.y, 0.0F), voxels * static_cast<float>(map.size[1])),
          min(max(at.z, 0.0F), voxels * static_cast<float>(map.size[2]))};
}

/// `cells` are those of heldInGrid().
LANES_INLINE Reach16 reachIn(const Voxmap::Arrays& map, const Spots16& at,
                             const FieldCells16& cells) {
  const Spots16 held = heldInGrid(map, at);
  const FieldSample16 field = fieldIn(map, cells);
  const F32x16 outX = at.x - held.x;
  const F32x16 outY = at.y - held.y;
  const F32x16 outZ = at.z - held.z;
  const F32x16 out = outX * outX + outY * outY + outZ * outZ;
  const auto isOut = out > 0.0F;
  if (none(isOut)) return {field.value, field.value};
  // The surface lies in the grid, which is convex: from any of its points the border's nearest one
  // and the place out there are seen at a right angle or less.
  const F32x16 outside = max(field.value, 0.0F);
  const F32x16 least = sqrt(out + outside * outside);
  // the point of the surface that is nearest to the border's
  const F32x16 slope = sqrt(field.gradientX * field.gradientX + field.gradientY * field.gradientY +
                            field.gradientZ * field.gradientZ);
  const F32x16 down = field.value / max(slope, 1e-3F);
  const F32x16 toX = outX + down * field.gradientX;
  const F32x16 toY = outY + down * field.gradientY;
  const F32x16 toZ = outZ + down * field.gradientZ;
  const F32x16 likely = sqrt(toX * toX + toY * toY + toZ * toZ);
  return {select(isOut, least, field.value), select(isOut, max(likely, least), field.value)};
}

LANES_INLINE Reach16 reachOf(const Voxmap::Arrays& map, const Spots16& at) {
  const Spots16 held = heldInGrid(map, at);
  return reachIn(map, at, fieldCells(map, held.x, held.y, held.z));
}

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_POSED_POINTS_LANES
