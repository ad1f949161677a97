#pragma once
#include <cstddef>
#include <functional>

namespace tactus::models {

/// Calls work(begin, end) for [0, count) cut into blocks of `block` elements, on `threads` threads
/// (0: one a core). Which thread takes which block is left to chance; the cut is not, so work that
/// writes only to its own elements, or to one slot a block, gives the same bytes for any thread
/// count. Returns when all is done; an exception of the work is rethrown here.
///
/// Why not oneTBB: its library is not built for ThreadSanitizer, which then reports races in our
/// code that are none, and the loops here last milliseconds, where starting threads costs nothing.
void parallelFor(std::size_t count, std::size_t block, unsigned threads,
                 const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Threads that parallelFor uses for `threads` = 0.
[[nodiscard]] unsigned coreCount() noexcept;

}  // namespace tactus::models
