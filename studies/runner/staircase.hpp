#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// The transformed up-down method: the difference goes down after two right answers in a row and up
/// after each wrong one, so it comes to where 70.7 % are right.
///
/// Source: H. Levitt, "Transformed up-down methods in psychoacoustics", 1971.
class Staircase {
 public:
  explicit Staircase(const StudyProtocol& protocol);

  /// False for protocols without one.
  [[nodiscard]] bool isUsed() const noexcept { return isUsed_; }
  /// Nominal stiffness of the next comparison [N/m].
  [[nodiscard]] double comparison() const noexcept { return reference_ + difference_; }
  void answer(bool isRight);
  /// Mean difference at the last reversals that count [N/m]; nothing before there are so many.
  [[nodiscard]] std::optional<double> threshold() const;

 private:
  bool isUsed_;
  double reference_ = 0.0, difference_ = 0.0, step_ = 0.0;
  std::uint32_t counted_ = 0, rightInRow_ = 0;
  int way_ = 0;
  std::vector<double> reversals_;
};

}  // namespace tactus::studies
