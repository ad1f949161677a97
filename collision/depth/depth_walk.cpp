#include "collision/depth/depth_walk.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/depth/cube_planes.hpp"

#define TACTUS_LANES_FILE "collision/depth/depth_walk.cpp"
#include "collision/depth/depth_lanes.hpp"
#include "models/lanes/lanes.hpp"
#include "models/lanes/packed_bits.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kHalfDiagonal = 0.8660254F;  // of a cube of side 1
// A cube is told to be outside by its middle: interpolation and sharpening move depths by less than
// this share of a finest cube's side.
constexpr float kDoubt = 0.5F;
// The finer grid fades out while what it needs goes from the first of these shares of the cubes
// there may be to the second. Cubes that are nearly outside count less, down to nothing; kRamp of a
// cube's reach further in they count in full, so that more than nine of ten do, and the rest has
// room.
constexpr double kFadesFrom = 0.6;
constexpr double kFadedAt = 0.85;
constexpr float kRamp = 0.25F;

/// Bits of a coordinate in a cube's number. The number times two is that of its first child.
constexpr int kBits = 10;

constexpr std::int32_t numberOf(std::int32_t x, std::int32_t y, std::int32_t z) {
  return x + y * (1 << kBits) + z * (1 << (2 * kBits));
}

/// Eight children, twice.
alignas(64) constexpr std::int32_t kChildren[kLanes] = {
    numberOf(0, 0, 0), numberOf(1, 0, 0), numberOf(0, 1, 0), numberOf(1, 1, 0),
    numberOf(0, 0, 1), numberOf(1, 0, 1), numberOf(0, 1, 1), numberOf(1, 1, 1),
    numberOf(0, 0, 0), numberOf(1, 0, 0), numberOf(0, 1, 0), numberOf(1, 1, 0),
    numberOf(0, 0, 1), numberOf(1, 0, 1), numberOf(0, 1, 1), numberOf(1, 1, 1)};

LANES_INLINE Arrow middlesOf(const std::int32_t* cubes, float width) {
  const I32x16 number = load(cubes);
  return middleOf(packedBits<0, kBits>(number), packedBits<kBits, kBits>(number),
                  packedBits<2 * kBits, kBits>(number), width);
}

/// The other field's depth in the middle of cubes, with a gradient in the walked frame if there is
/// one.
template <bool wantsGradient>
LANES_INLINE void otherAt(const DepthProblem& problem, const Arrow& middle, Depth& q) {
  depthAt<wantsGradient>(*problem.other, thereOf(problem, middle), q);
  if constexpr (wantsGradient) q.gradient = turned(problem.back, q.gradient);
}

/// Lets a batch have those of `count` cubes in which the other field may be positive somewhere.
LANES_INLINE void keepOf(const DepthProblem& problem, const std::int32_t* cubes, std::size_t count,
                         CubeBatch& batch) {
  const Arrow middle = middlesOf(cubes, batch.width);
  const float side = batch.width * problem.walked->arrays().side;
  Depth q;
  otherAt<true>(problem, middle, q);
  const auto exists = maskOf<float>(laneNumbers() < static_cast<std::int32_t>(count));
  const auto kept = exists & (q.value + rise(q.gradient, 0.5F * side) > -kDiffers * side);
  const auto put = [&](CubeArray array, const F32x16& value) {
    return append(value, kept, batch.array(array) + batch.count);
  };
  put(kQx, q.gradient.x);
  put(kQy, q.gradient.y);
  put(kQz, q.gradient.z);
  put(kX, middle.x);
  put(kY, middle.y);
  put(kZ, middle.z);
  batch.count += put(kQ, q.value);
}

/// Integrates cubes of one grid as they are.
void integrateAll(const DepthProblem& problem, const std::vector<std::int32_t>& cubes,
                  std::size_t count, float width, double share, DepthScratch& scratch,
                  DepthSums& sums) {
  CubeBatch batch{scratch.batch.data(), 0, width, share};
  for (std::size_t i = 0; i < count; i += kLanes) {
    keepOf(problem, cubes.data() + i, std::min(kLanes, count - i), batch);
    if (batch.count >= DepthScratch::kBatch) integrateCubes(problem, batch, sums);
  }
  integrateCubes(problem, batch, sums);
}

/// Appends those of `count` cubes to `to` that may be within the other solid; returns how many.
/// `near` counts them, those less that are nearly outside.
LANES_INLINE std::size_t openOf(const DepthProblem& problem, const std::int32_t* cubes,
                                std::size_t count, float width, std::int32_t* to, F32x16& near) {
  Depth q;
  otherAt<false>(problem, middlesOf(cubes, width), q);
  const float reach = (kHalfDiagonal * width + kDoubt) * problem.walked->arrays().side;
  const auto open =
      maskOf<float>(laneNumbers() < static_cast<std::int32_t>(count)) & (q.value > -reach);
  near += select(open, min((q.value + reach) / (kRamp * reach), 1.0F), 0.0F);
  return append(load(cubes), maskOf<std::int32_t>(open), to);
}

/// The bits of a cube's children that hold a part of the walked solid.
inline std::uint32_t childrenOf(const SolidCubes::Level& level, std::int32_t cube) {
  constexpr std::int32_t kMask = (1 << kBits) - 1;
  const auto number = [](std::int32_t coordinate) { return static_cast<std::size_t>(coordinate); };
  const std::size_t x = number(cube & kMask);
  const std::size_t y = number((cube >> kBits) & kMask);
  const std::size_t z = number(cube >> (2 * kBits));
  return level.children[(z * number(level.size[1]) + y) * number(level.size[0]) + x];
}

/// Cubes of one grid that wait to be looked at, sixteen at a time. Many are written before the
/// first is read: a read of what two writes have just put side by side would wait for both.
struct Queue {
  static constexpr std::size_t kRoom = 256;

  alignas(64) std::array<std::int32_t, kRoom + kLanes> cubes{};
  std::size_t count = 0;
};

/// Fewer than sixteen are left.
LANES_INLINE void dropFirst(Queue& queue, std::size_t count) {
  store(load(queue.cubes.data() + count), queue.cubes.data());
  queue.count -= count;
}

void walkCubes(const DepthProblem& problem, DepthScratch& scratch, DepthEnergy& result,
               DepthSums& sums) noexcept {
  const SolidCubes& solid = problem.walked->cubes();
  std::int32_t level = solid.top();
  const I32x16 children = load(kChildren);
  const auto areOfFirst = laneNumbers() < 8;
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
    const SolidCubes::Level& parents = solid.level(level);
    --level;
    const auto width = static_cast<float>(1 << level);
    const std::vector<std::int32_t>& from = scratch.cubes[now];
    std::vector<std::int32_t>& to = scratch.cubes[1 - now];
    CubeBatch batch{scratch.batch.data(), 0, width, share, static_cast<float>(splits)};
    std::size_t next = 0;
    F32x16 near = 0.0F;
    result.cubes += static_cast<std::uint32_t>(8 * count);
    looked += 8.0 * nearCount;
    for (std::size_t i = 0; i < count;) {
      for (; i < count && queue.count + kLanes <= Queue::kRoom; i += 2) {
        // two parents with eight children each
        const bool hasSecond = i + 1 < count;
        const std::int32_t a = from[i];
        const std::int32_t b = hasSecond ? from[i + 1] : a;
        const std::uint32_t bits =
            childrenOf(parents, a) | (hasSecond ? childrenOf(parents, b) << 8U : 0U);
        queue.count += append(select(areOfFirst, 2 * a, 2 * b) + children, maskOfBits(bits),
                              queue.cubes.data() + queue.count);
      }
      const std::size_t ends = i < count ? queue.count / kLanes * kLanes : queue.count;
      for (std::size_t k = 0; k < ends; k += kLanes) {
        const std::size_t n = std::min(kLanes, ends - k);
        if (level == 0) {
          keepOf(problem, queue.cubes.data() + k, n, batch);
          if (batch.count >= DepthScratch::kBatch) integrateCubes(problem, batch, sums);
        } else {
          next += openOf(problem, queue.cubes.data() + k, n, width, to.data() + next, near);
        }
      }
      dropFirst(queue, ends);
    }
    if (level == 0) {
      integrateCubes(problem, batch, sums);
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

void walkDepths(const DepthProblem& problem, DepthScratch& scratch, DepthEnergy& result,
                DepthSums& sums) noexcept {
  TACTUS_LANES_CALL(walkCubes)(problem, scratch, result, sums);
}

}  // namespace tactus::collision
#endif
