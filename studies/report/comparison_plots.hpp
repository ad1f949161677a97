#pragma once
#include <string>
#include <vector>

#include "studies/report/study_analysis.hpp"

/// Plots of a report as SVG that stands alone. Conditions go by their letters.
namespace tactus::studies {

/// Every participant under both levels, joined, and what box and mean say of them.
[[nodiscard]] std::string participantsSvg(const Comparison& comparison);

/// The difference of every unit, sorted; their mean with its interval, and the bounds of
/// equivalence.
[[nodiscard]] std::string differencesSvg(const Comparison& comparison);

/// How often each answer of a scale was given.
[[nodiscard]] std::string answersSvg(const Comparison& comparison, const QuestionItem& item);

/// Share of those who were not done yet, over time; E. Kaplan and P. Meier, "Nonparametric
/// estimation from incomplete observations", 1958. A cross where somebody was cut.
[[nodiscard]] std::string stillAtItSvg(const Comparison& comparison,
                                       const std::vector<SingleTime>& times);

[[nodiscard]] std::string kindsSvg(const KindsComparison& comparison);

/// All standardised differences with their intervals.
[[nodiscard]] std::string effectsSvg(const std::vector<Comparison>& comparisons);

}  // namespace tactus::studies
