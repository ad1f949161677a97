#include "models/mesh/parallel_while.hpp"

#include <atomic>
#include <thread>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {

GoesOn partOf(const GoesOn& whole, double from, double to) {
  if (!whole) return {};
  return [whole, from, to](double share) { return whole(from + (to - from) * share); };
}

bool parallelWhile(std::size_t count, std::size_t block, unsigned threads, const GoesOn& goesOn,
                   const std::function<void(std::size_t, std::size_t)>& work) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> isEnded{false};
  std::atomic<std::size_t> done{0};
  parallelFor(count, block, threads, [&](std::size_t begin, std::size_t end) {
    if (isEnded) return;
    work(begin, end);
    const std::size_t now = done += end - begin;
    if (!goesOn || std::this_thread::get_id() != caller) return;
    if (!goesOn(static_cast<double>(now) / static_cast<double>(count))) isEnded = true;
  });
  return !isEnded;
}

}  // namespace tactus::models
