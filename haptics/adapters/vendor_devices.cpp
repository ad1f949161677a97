#include "haptics/adapters/vendor_devices.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tactus::haptics {

struct RepeatingThread::State {
  std::mutex mutex;
  std::condition_variable wakes;
  bool stops = false;
  std::thread thread;
};

RepeatingThread::RepeatingThread(std::int64_t periodNs, void (*work)(void*), void* context)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.thread = std::thread([&state, periodNs, work, context] {
    const std::chrono::nanoseconds period(periodNs);
    auto next = std::chrono::steady_clock::now();
    std::unique_lock lock(state.mutex);
    while (!state.stops) {
      lock.unlock();
      work(context);
      lock.lock();
      next += period;
      // After a stall it goes on from now, and does not run after what it has missed.
      const auto now = std::chrono::steady_clock::now();
      if (next < now) next = now;
      state.wakes.wait_until(lock, next, [&state] { return state.stops; });
    }
  });
}

RepeatingThread::~RepeatingThread() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stops = true;
  }
  state_->wakes.notify_all();
  state_->thread.join();
}

}  // namespace tactus::haptics
