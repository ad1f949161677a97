#pragma once
#include <chrono>
#include <string>

#include "collision/cache/object_builder.hpp"

namespace tactus::app {

/// "packing 40 %, 4,000 spheres, 61.0 % filled, 2 s left". `secondsSoFar`: since packing began.
[[nodiscard]] std::string progressText(const collision::BuildProgress& progress,
                                       double secondsSoFar);

/// One line on standard error that says how far a build is, if that is a terminal; gone in the end.
class BuildProgressLine {
 public:
  BuildProgressLine();
  BuildProgressLine(const BuildProgressLine&) = delete;
  BuildProgressLine& operator=(const BuildProgressLine&) = delete;
  ~BuildProgressLine();

  void show(const collision::BuildProgress& progress);

 private:
  bool isTerminal_;
  std::chrono::steady_clock::time_point packingBegan_, shownAt_;
  collision::BuildStage shown_ = collision::BuildStage::Checking;
  bool isPacking_ = false;
};

}  // namespace tactus::app
