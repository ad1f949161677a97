#include "app/blinking_window.hpp"

#include <cmath>

namespace tactus::app {
namespace {

constexpr double kNsPerUs = 1e3;
// After a change the system maps the window and everything is drawn anew: these ticks belong to
// neither side [s].
constexpr double kSettling = 0.25;

Json figuresOf(const haptics::TickTimes& times) {
  return {{"p50", static_cast<double>(times.percentile(0.5)) / kNsPerUs},
          {"p99", static_cast<double>(times.percentile(0.99)) / kNsPerUs},
          {"ticks", times.count()}};
}

}  // namespace

bool BlinkingWindow::hides(double now) {
  if (!seconds_) return false;
  const double turns = now / *seconds_;
  const double begun = std::floor(turns);
  isHidden_ = std::fmod(begun, 2.0) != 0.0;
  isSettled_ = (turns - begun) * *seconds_ >= kSettling;
  return isHidden_;
}

void BlinkingWindow::add(const haptics::TracePoint& point) {
  if (!seconds_ || !isSettled_) return;
  const auto nanoseconds =
      static_cast<std::int64_t>(kNsPerUs * static_cast<double>(point.computeUs));
  (isHidden_ ? hidden_ : visible_).add(nanoseconds);
}

Json BlinkingWindow::figures() const {
  if (!seconds_) return nullptr;
  const auto visible = static_cast<double>(visible_.percentile(0.5));
  const auto hidden = static_cast<double>(hidden_.percentile(0.5));
  Json json = {{"visible", figuresOf(visible_)}, {"hidden", figuresOf(hidden_)}};
  json["growth"] = hidden > 0.0 ? Json(visible / hidden - 1.0) : Json(nullptr);
  return json;
}

}  // namespace tactus::app
