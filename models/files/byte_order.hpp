#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tactus::models {

/// A number out of a file's bytes, which have no alignment and may be big endian.
template <typename T>
[[nodiscard]] inline T load(const std::byte* bytes, std::endian order) noexcept {
  using Bytes = std::array<std::byte, sizeof(T)>;
  Bytes raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (order != std::endian::native) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i)
      std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  }
  return std::bit_cast<T>(raw);
}

/// The reverse of load.
template <typename T>
inline void store(T value, std::byte* bytes, std::endian order) noexcept {
  auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if (order != std::endian::native) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i)
      std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  }
  std::memcpy(bytes, raw.data(), sizeof(T));
}

}  // namespace tactus::models
