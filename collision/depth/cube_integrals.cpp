#include "collision/depth/cube_integrals.hpp"

#include <algorithm>
#include <array>

#define TACTUS_LANES_FILE "collision/depth/cube_integrals.cpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

// Gauss's two points, from the middle of a side 1.
constexpr float kGauss = 0.2886751F;
// Axes are compared by squares of slopes, which are 1 where a depth falls off straight. Below this
// the depths run side by side, and what counts is how the other's falls off; below kFlat it does
// not.
constexpr float kParallel = 0.01F;
constexpr float kFlat = 1e-4F;
// Lines along an axis count from this share of the best axis's score on. Where that axis is across
// the other's surface, lines along it would enter its solid all at once.
constexpr float kLeastScore = 0.3F;
// Where the depths differ by less than this over a cube's side they are as good as equal, and
// either counts for a share: faces of two solids that lie in one plane would push as rounding has
// it.
constexpr float kTie = 0.02F;
// Slower changes of depth along a line, as a share of a cube's side, are as good as none.
constexpr float kLevel = 1e-6F;

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
[[gnu::noinline]] void integrate(const DepthField::Arrays& field, const CubeBatch& batch,
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
    const auto read = [&](CubeArray array) {
      return select(valid, load(batch.array(array) + i), 0.0F);
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

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void addIntegrals(const DepthProblem& problem, const CubeBatch& batch, std::size_t count,
                  DepthSums& sums) noexcept {
  if (count == 0) return;
  const DepthField::Arrays& field = problem.walked->arrays();
  const bool isLesser = problem.settings.law == EnergyLaw::Depth;
  ContactCells* const contacts = problem.settings.contacts;
  float* const elements = contacts == nullptr ? nullptr : contacts->elements(kElementX);
  if (problem.settings.wantsStiffness) {
    TACTUS_LANES_CALL(integrate<true>)(field, batch, count, isLesser, elements, sums);
  } else {
    TACTUS_LANES_CALL(integrate<false>)(field, batch, count, isLesser, elements, sums);
  }
  if (contacts != nullptr) {
    const auto share = static_cast<float>(batch.share);
    contacts->weigh({share, share, share});
    contacts->add(count);
  }
}

}  // namespace tactus::collision
#endif
