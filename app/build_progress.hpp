#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "collision/cache/object_builder.hpp"

namespace tactus::app {

/// "packing 40 %, 4,000 spheres, 61.0 % filled, 2 s left". `secondsSoFar`: since packing began.
[[nodiscard]] std::string progressText(const collision::BuildProgress& progress,
                                       double secondsSoFar);

/// What is said of a build where nobody watches a line that changes, as in a log: nothing of a
/// short one; of a longer one that it goes on, from time to time how far it is, and that it has
/// ended.
class BuildLog {
 public:
  /// `name`: of the model, as sentences show it.
  explicit BuildLog(std::string name) : name_(std::move(name)) {}

  /// The line that is due, if one is. `seconds`: since the build began, never less than before.
  [[nodiscard]] std::optional<std::string> lineAt(const collision::BuildProgress& progress,
                                                  double seconds);
  /// The last line, if there was another one before it.
  [[nodiscard]] std::optional<std::string> endAt(double seconds) const;

 private:
  std::string name_;
  double packingBegan_ = 0.0, saidAt_ = 0.0;
  bool isPacking_ = false, hasSpoken_ = false;
};

/// How far a build is, on standard error: one line that changes and is gone in the end, or the
/// lines of a BuildLog if that is no terminal.
class BuildProgressLine {
 public:
  explicit BuildProgressLine(std::string name);
  BuildProgressLine(const BuildProgressLine&) = delete;
  BuildProgressLine& operator=(const BuildProgressLine&) = delete;
  ~BuildProgressLine();

  void show(const collision::BuildProgress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double secondsSoFar() const;

  bool isTerminal_;
  Clock::time_point began_, packingBegan_, shownAt_;
  collision::BuildStage shown_ = collision::BuildStage::Checking;
  bool isPacking_ = false;
  BuildLog log_;
};

}  // namespace tactus::app
