#include "collision/balls/ball_lens_batch.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#define TACTUS_LANES_FILE "collision/balls/ball_lens_batch.cpp"
#include "models/lanes/lanes.hpp"

// With depth = ra + rb - d, e = |ra - rb| and m = min(ra, rb):
//
//   V = pi depth^2 (d^2 + 2 d (ra + rb) - 3 e^2) / (12 d)
//     = pi depth^2 ((d - e) (d + 3 e) + 4 d m) / (12 d)
//   S = -dV/dd = pi depth (d + ra + rb) (d - e) (d + e) / (4 d^2)
//
// The second form of V and Heron's form of S have no negative term while the spheres cut each other
// (e < d < ra + rb). The force on B is S (b - a) / d; it acts along the line of centres, so through
// b.
TACTUS_LANES_BEGIN(tactus::collision);

// Floats are summed for this many rounds and then go into doubles: 64 roundings of a partial sum
// cost less than those within a lens, and doubles in every round would cost twice the registers.
constexpr std::size_t kPairsInFloat = 64 * kLanes;

constexpr auto kPi = std::numbers::pi_v<float>;

/// volume, force x y z, torque x y z
using Sums = std::array<double, 7>;

void sumLenses(const BallArrays& a, const BallArrays& b, std::size_t pairs, Sums& sums) noexcept {
  F64x16 volumes = 0.0;
  F64x16 forceX = 0.0;
  F64x16 forceY = 0.0;
  F64x16 forceZ = 0.0;
  F64x16 torqueX = 0.0;
  F64x16 torqueY = 0.0;
  F64x16 torqueZ = 0.0;
  for (std::size_t block = 0; block < pairs; block += kPairsInFloat) {
    const std::size_t end = std::min(block + kPairsInFloat, pairs);
    F32x16 volume = 0.0F;
    F32x16 fx = 0.0F;
    F32x16 fy = 0.0F;
    F32x16 fz = 0.0F;
    F32x16 tx = 0.0F;
    F32x16 ty = 0.0F;
    F32x16 tz = 0.0F;
    for (std::size_t i = block; i < end; i += kLanes) {
      const std::size_t n = end - i;  // lanes without a pair get radii 0: they are apart
      const F32x16 bx = load(b.x + i, n);
      const F32x16 by = load(b.y + i, n);
      const F32x16 bz = load(b.z + i, n);
      const F32x16 dx = bx - load(a.x + i, n);
      const F32x16 dy = by - load(a.y + i, n);
      const F32x16 dz = bz - load(a.z + i, n);
      const F32x16 ra = load(a.radius + i, n);
      const F32x16 rb = load(b.radius + i, n);

      const F32x16 d = sqrt(dx * dx + dy * dy + dz * dz);
      const F32x16 depth = ra + rb - d;
      const auto overlapping = depth > 0.0F;
      if (none(overlapping)) continue;
      const F32x16 smaller = min(ra, rb);
      const F32x16 e = abs(ra - rb);
      const auto cut = overlapping & (d > e);  // else one is inside the other, and d may be 0

      const F32x16 perDistance = 1.0F / d;
      const F32x16 relativeDepth = depth * perDistance;
      const F32x16 lens =
          (kPi / 12.0F) * depth * relativeDepth * ((d - e) * (d + 3.0F * e) + 4.0F * d * smaller);
      const F32x16 ball = (kPi * 4.0F / 3.0F) * smaller * smaller * smaller;
      volume += select(cut, lens, select(overlapping, ball, 0.0F));

      const F32x16 areaPerDistance = (kPi / 4.0F) * relativeDepth * ((d + ra + rb) * perDistance) *
                                     ((d - e) * perDistance) * (d + e);
      const F32x16 pull = select(cut, areaPerDistance, 0.0F);
      const F32x16 px = pull * dx;
      const F32x16 py = pull * dy;
      const F32x16 pz = pull * dz;
      fx += px;
      fy += py;
      fz += pz;
      tx += by * pz - bz * py;
      ty += bz * px - bx * pz;
      tz += bx * py - by * px;
    }
    volumes += toDouble(volume);
    forceX += toDouble(fx);
    forceY += toDouble(fy);
    forceZ += toDouble(fz);
    torqueX += toDouble(tx);
    torqueY += toDouble(ty);
    torqueZ += toDouble(tz);
  }
  sums = {sum(volumes), sum(forceX),  sum(forceY), sum(forceZ),
          sum(torqueX), sum(torqueY), sum(torqueZ)};
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

BallLensSum ballLensSum(const BallArrays& a, const BallArrays& b, std::size_t pairs) noexcept {
  std::array<double, 7> sums{};
  TACTUS_LANES_CALL(sumLenses)(a, b, pairs, sums);
  return {sums[0], {sums[1], sums[2], sums[3]}, {sums[4], sums[5], sums[6]}};
}

}  // namespace tactus::collision
#endif
