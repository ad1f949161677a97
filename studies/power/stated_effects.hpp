#pragma once
#include <string>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/result.hpp"
#include "studies/power/study_power.hpp"

namespace tactus::studies {

/// The tables [[power]] of a protocol, in their order. Keys: outcome, difference and basis must be
/// there; mean, sd_participant, sd_response, sd_round, sd_contest, sd_trial, limit, scale (two
/// numbers). Other tables are not looked at. A mistake is named with its line.
[[nodiscard]] models::Result<std::vector<StatedEffect>> statedEffects(
    const models::TomlText& toml, const models::FileLabel& label);

/// "power.outcome" and so on, for who refuses unknown keys.
[[nodiscard]] const std::vector<std::string>& statedEffectKeys();

}  // namespace tactus::studies
