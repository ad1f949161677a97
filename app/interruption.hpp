#pragma once

namespace tactus::app {

/// While one lives, the first Ctrl-C (and SIGTERM) is remembered instead of ending the process, so
/// that the work can end in order. The second one ends it as always. Who ignores these signals,
/// such as nohup, goes on to.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  [[nodiscard]] static bool wasAsked() noexcept;
};

}  // namespace tactus::app
