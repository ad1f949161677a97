#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"

/// What a user study has found, as plain data: who measures fills it, who analyses or exports reads
/// it. Kept as tidy CSV, one row an observation, and one JSON file that explains every column.
namespace tactus::studies {

// What the study is.

struct FactorLevel {
  std::string name;    ///< as in TrialRow::conditions, "6in6out"
  std::string letter;  ///< what the analyst sees in its place, "A"
  std::string label;   ///< for a reader who was not there

  bool operator==(const FactorLevel&) const = default;
};

struct Factor {
  std::string name;
  std::string label;
  std::vector<FactorLevel> levels;  ///< in the protocol's order
  bool isWithin = true;             ///< every participant meets all levels

  bool operator==(const Factor&) const = default;
};

/// One number a trial; the column `measure.NAME`.
struct MeasureColumn {
  std::string name;
  std::string unit;  ///< "s", "m", "N"; "1" if it has none
  std::string label;

  bool operator==(const MeasureColumn&) const = default;
};

enum class AnswerKind : std::uint8_t { Likert, Tlx, Text };

/// A question that is asked; rows of AnswerRow name it.
struct QuestionItem {
  std::string name;
  AnswerKind kind = AnswerKind::Likert;
  std::string question;  ///< as it was asked
  double least = 1.0, most = 5.0;
  std::string leastLabel, mostLabel;  ///< what stands at the scale's ends

  bool operator==(const QuestionItem&) const = default;
};

enum class OutcomeSource : std::uint8_t {
  Measure,  ///< TrialRow::measures, the mean over a participant's trials of a level
  Answer,   ///< AnswerRow::value
  Counts,   ///< TrialRow::counts, by kind; the name says what is counted
};

/// Decides the tests.
enum class OutcomeScale : std::uint8_t {
  Interval,  ///< differences mean something
  Ordinal,   ///< only the order does
  Time,      ///< a duration, which a time limit may have cut (TrialRow::censored)
  Kinds,     ///< how often of each kind
};

/// Differences within these count as none.
struct EquivalenceBounds {
  double low = 0.0, high = 0.0;  ///< in the outcome's unit

  bool operator==(const EquivalenceBounds&) const = default;
};

/// What is tested, declared before the data were there.
struct Outcome {
  std::string name;  ///< of a measure or of a question
  std::string label;
  OutcomeSource source = OutcomeSource::Measure;
  OutcomeScale scale = OutcomeScale::Interval;
  std::string factor;  ///< whose levels are compared
  std::string family;  ///< corrected together, after Holm; empty: stands alone
  bool isPrimary = false;
  bool isOfPractice = false;  ///< measured in practice trials, such as the time to learn
  std::optional<EquivalenceBounds> equivalence;

  bool operator==(const Outcome&) const = default;
};

/// Flags of every trial that says nothing about people.
inline constexpr const char* kSimulated = "simulated";
inline constexpr const char* kRehearsal = "rehearsal";

struct StudyFacts {
  std::string protocol;      ///< its name
  std::string title;         ///< for a reader
  std::string protocolHash;  ///< of the protocol's text, kept with all data
  std::string softwareVersion;
  std::uint64_t seed = 0;       ///< of the orders
  bool isSimulated = false;     ///< it says nothing about people
  bool isRehearsal = false;     ///< why not: somebody sat there, and a device was none that pushes
  bool isPlayedInPairs = true;  ///< two play one round; the pair is then the unit of analysis
  double alpha = 0.05;
  std::uint32_t participantsPlanned = 0;  ///< without fillers
  std::vector<Factor> factors;
  std::vector<MeasureColumn> measures;
  std::vector<QuestionItem> items;
  std::vector<Outcome> outcomes;
  std::vector<std::string> exclusionRules;  ///< in words, as declared
  std::vector<std::string> procedure;       ///< in words: what was done in which order

  bool operator==(const StudyFacts&) const = default;
};

// What was observed.

/// One participant in one trial. Where two play one round, that round has two rows.
struct TrialRow {
  std::string study;        ///< name of the protocol
  std::string participant;  ///< code, never a name
  std::string pair;         ///< code; empty: played alone
  std::string session;
  std::string seat;          ///< whose devices lay there
  std::string side;          ///< of the playing field
  std::uint32_t period = 0;  ///< from 1: which of a participant's conditions, in time
  std::string sequence;      ///< letters in the order of the periods, "AB"
  std::uint32_t block = 0;   ///< from 1
  std::uint32_t trial = 0;   ///< from 1, within the session
  bool isPractice = false;
  bool isFiller = false;  ///< played only so that somebody had a partner
  bool isExcluded = false;
  std::string exclusionReason;  ///< if excluded
  std::set<std::string> flags;  ///< "paused", "timing"; without ';'
  std::string recording;        ///< file of raw data, within the study's folder; empty: none
  std::map<std::string, std::string> conditions;  ///< factor to level; levels are not empty
  std::map<std::string, double> measures;         ///< what is missing is not there; finite
  std::set<std::string> censored;  ///< measures whose value is a time limit that was reached
  std::map<std::string, std::uint64_t> counts;  ///< by kind: "rhino"; what is missing is not there

  bool operator==(const TrialRow&) const = default;
};

/// One answer of one participant.
struct AnswerRow {
  std::string participant;
  std::uint32_t period = 0;                       ///< 0: asked once, before or after all
  std::map<std::string, std::string> conditions;  ///< those of the period; empty with period 0
  std::string item;
  AnswerKind kind = AnswerKind::Likert;
  std::optional<double> value;  ///< of Likert and TLX; nothing: left out
  std::string text;             ///< of text

  bool operator==(const AnswerRow&) const = default;
};

/// One participant, also one who was excluded, left, or has not come yet.
struct ParticipantRow {
  std::string participant;
  std::string pair;
  std::string sequence;
  bool isFiller = false;
  bool isExcluded = false;
  std::string exclusionReason;
  std::map<std::string, std::string> facts;  ///< "experience" to "yes": groups of the seed's ANOVA

  bool operator==(const ParticipantRow&) const = default;
};

struct TrialTable {
  StudyFacts facts;
  std::vector<TrialRow> trials;
  std::vector<AnswerRow> answers;
  std::vector<ParticipantRow> participants;

  bool operator==(const TrialTable&) const = default;
};

// Its files, in one folder; of a study, DIR/trials.

inline constexpr const char* kTrialsFolder = "trials";
inline constexpr const char* kTrialsFile = "trials.csv";
inline constexpr const char* kAnswersFile = "answers.csv";
inline constexpr const char* kParticipantsFile = "participants.csv";
inline constexpr const char* kDictionaryFile = "dictionary.json";

/// Makes the folder if need be. What could not be read back the same (a measure that is no finite
/// number, a name that is not in the facts, a flag with ';') is refused before anything is written.
[[nodiscard]] models::Result<models::Done> writeTrialTable(const TrialTable& table,
                                                           const std::filesystem::path& folder,
                                                           bool overwrites);

/// The same table to the bit. A mistake is named with file and line.
[[nodiscard]] models::Result<TrialTable> readTrialTable(const std::filesystem::path& folder);

}  // namespace tactus::studies
