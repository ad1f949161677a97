#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace tactus::studies {

/// Which hand somebody prefers, by four questions.
///
/// Sources: R. C. Oldfield, "The assessment and analysis of handedness: the Edinburgh inventory",
/// 1971; the short form by J. F. Veale, "Edinburgh Handedness Inventory - Short Form", 2014.
inline constexpr std::array<std::string_view, 4> kHandednessActivities = {
    "Writing", "Throwing", "Brushing your teeth", "Holding a spoon"};
inline constexpr std::array<std::string_view, 5> kHandednessAnswers = {
    "Always left", "Usually left", "Both equally", "Usually right", "Always right"};

/// Mean of the answers, which are places in kHandednessAnswers: -100 (left) to 100 (right).
[[nodiscard]] double handednessQuotient(std::span<const std::size_t> answers) noexcept;
/// "right" above 60, "left" below -60, "mixed" between, as Veale has it.
[[nodiscard]] std::string_view handednessName(double quotient) noexcept;

}  // namespace tactus::studies
