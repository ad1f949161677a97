#pragma once
#include <cstddef>
#include <functional>

namespace tactus::models {

/// What long work calls now and then, from the thread that it was called from, with the share of it
/// that is done; false: it should end. May be empty.
using GoesOn = std::function<bool(double share)>;

/// For a part of the work, which leads from one share of the whole to another.
[[nodiscard]] GoesOn partOf(const GoesOn& whole, double from, double to);

/// parallelFor() that may be ended: the calling thread asks after each block that it has worked on
/// itself. Blocks that have not begun by then are left out. Returns whether all was done.
[[nodiscard]] bool parallelWhile(
    std::size_t count, std::size_t block, unsigned threads, const GoesOn& goesOn,
    const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace tactus::models
