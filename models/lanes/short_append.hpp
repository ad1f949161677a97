// append() of a few lanes.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.
//
// A register of sixteen numbers that is written behind those before it lies across two cache lines.
// On an AMD EPYC with AVX-512 that takes three cycles, one of eight takes two; most sweeps over
// pairs append two or three numbers at a time. Four at a time took one and a half, but whether
// there are more is not to be foreseen, and five and more are not rare enough.

#include <cstddef>

#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_SHORT_APPEND) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_SHORT_APPEND
#undef TACTUS_SHORT_APPEND
#else
#define TACTUS_SHORT_APPEND
#endif

HWY_BEFORE_NAMESPACE();
namespace tactus::models::lanes::HWY_NAMESPACE {

constexpr std::size_t kShortAppend = 8;

/// The same as append(), of a mask with no more than kShortAppend lanes; `to` has room for sixteen.
template <typename T>
LANES_INLINE std::size_t shortAppend(Lanes<T> v, LaneMask<T> mask, T* to) {
#if HWY_TARGET == HWY_AVX3
  const hn::CappedTag<T, 8> eight;
  hn::StoreU(hn::LowerHalf(eight, hn::Compress(v.part[0], mask.part[0])), eight, to);
  return hn::CountTrue(Tag<T>{}, mask.part[0]);
#else
  return append(v, mask, to);
#endif
}

}  // namespace tactus::models::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TACTUS_SHORT_APPEND
