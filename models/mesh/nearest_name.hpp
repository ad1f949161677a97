#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tactus::models {

/// The candidate that a person most likely meant: the shortest that begins with what was typed, if
/// that is three letters or more; else the smallest number of letters to insert, drop, change or
/// swap with a neighbour (Damerau 1964, Levenshtein 1966). Empty if even the best needs more than
/// half of the longer word changed, because then it is no help.
[[nodiscard]] std::string nearestName(std::string_view typed,
                                      const std::vector<std::string>& candidates);

}  // namespace tactus::models
