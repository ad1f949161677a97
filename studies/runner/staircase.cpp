#include "studies/runner/staircase.hpp"

#include <algorithm>
#include <numeric>

namespace tactus::studies {

Staircase::Staircase(const StudyProtocol& protocol)
    : isUsed_(protocol.psychophysics &&
              protocol.psychophysics->method == PsychophysicsMethod::OneUpTwoDown) {
  if (!isUsed_) return;
  reference_ = protocol.psychophysics->reference;
  difference_ = protocol.psychophysics->start;
  step_ = protocol.psychophysics->step;
  counted_ = protocol.psychophysics->reversals;
}

void Staircase::answer(bool isRight) {
  if (!isUsed_) return;
  rightInRow_ = isRight ? rightInRow_ + 1 : 0;
  if (isRight && rightInRow_ < 2) return;
  const int way = isRight ? -1 : 1;
  if (way_ != 0 && way != way_) reversals_.push_back(difference_);
  way_ = way;
  rightInRow_ = 0;
  // A difference of nothing cannot be told apart.
  difference_ = std::max(difference_ + way * step_, step_ / 2.0);
}

std::optional<double> Staircase::threshold() const {
  if (reversals_.size() < counted_ || counted_ == 0) return std::nullopt;
  return std::accumulate(reversals_.end() - counted_, reversals_.end(), 0.0) /
         static_cast<double>(counted_);
}

}  // namespace tactus::studies
