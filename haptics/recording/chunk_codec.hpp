#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tactus::haptics {

/// What a chunk of a recording is besides its records.
struct ChunkHead {
  std::uint64_t firstTick = 0;
  std::uint32_t records = 0;  ///< one a tick, of consecutive ticks
  std::uint32_t recordBytes = 0;
};

/// Records as they stand in a recording: small, and found out if a single bit changes.
///
/// Method: each record becomes its difference (exclusive or) to the one before, since a hand hardly
/// moves in a millisecond; equal bytes of all records are put side by side, where most are then 0;
/// zstd makes that small. In front stand the size of a record and the checksum, over the head and
/// all that follows.
[[nodiscard]] std::vector<std::byte> packedChunk(const ChunkHead& head,
                                                 std::span<const std::byte> records);

/// The records again. Nothing if the bytes are not those that packedChunk() made of this tick and
/// number of records.
[[nodiscard]] std::optional<std::vector<std::byte>> unpackedChunk(
    std::uint64_t firstTick, std::uint32_t records, std::span<const std::byte> packed);

/// Of a packed chunk's records; 0 if the chunk is too short to say.
[[nodiscard]] std::uint32_t recordBytesOf(std::span<const std::byte> packed) noexcept;

}  // namespace tactus::haptics
