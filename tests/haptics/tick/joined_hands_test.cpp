#include "haptics/tick/joined_hands.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace tactus::haptics {
namespace {

constexpr std::size_t kHands = 4;

/// Bit 4 k + other of a number: who touches whom.
bool touch(unsigned pairs, std::size_t k, std::size_t other) {
  return ((pairs >> (kHands * k + other)) & 1U) != 0 || ((pairs >> (kHands * other + k)) & 1U) != 0;
}

/// Whether there is a way from one to the other, by looking at all of them.
bool hangTogether(unsigned pairs, std::size_t from, std::size_t to) {
  unsigned reached = 1U << from;
  for (std::size_t round = 0; round < kHands; ++round) {
    for (std::size_t k = 0; k < kHands; ++k) {
      for (std::size_t other = 0; other < kHands; ++other) {
        if (((reached >> k) & 1U) != 0 && k != other && touch(pairs, k, other))
          reached |= 1U << other;
      }
    }
  }
  return ((reached >> to) & 1U) != 0;
}

// All ways in which four hands can touch each other.
TEST(JoinedHands, AreThoseBetweenWhomThereIsAWay) {
  for (unsigned way = 0; way < 64; ++way) {
    SCOPED_TRACE(way);
    unsigned pairs = 0;
    unsigned bit = 0;
    for (std::size_t k = 0; k < kHands; ++k) {
      for (std::size_t other = 0; other < k; ++other, ++bit)
        pairs |= ((way >> bit) & 1U) << (kHands * k + other);
    }
    const auto groups = joinedHands<kHands>(
        kHands, [&](std::size_t k, std::size_t other) { return touch(pairs, k, other); });
    for (std::size_t k = 0; k < kHands; ++k) {
      for (std::size_t other = 0; other < kHands; ++other)
        EXPECT_EQ(groups[k] == groups[other], hangTogether(pairs, k, other)) << k << other;
    }
  }
}

}  // namespace
}  // namespace tactus::haptics
