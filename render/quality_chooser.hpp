#pragma once
#include <cstddef>
#include <optional>

#include "render/window.hpp"

namespace tactus::render {

/// Chooses the quality that holds the frame rate, by what frames have cost.
///
/// It goes down when frames have been too slow for a second, and up when the next better quality
/// should fit. Whether it does nobody knows before it was tried: a trial that fails is repeated
/// after a while, each time after twice as long, so that a machine that was busy for a moment does
/// not look worse for good, and one that is too slow does not change its picture all the time.
class QualityChooser {
 public:
  /// Frames whose work decides about the quality: half a second at 60 Hz.
  static constexpr std::size_t kFramesPerVerdict = 30;
  /// How long a quality that was too slow is not tried again: at first, and at most [s].
  static constexpr double kFirstPatience = 5.0;
  static constexpr double kLongestPatience = 80.0;

  /// Begins with `first`, and never chooses a better one than `best`.
  QualityChooser(std::optional<Quality> fixed, Quality first, Quality best, double frameSeconds)
      : isFixed_(fixed.has_value()),
        best_(best),
        quality_(fixed.value_or(first)),
        frameSeconds_(frameSeconds) {}

  [[nodiscard]] Quality quality() const noexcept { return quality_; }

  /// `workSeconds` is the time that the last frame took without waiting, `now` only grows.
  void observe(double workSeconds, double now);

 private:
  void goDown(double now);
  void goUp(double now);

  bool isFixed_;
  Quality best_;
  Quality quality_;
  double frameSeconds_;
  double nextTrial_ = 0.0;
  double since_ = 0.0;  ///< it has this quality
  double patience_ = kFirstPatience;
  bool wasSlow_ = false;  ///< at the last verdict
  double sum_ = 0.0;      ///< of the frames' work since then
  std::size_t count_ = 0;
};

}  // namespace tactus::render
