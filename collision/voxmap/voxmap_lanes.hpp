// The vector code that samples a voxmap: distance, gradient and layer of sixteen points at a time.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <cstddef>
#include <cstdint>

#include "collision/voxmap/voxmap.hpp"
#include "models/lanes/lanes.hpp"
#include "models/lanes/scattered_rows.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_VOXMAP_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_VOXMAP_LANES
#undef TACTUS_VOXMAP_LANES
#else
#define TACTUS_VOXMAP_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

/// Of sixteen points.
struct FieldSample16 {
  F32x16 value;                            ///< signed distance, negative inside [m]
  F32x16 gradientX, gradientY, gradientZ;  ///< of the interpolated distance
};

/// Of the voxels that sixteen points lie in.
struct FieldLayer16 {
  F32x16 layer;                      ///< whole numbers: 0, 1, 2, ... from the surface inward
  F32x16 centreX, centreY, centreZ;  ///< [m]
};

/// One axis: where in the grid a coordinate is.
struct LatticePlace {
  F32x16 brick;   ///< number along the axis
  F32x16 within;  ///< voxels from the brick's first lattice point, 0 to 7
  F32x16 beyond;  ///< voxels out of the grid, with sign
};

LANES_INLINE LatticePlace latticePlace(F32x16 voxels, std::int32_t bricks) {
  constexpr auto kCells = static_cast<float>(Voxmap::kCells);
  const F32x16 held = min(max(voxels, 0.0F), kCells * static_cast<float>(bricks));
  // a point beside a brick's border may get the neighbour: both have the same value there
  const F32x16 brick = min(floor(held * (1.0F / kCells)), static_cast<float>(bricks - 1));
  return {brick, min(max(held - brick * kCells, 0.0F), kCells), voxels - held};
}

LANES_INLINE F32x16 mix(F32x16 from, F32x16 to, F32x16 share) {
  return from + (to - from) * share;
}

/// The cells of the map that sixteen points lie in, and where in them.
struct FieldCells16 {
  alignas(64) std::int32_t first[kLanes];  ///< number of the lowest corner's value
  bool areFine;                            ///< all of them are cells of bricks
  I32x16 offset;                           ///< what is to be added to the values [units]
  F32x16 tx, ty, tz;                       ///< where in the cell, 0 to 1
  F32x16 scale;  ///< voxels that the cell is long, inverse: less than 1 if coarse
  F32x16 beyondX, beyondY, beyondZ;  ///< out of the grid [voxels]
};

/// At points relative to the map's origin. Reads which bricks there are, and no value.
LANES_INLINE FieldCells16 fieldCells(const Voxmap::Arrays& map, F32x16 x, F32x16 y, F32x16 z) {
  const float perVoxel = 1.0F / map.voxel;
  const LatticePlace px = latticePlace(x * perVoxel, map.size[0]);
  const LatticePlace py = latticePlace(y * perVoxel, map.size[1]);
  const LatticePlace pz = latticePlace(z * perVoxel, map.size[2]);
  const I32x16 bx = wholeToInt(px.brick);
  const I32x16 by = wholeToInt(py.brick);
  const I32x16 bz = wholeToInt(pz.brick);

  const std::int32_t* places = map.places.data();
  const I32x16 place = ((bz * map.size[1] + by) * map.size[0] + bx) * 2;
  const I32x16 brick = gather(places, place);
  const I32x16 offset = gather(places, place + 1);
  const auto isCoarse = brick < I32x16(0);
  const auto isCoarseFloat = maskOf<float>(isCoarse);

  // a coarse cell is one cell seven times as large, between corners that have a stride of their own
  constexpr float kLast = static_cast<float>(Voxmap::kCells - 1);
  constexpr auto kPoints = static_cast<float>(Voxmap::kPoints);
  constexpr float kShrink = 1.0F / static_cast<float>(Voxmap::kCells);
  const F32x16 cellX = select(isCoarseFloat, 0.0F, min(floor(px.within), kLast));
  const F32x16 cellY = select(isCoarseFloat, 0.0F, min(floor(py.within), kLast));
  const F32x16 cellZ = select(isCoarseFloat, 0.0F, min(floor(pz.within), kLast));
  const F32x16 scale = select(isCoarseFloat, kShrink, 1.0F);
  const F32x16 tx = (px.within - cellX) * scale;
  const F32x16 ty = (py.within - cellY) * scale;
  const F32x16 tz = (pz.within - cellZ) * scale;

  const std::int32_t cornersX = map.size[0] + 1;
  const std::int32_t cornersXY = cornersX * (map.size[1] + 1);
  const I32x16 coarse = bz * cornersXY + by * cornersX + bx;
  const I32x16 fine = brick * static_cast<std::int32_t>(Voxmap::kValues) +
                      static_cast<std::int32_t>(map.corners()) +
                      wholeToInt((cellZ * kPoints + cellY) * kPoints + cellX);
  FieldCells16 cells;
  store(select(isCoarse, coarse, fine), cells.first);
  cells.areFine = none(isCoarse);
  cells.offset = offset;
  cells.tx = tx;
  cells.ty = ty;
  cells.tz = tz;
  cells.scale = scale;
  cells.beyondX = px.beyond;
  cells.beyondY = py.beyond;
  cells.beyondZ = pz.beyond;
  return cells;
}

/// From one layer of a brick's values to the next.
constexpr int kSliceOfBrick = Voxmap::kPoints * Voxmap::kPoints;

/// From one corner of a cell to the next, along y and z.
struct FieldStrides16 {
  I32x16 y, z;
};

LANES_INLINE FieldStrides16 stridesOf(const Voxmap::Arrays& map, const FieldCells16& cells) {
  const std::int32_t cornersX = map.size[0] + 1;
  const std::int32_t cornersXY = cornersX * (map.size[1] + 1);
  const auto isCoarse = maskOf<std::int32_t>(cells.scale < 1.0F);
  return {select(isCoarse, cornersX, Voxmap::kPoints), select(isCoarse, cornersXY, kSliceOfBrick)};
}

/// Has the values of the cells fetched, for fieldIn() a little later. Rows along x that are next to
/// each other along y are on one cache line three times out of four; if only their lower ones were
/// fetched, nearly each sixteen points would wait once for the memory.
LANES_INLINE void prefetchValues(const Voxmap::Arrays& map, const FieldCells16& cells) {
  const std::int16_t* const values = map.values.data();
  if (cells.areFine) {
    for (const std::int32_t first : cells.first) {
      const std::int16_t* const corner = values + first;
      __builtin_prefetch(corner);
      __builtin_prefetch(corner + Voxmap::kPoints);
      __builtin_prefetch(corner + kSliceOfBrick);
      __builtin_prefetch(corner + kSliceOfBrick + Voxmap::kPoints);
    }
    return;
  }
  alignas(64) std::array<std::int32_t, 4 * kLanes> rows;
  const FieldStrides16 strides = stridesOf(map, cells);
  const I32x16 first = load(static_cast<const std::int32_t*>(cells.first));
  store(first, rows.data());
  store(first + strides.y, rows.data() + kLanes);
  store(first + strides.z, rows.data() + 2 * kLanes);
  store(first + strides.y + strides.z, rows.data() + 3 * kLanes);
  for (const std::int32_t row : rows)
    __builtin_prefetch(values + row);
}

/// Values of a cell's four edges along x: at (y, z) of (0, 0), (1, 0), (0, 1) and (1, 1).
LANES_INLINE FourShortPairs cornersOf(const Voxmap::Arrays& map, const FieldCells16& cells) {
  const std::int16_t* const values = map.values.data();
  if (cells.areFine) return loadRows(values, cells.first, Voxmap::kPoints, kSliceOfBrick);
  const I32x16 at = load(static_cast<const std::int32_t*>(cells.first));
  const auto [strideY, strideZ] = stridesOf(map, cells);
  return {{gatherPairs(values, at), gatherPairs(values, at + strideY),
           gatherPairs(values, at + strideZ), gatherPairs(values, at + strideY + strideZ)}};
}

/// The trilinear distance and its gradient. Continuous, and the gradient is that of the value,
/// wherever it has one.
LANES_INLINE FieldSample16 fieldIn(const Voxmap::Arrays& map, const FieldCells16& cells) {
  const float perVoxel = 1.0F / map.voxel;
  const auto& [at, areFine, offset, tx, ty, tz, scale, beyondX, beyondY, beyondZ] = cells;
  const FourShortPairs corners = cornersOf(map, cells);
  const auto& [v00, v10, v01, v11] = corners.row;

  // slopes along x of the four edges, values on them, and so on up the axes; in units
  const F32x16 first00 = toFloat(v00.first);
  const F32x16 first10 = toFloat(v10.first);
  const F32x16 first01 = toFloat(v01.first);
  const F32x16 first11 = toFloat(v11.first);
  const F32x16 slope00 = toFloat(v00.second) - first00;
  const F32x16 slope10 = toFloat(v10.second) - first10;
  const F32x16 slope01 = toFloat(v01.second) - first01;
  const F32x16 slope11 = toFloat(v11.second) - first11;
  const F32x16 edge00 = first00 + slope00 * tx;
  const F32x16 edge10 = first10 + slope10 * tx;
  const F32x16 edge01 = first01 + slope01 * tx;
  const F32x16 edge11 = first11 + slope11 * tx;
  const F32x16 face0 = mix(edge00, edge10, ty);
  const F32x16 face1 = mix(edge01, edge11, ty);
  const F32x16 inCell = mix(face0, face1, tz);
  const F32x16 alongX = mix(mix(slope00, slope10, ty), mix(slope01, slope11, ty), tz);
  const F32x16 alongY = mix(edge10 - edge00, edge11 - edge01, tz);
  const F32x16 alongZ = face1 - face0;

  const F32x16 units = select(scale < 1.0F, static_cast<float>(map.coarseUnits), 1.0F);
  const F32x16 slopeUnit = units * scale * (map.unit * perVoxel);
  const F32x16 squared = beyondX * beyondX + beyondY * beyondY + beyondZ * beyondZ;
  const F32x16 beyond = sqrt(squared);
  const F32x16 perBeyond = 1.0F / max(beyond, 1e-30F);
  return {(toFloat(offset) + inCell * units) * map.unit + beyond * map.voxel,
          select(beyondX == 0.0F, alongX * slopeUnit, 0.0F) + beyondX * perBeyond,
          select(beyondY == 0.0F, alongY * slopeUnit, 0.0F) + beyondY * perBeyond,
          select(beyondZ == 0.0F, alongZ * slopeUnit, 0.0F) + beyondZ * perBeyond};
}

/// Both at once.
LANES_INLINE FieldSample16 sampleField(const Voxmap::Arrays& map, F32x16 x, F32x16 y, F32x16 z) {
  return fieldIn(map, fieldCells(map, x, y, z));
}

/// The layers of the points' voxels, and where these are. A point out of the grid is in a voxel of
/// a lattice that goes on there.
LANES_INLINE FieldLayer16 sampleLayer(const Voxmap::Arrays& map, F32x16 x, F32x16 y, F32x16 z) {
  const float perVoxel = 1.0F / map.voxel;
  const F32x16 cx = floor(x * perVoxel + 0.5F) * map.voxel;
  const F32x16 cy = floor(y * perVoxel + 0.5F) * map.voxel;
  const F32x16 cz = floor(z * perVoxel + 0.5F) * map.voxel;
  const F32x16 distance = sampleField(map, cx, cy, cz).value;
  return {floor(0.5F - distance * perVoxel), cx, cy, cz};
}

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_VOXMAP_LANES
