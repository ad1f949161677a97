#pragma once
#include <filesystem>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/measures/trial_sheet.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// Measures a recorded trial again, from its raw data alone. One result a player; the same as on
/// line to the bit, but for what was said: `chose_comparison` and `difference`.
[[nodiscard]] models::Result<std::vector<PlayerResult>> measureRecording(
    const StudyProtocol& protocol, const PlannedSession& session, const PlannedTrial& trial,
    const std::filesystem::path& recording);

}  // namespace tactus::studies
