// Numbers of a few bits that are packed into an int.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <cstdint>

#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_PACKED_BITS) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_PACKED_BITS
#undef TACTUS_PACKED_BITS
#else
#define TACTUS_PACKED_BITS
#endif

HWY_BEFORE_NAMESPACE();
namespace tactus::models::lanes::HWY_NAMESPACE {

/// `count` bits from bit `first` on. Of ints that are not negative.
template <int first, int count>
LANES_INLINE I32x16 packedBits(I32x16 v) {
  static_assert(first >= 0 && count > 0 && first + count < 32);
  constexpr std::int32_t kMask = (1 << count) - 1;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i) {
#if HWY_TARGET == HWY_SCALAR
    v.part[i] = (v.part[i] >> first) & kMask;
#else
    const Tag<std::int32_t> ints;
    v.part[i] = hn::And(hn::ShiftRight<first>(v.part[i]), hn::Set(ints, kMask));
#endif
  }
  return v;
}

}  // namespace tactus::models::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TACTUS_PACKED_BITS
