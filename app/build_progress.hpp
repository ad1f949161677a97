#pragma once
#include <chrono>

#include "collision/cache/object_builder.hpp"

namespace tactus::app {

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
