// A chunk gives back what went in, and nothing else passes for it.
#include "haptics/recording/chunk_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using namespace tactus::haptics;
using tactus::tests::SeededBits;

std::vector<std::byte> noise(std::size_t bytes) {
  SeededBits random(1);
  std::vector<std::byte> all(bytes);
  for (std::byte& one : all)
    one = static_cast<std::byte>(random.below(256));
  return all;
}

/// A hand on its way, as doubles.
std::vector<std::byte> movement(std::size_t records) {
  std::vector<std::byte> all(records * 7 * sizeof(double));
  for (std::size_t i = 0; i < records; ++i) {
    for (std::size_t k = 0; k < 7; ++k) {
      const double x = 0.1 * std::sin(2e-3 * static_cast<double>(i) + static_cast<double>(k));
      std::memcpy(all.data() + (7 * i + k) * sizeof x, &x, sizeof x);
    }
  }
  return all;
}

TEST(ChunkCodec, GivesBackWhatWentIn) {
  for (const std::uint32_t size : {1U, 4U, 24U, 333U}) {
    for (const std::uint32_t records : {0U, 1U, 2U, 50U}) {
      const std::vector<std::byte> raw = noise(std::size_t{size} * records);
      const auto packed = packedChunk({77, records, size}, raw);
      EXPECT_EQ(recordBytesOf(packed), size);
      EXPECT_EQ(unpackedChunk(77, records, packed), raw) << size << " " << records;
    }
  }
}

TEST(ChunkCodec, MakesMovementSmall) {
  const std::vector<std::byte> raw = movement(50);
  const auto packed = packedChunk({0, 50, 7 * sizeof(double)}, raw);
  EXPECT_EQ(unpackedChunk(0, 50, packed), raw);
  EXPECT_LT(packed.size(), raw.size() * 9 / 10);
}

TEST(ChunkCodec, StillHandsTakeNextToNothing) {
  const std::vector<std::byte> raw(std::size_t{50} * 96, std::byte{0x5A});
  EXPECT_LT(packedChunk({0, 50, 96}, raw).size(), 200U);
}

TEST(ChunkCodec, EveryFlippedBitIsFound) {
  const auto packed = packedChunk({1000, 10, 24}, noise(240));
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    auto damaged = packed;
    damaged[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    ASSERT_FALSE(unpackedChunk(1000, 10, damaged)) << bit;
  }
}

TEST(ChunkCodec, EveryShorteningIsFound) {
  const auto packed = packedChunk({1000, 10, 24}, noise(240));
  for (std::size_t length = 0; length < packed.size(); ++length)
    ASSERT_FALSE(unpackedChunk(1000, 10, std::span(packed).first(length))) << length;
}

TEST(ChunkCodec, BelongsToItsTicks) {
  const auto packed = packedChunk({1000, 10, 24}, noise(240));
  EXPECT_TRUE(unpackedChunk(1000, 10, packed));
  EXPECT_FALSE(unpackedChunk(1001, 10, packed));
  EXPECT_FALSE(unpackedChunk(1000, 11, packed));
}

}  // namespace
