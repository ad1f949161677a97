#include "studies/trials/trial_table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/files/file_label.hpp"
#include "models/files/whole_file.hpp"
#include "studies/trials/csv_rows.hpp"
#include "studies/trials/study_facts_json.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;
using models::Done;
using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;

constexpr const char* kFactor = "factor.";
constexpr const char* kMeasure = "measure.";
constexpr const char* kCount = "count.";
constexpr const char* kFact = "fact.";
constexpr std::array<const char*, 3> kAnswerKinds = {"likert", "tlx", "text"};

// A study of a thousand participants is some megabytes.
constexpr std::uintmax_t kMostBytes = 1U << 30U;

template <typename Number>
std::string digitsOf(Number number) {
  std::array<char, 40> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ";") + word;
  return text;
}

std::set<std::string> parted(std::string_view text) {
  std::set<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(';');
    words.emplace(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return words;
}

// What could not be read back.

/// Of what is written, the sentence about the first thing that cannot be.
class Writable {
 public:
  explicit Writable(const TrialTable& table) {
    for (const Factor& factor : table.facts.factors)
      factors_.insert(factor.name);
    for (const MeasureColumn& measure : table.facts.measures)
      measures_.insert(measure.name);
    for (const TrialRow& row : table.trials)
      look(row);
    for (const AnswerRow& row : table.answers)
      look(row);
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  void say(bool isWrong, const std::string& participant, const std::string& what) {
    if (isWrong && complaint_.empty()) complaint_ = "participant " + participant + ": " + what;
  }

  void look(const TrialRow& row) {
    lookAtConditions(row.participant, row.conditions);
    for (const auto& [name, value] : row.measures) {
      say(!measures_.contains(name), row.participant,
          "the measure '" + name + "' is not among those of the study.");
      say(!std::isfinite(value), row.participant,
          "the measure '" + name + "' is no finite number; leave it out.");
    }
    for (const std::string& name : row.censored) {
      say(!row.measures.contains(name), row.participant,
          "'" + name + "' reached its time limit, but has no value.");
    }
    for (const std::string& flag : row.flags) {
      say(flag.empty() || flag.find(';') != std::string::npos, row.participant,
          "the flag '" + flag + "' is empty or has a ';' in it.");
    }
  }

  void look(const AnswerRow& row) {
    lookAtConditions(row.participant, row.conditions);
    say(row.value && !std::isfinite(*row.value), row.participant,
        "the answer to '" + row.item + "' is no finite number.");
  }

  void lookAtConditions(const std::string& participant,
                        const std::map<std::string, std::string>& conditions) {
    for (const auto& [factor, level] : conditions) {
      say(!factors_.contains(factor), participant,
          "the factor '" + factor + "' is not among those of the study.");
      say(level.empty(), participant, "the level of '" + factor + "' is empty.");
    }
  }

  std::set<std::string> factors_, measures_;
  std::string complaint_;
};

// Text of the files.

/// Columns whose names depend on the table, in the order of the names.
template <typename Row, typename Map>
std::set<std::string> keysOf(const std::vector<Row>& rows, Map Row::* map) {
  std::set<std::string> keys;
  for (const Row& row : rows) {
    for (const auto& [key, value] : row.*map)
      keys.insert(key);
  }
  return keys;
}

void addConditions(std::vector<std::string>& cells, const std::vector<Factor>& factors,
                   const std::map<std::string, std::string>& conditions) {
  for (const Factor& factor : factors) {
    const auto found = conditions.find(factor.name);
    cells.push_back(found == conditions.end() ? std::string() : found->second);
  }
}

void addConditionNames(std::vector<std::string>& cells, const std::vector<Factor>& factors) {
  for (const Factor& factor : factors)
    cells.push_back(kFactor + factor.name);
}

const std::vector<std::string> kTrialColumns = {
    "study",    "participant",      "pair",  "session",   "seat",     "side",
    "period",   "sequence",         "block", "trial",     "practice", "filler",
    "excluded", "exclusion_reason", "flags", "recording", "censored"};

std::string trialsText(const TrialTable& table) {
  const std::set<std::string> kinds = keysOf(table.trials, &TrialRow::counts);
  std::vector<std::string> cells = kTrialColumns;
  addConditionNames(cells, table.facts.factors);
  for (const MeasureColumn& measure : table.facts.measures)
    cells.push_back(kMeasure + measure.name);
  for (const std::string& kind : kinds)
    cells.push_back(kCount + kind);
  std::string text;
  appendCsvRow(text, cells);
  for (const TrialRow& row : table.trials) {
    cells = {row.study,
             row.participant,
             row.pair,
             row.session,
             row.seat,
             row.side,
             digitsOf(row.period),
             row.sequence,
             digitsOf(row.block),
             digitsOf(row.trial),
             digitsOf(static_cast<int>(row.isPractice)),
             digitsOf(static_cast<int>(row.isFiller)),
             digitsOf(static_cast<int>(row.isExcluded)),
             row.exclusionReason,
             joined(row.flags),
             row.recording,
             joined(row.censored)};
    addConditions(cells, table.facts.factors, row.conditions);
    for (const MeasureColumn& measure : table.facts.measures) {
      const auto found = row.measures.find(measure.name);
      cells.push_back(found == row.measures.end() ? std::string() : digitsOf(found->second));
    }
    for (const std::string& kind : kinds) {
      const auto found = row.counts.find(kind);
      cells.push_back(found == row.counts.end() ? std::string() : digitsOf(found->second));
    }
    appendCsvRow(text, cells);
  }
  return text;
}

const std::vector<std::string> kAnswerColumns = {"participant", "period", "item",
                                                 "kind",        "value",  "text"};

std::string answersText(const TrialTable& table) {
  std::vector<std::string> cells = kAnswerColumns;
  addConditionNames(cells, table.facts.factors);
  std::string text;
  appendCsvRow(text, cells);
  for (const AnswerRow& row : table.answers) {
    cells = {row.participant,
             digitsOf(row.period),
             row.item,
             kAnswerKinds[static_cast<std::size_t>(row.kind)],
             row.value ? digitsOf(*row.value) : std::string(),
             row.text};
    addConditions(cells, table.facts.factors, row.conditions);
    appendCsvRow(text, cells);
  }
  return text;
}

const std::vector<std::string> kParticipantColumns = {
    "participant", "pair", "sequence", "filler", "excluded", "exclusion_reason"};

std::string participantsText(const TrialTable& table) {
  const std::set<std::string> facts = keysOf(table.participants, &ParticipantRow::facts);
  std::vector<std::string> cells = kParticipantColumns;
  for (const std::string& fact : facts)
    cells.push_back(kFact + fact);
  std::string text;
  appendCsvRow(text, cells);
  for (const ParticipantRow& row : table.participants) {
    cells = {row.participant,
             row.pair,
             row.sequence,
             digitsOf(static_cast<int>(row.isFiller)),
             digitsOf(static_cast<int>(row.isExcluded)),
             row.exclusionReason};
    for (const std::string& fact : facts) {
      const auto found = row.facts.find(fact);
      cells.push_back(found == row.facts.end() ? std::string() : found->second);
    }
    appendCsvRow(text, cells);
  }
  return text;
}

Result<Done> writeText(const fs::path& file, const std::string& text, bool overwrites) {
  models::WholeFile whole(file, overwrites);
  whole.survivePowerCut();
  if (Result<Done> opened = whole.open(); !opened) return opened;
  whole.write(text);
  return whole.finish();
}

// Reading.

Result<std::string> textOf(const fs::path& file) {
  const FileLabel label(file.string());
  std::error_code trouble;
  const std::uintmax_t bytes = fs::file_size(file, trouble);
  if (trouble) {
    return label.whole(Reason::FileMissing,
                       "the file cannot be read; a study's trials should be there.");
  }
  if (bytes > kMostBytes) return label.whole(Reason::TooLarge, "more than a gigabyte of trials.");
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream.good() && !stream.eof())
    return label.whole(Reason::FileMissing, "the file cannot be read to its end.");
  return text;
}

/// One row while it is read; remembers the first mistake.
class Cells {
 public:
  Cells(const FileLabel& label, const CsvRow& names, const CsvRow& row)
      : label_(label), names_(names), row_(row) {}

  std::string text() { return row_.cells[at_++]; }

  bool flag() {
    const std::string& cell = row_.cells[at_];
    if (cell != "0" && cell != "1") wrong("neither 0 nor 1");
    return row_.cells[at_++] == "1";
  }

  template <typename Number>
  Number number() {
    const std::string& cell = row_.cells[at_];
    Number value{};
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    bool isGood = code == std::errc() && end == cell.data() + cell.size();
    if constexpr (std::is_floating_point_v<Number>) isGood = isGood && std::isfinite(value);
    if (!isGood) wrong(std::is_floating_point_v<Number> ? "no number" : "no whole number");
    ++at_;
    return value;
  }

  std::set<std::string> words() { return parted(row_.cells[at_++]); }

  template <std::size_t N>
  std::size_t oneOf(const std::array<const char*, N>& words) {
    for (std::size_t i = 0; i < N; ++i) {
      if (row_.cells[at_] != words[i]) continue;
      ++at_;
      return i;
    }
    wrong("not a word that is known here");
    ++at_;
    return 0;
  }

  /// The columns that are left, each with the part of its name behind `prefix`.
  void rest(const char* prefix, const std::function<void(const std::string& name)>& take) {
    while (at_ < row_.cells.size() && names_.cells[at_].starts_with(prefix)) {
      if (row_.cells[at_].empty()) {
        ++at_;
      } else {
        take(names_.cells[at_].substr(std::string_view(prefix).size()));
      }
    }
  }

  /// Nothing is left, and nothing was wrong.
  [[nodiscard]] const std::optional<Error>& end() {
    if (!error_ && at_ < row_.cells.size()) {
      error_ = label_.atLine(Reason::UnknownName, names_.line,
                             "the column " + models::inQuotes(names_.cells[at_]) +
                                 " is not known, or not known at this place.");
    }
    return error_;
  }

 private:
  void wrong(const char* what) {
    if (error_) return;
    error_ = label_.atLine(Reason::Malformed, row_.line,
                           "under " + models::inQuotes(names_.cells[at_]) + " stands " +
                               models::inQuotes(row_.cells[at_]) + ", which is " + what + ".");
  }

  const FileLabel& label_;
  const CsvRow& names_;
  const CsvRow& row_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

/// The rows of a file whose first columns are these; `take` makes one of ours of each.
template <typename Row>
Result<std::vector<Row>> rowsOf(const fs::path& file, const std::vector<std::string>& columns,
                                const std::function<Row(Cells& cells)>& take) {
  const Result<std::string> text = textOf(file);
  if (!text) return text.error();
  const FileLabel label(file.string());
  const Result<std::vector<CsvRow>> rows = readCsvRows(text.value(), label);
  if (!rows) return rows.error();
  if (rows.value().empty())
    return label.whole(Reason::Empty, "the line with the columns' names is missing.");
  const CsvRow& names = rows.value().front();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i < names.cells.size() && names.cells[i] == columns[i]) continue;
    return label.atLine(Reason::Malformed, 1,
                        "the column " + std::to_string(i + 1) + " should be '" + columns[i] + "'.");
  }
  std::vector<Row> made;
  for (std::size_t i = 1; i < rows.value().size(); ++i) {
    Cells cells(label, names, rows.value()[i]);
    made.push_back(take(cells));
    if (const std::optional<Error>& error = cells.end()) return *error;
  }
  return made;
}

TrialRow trialOf(Cells& cells) {
  TrialRow row;
  row.study = cells.text();
  row.participant = cells.text();
  row.pair = cells.text();
  row.session = cells.text();
  row.seat = cells.text();
  row.side = cells.text();
  row.period = cells.number<std::uint32_t>();
  row.sequence = cells.text();
  row.block = cells.number<std::uint32_t>();
  row.trial = cells.number<std::uint32_t>();
  row.isPractice = cells.flag();
  row.isFiller = cells.flag();
  row.isExcluded = cells.flag();
  row.exclusionReason = cells.text();
  row.flags = cells.words();
  row.recording = cells.text();
  row.censored = cells.words();
  cells.rest(kFactor, [&](const std::string& name) { row.conditions[name] = cells.text(); });
  cells.rest(kMeasure,
             [&](const std::string& name) { row.measures[name] = cells.number<double>(); });
  cells.rest(kCount,
             [&](const std::string& name) { row.counts[name] = cells.number<std::uint64_t>(); });
  return row;
}

AnswerRow answerOf(Cells& cells) {
  AnswerRow row;
  row.participant = cells.text();
  row.period = cells.number<std::uint32_t>();
  row.item = cells.text();
  row.kind = static_cast<AnswerKind>(cells.oneOf(kAnswerKinds));
  cells.rest("value", [&](const std::string&) { row.value = cells.number<double>(); });
  row.text = cells.text();
  cells.rest(kFactor, [&](const std::string& name) { row.conditions[name] = cells.text(); });
  return row;
}

ParticipantRow participantOf(Cells& cells) {
  ParticipantRow row;
  row.participant = cells.text();
  row.pair = cells.text();
  row.sequence = cells.text();
  row.isFiller = cells.flag();
  row.isExcluded = cells.flag();
  row.exclusionReason = cells.text();
  cells.rest(kFact, [&](const std::string& name) { row.facts[name] = cells.text(); });
  return row;
}

}  // namespace

Result<Done> writeTrialTable(const TrialTable& table, const fs::path& folder, bool overwrites) {
  const FileLabel label(folder.string());
  if (const Writable writable(table); !writable.complaint().empty())
    return label.whole(Reason::BadValue, writable.complaint());
  std::error_code trouble;
  fs::create_directories(folder, trouble);
  if (trouble) {
    return label.whole(Reason::CannotWrite,
                       "the folder cannot be made (" + trouble.message() + ").");
  }
  Result<Done> written =
      writeText(folder / kDictionaryFile, studyFactsJson(table.facts), overwrites);
  if (written) written = writeText(folder / kParticipantsFile, participantsText(table), overwrites);
  if (written) written = writeText(folder / kAnswersFile, answersText(table), overwrites);
  if (written) written = writeText(folder / kTrialsFile, trialsText(table), overwrites);
  return written;
}

Result<TrialTable> readTrialTable(const fs::path& folder) {
  const fs::path dictionary = folder / kDictionaryFile;
  const Result<std::string> text = textOf(dictionary);
  if (!text) return text.error();
  Result<StudyFacts> facts = readStudyFactsJson(text.value(), FileLabel(dictionary.string()));
  if (!facts) return facts.error();
  Result<std::vector<TrialRow>> trials =
      rowsOf<TrialRow>(folder / kTrialsFile, kTrialColumns, trialOf);
  if (!trials) return trials.error();
  Result<std::vector<AnswerRow>> answers =
      rowsOf<AnswerRow>(folder / kAnswersFile, kAnswerColumns, answerOf);
  if (!answers) return answers.error();
  Result<std::vector<ParticipantRow>> participants =
      rowsOf<ParticipantRow>(folder / kParticipantsFile, kParticipantColumns, participantOf);
  if (!participants) return participants.error();
  return TrialTable{.facts = std::move(facts).value(),
                    .trials = std::move(trials).value(),
                    .answers = std::move(answers).value(),
                    .participants = std::move(participants).value()};
}

}  // namespace tactus::studies
