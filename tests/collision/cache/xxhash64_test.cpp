#include "collision/cache/xxhash64.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace {

using tactus::collision::xxhash64;

std::uint64_t hashOf(std::string_view text) {
  return xxhash64(std::as_bytes(std::span(text)));
}

// Printed by `xxhsum -H1` of xxHash 0.8.1.
TEST(Xxhash64, GivesThePublishedNumbers) {
  EXPECT_EQ(hashOf(""), 0xef46db3751d8e999U);
  EXPECT_EQ(hashOf("a"), 0xd24ec4f1a98c6e5bU);
  EXPECT_EQ(hashOf("abc"), 0x44bc2cf5ad770999U);
  EXPECT_EQ(hashOf("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
}

// The sum over all lengths up to three stripes and a rest, with seeds, made by libxxhash 0.8.1.
TEST(Xxhash64, AgreesWithTheLibraryForEveryLengthAndSeed) {
  std::vector<std::byte> bytes;
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n <= 100; ++n) {
    sum = sum * 31 + xxhash64(bytes, n);
    bytes.push_back(static_cast<std::byte>(n * 7 + 3));
  }
  EXPECT_EQ(sum, 0x81512c945ff86061U);
}

}  // namespace
