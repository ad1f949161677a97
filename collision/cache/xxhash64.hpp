#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::collision {

/// XXH64 of bytes: the checksum of a cache's sections, and the name of what is in it.
///
/// Source: Y. Collet, "xxHash fast digest algorithm", specification 0.1.1; `xxhsum -H1` prints the
/// same numbers. How ours differs: not at all, it is only our own forty lines, because Debian's
/// libxxhash would become a dependency of everybody who links this library. Four lanes of 64 bits
/// read several bytes a clock, so that a cache of 100 000 spheres is checked in milliseconds; the
/// CRC-32 of zlib takes ten times as long and has half the bits.
///
/// It finds accidents. It does not stop somebody who wants to deceive.
[[nodiscard]] std::uint64_t xxhash64(std::span<const std::byte> bytes,
                                     std::uint64_t seed = 0) noexcept;

}  // namespace tactus::collision
