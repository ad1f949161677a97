#pragma once
#include <string>

#include "studies/report/study_analysis.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// One page that stands alone, for a reader who was not there: what was asked, who took part, what
/// came out, every test and table, and how they were computed. Conditions go by their letters; what
/// these stand for is in a part of the page that is closed at first. The title of a simulated study
/// says that it is one.
[[nodiscard]] std::string studyReportHtml(const TrialTable& table, const StudyAnalysis& analysis);

}  // namespace tactus::studies
