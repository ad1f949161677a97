#pragma once
#include <string>
#include <string_view>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// The facts of a study and, for a reader without this program, what every column of its CSV files
/// means; JSON.
[[nodiscard]] std::string studyFactsJson(const StudyFacts& facts);

/// The facts again; the columns' meanings are not read back.
[[nodiscard]] models::Result<StudyFacts> readStudyFactsJson(std::string_view text,
                                                            const models::FileLabel& label);

}  // namespace tactus::studies
