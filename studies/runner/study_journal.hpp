#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "haptics/recording/recording_file.hpp"
#include "models/mesh/result.hpp"
#include "studies/measures/trial_sheet.hpp"

namespace tactus::studies {

/// A trial that was done, as one of its attempts.
struct JournalTrial {
  std::string session;
  std::uint32_t number = 0, attempt = 1;
  bool isLast = true;  ///< no further attempt follows
  bool isSuccess = false;
  std::string recording;  ///< within the study's folder
  std::optional<bool> wasRight;
  std::vector<PlayerResult> players;
  std::set<std::string> flags;  ///< "paused", "timing"
};

struct JournalAnswer {
  std::string participant, item;
  std::uint32_t period = 0;
  std::optional<double> value;
  std::string text;
};

/// Of the inventory: from -100, all with the left hand, to 100.
inline constexpr const char* kHandednessFact = "handedness_quotient";

/// What is known of a participant: "consent", "handedness"; never a name.
struct JournalFact {
  std::string participant, name, value;
};

/// What happened in a session besides: "note", "break", "trial_stopped", "parameter_changed".
struct JournalEvent {
  std::string session, kind, text;
  std::uint32_t trial = 0;  ///< at which, from 1; 0: none
  std::int64_t wallNs = 0;  ///< since 1970; as it is read
};

/// What came to pass between two looks at a session.
struct JournalEntries {
  std::vector<JournalTrial> trials;
  std::vector<JournalAnswer> answers;
  std::vector<JournalFact> facts;
  std::vector<JournalEvent> events;

  [[nodiscard]] bool isEmpty() const noexcept {
    return trials.empty() && answers.empty() && facts.empty() && events.empty();
  }
};

/// What of a study is done: a SQLite file, in which a trial appears with all that belongs to it or
/// not at all, and stays through a kill or a power cut. Any thread may write.
class StudyJournal {
 public:
  /// Made if there is none.
  [[nodiscard]] static models::Result<std::unique_ptr<StudyJournal>> open(
      const std::filesystem::path& file);

  /// The trial and the answers that followed it, in one transaction.
  [[nodiscard]] models::Result<models::Done> add(const JournalTrial& trial,
                                                 const std::vector<JournalAnswer>& answers);
  /// All of it in one transaction; events bear this time.
  [[nodiscard]] models::Result<models::Done> add(const JournalEntries& entries,
                                                 std::int64_t wallNs);
  /// In the order of sessions, numbers, attempts.
  [[nodiscard]] models::Result<std::vector<JournalTrial>> trials();
  [[nodiscard]] models::Result<std::vector<JournalAnswer>> answers();
  [[nodiscard]] models::Result<std::vector<JournalFact>> facts();
  /// In the order in which they happened.
  [[nodiscard]] models::Result<std::vector<JournalEvent>> events();

  /// What every run must agree on: kept by the first that says it; false if an earlier one said
  /// something else.
  [[nodiscard]] models::Result<bool> agree(const std::string& key, const std::string& value);
  [[nodiscard]] models::Result<std::string> agreed(const std::string& key);

 private:
  explicit StudyJournal(sqlite3* connection, std::string label)
      : database_(connection), label_(std::move(label)) {}
  [[nodiscard]] models::Error failure() const;

  haptics::Database database_;
  std::string label_;
  std::mutex mutex_;
};

}  // namespace tactus::studies
