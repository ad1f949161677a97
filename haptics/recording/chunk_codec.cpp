#include "haptics/recording/chunk_codec.hpp"

#include <zstd.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "collision/cache/xxhash64.hpp"

namespace tactus::haptics {
namespace {

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

// The lowest level: a second of a hand's samples takes it a millisecond, and higher ones save a
// tenth of the bytes.
constexpr int kLevel = 1;

// Checksum and size of a record.
constexpr std::size_t kHeadBytes = 8 + 4;

// More than a chunk of fifty ticks of 256 bodies has; a size beyond it is a damaged one.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

/// Room for compression, made once a thread: to make it anew takes as long as a chunk.
ZSTD_CCtx* compressor() {
  struct Frees {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  thread_local const std::unique_ptr<ZSTD_CCtx, Frees> kContext(ZSTD_createCCtx());
  return kContext.get();
}

ZSTD_DCtx* decompressor() {
  struct Frees {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  thread_local const std::unique_ptr<ZSTD_DCtx, Frees> kContext(ZSTD_createDCtx());
  return kContext.get();
}

std::uint64_t checksum(std::uint64_t firstTick, std::uint32_t records,
                       std::span<const std::byte> rest) {
  const std::array<std::uint64_t, 2> head = {firstTick, records};
  return collision::xxhash64(rest, collision::xxhash64(std::as_bytes(std::span(head))));
}

std::vector<std::byte> columnsOf(std::span<const std::byte> records, std::size_t size) {
  const std::size_t count = size == 0 ? 0 : records.size() / size;
  std::vector<std::byte> columns(count * size);
  for (std::size_t b = 0; b < size; ++b) {
    std::byte before{};
    for (std::size_t i = 0; i < count; ++i) {
      columns[b * count + i] = records[i * size + b] ^ before;
      before = records[i * size + b];
    }
  }
  return columns;
}

std::vector<std::byte> recordsOf(std::span<const std::byte> columns, std::size_t size) {
  const std::size_t count = size == 0 ? 0 : columns.size() / size;
  std::vector<std::byte> records(count * size);
  for (std::size_t b = 0; b < size; ++b) {
    std::byte before{};
    for (std::size_t i = 0; i < count; ++i) {
      before ^= columns[b * count + i];
      records[i * size + b] = before;
    }
  }
  return records;
}

}  // namespace

std::vector<std::byte> packedChunk(const ChunkHead& head, std::span<const std::byte> records) {
  const std::vector<std::byte> columns = columnsOf(records, head.recordBytes);
  std::vector<std::byte> packed(kHeadBytes + ZSTD_compressBound(columns.size()));
  const std::size_t bytes =
      ZSTD_compressCCtx(compressor(), packed.data() + kHeadBytes, packed.size() - kHeadBytes,
                        columns.data(), columns.size(), kLevel);
  packed.resize(kHeadBytes + bytes);
  std::memcpy(packed.data() + 8, &head.recordBytes, 4);
  const std::uint64_t sum =
      checksum(head.firstTick, head.records, std::span<const std::byte>(packed).subspan(8));
  std::memcpy(packed.data(), &sum, 8);
  return packed;
}

std::optional<std::vector<std::byte>> unpackedChunk(std::uint64_t firstTick, std::uint32_t records,
                                                    std::span<const std::byte> packed) {
  if (packed.size() < kHeadBytes) return std::nullopt;
  std::uint64_t sum = 0;
  std::memcpy(&sum, packed.data(), 8);
  if (sum != checksum(firstTick, records, packed.subspan(8))) return std::nullopt;
  const std::uint64_t size = recordBytesOf(packed);
  const std::span<const std::byte> frame = packed.subspan(kHeadBytes);
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size * records > kMostBytes || bytes != size * records) return std::nullopt;
  std::vector<std::byte> columns(static_cast<std::size_t>(bytes));
  const std::size_t found = ZSTD_decompressDCtx(decompressor(), columns.data(), columns.size(),
                                                frame.data(), frame.size());
  if (ZSTD_isError(found) != 0 || found != columns.size()) return std::nullopt;
  return recordsOf(columns, static_cast<std::size_t>(size));
}

std::uint32_t recordBytesOf(std::span<const std::byte> packed) noexcept {
  std::uint32_t size = 0;
  if (packed.size() >= kHeadBytes) std::memcpy(&size, packed.data() + 8, 4);
  return size;
}

}  // namespace tactus::haptics
