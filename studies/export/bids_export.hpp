#pragma once
#include <filesystem>

#include "models/mesh/result.hpp"
#include "studies/export/pseudonyms.hpp"
#include "studies/runner/study_folder.hpp"

namespace tactus::studies {

/// A tree like the one of Motion-BIDS (S. Jeung and others, "Motion-BIDS", 2024): per participant,
/// period and trial the raw motion of each hand as TSV with a list of channels (forces and torques
/// as MISC, with units) and a JSON beside it; and under `phenotype` the study's table.
///
/// How it differs: a rate of 1 kHz of haptic devices, and a trial with its attempts is a run.
///
/// `table` is the study's, under the pseudonyms if there are any. The folder must be empty or not
/// there, unless `overwrites`.
[[nodiscard]] models::Result<models::Done> exportBids(
    const StudyFolder& study, StudyJournal& journal, const TrialTable& table,
    const Pseudonyms* pseudonyms, const std::filesystem::path& folder, bool overwrites);

}  // namespace tactus::studies
