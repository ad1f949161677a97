#include "studies/report_text.hpp"

#include <array>
#include <charconv>

#include "studies/machine_facts.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

std::string written(double value, std::chars_format format, int digits) {
  std::array<char, 400> text;  // a double has up to 309 digits before its point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr;
  return {text.data(), end};
}

}  // namespace

std::string fixedText(double value, int decimals) {
  return written(value, std::chars_format::fixed, decimals);
}

std::string shortText(double value, int digits) {
  return written(value, std::chars_format::general, digits);
}

std::string escapedText(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string pageOf(std::string_view title, std::string_view body) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
      escapedText(title) +
      "</title>\n<style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
      "table{border-collapse:collapse;font-size:.9em}td,th{padding:.2em .7em;text-align:right;"
      "border-bottom:1px solid #ccc}td:first-child,th:first-child,td.word{text-align:left}"
      "td.bad{background:#fbd5cc}td.good{background:#d3ecd8}svg{display:block;margin:1em 0}"
      "</style></head><body>\n<h1>" +
      escapedText(title) + "</h1>\n";
  page += body;
  return page + "</body></html>\n";
}

std::string tableOf(const std::vector<std::vector<std::string>>& rows) {
  std::string table = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const char* cell = r == 0 ? "th" : "td";
    table += "<tr>";
    for (const std::string& content : rows[r])
      table += std::string("<") + cell + ">" + content + "</" + cell + ">";
    table += "</tr>\n";
  }
  return table + "</table>\n";
}

std::string machineParagraph(double stolenShare) {
  const MachineFacts facts = machineFacts();
  return "<p>" + escapedText(facts.cpu) + ", " + std::to_string(facts.cores) + " cores, " +
         facts.isa + "; " + escapedText(facts.compiler) + ", " + escapedText(facts.flags) +
         ". Stolen processor time " + fixedText(100.0 * stolenShare, 2) + " %" +
         (stolenShare > kMostStolen ? ": <b>the times do not count</b>" : "") + ".</p>\n";
}

}  // namespace tactus::studies
