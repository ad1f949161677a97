#include "app/core_share.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tactus::app {
namespace {

// Up to here they are alike: processors with fast and slow cores have more.
constexpr int kFewCores = 4;
// More of Mesa's threads wait for each other longer than they draw.
constexpr int kMostDrawing = 8;

// What the system refuses stays as it was.
void runOn(const cpu_set_t& cores) {
  static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof(cores), &cores));
}

}  // namespace

CoreShare::CoreShare() {
  CPU_ZERO(&all_);
  if (::pthread_getaffinity_np(::pthread_self(), sizeof(all_), &all_) != 0) return;
  count_ = CPU_COUNT(&all_);
  others_ = all_;
  CPU_ZERO(&loop_);
  // The last one: the system's own work likes the first.
  for (int core = CPU_SETSIZE - 1; core >= 0; --core) {
    if (!CPU_ISSET(core, &all_)) continue;
    CPU_SET(core, &loop_);
    CPU_CLR(core, &others_);
    return;
  }
}

bool CoreShare::isApart(int cores) noexcept {
  return cores >= 2 && cores <= kFewCores;
}

int CoreShare::drawingThreads(int cores) noexcept {
  // On one core a thread that draws and one that waits for it only change places.
  return std::clamp(cores - 2, 0, kMostDrawing);
}

void CoreShare::leaveLoopAlone() const {
  if (count_ == 0) return;
  ::setenv("LP_NUM_THREADS", std::to_string(drawingThreads(count_)).c_str(), 0);
  if (isApart(count_)) runOn(others_);
}

void CoreShare::takeLoopCore() const {
  if (isApart(count_)) runOn(loop_);
}

void CoreShare::takeAll() const {
  if (count_ > 0) runOn(all_);
}

}  // namespace tactus::app
