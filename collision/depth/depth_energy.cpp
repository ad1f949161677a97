#include "collision/depth/depth_energy.hpp"

#include <algorithm>
#include <array>

#include "collision/surface/float_pose.hpp"

#define TACTUS_LANES_FILE "collision/depth/depth_energy.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_DEPTH_DEPTH_ENERGY_ONCE
#define TACTUS_COLLISION_DEPTH_DEPTH_ENERGY_ONCE
namespace tactus::collision {

/// The walked field stands still, and the other one moves.
struct DepthProblem {
  const DepthField::Arrays* walked;
  const SolidCubes* cubes;  ///< of the walked one
  const DepthField::Arrays* other;
  std::array<float, 9> turn;    ///< row by row: from corners of the walked to those of the other
  std::array<float, 3> offset;  ///< where the walked field's first corner is
  std::array<float, 9> back;    ///< row by row: a direction of the other's in the walked frame
  DepthSettings settings;
};

struct DepthSums {
  double energy = 0.0;
  std::array<double, 3> force{}, torque{};  ///< on the other, about the middle of the walked field
  /// Upper triangle, row by row, of what stiffnessOf() describes.
  std::array<double, 21> products{};
  std::size_t halves = 0;  ///< halves of cubes that were looked at
};

/// Arrays of a batch.
enum Waiting : std::size_t {
  kP,
  kPx,
  kPy,
  kPz,
  kQ,
  kQx,
  kQy,
  kQz,
  kX,
  kY,
  kZ,
  kWeight,  ///< how much of the cube counts
  kWaitingArrays
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kHalfDiagonal = 0.8660254F;  // of a cube of side 1
// Gauss's two points, from the middle of a side 1.
constexpr float kGauss = 0.2886751F;
// A cube is told to be outside by its middle: interpolation and sharpening move depths by less than
// this share of a finest cube's side.
constexpr float kDoubt = 0.5F;
// Axes are compared by squares of slopes, which are 1 where a depth falls off straight. Below this
// the depths run side by side, and what counts is how the other's falls off; below kFlat it does
// not.
constexpr float kParallel = 0.01F;
constexpr float kFlat = 1e-4F;
// Lines along an axis count from this share of the best axis's score on. Where that axis is across
// the other's surface, lines along it would enter its solid all at once.
constexpr float kLeastScore = 0.3F;
// A cube is looked at in eight halves where the other's depth bends, as it does at an edge. That
// fades in while its middle is off the plane around it by the first to the second of these shares
// of a side. Surfaces whose radius is ten sides are off by 0.008.
constexpr float kBendsFrom = 0.015F;
constexpr float kBendsAt = 0.04F;
// Which matters where the other solid ends, or the lesser depth changes: at planes that are nearer
// to the middle than the second of these numbers of sides, and less up to the first.
constexpr float kFarOff = 1.1F;
constexpr float kNearBy = 0.75F;
// Two planes through the same depths, one by value and gradient at the middle, the other through
// points around it, are hardly further from each other in a cube than this share of its side, also
// where the depths bend the other way than at an edge.
constexpr float kDiffers = 0.5F;
// Nowhere in a cube is a depth less than at its middle by more sides than this, whatever it is
// between: half a diagonal, and a little for sharpened values.
constexpr float kFallsBy = 1.05F;
// Where the depths differ by less than this over a cube's side they are as good as equal, and
// either counts for a share: faces of two solids that lie in one plane would push as rounding has
// it.
constexpr float kTie = 0.02F;
// Slower changes of depth along a line, as a share of a cube's side, are as good as none.
constexpr float kLevel = 1e-6F;

struct Arrow {
  F32x16 x, y, z;
};

LANES_INLINE Arrow turned(const std::array<float, 9>& r, const Arrow& v) {
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

struct Depth {
  F32x16 value;    ///< [m]
  Arrow gradient;  ///< [m/m]
};

LANES_INLINE F32x16 between(F32x16 from, F32x16 to, F32x16 share) {
  return from + (to - from) * share;
}

/// At places in units of cubes, from the first corner.
template <bool wantsGradient>
[[gnu::noinline]] void depthAt(const DepthField::Arrays& field, const Arrow& at, Depth& depth) {
  const auto& size = field.size;
  const auto held = [&](F32x16 x, std::size_t k) {
    return min(max(x, 0.0F), static_cast<float>(size[k] - 1));
  };
  const auto cube = [&](F32x16 x, std::size_t k) {
    return toInt(min(x, static_cast<float>(size[k]) - 1.5F));
  };
  const F32x16 x = held(at.x, 0);
  const F32x16 y = held(at.y, 1);
  const F32x16 z = held(at.z, 2);
  const I32x16 ix = cube(x, 0);
  const I32x16 iy = cube(y, 1);
  const I32x16 iz = cube(z, 2);
  const F32x16 fx = x - toFloat(ix);
  const F32x16 fy = y - toFloat(iy);
  const F32x16 fz = z - toFloat(iz);
  const I32x16 first = (iz * size[1] + iy) * size[0] + ix;
  const std::int16_t* const values = field.values.data();
  const ShortPairs low = gatherPairs(values, first);
  const ShortPairs lowNext = gatherPairs(values, first + size[0]);
  const ShortPairs high = gatherPairs(values, first + size[0] * size[1]);
  const ShortPairs highNext = gatherPairs(values, first + (size[0] * size[1] + size[0]));
  const F32x16 a = toFloat(low.first);
  const F32x16 b = toFloat(lowNext.first);
  const F32x16 c = toFloat(high.first);
  const F32x16 d = toFloat(highNext.first);
  const F32x16 ax = toFloat(low.second) - a;
  const F32x16 bx = toFloat(lowNext.second) - b;
  const F32x16 cx = toFloat(high.second) - c;
  const F32x16 dx = toFloat(highNext.second) - d;
  const F32x16 onA = a + ax * fx;
  const F32x16 onB = b + bx * fx;
  const F32x16 onC = c + cx * fx;
  const F32x16 onD = d + dx * fx;
  const F32x16 below = between(onA, onB, fy);
  const F32x16 above = between(onC, onD, fy);
  if constexpr (wantsGradient) {
    const float slope = field.unit / field.side;
    depth.gradient = {slope * between(between(ax, bx, fy), between(cx, dx, fy), fz),
                      slope * between(onB - onA, onD - onC, fz), slope * (above - below)};
  }
  const F32x16 value = field.unit * between(below, above, fz);
  // what is outside of the grid is at least as far from the object as from the grid
  const F32x16 ox = at.x - x;
  const F32x16 oy = at.y - y;
  const F32x16 oz = at.z - z;
  const F32x16 squared = ox * ox + oy * oy + oz * oz;
  depth.value = value;
  if (any(squared > 0.0F)) {
    const F32x16 beyond = field.side * sqrt(squared);
    depth.value = select(beyond > 0.0F, min(value + beyond, -beyond), value);
  }
}

constexpr std::size_t kStride = DepthScratch::kBatch + 2 * kLanes;

LANES_INLINE void addCross(const std::array<F32x16, 3>& r, const std::array<F32x16, 3>& g,
                           std::array<F32x16, 3>& sums) {
  sums[0] += r[1] * g[2] - r[2] * g[1];
  sums[1] += r[2] * g[0] - r[0] * g[2];
  sums[2] += r[0] * g[1] - r[1] * g[0];
}

/// Behind a gradient g, its r x g.
LANES_INLINE void withTurns(const std::array<F32x16, 3>& r, std::array<F32x16, 6>& g) {
  g[3] = r[1] * g[2] - r[2] * g[1];
  g[4] = r[2] * g[0] - r[0] * g[2];
  g[5] = r[0] * g[1] - r[1] * g[0];
}

/// What a cube adds to a contact: a force at a place.
LANES_INLINE void storeElement(const std::array<F32x16, 3>& middle,
                               const std::array<F32x16, 3>& arm, F32x16 weight,
                               const std::array<F32x16, 3>& g, F32x16 energy, F32x16 volume,
                               float reach, float* to) {
  const auto put = [to](std::size_t array, const F32x16& value) {
    store(value, to + array * ContactCells::kStride);
  };
  const auto pushes = weight > 0.0F;
  const F32x16 perWeight = 1.0F / select(pushes, weight, 1.0F);
  for (std::size_t k = 0; k < 3; ++k) {
    put(kElementX + k, select(pushes, arm[k] * perWeight, middle[k]));
    put(kElementFx + k, weight * g[k]);
  }
  put(kElementEnergy, energy);
  put(kElementVolume, volume);
  put(kElementReach, F32x16(reach));
}

/// Cubes of one side that wait to be integrated.
struct Batch {
  float* arrays;
  std::size_t count = 0;
  float width;          ///< of its cubes, in finest ones
  double share;         ///< how much of them counts
  float splits = 0.0F;  ///< how much of a cube in which depths bend is looked at in halves
};

/// Both depths in a cube, linear.
struct Cube {
  F32x16 p, q;  ///< at the middle [m]
  std::array<F32x16, 3> gp, gq;
};

/// Integrals over a cube, of side 1.
struct Pieces {
  F32x16 sum;     ///< of the lesser depth
  F32x16 length;  ///< where it is the other's
  std::array<F32x16, 3> moments;
  F32x16 inside;  ///< of both
  F32x16 bend;    ///< where they are equal, by the slope between them
};

/// How much lines along each axis count: along it the other's depth should change, and the
/// difference of the two. Changes smoothly with the gradients.
LANES_INLINE void shareAxes(const Cube& cube, LaneMask<float> valid,
                            std::array<F32x16, 3>& shares) {
  F32x16 best = 0.0F;
  for (std::size_t k = 0; k < 3; ++k) {
    const F32x16 between = cube.gp[k] - cube.gq[k];
    shares[k] = (cube.gq[k] * cube.gq[k] + kFlat) * (between * between + kParallel);
    best = max(best, shares[k]);
  }
  F32x16 all = 0.0F;
  for (F32x16& share : shares) {
    share = max(share - kLeastScore * best, 0.0F);
    all += share;
  }
  const F32x16 perAll = select(valid, 1.0F / all, 0.0F);
  for (F32x16& share : shares)
    share *= perAll;
}

/// Four lines along axis k, at the points of Gauss's rule across.
template <std::size_t k, bool hasStiffness>
LANES_INLINE void addLines(const Cube& cube, float side, LaneMask<float> bothCount, F32x16 share,
                           Pieces& pieces) {
  constexpr std::size_t kAcross = (k + 1) % 3;
  constexpr std::size_t kBeside = (k + 2) % 3;
  const F32x16 dp = side * cube.gp[k];
  const F32x16 dq = side * cube.gq[k];
  const F32x16 acrossP = (kGauss * side) * cube.gp[kAcross];
  const F32x16 acrossQ = (kGauss * side) * cube.gq[kAcross];
  const F32x16 besideP = (kGauss * side) * cube.gp[kBeside];
  const F32x16 besideQ = (kGauss * side) * cube.gq[kBeside];
  const auto inverse = [&](const F32x16& change, float level) {
    const float least = level * side;
    return 1.0F / select(abs(change) < least, least, change);
  };
  const F32x16 perP = inverse(dp, kLevel);
  const F32x16 perQ = inverse(dq, kLevel);
  const F32x16 perBoth = inverse(dp - dq, kTie);

  F32x16 sum = 0.0F;
  F32x16 length = 0.0F;
  F32x16 along = 0.0F;
  F32x16 across = 0.0F;
  F32x16 beside = 0.0F;
  F32x16 bend = 0.0F;
  F32x16 inside = 0.0F;
  const auto addLine = [&](float u, float v) {
    const F32x16 p = cube.p + u * acrossP + v * besideP;
    const F32x16 q = cube.q + u * acrossQ + v * besideQ;
    // the part of the line, from -1/2 to 1/2, that is inside of both
    const F32x16 zeroP = -p * perP;
    const F32x16 zeroQ = -q * perQ;
    F32x16 from = max(select(perP > 0.0F, zeroP, -0.5F), -0.5F);
    F32x16 to = min(select(perP > 0.0F, 0.5F, zeroP), 0.5F);
    from = max(select(perQ > 0.0F, zeroQ, -0.5F), from);
    to = max(min(select(perQ > 0.0F, 0.5F, zeroQ), to), from);
    inside += to - from;
    const F32x16 equal = (q - p) * perBoth;
    // before or after here the other's depth counts
    const F32x16 split = min(max(equal, from), to);
    const F32x16 begin = select(bothCount & (perBoth > 0.0F), split, from);
    const F32x16 end = select(bothCount & !(perBoth > 0.0F), split, to);
    const F32x16 own = (to - from) - (end - begin);
    const F32x16 middleOfOwn = 0.5F * ((from + to) + (split - select(perBoth > 0.0F, to, from)));
    sum += own * (p + dp * middleOfOwn);
    const F32x16 counts = end - begin;
    const F32x16 moment = counts * (0.5F * (begin + end));
    sum += q * counts + dq * moment;
    length += counts;
    along += moment;
    across += u * counts;
    beside += v * counts;
    if constexpr (hasStiffness) {
      const F32x16 at = select(bothCount, equal, zeroP);
      const auto isWithin = (abs(at) < 0.5F) & (q + dq * at > 0.0F);
      bend += select(isWithin, abs(select(bothCount, perBoth, perP)), 0.0F);
    }
  };
  addLine(-1.0F, -1.0F);
  addLine(-1.0F, 1.0F);
  addLine(1.0F, -1.0F);
  addLine(1.0F, 1.0F);

  const F32x16 quarter = 0.25F * share;
  pieces.sum += quarter * sum;
  pieces.length += quarter * length;
  pieces.moments[k] += quarter * along;
  pieces.moments[kAcross] += (kGauss * quarter) * across;
  pieces.moments[kBeside] += (kGauss * quarter) * beside;
  pieces.inside += quarter * inside;
  if constexpr (hasStiffness) pieces.bend += quarter * bend;
}

template <bool hasStiffness>
[[gnu::noinline]] void integrate(const DepthField::Arrays& field, const Batch& batch,
                                 std::size_t count, bool isLesser, float* elements,
                                 DepthSums& sums) {
  const float side = batch.width * field.side;
  F32x16 energy = 0.0F;
  std::array<F32x16, 3> force;
  std::array<F32x16, 3> torque;
  std::array<F32x16, 21> products;
  force.fill(0.0F);
  torque.fill(0.0F);
  if constexpr (hasStiffness) products.fill(0.0F);
  const auto bothCount = maskOf<float>(laneNumbers() < (isLesser ? 16 : 0));
  for (std::size_t i = 0; i < count; i += kLanes) {
    const auto valid =
        maskOf<float>(laneNumbers() < static_cast<std::int32_t>(std::min(count - i, kLanes)));
    const auto read = [&](std::size_t array) {
      return select(valid, load(batch.arrays + array * kStride + i), 0.0F);
    };
    const Cube cube = {
        read(kP), read(kQ), {read(kPx), read(kPy), read(kPz)}, {read(kQx), read(kQy), read(kQz)}};
    std::array<F32x16, 3> shares;
    shareAxes(cube, valid, shares);
    Pieces pieces = {0.0F, 0.0F, {0.0F, 0.0F, 0.0F}, 0.0F, 0.0F};
    if (any(shares[0] > 0.0F)) addLines<0, hasStiffness>(cube, side, bothCount, shares[0], pieces);
    if (any(shares[1] > 0.0F)) addLines<1, hasStiffness>(cube, side, bothCount, shares[1], pieces);
    if (any(shares[2] > 0.0F)) addLines<2, hasStiffness>(cube, side, bothCount, shares[2], pieces);

    const F32x16 volume = (side * side * side) * read(kWeight);
    energy += volume * pieces.sum;
    const F32x16 weight = volume * pieces.length;
    const auto fromMiddle = [&](const F32x16& at, std::size_t k) {
      return field.side * (at - 0.5F * static_cast<float>(field.size[k] - 1));
    };
    const std::array<F32x16, 3> middle = {fromMiddle(read(kX), 0), fromMiddle(read(kY), 1),
                                          fromMiddle(read(kZ), 2)};
    std::array<F32x16, 3> arm;
    for (std::size_t k = 0; k < 3; ++k) {
      force[k] += weight * cube.gq[k];
      arm[k] = weight * middle[k] + (side * volume) * pieces.moments[k];
    }
    addCross(arm, cube.gq, torque);
    if (elements != nullptr) {
      storeElement(middle, arm, weight, cube.gq, volume * pieces.sum, volume * pieces.inside,
                   0.5F * side, elements + i);
    }
    if constexpr (hasStiffness) {
      std::array<F32x16, 6> ofP = {cube.gp[0], cube.gp[1], cube.gp[2], 0.0F, 0.0F, 0.0F};
      std::array<F32x16, 6> ofQ = {cube.gq[0], cube.gq[1], cube.gq[2], 0.0F, 0.0F, 0.0F};
      withTurns(middle, ofP);
      withTurns(middle, ofQ);
      const F32x16 half = -0.5F * volume * pieces.bend;
      std::size_t n = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        const F32x16 p = half * ofP[k];
        const F32x16 q = half * ofQ[k];
        for (std::size_t j = k; j < 6; ++j)
          products[n++] += p * ofQ[j] + q * ofP[j];
      }
    }
  }
  const auto total = [&batch](const F32x16& all) {
    return batch.share * models::lanes::HWY_NAMESPACE::sum(toDouble(all));
  };
  sums.energy += total(energy);
  for (std::size_t k = 0; k < 3; ++k) {
    sums.force[k] += total(force[k]);
    sums.torque[k] += total(torque[k]);
  }
  if constexpr (hasStiffness) {
    for (std::size_t k = 0; k < products.size(); ++k)
      sums.products[k] += total(products[k]);
  }
}

/// The walked field in finest cubes, by their lower corners: all numbers up to the last product are
/// whole, so nothing is lost.
LANES_INLINE Depth depthIn(const DepthField::Arrays& field, I32x16 x, I32x16 y, I32x16 z) {
  const auto& size = field.size;
  const I32x16 first = (z * size[1] + y) * size[0] + x;
  const std::int16_t* const values = field.values.data();
  const ShortPairs a = gatherPairs(values, first);
  const ShortPairs b = gatherPairs(values, first + size[0]);
  const ShortPairs c = gatherPairs(values, first + size[0] * size[1]);
  const ShortPairs d = gatherPairs(values, first + (size[0] * size[1] + size[0]));
  const I32x16 low = a.first + b.first + c.first + d.first;
  const I32x16 high = a.second + b.second + c.second + d.second;
  const I32x16 onA = a.first + a.second;
  const I32x16 onB = b.first + b.second;
  const I32x16 onC = c.first + c.second;
  const I32x16 onD = d.first + d.second;
  const float slope = 0.25F * field.unit / field.side;
  return {(0.125F * field.unit) * toFloat(low + high),
          {slope * toFloat(high - low), slope * toFloat((onB + onD) - (onA + onC)),
           slope * toFloat((onC + onD) - (onA + onB))}};
}

/// In units of the other field's cubes, from its first corner.
LANES_INLINE Arrow thereOf(const DepthProblem& problem, const Arrow& middle) {
  const Arrow there = turned(problem.turn, middle);
  return {there.x + problem.offset[0], there.y + problem.offset[1], there.z + problem.offset[2]};
}

/// The other field's depth in cubes, as the plane through four corners of the smaller cube that
/// Gauss's points make: a mean over the cube, and slopes that do not jump where cells of that field
/// meet. Neighbouring cubes have the corners that the other one leaves out, so that depths that are
/// bent do not make them lean.
[[gnu::noinline]] void otherIn(const DepthProblem& problem, const Arrow& middle, float width,
                               Depth& q) {
  const F32x16 number = (middle.x + middle.y + middle.z) * (1.0F / width) - 1.5F;
  const F32x16 isOdd = number - 2.0F * floor(0.5F * number);
  const F32x16 reach = (kGauss * width) * (1.0F - 2.0F * isOdd);
  const Arrow there = thereOf(problem, middle);
  const std::array<float, 9>& turn = problem.turn;
  const Arrow x = {reach * turn[0], reach * turn[3], reach * turn[6]};
  const Arrow y = {reach * turn[1], reach * turn[4], reach * turn[7]};
  const Arrow z = {reach * turn[2], reach * turn[5], reach * turn[8]};
  Depth a;
  Depth b;
  Depth c;
  Depth d;
  depthAt<false>(
      *problem.other,
      {there.x - (x.x + y.x + z.x), there.y - (x.y + y.y + z.y), there.z - (x.z + y.z + z.z)}, a);
  depthAt<false>(
      *problem.other,
      {there.x - (x.x - y.x - z.x), there.y - (x.y - y.y - z.y), there.z - (x.z - y.z - z.z)}, b);
  depthAt<false>(
      *problem.other,
      {there.x + (x.x - y.x + z.x), there.y + (x.y - y.y + z.y), there.z + (x.z - y.z + z.z)}, c);
  depthAt<false>(
      *problem.other,
      {there.x + (x.x + y.x - z.x), there.y + (x.y + y.y - z.y), there.z + (x.z + y.z - z.z)}, d);
  q.value = 0.25F * ((a.value + b.value) + (c.value + d.value));
  const F32x16 perReach = (0.25F / problem.walked->side) / reach;
  q.gradient = {perReach * ((c.value + d.value) - (a.value + b.value)),
                perReach * ((b.value + d.value) - (a.value + c.value)),
                perReach * ((b.value + c.value) - (a.value + d.value))};
}

/// By how much a linear depth is more than at the middle, at its deepest corner of a cube.
LANES_INLINE F32x16 rise(const Arrow& gradient, float halfSide) {
  return halfSide * (abs(gradient.x) + abs(gradient.y) + abs(gradient.z));
}

LANES_INLINE Arrow plus(const Arrow& a, const Arrow& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
/// Sixteen cubes of a batch.
struct Waits {
  Depth p, q;
  Arrow middle;  ///< in units of the finest cubes
  F32x16 weight;
};

LANES_INLINE void readWaits(const Batch& batch, std::size_t i, LaneMask<float> valid,
                            Waits& waits) {
  const auto read = [&](std::size_t array) {
    return select(valid, load(batch.arrays + array * kStride + i), 0.0F);
  };
  waits = {{read(kP), {read(kPx), read(kPy), read(kPz)}},
           {read(kQ), {read(kQx), read(kQy), read(kQz)}},
           {read(kX), read(kY), read(kZ)},
           read(kWeight)};
}

/// At place `count` of a batch; returns how many.
LANES_INLINE std::size_t appendWaits(const Waits& waits, LaneMask<float> which, std::size_t count,
                                     Batch& batch) {
  float* const to = batch.arrays + count;
  append(waits.p.value, which, to + kP * kStride);
  append(waits.p.gradient.x, which, to + kPx * kStride);
  append(waits.p.gradient.y, which, to + kPy * kStride);
  append(waits.p.gradient.z, which, to + kPz * kStride);
  append(waits.q.value, which, to + kQ * kStride);
  append(waits.q.gradient.x, which, to + kQx * kStride);
  append(waits.q.gradient.y, which, to + kQy * kStride);
  append(waits.q.gradient.z, which, to + kQz * kStride);
  append(waits.middle.x, which, to + kX * kStride);
  append(waits.middle.y, which, to + kY * kStride);
  append(waits.middle.z, which, to + kZ * kStride);
  return append(waits.weight, which, to + kWeight * kStride);
}

/// How much of a cube is to be looked at in halves, in which the other's depth is `off` a plane.
LANES_INLINE F32x16 halvedOf(const Waits& waits, F32x16 off, float side) {
  // where they are equal is half as far as they differ, if they run towards each other
  const F32x16 toEqual = 0.5F * abs(waits.p.value - waits.q.value);
  const F32x16 distance = min(abs(waits.q.value), toEqual);
  const F32x16 matters =
      min(max((kFarOff * side - distance) * (1.0F / ((kFarOff - kNearBy) * side)), 0.0F), 1.0F);
  return min(
      max((off * matters - kBendsFrom * side) * (1.0F / ((kBendsAt - kBendsFrom) * side)), 0.0F),
      1.0F);
}

/// Adds those of the eight halves of cubes that may hold anything.
LANES_INLINE void halve(const Waits& waits, const F32x16& weight, LaneMask<float> which, float side,
                        Batch& halves) {
  const Depth& q = waits.q;
  const F32x16 both = waits.p.value + q.value;
  const Arrow slope = plus(waits.p.gradient, q.gradient);
  const float least = -kDiffers * side;
  const float quarter = 0.25F * side;
  const F32x16 mostOfQ = rise(q.gradient, quarter);
  const F32x16 mostOfBoth = rise(slope, quarter);
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      for (const float z : {-1.0F, 1.0F}) {
        const F32x16 ofQ =
            q.value + quarter * (x * q.gradient.x + y * q.gradient.y + z * q.gradient.z) + mostOfQ;
        const F32x16 ofBoth =
            both + quarter * (x * slope.x + y * slope.y + z * slope.z) + mostOfBoth;
        const auto some = which & (ofQ > least) & (ofBoth > least);
        float* const to = halves.arrays + halves.count;
        append(waits.middle.x + 0.25F * x, some, to + kX * kStride);
        append(waits.middle.y + 0.25F * y, some, to + kY * kStride);
        append(waits.middle.z + 0.25F * z, some, to + kZ * kStride);
        halves.count += append(weight, some, to + kWeight * kStride);
      }
    }
  }
}

LANES_INLINE LaneMask<float> validOf(const Batch& batch, std::size_t i) {
  return maskOf<float>(laneNumbers() <
                       static_cast<std::int32_t>(std::min(batch.count - i, kLanes)));
}

/// Adds the walked field's depths. Leaves out cubes in which the two nowhere add up to something,
/// as they would if both were positive; moves those in which the walked field's is the lesser one
/// all over to `own`, as nothing else has to be known of the other's.
[[gnu::noinline]] void sift(const DepthProblem& problem, Batch& batch, Batch& own) {
  const DepthField::Arrays& field = *problem.walked;
  const float side = batch.width * field.side;
  const auto bothCount =
      maskOf<float>(laneNumbers() < (problem.settings.law == EnergyLaw::Depth ? 16 : 0));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count; i += kLanes) {
    const auto valid = validOf(batch, i);
    Waits waits;
    readWaits(batch, i, valid, waits);
    if (batch.width == 1.0F) {
      waits.p = depthIn(field, toInt(waits.middle.x), toInt(waits.middle.y), toInt(waits.middle.z));
    } else {
      depthAt<true>(field, waits.middle, waits.p);
    }
    const Depth& p = waits.p;
    const Depth& q = waits.q;
    const F32x16 most = (p.value + q.value) + rise(plus(p.gradient, q.gradient), 0.5F * side);
    // not by the other's gradient, which is that of one side where an edge of it passes
    const F32x16 least = (q.value - kFallsBy * side) - (p.value + rise(p.gradient, 0.5F * side));
    const auto counts = valid & (most > -kDiffers * side);
    const auto areOwn = counts & bothCount & (least > 0.0F);
    own.count += appendWaits(waits, areOwn, own.count, own);
    kept += appendWaits(waits, counts & !areOwn, kept, batch);
  }
  batch.count = kept;
}

/// Gives cubes from `from` on the other field's depths. Halves of those in which depths bend are
/// added to `halves` while there is room; returns where it ended.
[[gnu::noinline]] std::size_t complete(const DepthProblem& problem, Batch& batch, std::size_t from,
                                       std::size_t& kept, Batch* halves) {
  const DepthField::Arrays& field = *problem.walked;
  const float side = batch.width * field.side;
  std::size_t i = from;
  for (; i < batch.count && (halves == nullptr || halves->count + 8 * kLanes <= kStride);
       i += kLanes) {
    const auto valid = validOf(batch, i);
    Waits waits;
    readWaits(batch, i, valid, waits);
    const F32x16 atMiddle = waits.q.value;
    otherIn(problem, waits.middle, batch.width, waits.q);
    if (batch.width < 1.0F) depthAt<true>(field, waits.middle, waits.p);
    if (halves != nullptr) {
      const F32x16 halved = batch.splits * halvedOf(waits, abs(waits.q.value - atMiddle), side);
      const auto bends = valid & (halved > 0.0F);
      if (any(bends)) {
        halve(waits, waits.weight * halved, bends, side, *halves);
        waits.weight *= 1.0F - halved;
      }
    }
    const F32x16 most = (waits.p.value + waits.q.value) +
                        rise(plus(waits.p.gradient, waits.q.gradient), 0.5F * side);
    const auto counts = valid & (most > 0.0F) & (waits.weight > 0.0F);
    kept += appendWaits(waits, counts, kept, batch);
  }
  return i;
}

LANES_INLINE void integrateBatch(const DepthProblem& problem, const Batch& batch, std::size_t count,
                                 DepthSums& sums) {
  if (count == 0) return;
  const DepthField::Arrays& field = *problem.walked;
  const bool isLesser = problem.settings.law == EnergyLaw::Depth;
  ContactCells* const contacts = problem.settings.contacts;
  (problem.settings.wantsStiffness
       ? integrate<true>
       : integrate<false>)(field, batch, count, isLesser,
                           contacts == nullptr ? nullptr : contacts->elements(kElementX), sums);
  if (contacts != nullptr) {
    const auto share = static_cast<float>(batch.share);
    contacts->weigh({share, share, share});
    contacts->add(count);
  }
}

/// The arrays of a batch beside another one's.
LANES_INLINE float* beside(const Batch& batch, std::size_t number) {
  return batch.arrays + number * kWaitingArrays * kStride;
}

LANES_INLINE void flush(const DepthProblem& problem, Batch& batch, DepthSums& sums) {
  Batch own{beside(batch, 1), 0, batch.width, batch.share};
  sift(problem, batch, own);
  integrateBatch(problem, own, own.count, sums);
  Batch halves{beside(batch, 1), 0, 0.5F * batch.width, batch.share};
  Batch* const split = batch.splits > 0.0F ? &halves : nullptr;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count;) {
    i = complete(problem, batch, i, kept, split);
    sums.halves += halves.count;
    std::size_t keptHalves = 0;
    complete(problem, halves, 0, keptHalves, nullptr);
    integrateBatch(problem, halves, keptHalves, sums);
    halves.count = 0;
  }
  integrateBatch(problem, batch, kept, sums);
  batch.count = 0;
}

/// Where cubes with sides of `width` finest ones have their middles, in units of the finest.
LANES_INLINE Arrow middleOf(I32x16 x, I32x16 y, I32x16 z, float width) {
  return {(toFloat(x) + 0.5F) * width, (toFloat(y) + 0.5F) * width, (toFloat(z) + 0.5F) * width};
}

/// The other field's depth in the middle of cubes, with a gradient in the walked frame if there is
/// one.
template <bool wantsGradient>
LANES_INLINE void otherAt(const DepthProblem& problem, const Arrow& middle, Depth& q) {
  depthAt<wantsGradient>(*problem.other, thereOf(problem, middle), q);
  if constexpr (wantsGradient) q.gradient = turned(problem.back, q.gradient);
}

/// A batch gets the cubes of the mask; what is known of the walked field comes later.
LANES_INLINE void keep(const Arrow& middle, const Depth& q, LaneMask<float> kept, Batch& batch) {
  float* const to = batch.arrays + batch.count;
  append(q.value, kept, to + kQ * kStride);
  append(q.gradient.x, kept, to + kQx * kStride);
  append(q.gradient.y, kept, to + kQy * kStride);
  append(q.gradient.z, kept, to + kQz * kStride);
  append(middle.x, kept, to + kX * kStride);
  append(middle.y, kept, to + kY * kStride);
  append(middle.z, kept, to + kZ * kStride);
  batch.count += append(F32x16(1.0F), kept, to + kWeight * kStride);
}

constexpr std::uint32_t kBits = 10;
constexpr std::uint32_t kMask = (1U << kBits) - 1U;

struct Placed {
  std::int32_t x, y, z;
};

inline Placed placeOf(std::uint32_t cube) {
  return {static_cast<std::int32_t>(cube & kMask),
          static_cast<std::int32_t>((cube >> kBits) & kMask),
          static_cast<std::int32_t>(cube >> (2 * kBits))};
}

// The finer grid fades out while what it needs goes from the first of these shares of the cubes
// there may be to the second. Cubes that are nearly outside count less, down to nothing; kRamp of a
// cube's reach further in they count in full, so that more than nine of ten do, and the rest has
// room.
constexpr double kFadesFrom = 0.6;
constexpr double kFadedAt = 0.85;
constexpr float kRamp = 0.25F;

/// Cubes of one grid that wait to be looked at, sixteen at a time. Many are written before the
/// first is read: a read of what two writes have just put side by side would wait for both.
struct Queue {
  static constexpr std::size_t kRoom = 256;

  alignas(64) std::array<std::int32_t, kRoom + kLanes> x{}, y{}, z{};
  std::size_t count = 0;
};

LANES_INLINE void push(Queue& queue, I32x16 x, I32x16 y, I32x16 z, LaneMask<std::int32_t> which) {
  append(x, which, queue.x.data() + queue.count);
  append(y, which, queue.y.data() + queue.count);
  queue.count += append(z, which, queue.z.data() + queue.count);
}

/// Fewer than sixteen are left.
LANES_INLINE void dropFirst(Queue& queue, std::size_t count) {
  const auto toFront = [count](std::array<std::int32_t, Queue::kRoom + kLanes>& places) {
    store(load(places.data() + count), places.data());
  };
  toFront(queue.x);
  toFront(queue.y);
  toFront(queue.z);
  queue.count -= count;
}

/// Lets a batch have those of `count` cubes in which the other field may be positive somewhere.
LANES_INLINE void keepOf(const DepthProblem& problem, const Queue& queue, std::size_t begin,
                         std::size_t count, Batch& batch) {
  const Arrow middle = middleOf(load(queue.x.data() + begin), load(queue.y.data() + begin),
                                load(queue.z.data() + begin), batch.width);
  const float side = batch.width * problem.walked->side;
  Depth q;
  otherAt<true>(problem, middle, q);
  const auto exists = maskOf<float>(laneNumbers() < static_cast<std::int32_t>(count));
  const auto counts = q.value + rise(q.gradient, 0.5F * side) > -kDiffers * side;
  keep(middle, q, exists & counts, batch);
}

/// Integrates cubes of one grid as they are.
void integrateAll(const DepthProblem& problem, const std::vector<std::uint32_t>& cubes,
                  std::size_t count, float width, double share, DepthScratch& scratch,
                  DepthSums& sums) {
  Batch batch{scratch.batch.data(), 0, width, share};
  Queue queue;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t n = std::min(kLanes, count - i);
    for (std::size_t k = 0; k < n; ++k) {
      const Placed place = placeOf(cubes[i + k]);
      queue.x[k] = place.x;
      queue.y[k] = place.y;
      queue.z[k] = place.z;
    }
    keepOf(problem, queue, 0, n, batch);
    if (batch.count >= DepthScratch::kBatch) flush(problem, batch, sums);
  }
  flush(problem, batch, sums);
}

/// Appends those of `count` cubes to `to` that may be within the other solid; returns how many.
/// `near` counts them, those less that are nearly outside.
LANES_INLINE std::size_t openOf(const DepthProblem& problem, const Queue& queue, std::size_t begin,
                                std::size_t count, float width, std::uint32_t* to, F32x16& near) {
  const I32x16 x = load(queue.x.data() + begin);
  const I32x16 y = load(queue.y.data() + begin);
  const I32x16 z = load(queue.z.data() + begin);
  Depth q;
  otherAt<false>(problem, middleOf(x, y, z, width), q);
  const float reach = (kHalfDiagonal * width + kDoubt) * problem.walked->side;
  const auto open =
      maskOf<float>(laneNumbers() < static_cast<std::int32_t>(count)) & (q.value > -reach);
  near += select(open, min((q.value + reach) / (kRamp * reach), 1.0F), 0.0F);
  const I32x16 packed = x + y * (1 << kBits) + z * (1 << (2 * kBits));
  alignas(64) std::int32_t opened[kLanes];
  const std::size_t n = append(packed, maskOf<std::int32_t>(open), opened);
  for (std::size_t k = 0; k < n; ++k)
    to[k] = static_cast<std::uint32_t>(opened[k]);
  return n;
}

/// The bits of a cube's children that hold a part of the walked solid.
inline std::uint32_t childrenOf(const SolidCubes::Level& level, const Placed& place) {
  const auto at = [](auto number) { return static_cast<std::size_t>(number); };
  return level
      .children[(at(place.z) * at(level.size[1]) + at(place.y)) * at(level.size[0]) + at(place.x)];
}

void walkDepths(const DepthProblem& problem, DepthScratch& scratch, DepthEnergy& result,
                DepthSums& sums) noexcept {
  std::int32_t level = problem.cubes->top();
  alignas(64) static constexpr std::int32_t kOfX[kLanes] = {0, 1, 0, 1, 0, 1, 0, 1,
                                                            0, 1, 0, 1, 0, 1, 0, 1};
  alignas(64) static constexpr std::int32_t kOfY[kLanes] = {0, 0, 1, 1, 0, 0, 1, 1,
                                                            0, 0, 1, 1, 0, 0, 1, 1};
  alignas(64) static constexpr std::int32_t kOfZ[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                            0, 0, 0, 0, 1, 1, 1, 1};
  const I32x16 ofX = load(kOfX);
  const I32x16 ofY = load(kOfY);
  const I32x16 ofZ = load(kOfZ);
  std::size_t now = 0;
  scratch.cubes[0][0] = 0;
  std::size_t count = 1;
  double nearCount = 1.0;  // of cubes, those counting less that are nearly outside
  double looked = 0.0;     // at cubes so far, counted in the same way
  double share = 1.0;
  // How much of a grid is left out that would have `times` as many cubes as this one.
  const auto leavesOut = [&](double times) {
    const double most = problem.settings.most;
    const double all = result.cubes + times * static_cast<double>(count);
    if (all > most) return 1.0;
    const double wanted = (looked + times * nearCount) / most;
    return std::clamp((wanted - kFadesFrom) / (kFadedAt - kFadesFrom), 0.0, 1.0);
  };
  Queue queue;
  while (level > 0 && count != 0) {
    const auto parentWidth = static_cast<float>(1 << level);
    const double cut = leavesOut(8.0);
    if (cut > 0.0) {
      result.isCut = true;
      integrateAll(problem, scratch.cubes[now], count, parentWidth, share * cut, scratch, sums);
      share *= 1.0 - cut;
      if (!(share > 0.0)) return;
    }
    const double splits = level == 1 ? 1.0 - leavesOut(8.0 + 64.0) : 0.0;
    const SolidCubes::Level& parents = problem.cubes->level(level);
    --level;
    const auto width = static_cast<float>(1 << level);
    const std::vector<std::uint32_t>& from = scratch.cubes[now];
    std::vector<std::uint32_t>& to = scratch.cubes[1 - now];
    Batch batch{scratch.batch.data(), 0, width, share, static_cast<float>(splits)};
    std::size_t next = 0;
    F32x16 near = 0.0F;
    result.cubes += static_cast<std::uint32_t>(8 * count);
    looked += 8.0 * nearCount;
    for (std::size_t i = 0; i < count;) {
      for (; i < count && queue.count + kLanes <= Queue::kRoom; i += 2) {
        // two parents with eight children each
        const bool hasSecond = i + 1 < count;
        const Placed a = placeOf(from[i]);
        const Placed b = placeOf(from[hasSecond ? i + 1 : i]);
        const std::array<std::int32_t, 4> px = {2 * a.x, 2 * a.x, 2 * b.x, 2 * b.x};
        const std::array<std::int32_t, 4> py = {2 * a.y, 2 * a.y, 2 * b.y, 2 * b.y};
        const std::array<std::int32_t, 4> pz = {2 * a.z, 2 * a.z, 2 * b.z, 2 * b.z};
        const std::uint32_t bits =
            childrenOf(parents, a) | (hasSecond ? childrenOf(parents, b) << 8U : 0U);
        push(queue, repeat4(px.data()) + ofX, repeat4(py.data()) + ofY, repeat4(pz.data()) + ofZ,
             maskOfBits(bits));
      }
      const std::size_t ends = i < count ? queue.count / kLanes * kLanes : queue.count;
      for (std::size_t k = 0; k < ends; k += kLanes) {
        const std::size_t n = std::min(kLanes, ends - k);
        if (level == 0) {
          keepOf(problem, queue, k, n, batch);
          if (batch.count >= DepthScratch::kBatch) flush(problem, batch, sums);
        } else {
          next += openOf(problem, queue, k, n, width, to.data() + next, near);
        }
      }
      dropFirst(queue, ends);
    }
    if (level == 0) {
      flush(problem, batch, sums);
      result.cubes += static_cast<std::uint32_t>(sums.halves);
      return;
    }
    nearCount = static_cast<double>(sum(near));
    count = next;
    now = 1 - now;
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Second derivatives with respect to shifts, and turns about the field's middle.
///
/// The force is minus the integral of A's gradient where A's depth is the lesser one (of B's alone:
/// of B's depth times A's gradient over A's surface), in which only the border moves with B. So
/// what is left is an integral over where the depths are equal (A's surface), of -g_A g_B^T by the
/// slope between the depths: nothing has to be known of how the surfaces bend. Turns come with
/// r x g for g. That is half of each of two that the other one's transpose makes whole; they differ
/// by the force, because the point that B turns about goes with it.
Stiffness stiffnessOf(const DepthSums& sums) noexcept {
  Stiffness all = Stiffness::Zero();
  std::size_t n = 0;
  for (Eigen::Index i = 0; i < 6; ++i) {
    for (Eigen::Index j = i; j < 6; ++j)
      all(i, j) = all(j, i) = sums.products[n++];
  }
  const Matrix3d half = 0.5 * crossing({sums.force[0], sums.force[1], sums.force[2]});
  all.topRightCorner<3, 3>() += half;
  all.bottomLeftCorner<3, 3>() -= half;
  return all;
}

/// The stream of the walked field's cubes, two of which side by side make a cell: so the eight
/// children of a cube are in one cell.
ContactStream cubeStream(const DepthField& walked, const DepthField& other,
                         const Isometry3d& walkedFromOther, const Vector3d& middle) noexcept {
  const auto extent = [](const DepthField::Arrays& field) {
    return Vector3d(static_cast<double>(field.side) *
                    Vector3d(field.size[0] - 1, field.size[1] - 1, field.size[2] - 1));
  };
  const DepthField::Arrays& field = walked.arrays();
  const DepthField::Arrays& moved = other.arrays();
  ContactStream stream;
  stream.origin = middle;
  stream.anchor = field.origin;
  stream.side = 2.0 * static_cast<double>(field.side);
  Eigen::AlignedBox3d ofOther(moved.origin, moved.origin + extent(moved));
  ofOther.transform(walkedFromOther);
  stream.box =
      Eigen::AlignedBox3d(field.origin, field.origin + extent(field)).intersection(ofOther);
  return stream;
}

/// Whose cubes are walked.
enum class Walks : std::uint8_t { A, B };

/// Energy of two fields and what `other` feels: in the walked frame, about a point of it.
DepthEnergy felt(const DepthField& walked, const DepthField& other,
                 const Isometry3d& walkedFromOther, const Vector3d& about, Walks walks,
                 DepthScratch& scratch, const DepthSettings& settings) noexcept {
  const DepthField::Arrays& field = walked.arrays();
  const DepthField::Arrays& moved = other.arrays();
  const Isometry3d otherFromWalked = walkedFromOther.inverse(Eigen::Isometry);
  const auto side = static_cast<double>(field.side);
  const double perSide = 1.0 / static_cast<double>(moved.side);
  const Vector3d offset = (otherFromWalked * field.origin - moved.origin) * perSide;
  const DepthProblem problem{&field,
                             &walked.cubes(),
                             &moved,
                             rowByRow(otherFromWalked.linear() * (side * perSide)),
                             {static_cast<float>(offset.x()), static_cast<float>(offset.y()),
                              static_cast<float>(offset.z())},
                             rowByRow(walkedFromOther.linear()),
                             settings};
  DepthSums sums;
  DepthEnergy result;
  const Vector3d middle =
      field.origin + 0.5 * side * Vector3d(field.size[0] - 1, field.size[1] - 1, field.size[2] - 1);
  if (settings.contacts != nullptr) {
    ContactStream stream = cubeStream(walked, other, walkedFromOther, middle);
    stream.movesA = walks == Walks::B;
    if (stream.movesA) stream.aFromFrame = walkedFromOther.inverse(Eigen::Isometry);
    settings.contacts->begin(stream);
  }
  TACTUS_LANES_CALL(walkDepths)(problem, scratch, result, sums);
  result.energy = sums.energy;
  result.force = Vector3d(sums.force[0], sums.force[1], sums.force[2]);
  const Vector3d torque(sums.torque[0], sums.torque[1], sums.torque[2]);
  const Vector3d arm = middle - about;
  result.torque = torque + arm.cross(result.force);
  if (settings.wantsStiffness) result.stiffness = turnedAbout(stiffnessOf(sums), result.force, arm);
  return result;
}

}  // namespace

DepthScratch::DepthScratch(const DepthField& a, const DepthField& b)
    : batch(2 * kWaitingArrays * (kBatch + 2 * models::lanes::kLanes)) {
  std::size_t most = 1;
  for (const DepthField* field : {&a, &b}) {
    // of the finest grid none are held
    std::size_t count = 1;
    for (const std::int32_t corners : field->arrays().size)
      count *= static_cast<std::size_t>(corners) / 2 + 1;
    most = std::max(most, count);
  }
  for (std::vector<std::uint32_t>& some : cubes)
    some.resize(most);
}

DepthEnergy depthEnergy(const DepthField& a, const DepthField& b, const Isometry3d& aFromB,
                        DepthScratch& scratch, const DepthSettings& settings) noexcept {
  if (settings.contacts != nullptr) settings.contacts->clear();
  if (a.empty() || b.empty()) return {};
  if (settings.law == EnergyLaw::DepthOfB || a.arrays().side <= b.arrays().side)
    return felt(a, b, aFromB, aFromB.translation(), Walks::A, scratch, settings);
  // What A feels in B's frame, about B's origin. A shift u and turn w of B are, for A, the turn -w
  // and the shift -u + w x u.
  const DepthEnergy onA =
      felt(b, a, aFromB.inverse(Eigen::Isometry), Vector3d::Zero(), Walks::B, scratch, settings);
  const Matrix3d turn = aFromB.linear();
  DepthEnergy result = onA;
  result.force = turn * -onA.force;
  result.torque = turn * -onA.torque;
  if (settings.wantsStiffness) {
    const Matrix3d cross = crossing(onA.force);
    result.stiffness.topRightCorner<3, 3>() -= cross;
    result.stiffness.bottomLeftCorner<3, 3>() += cross;
    Stiffness both = Stiffness::Zero();
    both.topLeftCorner<3, 3>() = turn;
    both.bottomRightCorner<3, 3>() = turn;
    result.stiffness = both * result.stiffness * both.transpose();
  }
  return result;
}

}  // namespace tactus::collision
#endif
