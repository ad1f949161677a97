// Numbers sixteen at a time: F32x16, F64x16, I32x16, with the same bytes on every machine.
//
// A kernel is written once, against sixteen virtual lanes. This header compiles it four times: with
// one AVX-512 register for sixteen floats, two of AVX2, four of SSE4, and, as the scalar twin, a
// plain array of sixteen floats without any vector type. Which one runs is decided at run time, see
// models/lanes/vector_target.hpp. Only .cpp files include this header; it is not installed.
//
// ---- how to write a kernel (this is all of my_room/distances.cpp) -------------------------------
//
//   #include "my_room/distances.hpp"       // void ballDistances(const float* x, const float* y,
//                                          //   const float* z, Ball, float* result, size_t count);
//   #define TACTUS_LANES_FILE "my_room/distances.cpp"   // this file: it is read once a target
//   #include "models/lanes/lanes.hpp"
//
//   TACTUS_LANES_BEGIN(tactus::my_room);   // compiled once a target from here ...
//
//   LANES_INLINE F32x16 lengthOf(F32x16 x, F32x16 y, F32x16 z) {   // what a kernel calls
//     return sqrt(x * x + y * y + z * z);
//   }
//
//   void distances(const float* x, const float* y, const float* z, Ball ball, float* result,
//                  std::size_t count) noexcept {
//     for (std::size_t i = 0; i < count; i += kLanes) {
//       const std::size_t n = std::min(kLanes, count - i);   // 16, fewer in the last round
//       const F32x16 d = lengthOf(load(x + i, n) - ball.x, load(y + i, n) - ball.y,
//                                 load(z + i, n) - ball.z) - ball.radius;
//       const F32x16 inside = select(d < 0.0F, -d, 0.0F);
//       store(max(d, inside), result + i, n);
//     }
//   }
//
//   TACTUS_LANES_END(tactus::my_room);     // ... to here
//
//   #if TACTUS_LANES_ONCE
//   namespace tactus::my_room {
//   void ballDistances(const float* x, ...) noexcept {
//     TACTUS_LANES_CALL(distances)(x, y, z, ball, result, count);   // the active target's
//   }
//   }  // namespace tactus::my_room
//   #endif
//
// In CMake the room links `PRIVATE hwy::hwy`, and a unity build leaves the file out.
//
// ---- what there is ------------------------------------------------------------------------------
//
//   T is float, double or std::int32_t; a scalar converts to all lanes: x * 2.0F, max(x, 0.0F).
//   load(p) load(p, n) load(p, n, rest)   lanes from n on get `rest`, 0 by default; p unaligned
//   store(v, p) store(v, p, n)            memory beyond n is not touched
//   laneNumbers()  firstLanes<T>(n)       0 1 2 ... 15;  mask of the lanes below n
//   gather(base, indices)                 base[i] of each lane; of int8_t as ints, and then the
//                                         three bytes behind the last one must be readable
//   gatherPairs(base, indices)            base[i] and base[i + 1] of int16_t, as two I32x16
//   + - * / unary -  sqrt abs floor       exact by IEEE 754, one rounding each; I32x16 wraps
//   min(a, b) max(a, b)                   a < b ? a : b and a > b ? a : b: b if one is a NaN
//                                         or both are zeros
//   < <= > >= == !=   & | !               masks; a NaN compares as in C++
//   select(mask, yes, no)  any all none   any(mask) and so on are one bool of all lanes
//   toDouble(f) toFloat(d) toFloat(i) toDouble(i)   to nearest
//   toInt(f)                              towards zero, held within int32; a NaN gives 0
//   maskOf<float>(m) maskOf<std::int32_t>(m)        a mask of ints for floats and back
//   countOf(mask)                         how many lanes are in it
//   bitsOf(mask) maskOfBits(bits)         bit i is lane i; the mask of an I32x16
//   repeat4(p) tile4(p)                   p0 p0 p0 p0 p1 ... p3 and p0 p1 p2 p3 p0 ... p3
//   join4(p, q, r, s)                     p0 p1 p2 p3 q0 ... s3
//   append(v, mask, p)                    the mask's lanes in their order; p has room for 16
//   sum(v) minimum(v) maximum(v)          over the lanes in one order: lane i with lane i + 8, then
//                                         + 4, + 2, + 1
//   v.lane(i)                             one lane, for tests and rare cases: slow
//
// There is no fused multiply-add and no approximate reciprocal or root: they differ between
// machines. Only whether a NaN is one is the same everywhere, its sign and payload are not: keep it
// out of results. A lambda in a kernel must not take or return lanes by value (clang compiles it
// without the target's instructions); use a LANES_INLINE function.
//
// How it works: Highway's foreach_target.h reads TACTUS_LANES_FILE once for each vector target,
// with another HWY_NAMESPACE and other compiler options each time. Its fallback target, which comes
// last and goes on in the file itself, is ours for the scalar twin and for what stands in the file
// once.

#ifndef TACTUS_LANES_TARGETS
#define TACTUS_LANES_TARGETS

#ifdef HWY_TARGETS
#error "lanes.hpp must be the first header of the file that includes Highway."
#endif
#ifndef TACTUS_LANES_FILE
#error "Define TACTUS_LANES_FILE as the path of the including file, as other files include it."
#endif

// Whatever -march says, the fallback is the last target and every one of the three others is made.
#define HWY_BROKEN_EMU128 1  // which makes HWY_SCALAR the fallback, with every compiler
#define HWY_BASELINE_TARGETS HWY_SCALAR
#ifdef TACTUS_FEW_TARGETS
#define HWY_DISABLED_TARGETS (~(HWY_SCALAR | HWY_AVX2))
#else
#define HWY_DISABLED_TARGETS (~(HWY_SCALAR | HWY_SSE4 | HWY_AVX2 | HWY_AVX3))
#endif
// No instruction that fuses in the AVX2 code; AVX-512 has one, but -ffp-contract=off forbids it.
#define HWY_DISABLE_BMI2_FMA
#define HWY_TARGET_INCLUDE TACTUS_LANES_FILE

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "models/lanes/vector_target.hpp"

namespace tactus::models::lanes {

inline constexpr std::size_t kLanes = 16;

/// A number as the type to calculate with: ints as unsigned ones, whose overflow wraps.
template <typename T>
constexpr auto word(T x) noexcept {
  return static_cast<std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>>(x);
}

/// The first `count` numbers of sixteen, then `rest`. A call on purpose: tails are rare, and a
/// kernel that loads many arrays would be mostly this code.
template <typename T>
[[gnu::noinline]] void copyTail(const T* from, std::size_t count, T rest, T* to) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i)
    to[i] = i < count ? from[i] : rest;
}

/// The one of four versions of a function that belongs to the active target. A version that was not
/// compiled (not an x86 processor) is null, and its target is not supported.
template <typename Function>
Function* ofActiveTarget(const std::array<Function*, 4>& versions) noexcept {
  return versions[static_cast<std::size_t>(activeTarget())];
}

}  // namespace tactus::models::lanes

#define TACTUS_LANES_ONCE HWY_ONCE

#define TACTUS_LANES_BEGIN(space)                                    \
  HWY_BEFORE_NAMESPACE();                                            \
  namespace space::HWY_NAMESPACE {                                   \
  namespace {                                                        \
  using namespace ::tactus::models::lanes::HWY_NAMESPACE; /*NOLINT*/ \
  using ::tactus::models::lanes::kLanes;                             \
  static_assert(true, "asks for a semicolon")

#define TACTUS_LANES_END(space) \
  }                             \
  }                             \
  HWY_AFTER_NAMESPACE()

// Not HWY_INLINE, which leaves calls in a build without optimisation: GCC forgets the target's
// options for a friend function of a template, and then caller and callee pass registers in other
// ways.
#define LANES_INLINE inline __attribute__((always_inline))

// Loops over the registers of a value vanish also at -O2, where GCC would keep them and every value
// in memory: eight times slower with SSE4.
#if defined(__clang__)
#define LANES_UNROLL _Pragma("unroll")
#else
#define LANES_UNROLL _Pragma("GCC unroll 16")
#endif

#endif  // TACTUS_LANES_TARGETS

#include <hwy/foreach_target.h>
// foreach_target.h has read the other targets; now, or within that reading:
#include <hwy/highway.h>

#undef TACTUS_LANES_CALL
#if HWY_ARCH_X86_64 && defined(TACTUS_FEW_TARGETS)
#define TACTUS_LANES_CALL(function)                                                              \
  ::tactus::models::lanes::ofActiveTarget<std::remove_pointer_t<decltype(&N_SCALAR::function)>>( \
      {&N_SCALAR::function, nullptr, &N_AVX2::function, nullptr})
#elif HWY_ARCH_X86_64
#define TACTUS_LANES_CALL(function)                                                              \
  ::tactus::models::lanes::ofActiveTarget<std::remove_pointer_t<decltype(&N_SCALAR::function)>>( \
      {&N_SCALAR::function, &N_SSE4::function, &N_AVX2::function, &N_AVX3::function})
#else
#define TACTUS_LANES_CALL(function)                                                              \
  ::tactus::models::lanes::ofActiveTarget<std::remove_pointer_t<decltype(&N_SCALAR::function)>>( \
      {&N_SCALAR::function, nullptr, nullptr, nullptr})
#endif

// Once a target: HWY_TARGET_TOGGLE changes between defined and undefined from one to the next.
#if defined(TACTUS_LANES_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_LANES_PER_TARGET
#undef TACTUS_LANES_PER_TARGET
#else
#define TACTUS_LANES_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace tactus::models::lanes::HWY_NAMESPACE {

// ---- one register, the only part that knows the target ------------------------------------------

#if HWY_TARGET == HWY_SCALAR

template <typename T>
struct Register {
  using Value = T;
  using Mask = bool;
  static constexpr std::size_t kWidth = 1;

  static LANES_INLINE Value load(const T* from) { return *from; }
  static LANES_INLINE void store(Value v, T* to) { *to = v; }
  static LANES_INLINE Value set(T v) { return v; }

  static LANES_INLINE Value add(Value a, Value b) { return static_cast<T>(word(a) + word(b)); }
  static LANES_INLINE Value subtract(Value a, Value b) { return static_cast<T>(word(a) - word(b)); }
  static LANES_INLINE Value multiply(Value a, Value b) { return static_cast<T>(word(a) * word(b)); }
  static LANES_INLINE Value divide(Value a, Value b) { return a / b; }
  static LANES_INLINE Value negate(Value a) { return static_cast<T>(-word(a)); }
  static LANES_INLINE Value sqrt(Value a) { return std::sqrt(a); }
  static LANES_INLINE Value floor(Value a) { return std::floor(a); }
  static LANES_INLINE Value abs(Value a) {
    if constexpr (std::is_integral_v<T>) {
      return a < 0 ? negate(a) : a;
    } else {
      return std::fabs(a);
    }
  }
  static LANES_INLINE Value min(Value a, Value b) { return a < b ? a : b; }
  static LANES_INLINE Value max(Value a, Value b) { return a > b ? a : b; }

  static LANES_INLINE Mask less(Value a, Value b) { return a < b; }
  static LANES_INLINE Mask lessOrEqual(Value a, Value b) { return a <= b; }
  static LANES_INLINE Mask equal(Value a, Value b) { return a == b; }
  static LANES_INLINE Mask bothOf(Mask a, Mask b) { return a && b; }
  static LANES_INLINE Mask anyOf(Mask a, Mask b) { return a || b; }
  static LANES_INLINE Mask inverse(Mask a) { return !a; }
  static LANES_INLINE bool isEmpty(Mask a) { return !a; }
  static LANES_INLINE Value select(Mask mask, Value yes, Value no) { return mask ? yes : no; }
  template <typename From>
  static LANES_INLINE Mask maskFrom(bool mask) {
    return mask;
  }
  static LANES_INLINE std::uint32_t bits(Mask mask) { return mask ? 1U : 0U; }
  static LANES_INLINE Mask ofBits(std::uint32_t bits) { return (bits & 1U) != 0; }
  static LANES_INLINE Value repeat4(const T* from, std::size_t part) { return from[part / 4]; }
  static LANES_INLINE Value tile4(const T* from, std::size_t part) { return from[part % 4]; }
  static LANES_INLINE Value join4(const T* const* from, std::size_t part) {
    return from[part / 4][part % 4];
  }
  static LANES_INLINE std::size_t append(Value v, Mask mask, T* to) {
    *to = v;
    return mask ? 1 : 0;
  }

  template <typename Index>
  static LANES_INLINE Value gather(const T* base, Index index) {
    return base[index];
  }
  static LANES_INLINE Value gatherByte(const std::int8_t* base, Value index) {
    return static_cast<T>(base[index]);
  }
  static LANES_INLINE Value gatherShorts(const std::int16_t* base, Value index) {
    return static_cast<T>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(base[index])) |
                          static_cast<std::uint32_t>(static_cast<std::uint16_t>(base[index + 1]))
                              << 16U);
  }
  static LANES_INLINE Value lowShort(Value word) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(word));
  }
  static LANES_INLINE Value highShort(Value word) { return word >> 16; }
};

#else  // a vector target

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::CappedTag<T, kLanes>;

template <typename T>
struct Register {
  using Value = hn::Vec<Tag<T>>;
  using Mask = hn::Mask<Tag<T>>;
  static constexpr std::size_t kWidth = hn::MaxLanes(Tag<T>{});

  static LANES_INLINE Value load(const T* from) { return hn::LoadU(Tag<T>{}, from); }
  static LANES_INLINE void store(Value v, T* to) { hn::StoreU(v, Tag<T>{}, to); }
  static LANES_INLINE Value set(T v) { return hn::Set(Tag<T>{}, v); }

  static LANES_INLINE Value add(Value a, Value b) { return hn::Add(a, b); }
  static LANES_INLINE Value subtract(Value a, Value b) { return hn::Sub(a, b); }
  static LANES_INLINE Value multiply(Value a, Value b) { return hn::Mul(a, b); }
  static LANES_INLINE Value divide(Value a, Value b) { return hn::Div(a, b); }
  static LANES_INLINE Value negate(Value a) { return hn::Neg(a); }
  static LANES_INLINE Value sqrt(Value a) { return hn::Sqrt(a); }
  static LANES_INLINE Value floor(Value a) { return hn::Floor(a); }
  static LANES_INLINE Value abs(Value a) { return hn::Abs(a); }
  // minps and its kin are defined as a < b ? a : b, the second one for a NaN and for two zeros.
  static LANES_INLINE Value min(Value a, Value b) { return hn::Min(a, b); }
  static LANES_INLINE Value max(Value a, Value b) { return hn::Max(a, b); }

  static LANES_INLINE Mask less(Value a, Value b) { return hn::Lt(a, b); }
  static LANES_INLINE Mask lessOrEqual(Value a, Value b) {
    if constexpr (std::is_integral_v<T>) {  // Highway has it for floats only
      return hn::Not(hn::Lt(b, a));
    } else {
      return hn::Le(a, b);
    }
  }
  static LANES_INLINE Mask equal(Value a, Value b) { return hn::Eq(a, b); }
  static LANES_INLINE Mask bothOf(Mask a, Mask b) { return hn::And(a, b); }
  static LANES_INLINE Mask anyOf(Mask a, Mask b) { return hn::Or(a, b); }
  static LANES_INLINE Mask inverse(Mask a) { return hn::Not(a); }
  static LANES_INLINE bool isEmpty(Mask a) { return hn::AllFalse(Tag<T>{}, a); }
  static LANES_INLINE Value select(Mask mask, Value yes, Value no) {
    return hn::IfThenElse(mask, yes, no);
  }
  template <typename From>
  static LANES_INLINE Mask maskFrom(typename Register<From>::Mask mask) {
    return hn::RebindMask(Tag<T>{}, mask);
  }
  static LANES_INLINE std::uint32_t bits(Mask mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Tag<T>{}, mask, bytes);
    return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8U;
  }
  static LANES_INLINE Mask ofBits(std::uint32_t bits) {
    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits),
                                   static_cast<std::uint8_t>(bits >> 8U)};
    return hn::LoadMaskBits(Tag<T>{}, bytes);
  }
  /// Register `part` of four numbers, each four times. For four-byte types.
  static LANES_INLINE Value repeat4(const T* from, std::size_t part) {
    static_assert(sizeof(T) == 4);
    if constexpr (kWidth == 4) {
      return set(from[part]);
    } else {
      alignas(64) static constexpr std::int32_t kWhich[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                                  2, 2, 2, 2, 3, 3, 3, 3};
      return hn::TableLookupLanes(hn::LoadDup128(Tag<T>{}, from),
                                  hn::SetTableIndices(Tag<T>{}, kWhich + part * kWidth));
    }
  }
  static LANES_INLINE Value tile4(const T* from, std::size_t /*part*/) {
    static_assert(sizeof(T) == 4);
    return hn::LoadDup128(Tag<T>{}, from);
  }
  static LANES_INLINE Value join4(const T* const* from, std::size_t part) {
    static_assert(sizeof(T) == 4);
    const hn::CappedTag<T, 4> four;
    if constexpr (kWidth == 4) {
      return hn::LoadU(four, from[part]);
    } else {
      const hn::CappedTag<T, 8> eight;
      const auto low = hn::Combine(eight, hn::LoadU(four, from[part * kWidth / 4 + 1]),
                                   hn::LoadU(four, from[part * kWidth / 4]));
      if constexpr (kWidth == 8) {
        return low;
      } else {
        return hn::Combine(
            Tag<T>{}, hn::Combine(eight, hn::LoadU(four, from[3]), hn::LoadU(four, from[2])), low);
      }
    }
  }
  /// Through a register: the instruction that compresses into memory is microcode on some machines.
  static LANES_INLINE std::size_t append(Value v, Mask mask, T* to) {
    hn::StoreU(hn::Compress(v, mask), Tag<T>{}, to);
    return hn::CountTrue(Tag<T>{}, mask);
  }

  template <typename Index>
  static LANES_INLINE Value gather(const T* base, Index index) {
    return hn::GatherIndex(Tag<T>{}, base, index);
  }
  /// Four bytes from each place, of which the lowest is kept with its sign.
  static LANES_INLINE Value gatherByte(const std::int8_t* base, Value index) {
    const auto* words =
        reinterpret_cast<const std::int32_t*>(base);  // read through intrinsics only
    return hn::ShiftRight<24>(hn::ShiftLeft<24>(hn::GatherOffset(Tag<T>{}, words, index)));
  }
  /// Four bytes from each place: two neighbours in one number.
  static LANES_INLINE Value gatherShorts(const std::int16_t* base, Value index) {
    const auto* words =
        reinterpret_cast<const std::int32_t*>(base);  // read through intrinsics only
    return hn::GatherOffset(Tag<T>{}, words, hn::ShiftLeft<1>(index));
  }
  static LANES_INLINE Value lowShort(Value word) {
    return hn::ShiftRight<16>(hn::ShiftLeft<16>(word));
  }
  static LANES_INLINE Value highShort(Value word) { return hn::ShiftRight<16>(word); }
};

#endif

// ---- sixteen lanes, the same text for every target ----------------------------------------------

/// One bool for each of sixteen numbers of type T.
template <typename T>
struct LaneMask {
  using Part = Register<T>;
  static constexpr std::size_t kParts = kLanes / Part::kWidth;
  typename Part::Mask part[kParts];

  friend LANES_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::bothOf(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::anyOf(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE LaneMask operator!(LaneMask a) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::inverse(a.part[i]);
    return a;
  }
  friend LANES_INLINE bool none(LaneMask a) {
    typename Part::Mask some = a.part[0];
    LANES_UNROLL
    for (std::size_t i = 1; i < kParts; ++i)
      some = Part::anyOf(some, a.part[i]);
    return Part::isEmpty(some);
  }
  friend LANES_INLINE bool any(LaneMask a) { return !none(a); }
  friend LANES_INLINE bool all(LaneMask a) { return none(!a); }
};

/// Sixteen numbers.
template <typename T>
struct Lanes {
  using Part = Register<T>;
  using Mask = LaneMask<T>;
  static constexpr std::size_t kParts = kLanes / Part::kWidth;
  typename Part::Value part[kParts];

  Lanes() = default;
  /// The same number in every lane.
  LANES_INLINE Lanes(T value) {  // NOLINT(google-explicit-constructor): x * 2.0F should read so
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      part[i] = Part::set(value);
  }

  [[nodiscard]] LANES_INLINE T lane(std::size_t i) const {
    T all[kLanes];
    store(*this, all);
    return all[i];
  }

  friend LANES_INLINE Lanes operator+(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::add(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes operator-(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::subtract(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes operator*(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::multiply(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes operator/(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::divide(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes operator-(Lanes a) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::negate(a.part[i]);
    return a;
  }
  LANES_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  LANES_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  LANES_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }

  friend LANES_INLINE Lanes sqrt(Lanes a) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::sqrt(a.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes floor(Lanes a) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::floor(a.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes abs(Lanes a) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::abs(a.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes min(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::min(a.part[i], b.part[i]);
    return a;
  }
  friend LANES_INLINE Lanes max(Lanes a, Lanes b) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      a.part[i] = Part::max(a.part[i], b.part[i]);
    return a;
  }

  friend LANES_INLINE Mask operator<(Lanes a, Lanes b) {
    Mask mask;
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      mask.part[i] = Part::less(a.part[i], b.part[i]);
    return mask;
  }
  friend LANES_INLINE Mask operator<=(Lanes a, Lanes b) {
    Mask mask;
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      mask.part[i] = Part::lessOrEqual(a.part[i], b.part[i]);
    return mask;
  }
  friend LANES_INLINE Mask operator==(Lanes a, Lanes b) {
    Mask mask;
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      mask.part[i] = Part::equal(a.part[i], b.part[i]);
    return mask;
  }
  friend LANES_INLINE Mask operator>(Lanes a, Lanes b) { return b < a; }
  friend LANES_INLINE Mask operator>=(Lanes a, Lanes b) { return b <= a; }
  friend LANES_INLINE Mask operator!=(Lanes a, Lanes b) { return !(a == b); }

  friend LANES_INLINE void store(Lanes v, T* to) {
    LANES_UNROLL
    for (std::size_t i = 0; i < kParts; ++i)
      Part::store(v.part[i], to + i * Part::kWidth);
  }
  friend LANES_INLINE void store(Lanes v, T* to, std::size_t count) {
    if (count >= kLanes) {
      store(v, to);
      return;
    }
    T all[kLanes];
    store(v, all);
    for (std::size_t i = 0; i < count; ++i)
      to[i] = all[i];
  }
};

using F32x16 = Lanes<float>;
using F64x16 = Lanes<double>;
using I32x16 = Lanes<std::int32_t>;

template <typename T>
LANES_INLINE Lanes<T> load(const T* from) {
  Lanes<T> v;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i) {
    v.part[i] = Register<T>::load(from + i * Register<T>::kWidth);
  }
  return v;
}

/// Through an array, because vector loads behind the end of a page fault on some targets.
template <typename T>
LANES_INLINE Lanes<T> load(const T* from, std::size_t count, T rest = T{}) {
  if (count >= kLanes) return load(from);
  T all[kLanes];
  copyTail(from, count, rest, all);
  return load(static_cast<const T*>(all));
}

/// The mask alone tells T, so that either of the two may be a scalar.
template <typename T>
LANES_INLINE Lanes<T> select(LaneMask<T> mask, std::type_identity_t<Lanes<T>> yes,
                             std::type_identity_t<Lanes<T>> no) {
  LANES_UNROLL
  for (std::size_t i = 0; i < mask.kParts; ++i) {
    yes.part[i] = Register<T>::select(mask.part[i], yes.part[i], no.part[i]);
  }
  return yes;
}

/// Bit i is lane i.
template <typename T>
LANES_INLINE std::uint32_t bitsOf(LaneMask<T> mask) {
  std::uint32_t bits = 0;
  LANES_UNROLL
  for (std::size_t i = 0; i < mask.kParts; ++i)
    bits |= Register<T>::bits(mask.part[i]) << (i * Register<T>::kWidth);
  return bits;
}

template <typename T>
LANES_INLINE std::size_t countOf(LaneMask<T> mask) {
  return static_cast<std::size_t>(std::popcount(bitsOf(mask)));
}

/// The other way round, for ints.
LANES_INLINE LaneMask<std::int32_t> maskOfBits(std::uint32_t bits) {
  LaneMask<std::int32_t> mask;
  LANES_UNROLL
  for (std::size_t i = 0; i < mask.kParts; ++i) {
    mask.part[i] = Register<std::int32_t>::ofBits(bits >> (i * Register<std::int32_t>::kWidth));
  }
  return mask;
}

/// Four numbers, each four times: p0 p0 p0 p0 p1 p1 ... p3.
template <typename T>
LANES_INLINE Lanes<T> repeat4(const T* from) {
  Lanes<T> v;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i)
    v.part[i] = Register<T>::repeat4(from, i);
  return v;
}

/// Four numbers four times: p0 p1 p2 p3 p0 p1 ... p3.
template <typename T>
LANES_INLINE Lanes<T> tile4(const T* from) {
  Lanes<T> v;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i)
    v.part[i] = Register<T>::tile4(from, i);
  return v;
}

/// Four times four numbers, from four places.
template <typename T>
LANES_INLINE Lanes<T> join4(const T* p, const T* q, const T* r, const T* s) {
  const T* const from[4] = {p, q, r, s};
  Lanes<T> v;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i)
    v.part[i] = Register<T>::join4(from, i);
  return v;
}

/// Stores the lanes of the mask, in their order, and may write anything to the rest of the sixteen
/// places from `to` on. Returns how many there are.
template <typename T>
LANES_INLINE std::size_t append(Lanes<T> v, LaneMask<T> mask, T* to) {
  std::size_t count = 0;
  LANES_UNROLL
  for (std::size_t i = 0; i < v.kParts; ++i)
    count += Register<T>::append(v.part[i], mask.part[i], to + count);
  return count;
}

LANES_INLINE I32x16 laneNumbers() {
  static constexpr std::int32_t kNumbers[kLanes] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                    8, 9, 10, 11, 12, 13, 14, 15};
  return load(kNumbers);
}

template <typename To, typename From>
LANES_INLINE LaneMask<To> maskOf(LaneMask<From> mask) {
  static_assert(sizeof(To) == sizeof(From), "a mask keeps the width of its numbers");
  LaneMask<To> result;
  LANES_UNROLL
  for (std::size_t i = 0; i < mask.kParts; ++i) {
    result.part[i] = Register<To>::template maskFrom<From>(mask.part[i]);
  }
  return result;
}

template <typename T>
LANES_INLINE LaneMask<T> firstLanes(std::size_t count) {
  T numbers[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i)
    numbers[i] = static_cast<T>(i);
  return load(static_cast<const T*>(numbers)) < Lanes<T>(static_cast<T>(count));
}

// ---- between widths: a register holds half as many doubles as floats, in the twin one of either
// --

#if HWY_TARGET == HWY_SCALAR

/// Register `part` of the same numbers as doubles or 64-bit ints.
template <typename Wide, typename T>
LANES_INLINE Wide widened(Lanes<T> v, std::size_t part) {
  return static_cast<Wide>(v.part[part]);
}

/// Register `part` of the same numbers as floats.
LANES_INLINE float narrowed(F64x16 v, std::size_t part) {
  return static_cast<float>(v.part[part]);
}

LANES_INLINE float nearest(std::int32_t v) {
  return static_cast<float>(v);
}

/// Of a number that is not a NaN.
LANES_INLINE std::int32_t truncated(float v) {
  if (v >= 0x1p31F) return std::numeric_limits<std::int32_t>::max();
  if (v < -0x1p31F) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(v);
}

#else

template <typename Wide, typename T>
LANES_INLINE hn::Vec<Tag<Wide>> widened(Lanes<T> v, std::size_t part) {
  const hn::Half<Tag<T>> half;
  const auto both = v.part[part / 2];
  const Tag<Wide> wide;
  return part % 2 == 0 ? hn::PromoteTo(wide, hn::LowerHalf(half, both))
                       : hn::PromoteTo(wide, hn::UpperHalf(half, both));
}

LANES_INLINE hn::Vec<Tag<float>> narrowed(F64x16 v, std::size_t part) {
  const hn::Half<Tag<float>> half;
  return hn::Combine(Tag<float>{}, hn::DemoteTo(half, v.part[2 * part + 1]),
                     hn::DemoteTo(half, v.part[2 * part]));
}

LANES_INLINE hn::Vec<Tag<float>> nearest(hn::Vec<Tag<std::int32_t>> v) {
  return hn::ConvertTo(Tag<float>{}, v);
}

LANES_INLINE hn::Vec<Tag<std::int32_t>> truncated(hn::Vec<Tag<float>> v) {
  return hn::ConvertTo(Tag<std::int32_t>{}, v);
}

#endif

LANES_INLINE F64x16 toDouble(F32x16 v) {
  F64x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i)
    result.part[i] = widened<double>(v, i);
  return result;
}

LANES_INLINE F64x16 toDouble(I32x16 v) {
  F64x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i)
    result.part[i] = widened<double>(v, i);
  return result;
}

LANES_INLINE F32x16 toFloat(F64x16 v) {
  F32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i)
    result.part[i] = narrowed(v, i);
  return result;
}

LANES_INLINE F32x16 toFloat(I32x16 v) {
  F32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i)
    result.part[i] = nearest(v.part[i]);
  return result;
}

LANES_INLINE I32x16 toInt(F32x16 v) {
  const F32x16 number = select(v == v, v, 0.0F);
  I32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i)
    result.part[i] = truncated(number.part[i]);
  return result;
}

LANES_INLINE F32x16 gather(const float* base, I32x16 index) {
  F32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i) {
    result.part[i] = Register<float>::gather(base, index.part[i]);
  }
  return result;
}

LANES_INLINE I32x16 gather(const std::int32_t* base, I32x16 index) {
  I32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i) {
    result.part[i] = Register<std::int32_t>::gather(base, index.part[i]);
  }
  return result;
}

LANES_INLINE I32x16 gather(const std::int8_t* base, I32x16 index) {
  I32x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i) {
    result.part[i] = Register<std::int32_t>::gatherByte(base, index.part[i]);
  }
  return result;
}

/// Each lane's base[i] and base[i + 1].
struct ShortPairs {
  I32x16 first, second;
};

LANES_INLINE ShortPairs gatherPairs(const std::int16_t* base, I32x16 index) {
  ShortPairs result;
  LANES_UNROLL
  for (std::size_t i = 0; i < index.kParts; ++i) {
    const auto words = Register<std::int32_t>::gatherShorts(base, index.part[i]);
    result.first.part[i] = Register<std::int32_t>::lowShort(words);
    result.second.part[i] = Register<std::int32_t>::highShort(words);
  }
  return result;
}

LANES_INLINE F64x16 gather(const double* base, I32x16 index) {
  F64x16 result;
  LANES_UNROLL
  for (std::size_t i = 0; i < result.kParts; ++i) {
    result.part[i] = Register<double>::gather(base, widened<std::int64_t>(index, i));
  }
  return result;
}

// ---- over the lanes, in the one order of a tree: i with i + 8, then + 4, + 2, + 1
// ----------------

template <typename T>
LANES_INLINE T sum(Lanes<T> v) {
  T all[kLanes];
  store(v, all);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      all[i] = static_cast<T>(word(all[i]) + word(all[i + half]));
    }
  }
  return all[0];
}

template <typename T>
LANES_INLINE T minimum(Lanes<T> v) {
  T all[kLanes];
  store(v, all);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i)
      all[i] = all[i] < all[i + half] ? all[i] : all[i + half];
  }
  return all[0];
}

template <typename T>
LANES_INLINE T maximum(Lanes<T> v) {
  T all[kLanes];
  store(v, all);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i)
      all[i] = all[i] > all[i + half] ? all[i] : all[i + half];
  }
  return all[0];
}

}  // namespace tactus::models::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TACTUS_LANES_PER_TARGET
