#pragma once
#include <string_view>
#include <vector>

#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// Every measure of a trial, with unit and meaning. Of a task with one hand, what needs two is
/// missing; only presses have stiffnesses.
[[nodiscard]] const std::vector<MeasureColumn>& measureColumns();

}  // namespace tactus::studies
