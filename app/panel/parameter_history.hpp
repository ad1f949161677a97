#pragma once
#include <cstddef>
#include <vector>

#include "haptics/tick/haptic_tick.hpp"

namespace tactus::app {

/// What the panel wants of the tick, with the way back: undo and redo of whole edits, and two sets
/// A and B to compare by a key.
///
/// While a slider is drawn edit() is called with each value; settle() ends the edit. What belongs
/// to the moment (pause, single steps) is never undone.
class ParameterHistory {
 public:
  explicit ParameterHistory(const haptics::TickParameters& begin);

  [[nodiscard]] const haptics::TickParameters& now() const noexcept { return now_; }
  [[nodiscard]] const haptics::TickParameters& defaults() const noexcept { return defaults_; }

  void edit(const haptics::TickParameters& wanted) { now_ = wanted; }
  void settle();

  [[nodiscard]] bool canUndo() const noexcept { return at_ > 0; }
  [[nodiscard]] bool canRedo() const noexcept { return at_ + 1 < steps_.size(); }
  void undo();
  void redo();

  /// The other set takes over; it begins as a copy of the first. Undo brings back what was edited
  /// whichever set it was in.
  void toggle();
  [[nodiscard]] bool isB() const noexcept { return isB_; }
  /// Both sets are alike from now on.
  void copyToOther() { other_ = now_; }

  static constexpr std::size_t kMostSteps = 200;

 private:
  void restore(const haptics::TickParameters& to);

  haptics::TickParameters defaults_, now_, other_;
  std::vector<haptics::TickParameters> steps_;
  std::size_t at_ = 0;
  bool isB_ = false;
};

/// Whether two differ in anything that an edit can change.
[[nodiscard]] bool differ(const haptics::TickParameters& a, const haptics::TickParameters& b);

}  // namespace tactus::app
