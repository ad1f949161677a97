// Numbers that stand together in memory, for each of sixteen lanes at another place.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.
//
// What gather() would do with one instruction for each number of a lane is done by plain loads
// here. The instruction is microcode: on an AMD EPYC with AVX-512 sixteen numbers took 14 to 17 ns,
// put together from loads 6, and 4 when there are four numbers a lane. The results are the same.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_SCATTERED_ROWS) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_SCATTERED_ROWS
#undef TACTUS_SCATTERED_ROWS
#else
#define TACTUS_SCATTERED_ROWS
#endif

HWY_BEFORE_NAMESPACE();
namespace tactus::models::lanes::HWY_NAMESPACE {

/// Two neighbours of int16_t in each of four rows.
struct FourShortPairs {
  ShortPairs row[4];
};

#if HWY_TARGET == HWY_SCALAR

LANES_INLINE I32x16 wholeToInt(F32x16 v) {
  return toInt(v);
}

template <int strideA, int strideB>
LANES_INLINE FourShortPairs loadRows(const std::int16_t* base, const std::int32_t* at) {
  const I32x16 first = load(at);
  return {{gatherPairs(base, first), gatherPairs(base, first + strideA),
           gatherPairs(base, first + strideB), gatherPairs(base, first + (strideA + strideB))}};
}

#else  // a vector target

/// toInt() of whole numbers from 0 to 2^22, without its care for all others: added to 2^23 they are
/// the last bits of the sum.
LANES_INLINE I32x16 wholeToInt(F32x16 v) {
  const Tag<std::int32_t> ints;
  I32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i) {
    const auto sum = hn::Add(v.part[i], hn::Set(Tag<float>{}, 8'388'608.0F));
    result.part[i] = hn::Sub(hn::BitCast(ints, sum), hn::Set(ints, 0x4B000000));
  }
  return result;
}

using Ints4 = hn::Vec<hn::Full128<std::int32_t>>;

/// A register of blocks of four numbers, every fourth from the first on.
template <typename All>
LANES_INLINE hn::Vec<All> blocksFrom(All all, const Ints4* first) {
  constexpr std::size_t kWidth = hn::MaxLanes(All{});
  if constexpr (kWidth == 4) {
    return first[0];
  } else if constexpr (kWidth == 8) {
    return hn::Combine(all, first[4], first[0]);
  } else {
    const hn::Half<All> half;
    return hn::Combine(all, hn::Combine(half, first[12], first[8]),
                       hn::Combine(half, first[4], first[0]));
  }
}

/// Two shorts as they stand.
LANES_INLINE std::int32_t wordAt(const std::int16_t* from) {
  std::int32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// The pairs at base + at, and so much further on: 0, strideA, strideB, both.
template <int strideA, int strideB>
LANES_INLINE FourShortPairs loadRows(const std::int16_t* base, const std::int32_t* at) {
  constexpr std::size_t kWidth = Register<std::int32_t>::kWidth;
  const hn::Full128<std::int32_t> four;
  const Tag<std::int32_t> all;
  const hn::Repartition<std::int64_t, decltype(all)> wide;
  Ints4 lanes[kLanes];  // the four rows of each
  LANES_UNROLL
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::int16_t* const first = base + at[i];
    lanes[i] = hn::Set(four, wordAt(first));
    lanes[i] = hn::InsertLane(lanes[i], 1, wordAt(first + strideA));
    lanes[i] = hn::InsertLane(lanes[i], 2, wordAt(first + strideB));
    lanes[i] = hn::InsertLane(lanes[i], 3, wordAt(first + strideA + strideB));
  }
  FourShortPairs result;
  LANES_UNROLL
  for (std::size_t i = 0; i < I32x16::kParts; ++i) {
    // lanes by rows become rows by lanes, in each block of four
    const Ints4* const of = lanes + i * kWidth;
    const auto a = blocksFrom(all, of);
    const auto b = blocksFrom(all, of + 1);
    const auto c = blocksFrom(all, of + 2);
    const auto d = blocksFrom(all, of + 3);
    const auto ab01 = hn::BitCast(wide, hn::InterleaveLower(all, a, b));
    const auto ab23 = hn::BitCast(wide, hn::InterleaveUpper(all, a, b));
    const auto cd01 = hn::BitCast(wide, hn::InterleaveLower(all, c, d));
    const auto cd23 = hn::BitCast(wide, hn::InterleaveUpper(all, c, d));
    const hn::Vec<Tag<std::int32_t>> rows[4] = {
        hn::BitCast(all, hn::InterleaveLower(wide, ab01, cd01)),
        hn::BitCast(all, hn::InterleaveUpper(wide, ab01, cd01)),
        hn::BitCast(all, hn::InterleaveLower(wide, ab23, cd23)),
        hn::BitCast(all, hn::InterleaveUpper(wide, ab23, cd23))};
    LANES_UNROLL
    for (std::size_t row = 0; row < 4; ++row) {
      result.row[row].first.part[i] = Register<std::int32_t>::lowShort(rows[row]);
      result.row[row].second.part[i] = Register<std::int32_t>::highShort(rows[row]);
    }
  }
  return result;
}

#endif

}  // namespace tactus::models::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TACTUS_SCATTERED_ROWS
