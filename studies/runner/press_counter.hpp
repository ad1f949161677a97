#pragma once
#include <cstdint>

#include "studies/measures/contact_record.hpp"

namespace tactus::studies {

/// How often a person has pressed onto something and let go, tick by tick: a press has begun when
/// the tool is pushed by more than `kPressForce`, and has ended when it has been free for
/// `kFreeSeconds`, so that one that bounces counts once.
class PressCounter {
 public:
  // Well above friction and noise of the shipped devices, and less than a careful touch.
  static constexpr double kPressForce = 0.5;    ///< [N]
  static constexpr double kFreeSeconds = 0.15;  ///< [s]

  explicit PressCounter(double tickSeconds) noexcept;
  void add(const ContactRecord& contact) noexcept;
  /// That have ended.
  [[nodiscard]] int presses() const noexcept { return presses_; }

 private:
  std::uint32_t freeTicks_, free_ = 0;
  int presses_ = 0;
  bool isPressed_ = false;
};

}  // namespace tactus::studies
