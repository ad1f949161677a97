#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
};

struct JournalAnswer {
  std::string participant, item;
  std::uint32_t period = 0;
  std::optional<double> value;
  std::string text;
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
  /// In the order of sessions, numbers, attempts.
  [[nodiscard]] models::Result<std::vector<JournalTrial>> trials();
  [[nodiscard]] models::Result<std::vector<JournalAnswer>> answers();

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
