#include "studies/trials/csv_rows.hpp"

#include <cstddef>
#include <utility>

namespace tactus::studies {

using models::Reason;
using models::Result;

Result<std::vector<CsvRow>> readCsvRows(std::string_view text, const models::FileLabel& label) {
  std::vector<CsvRow> rows;
  std::uint64_t line = 1;
  std::size_t at = 0;
  while (at < text.size()) {
    CsvRow row{.line = line, .cells = {}};
    for (bool isLast = false; !isLast;) {
      std::string cell;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          if (at == text.size())
            return label.atLine(Reason::Truncated, row.line, "a quotation mark is never closed.");
          if (text[at] == '"') {
            ++at;
            if (at == text.size() || text[at] != '"') break;
          } else if (text[at] == '\n') {
            ++line;
          }
          cell += text[at];
        }
      } else {
        while (at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r')
          cell += text[at++];
      }
      row.cells.push_back(std::move(cell));
      if (at < text.size() && text[at] == '\r') ++at;
      isLast = at == text.size() || text[at] == '\n';
      if (!isLast && text[at] != ',') {
        return label.atLine(Reason::Malformed, line,
                            "after a cell there is neither a comma nor the end of the line.");
      }
      ++at;
    }
    ++line;
    if (!rows.empty() && row.cells.size() != rows.front().cells.size()) {
      return label.atLine(Reason::WrongCount, row.line,
                          "there are " + std::to_string(row.cells.size()) + " cells and not " +
                              std::to_string(rows.front().cells.size()) + " as in the first line.");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void appendCsvRow(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      text += cells[i];
      continue;
    }
    text += '"';
    for (const char c : cells[i]) {
      text += c;
      if (c == '"') text += '"';
    }
    text += '"';
  }
  text += '\n';
}

}  // namespace tactus::studies
