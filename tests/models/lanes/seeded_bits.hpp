#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::tests {

/// Seeded random numbers, the same everywhere; the distributions of <random> are not.
/// Source: S. Vigna, splitmix64, 2015 (public domain).
class SeededBits {
 public:
  explicit SeededBits(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// In [from, to), 53 random bits.
  double between(double from, double to) {
    return from + (to - from) * (static_cast<double>(next() >> 11U) * 0x1p-53);
  }

  std::uint64_t below(int count) { return next() % static_cast<std::uint64_t>(count); }

 private:
  std::uint64_t state_;
};

/// Hash of the bit patterns of numbers, in their order.
/// Source: FNV-1a of G. Fowler, L. Noll and K. Vo, taken 64 bits at a time with a final-style mix,
/// because a byte at a time is slow in Debug builds.
class BytesHash {
 public:
  void add(double x) { addBits(std::bit_cast<std::uint64_t>(x)); }
  void add(float x) { addBits(std::bit_cast<std::uint32_t>(x)); }

  template <typename T>
  void addAll(std::span<const T> numbers) {
    for (const T x : numbers)
      add(x);
  }

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void addBits(std::uint64_t bits) {
    hash_ = (hash_ ^ bits) * 0x100000001b3U;
    hash_ ^= hash_ >> 29U;
  }

  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace tactus::tests
