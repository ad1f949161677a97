#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "studies/plan/study_plan.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// Other codes in place of a study's: of participants, pairs and sessions.
using Pseudonyms = std::map<std::string, std::string>;

/// In an order that nobody can tell who does not know the key.
[[nodiscard]] Pseudonyms pseudonymsFor(const StudyPlan& plan, std::uint64_t key);

/// The same table under other codes, sorted by them, without what people wrote and without the
/// names of raw data.
[[nodiscard]] TrialTable pseudonymised(TrialTable table, const Pseudonyms& pseudonyms);

}  // namespace tactus::studies
