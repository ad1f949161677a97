#pragma once
#include <string>

#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// All outcomes in long form as CSV: one row a participant, level and outcome, levels by their
/// letters; fillers and what is excluded are left out.
[[nodiscard]] std::string observationsCsv(const TrialTable& table);

/// A script for R that fits mixed models to those observations: lme4 for numbers, ordinal for
/// answers, survival for durations that were cut; each is skipped where R lacks its package.
[[nodiscard]] std::string mixedModelsScript(const TrialTable& table);

inline constexpr const char* kObservationsFile = "observations.csv";
inline constexpr const char* kMixedModelsFile = "mixed_models.R";

}  // namespace tactus::studies
