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

/// Four neighbours so many numbers beyond each of sixteen places. Places that are moved instead
/// make the compiler keep them in vectors, from which they have to be taken one by one.
struct FourFloats {
  F32x16 number[4];
};

#if HWY_TARGET == HWY_SCALAR

template <std::size_t beyond = 0>
LANES_INLINE FourFloats loadFours(const float* const* from) {
  FourFloats result;
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < kLanes; ++i)
      result.number[k].part[i] = from[i][beyond + k];
  }
  return result;
}

LANES_INLINE I32x16 wholeToInt(F32x16 v) {
  return toInt(v);
}

LANES_INLINE FourShortPairs loadRows(const std::int16_t* base, const std::int32_t* at,
                                     std::int32_t strideA, std::int32_t strideB) {
  const I32x16 first = load(at);
  return {{gatherPairs(base, first), gatherPairs(base, first + strideA),
           gatherPairs(base, first + strideB), gatherPairs(base, first + (strideA + strideB))}};
}

LANES_INLINE FourShortPairs loadEights(const std::int16_t* base, const std::int32_t* at) {
  return loadRows(base, at, 2, 4);
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

/// In each block of four numbers: lanes by rows become rows by lanes.
template <typename All>
LANES_INLINE void turnBlocks(All all, hn::Vec<All> (&of)[4]) {
  const hn::Repartition<std::int64_t, All> wide;
  const auto ab01 = hn::BitCast(wide, hn::InterleaveLower(all, of[0], of[1]));
  const auto ab23 = hn::BitCast(wide, hn::InterleaveUpper(all, of[0], of[1]));
  const auto cd01 = hn::BitCast(wide, hn::InterleaveLower(all, of[2], of[3]));
  const auto cd23 = hn::BitCast(wide, hn::InterleaveUpper(all, of[2], of[3]));
  of[0] = hn::BitCast(all, hn::InterleaveLower(wide, ab01, cd01));
  of[1] = hn::BitCast(all, hn::InterleaveUpper(wide, ab01, cd01));
  of[2] = hn::BitCast(all, hn::InterleaveLower(wide, ab23, cd23));
  of[3] = hn::BitCast(all, hn::InterleaveUpper(wide, ab23, cd23));
}

/// A register of blocks of four numbers, every fourth from the first on, so much beyond its place.
template <std::size_t beyond, typename All>
LANES_INLINE hn::Vec<All> blocksAt(All all, const float* const* first) {
  constexpr std::size_t kWidth = hn::MaxLanes(All{});
  const hn::Full128<float> four;
  if constexpr (kWidth == 4) {
    return hn::LoadU(four, first[0] + beyond);
  } else if constexpr (kWidth == 8) {
    return hn::Combine(all, hn::LoadU(four, first[4] + beyond), hn::LoadU(four, first[0] + beyond));
  } else {
    const hn::Half<All> half;
    return hn::Combine(
        all,
        hn::Combine(half, hn::LoadU(four, first[12] + beyond), hn::LoadU(four, first[8] + beyond)),
        hn::Combine(half, hn::LoadU(four, first[4] + beyond), hn::LoadU(four, first[0] + beyond)));
  }
}

template <std::size_t beyond = 0>
LANES_INLINE FourFloats loadFours(const float* const* from) {
  const Tag<float> all;
  FourFloats result;
  LANES_UNROLL
  for (std::size_t i = 0; i < F32x16::kParts; ++i) {
    const float* const* const of = from + i * Register<float>::kWidth;
    hn::Vec<Tag<float>> rows[4] = {blocksAt<beyond>(all, of), blocksAt<beyond>(all, of + 1),
                                   blocksAt<beyond>(all, of + 2), blocksAt<beyond>(all, of + 3)};
    turnBlocks(all, rows);
    LANES_UNROLL
    for (std::size_t k = 0; k < 4; ++k)
      result.number[k].part[i] = rows[k];
  }
  return result;
}

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

/// From the four pairs of each lane to the lanes of each pair.
LANES_INLINE FourShortPairs turnPairs(const Ints4* lanes) {
  constexpr std::size_t kWidth = Register<std::int32_t>::kWidth;
  const Tag<std::int32_t> all;
  FourShortPairs result;
  LANES_UNROLL
  for (std::size_t i = 0; i < I32x16::kParts; ++i) {
    const Ints4* const of = lanes + i * kWidth;
    hn::Vec<Tag<std::int32_t>> rows[4] = {blocksFrom(all, of), blocksFrom(all, of + 1),
                                          blocksFrom(all, of + 2), blocksFrom(all, of + 3)};
    turnBlocks(all, rows);
    LANES_UNROLL
    for (std::size_t row = 0; row < 4; ++row) {
      result.row[row].first.part[i] = Register<std::int32_t>::lowShort(rows[row]);
      result.row[row].second.part[i] = Register<std::int32_t>::highShort(rows[row]);
    }
  }
  return result;
}

/// The pairs at base + at, and so much further on: 0, strideA, strideB, both.
LANES_INLINE FourShortPairs loadRows(const std::int16_t* base, const std::int32_t* at,
                                     std::ptrdiff_t strideA, std::ptrdiff_t strideB) {
  const hn::Full128<std::int32_t> four;
  Ints4 lanes[kLanes];  // the four rows of each
  LANES_UNROLL
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::int16_t* const first = base + at[i];
    lanes[i] = hn::Set(four, wordAt(first));
    lanes[i] = hn::InsertLane(lanes[i], 1, wordAt(first + strideA));
    lanes[i] = hn::InsertLane(lanes[i], 2, wordAt(first + strideB));
    lanes[i] = hn::InsertLane(lanes[i], 3, wordAt(first + strideA + strideB));
  }
  return turnPairs(lanes);
}

/// Eight neighbours at base + at, as four pairs.
LANES_INLINE FourShortPairs loadEights(const std::int16_t* base, const std::int32_t* at) {
  const hn::Full128<std::int16_t> eight;
  const hn::Full128<std::int32_t> four;
  // read again one by one: the compiler would keep what was just stored in a vector, and take it
  // from there in three steps each
  const volatile std::int32_t* const places = at;
  Ints4 lanes[kLanes];
  LANES_UNROLL
  for (std::size_t i = 0; i < kLanes; ++i)
    lanes[i] = hn::BitCast(four, hn::LoadU(eight, base + places[i]));
  return turnPairs(lanes);
}

#endif

}  // namespace tactus::models::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TACTUS_SCATTERED_ROWS
