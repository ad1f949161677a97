#include "app/panel/parameter_history.hpp"

#include <utility>

#include "haptics/tick/tick_parameters.hpp"

namespace tactus::app {
namespace {

using haptics::TickParameters;

/// Of the moment: a pause is no setting.
TickParameters withMomentOf(TickParameters settings, const TickParameters& moment) {
  settings.isPaused = moment.isPaused;
  settings.steps = moment.steps;
  return settings;
}

}  // namespace

bool differ(const TickParameters& a, const TickParameters& b) {
  const TickParameters same = withMomentOf(a, b);
  for (std::size_t index = 0; index < haptics::parameterCount(); ++index) {
    if (haptics::parameterAt(same, index) != haptics::parameterAt(b, index)) return true;
  }
  return false;
}

ParameterHistory::ParameterHistory(const TickParameters& begin)
    : defaults_(begin), now_(begin), other_(begin), steps_{begin} {}

void ParameterHistory::settle() {
  if (!differ(now_, steps_[at_])) return;
  steps_.resize(at_ + 1);
  steps_.push_back(now_);
  if (steps_.size() > kMostSteps) steps_.erase(steps_.begin());
  at_ = steps_.size() - 1;
}

void ParameterHistory::restore(const TickParameters& to) {
  now_ = withMomentOf(to, now_);
}

void ParameterHistory::undo() {
  settle();
  if (canUndo()) restore(steps_[--at_]);
}

void ParameterHistory::redo() {
  if (canRedo()) restore(steps_[++at_]);
}

void ParameterHistory::toggle() {
  const TickParameters before = now_;
  restore(std::exchange(other_, before));
  isB_ = !isB_;
  settle();
}

}  // namespace tactus::app
