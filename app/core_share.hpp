#pragma once
#include <sched.h>

namespace tactus::app {

/// Who runs on which cores while a window is open.
///
/// Where a processor draws, its threads are busy for half of the time and go through megabytes: a
/// tick on the same core finds its caches empty, and takes up to twice as long. So on a machine of
/// few cores the loop has one for itself. Where there are many the system finds a free one, and
/// knows better which are fast; there the threads that draw only leave two alone.
class CoreShare {
 public:
  /// Of all cores that the calling thread may use now.
  CoreShare();

  /// For the calling thread, and those that it starts from here on. To be called before the window
  /// opens, for Mesa starts its threads then. How many draw is left as it is where the user has set
  /// LP_NUM_THREADS.
  void leaveLoopAlone() const;
  /// For the loop's own thread.
  void takeLoopCore() const;
  /// For the calling thread, and those that it starts: building is worth all there is.
  void takeAll() const;

  /// Whether the loop has one of so many cores for itself.
  [[nodiscard]] static bool isApart(int cores) noexcept;
  /// Threads that draw, beside the one that asks them to and waits.
  [[nodiscard]] static int drawingThreads(int cores) noexcept;

 private:
  cpu_set_t all_{}, loop_{}, others_{};
  int count_ = 0;
};

}  // namespace tactus::app
