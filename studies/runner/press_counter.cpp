#include "studies/runner/press_counter.hpp"

#include <cmath>

namespace tactus::studies {

PressCounter::PressCounter(double tickSeconds) noexcept
    : freeTicks_(static_cast<std::uint32_t>(std::lround(kFreeSeconds / tickSeconds))) {}

void PressCounter::add(const ContactRecord& contact) noexcept {
  double square = 0.0;
  for (const float axis : contact.force)
    square += static_cast<double>(axis) * static_cast<double>(axis);
  if (square > kPressForce * kPressForce) isPressed_ = true;
  free_ = contact.touches != 0 ? 0 : free_ + 1;
  if (!isPressed_ || free_ < freeTicks_) return;
  isPressed_ = false;
  ++presses_;
}

}  // namespace tactus::studies
