#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tactus::studies {

/// Numbers as a reader wants them, whatever the locale says; the minus sign is U+2212.

/// So many significant digits, without an exponent from 0.0001 to a million.
[[nodiscard]] std::string significant(double value, int digits = 3);
/// The same without zeros at the end: for numbers that are exact, and for ticks.
[[nodiscard]] std::string plain(double value, int digits = 4);
[[nodiscard]] std::string fixedPoint(double value, int decimals);
/// "0.012", "< 0.0001" with a blank that does not break; "-" of nothing.
[[nodiscard]] std::string pValue(std::optional<double> p);
/// "p = 0.012", "p < 0.0001".
[[nodiscard]] std::string pPhrase(double p);
/// Text between tags and in attributes of HTML and SVG.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace tactus::studies
