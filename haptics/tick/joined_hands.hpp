#pragma once
#include <array>
#include <cstddef>

namespace tactus::haptics {

/// Hands that hang together, also by way of others, get the same number. `areJoined(k, other)`
/// tells it of two.
template <std::size_t most, typename AreJoined>
[[nodiscard]] std::array<std::size_t, most> joinedHands(std::size_t count,
                                                        const AreJoined& areJoined) noexcept {
  std::array<std::size_t, most> group{};
  for (std::size_t k = 0; k < count; ++k) {
    group[k] = k;
    for (std::size_t other = 0; other < k; ++other) {
      if (!areJoined(k, other)) continue;
      const std::size_t joined = group[other];
      for (std::size_t one = 0; one < k; ++one) {
        if (group[one] == joined) group[one] = k;
      }
    }
  }
  return group;
}

}  // namespace tactus::haptics
