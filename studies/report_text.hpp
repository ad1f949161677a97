#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Pieces of the benchmarks' pages. Numbers are written without regard to the locale.
namespace tactus::studies {

/// With so many decimals.
[[nodiscard]] std::string fixedText(double value, int decimals);
/// With so many digits that count, and no noughts at the end.
[[nodiscard]] std::string shortText(double value, int digits = 3);
/// With <, > and & as HTML and SVG want them.
[[nodiscard]] std::string escapedText(std::string_view text);

/// A page that needs nothing else: no script, no font, no picture from elsewhere.
[[nodiscard]] std::string pageOf(std::string_view title, std::string_view body);

/// The first row is the heading. Cells are HTML.
[[nodiscard]] std::string tableOf(const std::vector<std::vector<std::string>>& rows);

/// Processor, vector code, compiler and stolen time of this run, and whether its times count.
[[nodiscard]] std::string machineParagraph(double stolenShare);

}  // namespace tactus::studies
