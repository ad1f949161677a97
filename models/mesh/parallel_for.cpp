#include "models/mesh/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tactus::models {

unsigned coreCount() noexcept {
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallelFor(std::size_t count, std::size_t block, unsigned threads,
                 const std::function<void(std::size_t, std::size_t)>& work) {
  if (count == 0) return;
  block = std::max<std::size_t>(1, block);
  const std::size_t blocks = (count - 1) / block + 1;
  const std::size_t wanted = threads == 0 ? coreCount() : threads;

  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failureMutex;
  const auto takeBlocks = [&] {
    for (std::size_t b = next.fetch_add(1); b < blocks; b = next.fetch_add(1)) {
      try {
        work(b * block, std::min(count, (b + 1) * block));
      } catch (...) {
        const std::scoped_lock lock(failureMutex);
        if (!failure) failure = std::current_exception();
        next.store(blocks);
      }
    }
  };

  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(wanted, blocks); ++i)
      others.emplace_back(takeBlocks);
    takeBlocks();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tactus::models
