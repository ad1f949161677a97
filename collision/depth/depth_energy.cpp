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
};

/// Arrays of a batch.
enum Waiting : std::size_t { kP, kPx, kPy, kPz, kQ, kQx, kQy, kQz, kX, kY, kZ, kWaitingArrays };

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kHalfDiagonal = 0.8660254F;  // of a cube of side 1
// Gauss's two points, from the middle of a side 1.
constexpr float kGauss = 0.2886751F;
// A cube is told to be outside by its middle: interpolation and sharpening move depths by less than
// this share of a finest cube's side.
constexpr float kDoubt = 0.5F;
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
  const F32x16 beyond = field.side * sqrt(ox * ox + oy * oy + oz * oz);
  depth.value = select(beyond > 0.0F, min(value + beyond, -beyond), value);
}

constexpr std::size_t kStride = DepthScratch::kBatch + 2 * kLanes;

/// x, y or z, as the masks say: of `first`, of `second`, or neither.
template <typename Mask>
LANES_INLINE F32x16 chosen(const Mask& first, const Mask& second, F32x16 x, F32x16 y, F32x16 z) {
  return select(first, x, select(second, y, z));
}

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

/// Cubes of one grid that wait in a batch.
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

template <bool hasStiffness>
[[gnu::noinline]] void integrate(const float* batch, std::size_t count, float side, double share,
                                 bool isLesser, float* elements, DepthSums& sums) {
  F32x16 energy = 0.0F;
  std::array<F32x16, 3> force;
  std::array<F32x16, 3> torque;
  std::array<F32x16, 21> products;
  force.fill(0.0F);
  torque.fill(0.0F);
  if constexpr (hasStiffness) products.fill(0.0F);
  const float quarter = 0.25F * side * side * side;  // of the volume: one line's
  const auto bothCount = maskOf<float>(laneNumbers() < (isLesser ? 16 : 0));
  for (std::size_t i = 0; i < count; i += kLanes) {
    const auto read = [&](std::size_t array) { return load(batch + array * kStride + i); };
    const auto valid =
        maskOf<float>(laneNumbers() < static_cast<std::int32_t>(std::min(count - i, kLanes)));
    // outside of A, where lanes are not of this batch
    const F32x16 middleP = select(valid, read(kP), -4.0F * side);
    const Arrow gp = {select(valid, read(kPx), 0.0F), select(valid, read(kPy), 0.0F),
                      select(valid, read(kPz), 0.0F)};
    const F32x16 middleQ = select(valid, read(kQ), 0.0F);
    const Arrow gq = {select(valid, read(kQx), 0.0F), select(valid, read(kQy), 0.0F),
                      select(valid, read(kQz), 0.0F)};

    // lines go along the axis on which the depths differ most
    const F32x16 differsX = abs(gp.x - gq.x);
    const F32x16 differsY = abs(gp.y - gq.y);
    const F32x16 differsZ = abs(gp.z - gq.z);
    const auto alongX = (differsX >= differsY) & (differsX >= differsZ);
    const auto alongY = !alongX & (differsY >= differsZ);
    const F32x16 dp = side * chosen(alongX, alongY, gp.x, gp.y, gp.z);
    const F32x16 dq = side * chosen(alongX, alongY, gq.x, gq.y, gq.z);
    const F32x16 acrossP = (kGauss * side) * chosen(alongX, alongY, gp.y, gp.z, gp.x);
    const F32x16 acrossQ = (kGauss * side) * chosen(alongX, alongY, gq.y, gq.z, gq.x);
    const F32x16 besideP = (kGauss * side) * chosen(alongX, alongY, gp.z, gp.x, gp.y);
    const F32x16 besideQ = (kGauss * side) * chosen(alongX, alongY, gq.z, gq.x, gq.y);
    const auto inverse = [&](F32x16 change) {
      const float least = kLevel * side;
      return 1.0F / select(abs(change) < least, least, change);
    };
    const F32x16 perP = inverse(dp);
    const F32x16 perQ = inverse(dq);
    const F32x16 perBoth = inverse(dp - dq);

    F32x16 sum = 0.0F;     // of the lesser depth
    F32x16 length = 0.0F;  // where it is the other's, and its moments
    F32x16 along = 0.0F;
    F32x16 across = 0.0F;
    F32x16 beside = 0.0F;
    F32x16 bend = 0.0F;
    F32x16 inside = 0.0F;  // of both
    const auto addLine = [&](float u, float v) {
      const F32x16 p = middleP + u * acrossP + v * besideP;
      const F32x16 q = middleQ + u * acrossQ + v * besideQ;
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

    energy += quarter * sum;
    const F32x16 weight = quarter * length;
    const std::array<F32x16, 3> g = {gq.x, gq.y, gq.z};
    const std::array<F32x16, 3> middle = {select(valid, read(kX), 0.0F),
                                          select(valid, read(kY), 0.0F),
                                          select(valid, read(kZ), 0.0F)};
    const float off = kGauss * side;
    const std::array<F32x16, 3> moments = {
        chosen(alongX, alongY, side * along, off * beside, off * across),
        chosen(alongX, alongY, off * across, side * along, off * beside),
        chosen(alongX, alongY, off * beside, off * across, side * along)};
    std::array<F32x16, 3> arm;
    for (std::size_t k = 0; k < 3; ++k) {
      force[k] += weight * g[k];
      arm[k] = weight * middle[k] + quarter * moments[k];
    }
    addCross(arm, g, torque);
    if (elements != nullptr) {
      storeElement(middle, arm, weight, g, quarter * sum, quarter * inside, 0.5F * side,
                   elements + i);
    }
    if constexpr (hasStiffness) {
      std::array<F32x16, 6> ofP = {gp.x, gp.y, gp.z, 0.0F, 0.0F, 0.0F};
      std::array<F32x16, 6> ofQ = {g[0], g[1], g[2], 0.0F, 0.0F, 0.0F};
      withTurns(middle, ofP);
      withTurns(middle, ofQ);
      const F32x16 half = (-0.5F * quarter) * bend;
      std::size_t n = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        const F32x16 p = half * ofP[k];
        const F32x16 q = half * ofQ[k];
        for (std::size_t j = k; j < 6; ++j)
          products[n++] += p * ofQ[j] + q * ofP[j];
      }
    }
  }
  const auto total = [share](const F32x16& all) {
    return share * models::lanes::HWY_NAMESPACE::sum(toDouble(all));
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

struct Batch {
  float* arrays;
  std::size_t count = 0;
  float side;    ///< of its cubes
  double share;  ///< how much of them counts
};

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

/// Adds the walked field's depths, and leaves out cubes in which the two nowhere add up to
/// something, as they would if both were positive. Places become metres from the middle.
[[gnu::noinline]] void complete(const DepthProblem& problem, Batch& batch) {
  const DepthField::Arrays& field = *problem.walked;
  const bool areFinest = batch.side == field.side;
  const float half = 0.5F * batch.side;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count; i += kLanes) {
    const auto valid =
        maskOf<float>(laneNumbers() < static_cast<std::int32_t>(std::min(batch.count - i, kLanes)));
    const auto read = [&](std::size_t array) {
      return select(valid, load(batch.arrays + array * kStride + i), 0.0F);
    };
    const Arrow middle = {read(kX), read(kY), read(kZ)};
    const Depth q = {read(kQ), {read(kQx), read(kQy), read(kQz)}};
    Depth p;
    if (areFinest) {
      p = depthIn(field, toInt(middle.x), toInt(middle.y), toInt(middle.z));
    } else {
      depthAt<true>(field, middle, p);
    }
    const F32x16 most = (p.value + q.value) + half * (abs(p.gradient.x + q.gradient.x) +
                                                      abs(p.gradient.y + q.gradient.y) +
                                                      abs(p.gradient.z + q.gradient.z));
    const auto counts = valid & (most > 0.0F);
    const auto put = [&](std::size_t array, const F32x16& value) {
      return append(value, counts, batch.arrays + array * kStride + kept);
    };
    const auto fromMiddle = [&](const F32x16& at, std::size_t k) {
      return field.side * (at - 0.5F * static_cast<float>(field.size[k] - 1));
    };
    put(kP, p.value);
    put(kPx, p.gradient.x);
    put(kPy, p.gradient.y);
    put(kPz, p.gradient.z);
    put(kQ, q.value);
    put(kQx, q.gradient.x);
    put(kQy, q.gradient.y);
    put(kQz, q.gradient.z);
    put(kX, fromMiddle(middle.x, 0));
    put(kY, fromMiddle(middle.y, 1));
    kept += put(kZ, fromMiddle(middle.z, 2));
  }
  batch.count = kept;
}

LANES_INLINE void flush(const DepthProblem& problem, Batch& batch, DepthSums& sums) {
  complete(problem, batch);
  const bool isLesser = problem.settings.law == EnergyLaw::Depth;
  ContactCells* const contacts = problem.settings.contacts;
  (problem.settings.wantsStiffness
       ? integrate<true>
       : integrate<false>)(batch.arrays, batch.count, batch.side, batch.share, isLesser,
                           contacts == nullptr ? nullptr : contacts->elements(kElementX), sums);
  if (contacts != nullptr) {
    const auto share = static_cast<float>(batch.share);
    contacts->weigh({share, share, share});
    contacts->add(batch.count);
  }
  batch.count = 0;
}

/// Where cubes with sides of `width` finest ones have their middles, in units of the finest.
LANES_INLINE Arrow middleOf(I32x16 x, I32x16 y, I32x16 z, float width) {
  return {(toFloat(x) + 0.5F) * width, (toFloat(y) + 0.5F) * width, (toFloat(z) + 0.5F) * width};
}

/// The other field's depth there, with a gradient in the walked frame.
template <bool wantsGradient>
LANES_INLINE void otherAt(const DepthProblem& problem, const Arrow& middle, Depth& q) {
  Arrow there = turned(problem.turn, middle);
  there = {there.x + problem.offset[0], there.y + problem.offset[1], there.z + problem.offset[2]};
  depthAt<wantsGradient>(*problem.other, there, q);
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
  batch.count += append(middle.z, kept, to + kZ * kStride);
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

/// Lets a batch have those of `count` cubes in which the other field, linear by its value and
/// gradient at the middle, is positive somewhere.
LANES_INLINE void keepOf(const DepthProblem& problem, const Queue& queue, std::size_t begin,
                         std::size_t count, float width, Batch& batch) {
  const Arrow middle = middleOf(load(queue.x.data() + begin), load(queue.y.data() + begin),
                                load(queue.z.data() + begin), width);
  Depth q;
  otherAt<true>(problem, middle, q);
  const F32x16 most =
      q.value + (0.5F * batch.side) * (abs(q.gradient.x) + abs(q.gradient.y) + abs(q.gradient.z));
  const auto exists = maskOf<float>(laneNumbers() < static_cast<std::int32_t>(count));
  keep(middle, q, exists & (most > 0.0F), batch);
}

/// Integrates cubes of one grid as they are.
void integrateAll(const DepthProblem& problem, const std::vector<std::uint32_t>& cubes,
                  std::size_t count, float width, double share, DepthScratch& scratch,
                  DepthSums& sums) {
  Batch batch{scratch.batch.data(), 0, width * problem.walked->side, share};
  Queue queue;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t n = std::min(kLanes, count - i);
    for (std::size_t k = 0; k < n; ++k) {
      const Placed place = placeOf(cubes[i + k]);
      queue.x[k] = place.x;
      queue.y[k] = place.y;
      queue.z[k] = place.z;
    }
    keepOf(problem, queue, 0, n, width, batch);
    if (batch.count >= DepthScratch::kBatch) flush(problem, batch, sums);
  }
  flush(problem, batch, sums);
}

/// Appends those of `count` cubes to `to` that may be within the other solid; returns how many.
/// `near` counts them, those less that are nearly outside.
LANES_INLINE std::size_t openOf(const DepthProblem& problem, const Queue& queue, std::size_t begin,
                                std::size_t count, float width, float reach, std::uint32_t* to,
                                F32x16& near) {
  const I32x16 x = load(queue.x.data() + begin);
  const I32x16 y = load(queue.y.data() + begin);
  const I32x16 z = load(queue.z.data() + begin);
  Depth q;
  otherAt<false>(problem, middleOf(x, y, z, width), q);
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
  const DepthField::Arrays& field = *problem.walked;
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
  double share = 1.0;
  Queue queue;
  while (level > 0 && count != 0) {
    const auto parentWidth = static_cast<float>(1 << level);
    const double wanted = (result.cubes + 8.0 * nearCount) / problem.settings.most;
    if (wanted > kFadesFrom) {
      result.isCut = true;
      const bool hasRoom = result.cubes + 8 * count <= problem.settings.most;
      const double ends =
          hasRoom ? std::min((wanted - kFadesFrom) / (kFadedAt - kFadesFrom), 1.0) : 1.0;
      integrateAll(problem, scratch.cubes[now], count, parentWidth, share * ends, scratch, sums);
      share *= 1.0 - ends;
      if (!(share > 0.0)) return;
    }
    const SolidCubes::Level& parents = problem.cubes->level(level);
    --level;
    const auto width = static_cast<float>(1 << level);
    const float side = width * field.side;
    const float reach = kHalfDiagonal * side + kDoubt * field.side;
    const std::vector<std::uint32_t>& from = scratch.cubes[now];
    std::vector<std::uint32_t>& to = scratch.cubes[1 - now];
    Batch batch{scratch.batch.data(), 0, side, share};
    std::size_t next = 0;
    F32x16 near = 0.0F;
    result.cubes += static_cast<std::uint32_t>(8 * count);
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
          keepOf(problem, queue, k, n, width, batch);
          if (batch.count >= DepthScratch::kBatch) flush(problem, batch, sums);
        } else {
          next += openOf(problem, queue, k, n, width, reach, to.data() + next, near);
        }
      }
      dropFirst(queue, ends);
    }
    if (level == 0) {
      flush(problem, batch, sums);
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
    : batch(kWaitingArrays * (kBatch + 2 * models::lanes::kLanes)) {
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
