#include "render/quality_chooser.hpp"

#include <algorithm>
#include <cstdint>

namespace tactus::render {

namespace {

// Work that leaves less than this share of a frame's time free loses frames to any disturbance.
constexpr double kTooMuchWork = 0.8;
// Frames that take so many times their own time are seen at once: no second verdict is waited for.
constexpr double kStutter = 1.5;
// More of a frame's work is not counted.
constexpr double kLongest = 3.0;

/// About how many times the work of a quality the next better one takes. Up to `plain` only pixels
/// get more, and where little is drawn anew they are the least of it.
double stepFrom(Quality quality) {
  return quality < Quality::Plain ? 1.3 : 2.0;
}

Quality stepped(Quality quality, int by) {
  return static_cast<Quality>(static_cast<int>(quality) + by);
}

}  // namespace

void QualityChooser::observe(double workSeconds, double now) {
  if (isFixed_) return;
  // Every fourth picture has widgets and takes longer, in any quality. The next ones make up for it
  // as long as the mean fits; a frame that stood still says nothing about them.
  sum_ += std::min(workSeconds, kLongest * frameSeconds_);
  if (++count_ < kFramesPerVerdict) return;
  const double usual = sum_ / kFramesPerVerdict;
  sum_ = 0.0;
  count_ = 0;
  const double most = kTooMuchWork * frameSeconds_;
  const bool isSlow = usual > most;
  const bool goesDown = isSlow && (wasSlow_ || usual > kStutter * frameSeconds_);
  wasSlow_ = isSlow;
  if (goesDown && quality_ != Quality::Draft) {
    goDown(now);
  } else if (!isSlow && quality_ != best_ && now >= nextTrial_ &&
             usual * stepFrom(quality_) < most) {
    goUp(now);
  }
}

void QualityChooser::goDown(double now) {
  // One that did for long was no failed trial.
  patience_ = now - since_ > kLongestPatience ? kFirstPatience
                                              : std::min(2.0 * patience_, kLongestPatience);
  nextTrial_ = now + patience_;
  quality_ = stepped(quality_, -1);
  since_ = now;
  wasSlow_ = false;
}

void QualityChooser::goUp(double now) {
  quality_ = stepped(quality_, 1);
  since_ = now;
}

}  // namespace tactus::render
