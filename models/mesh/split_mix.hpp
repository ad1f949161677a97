#pragma once
#include <cstdint>

namespace tactus::models {

/// Numbers that look random and are the same everywhere; the distributions of <random> are not.
///
/// Source: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014;
/// S. Vigna's splitmix64, 2015 (public domain).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) noexcept : state_(seed) {}

  /// Every bit of a number reaches every bit of the result.
  [[nodiscard]] static std::uint64_t scrambled(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  /// From 0 up to 1, of 53 of the bits.
  [[nodiscard]] static double shareOf(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11U) * 0x1p-53;
  }

  std::uint64_t next() noexcept { return scrambled(state_ += kStep); }
  double share() noexcept { return shareOf(next()); }
  double aroundZero() noexcept { return 2.0 * share() - 1.0; }  ///< from -1 up to 1

  /// 2^64 over the golden ratio: what a seed is multiplied by, so that seeds beside each other have
  /// nothing in common.
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;

 private:
  std::uint64_t state_;
};

}  // namespace tactus::models
