#include "studies/runner/study_journal.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "haptics/recording/sqlite_statement.hpp"
#include "models/files/file_label.hpp"

namespace tactus::studies {
namespace {

using Json = nlohmann::ordered_json;
using haptics::SqliteStatement;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

// A writer in another process, such as `study status` beside a run, ends within this [ms].
constexpr int kBusyMilliseconds = 10'000;

constexpr const char* kTables =
    "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS trial(session TEXT NOT NULL, number INTEGER NOT NULL, attempt "
    "INTEGER NOT NULL, last INTEGER NOT NULL, success INTEGER NOT NULL, recording TEXT NOT NULL, "
    "was_right INTEGER, players TEXT NOT NULL, PRIMARY KEY(session, number, attempt));"
    "CREATE TABLE IF NOT EXISTS answer(participant TEXT NOT NULL, period INTEGER NOT NULL, item "
    "TEXT NOT NULL, value REAL, text TEXT NOT NULL, PRIMARY KEY(participant, period, item));"
    "CREATE TABLE IF NOT EXISTS trial_flag(session TEXT NOT NULL, number INTEGER NOT NULL, attempt "
    "INTEGER NOT NULL, flag TEXT NOT NULL, PRIMARY KEY(session, number, attempt, flag));"
    "CREATE TABLE IF NOT EXISTS fact(participant TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT "
    "NULL, PRIMARY KEY(participant, name));"
    "CREATE TABLE IF NOT EXISTS happened(wall_ns INTEGER NOT NULL, session TEXT NOT NULL, trial "
    "INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);";

std::string playersText(const std::vector<PlayerResult>& players) {
  Json list = Json::array();
  for (const PlayerResult& player : players) {
    list.push_back(
        {{"measures", player.measures}, {"censored", player.censored}, {"counts", player.counts}});
  }
  return list.dump();
}

std::optional<std::vector<PlayerResult>> playersOf(const std::string& text) try {
  std::vector<PlayerResult> players;
  for (const Json& entry : Json::parse(text)) {
    PlayerResult player;
    player.measures = entry.at("measures").get<std::map<std::string, double>>();
    player.censored = entry.at("censored").get<std::set<std::string>>();
    player.counts = entry.at("counts").get<std::map<std::string, std::uint64_t>>();
    players.push_back(std::move(player));
  }
  return players;
} catch (const Json::exception&) {
  return std::nullopt;
}

bool runs(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool addTrial(sqlite3* database, const JournalTrial& trial) {
  SqliteStatement row(database, "INSERT INTO trial VALUES(?,?,?,?,?,?,?,?)");
  row.bind(1, trial.session);
  row.bind(2, static_cast<std::int64_t>(trial.number));
  row.bind(3, static_cast<std::int64_t>(trial.attempt));
  row.bind(4, static_cast<std::int64_t>(trial.isLast ? 1 : 0));
  row.bind(5, static_cast<std::int64_t>(trial.isSuccess ? 1 : 0));
  row.bind(6, trial.recording);
  if (trial.wasRight) row.bind(7, static_cast<std::int64_t>(*trial.wasRight ? 1 : 0));
  row.bind(8, playersText(trial.players));
  bool isGood = row.step() == SQLITE_DONE;
  for (const std::string& flag : trial.flags) {
    SqliteStatement of(database, "INSERT INTO trial_flag VALUES(?,?,?,?)");
    of.bind(1, trial.session);
    of.bind(2, static_cast<std::int64_t>(trial.number));
    of.bind(3, static_cast<std::int64_t>(trial.attempt));
    of.bind(4, flag);
    isGood = isGood && of.step() == SQLITE_DONE;
  }
  return isGood;
}

}  // namespace

Result<std::unique_ptr<StudyJournal>> StudyJournal::open(const std::filesystem::path& file) {
  const std::string label = models::printable(file.string());
  sqlite3* connection = nullptr;
  const int code = sqlite3_open(file.c_str(), &connection);
  std::unique_ptr<StudyJournal> journal(new StudyJournal(connection, label));
  if (code != SQLITE_OK) return journal->failure();
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  if (!runs(connection, kTables)) return journal->failure();
  return journal;
}

Error StudyJournal::failure() const {
  return {Reason::CannotWrite, -1,
          models::say(label_, ": the study's journal cannot be used: ",
                      sqlite3_errmsg(database_.get()), ".")};
}

Result<Done> StudyJournal::add(const JournalTrial& trial,
                               const std::vector<JournalAnswer>& answers) {
  JournalEntries entries;
  entries.trials.push_back(trial);
  entries.answers = answers;
  return add(entries, 0);
}

Result<Done> StudyJournal::add(const JournalEntries& entries, std::int64_t wallNs) {
  const std::lock_guard lock(mutex_);
  sqlite3* database = database_.get();
  if (!runs(database, "BEGIN IMMEDIATE")) return failure();
  bool isGood = true;
  for (const JournalTrial& trial : entries.trials)
    isGood = isGood && addTrial(database, trial);
  for (const JournalAnswer& answer : entries.answers) {
    SqliteStatement row(database, "INSERT OR REPLACE INTO answer VALUES(?,?,?,?,?)");
    row.bind(1, answer.participant);
    row.bind(2, static_cast<std::int64_t>(answer.period));
    row.bind(3, answer.item);
    if (answer.value) row.bind(4, *answer.value);
    row.bind(5, answer.text);
    isGood = isGood && row.step() == SQLITE_DONE;
  }
  for (const JournalFact& fact : entries.facts) {
    SqliteStatement row(database, "INSERT OR REPLACE INTO fact VALUES(?,?,?)");
    row.bind(1, fact.participant);
    row.bind(2, fact.name);
    row.bind(3, fact.value);
    isGood = isGood && row.step() == SQLITE_DONE;
  }
  for (const JournalEvent& event : entries.events) {
    SqliteStatement row(database, "INSERT INTO happened VALUES(?,?,?,?,?)");
    row.bind(1, wallNs);
    row.bind(2, event.session);
    row.bind(3, static_cast<std::int64_t>(event.trial));
    row.bind(4, event.kind);
    row.bind(5, event.text);
    isGood = isGood && row.step() == SQLITE_DONE;
  }
  if (isGood && runs(database, "COMMIT")) return Done{};
  const Error error = failure();
  runs(database, "ROLLBACK");
  return error;
}

Result<std::vector<JournalTrial>> StudyJournal::trials() {
  const std::lock_guard lock(mutex_);
  std::vector<JournalTrial> trials;
  SqliteStatement rows(database_.get(), "SELECT * FROM trial ORDER BY session, number, attempt");
  int code = rows.step();
  for (; code == SQLITE_ROW; code = rows.step()) {
    JournalTrial trial;
    trial.session = rows.text(0);
    trial.number = static_cast<std::uint32_t>(rows.integer(1));
    trial.attempt = static_cast<std::uint32_t>(rows.integer(2));
    trial.isLast = rows.integer(3) != 0;
    trial.isSuccess = rows.integer(4) != 0;
    trial.recording = rows.text(5);
    if (!rows.isNull(6)) trial.wasRight = rows.integer(6) != 0;
    std::optional<std::vector<PlayerResult>> players = playersOf(rows.text(7));
    if (!players) {
      return Error{Reason::Malformed, -1,
                   models::say(label_, ": the measures of trial ", trial.number, " of session ",
                               trial.session, " are damaged.")};
    }
    trial.players = *std::move(players);
    trials.push_back(std::move(trial));
  }
  if (code != SQLITE_DONE) return failure();
  SqliteStatement flags(database_.get(), "SELECT * FROM trial_flag");
  for (code = flags.step(); code == SQLITE_ROW; code = flags.step()) {
    const auto of = std::ranges::find_if(trials, [&](const JournalTrial& trial) {
      return trial.session == flags.text(0) && trial.number == flags.count(1) &&
             trial.attempt == flags.count(2);
    });
    if (of != trials.end()) of->flags.insert(flags.text(3));
  }
  if (code != SQLITE_DONE) return failure();
  return trials;
}

Result<std::vector<JournalAnswer>> StudyJournal::answers() {
  const std::lock_guard lock(mutex_);
  std::vector<JournalAnswer> answers;
  SqliteStatement rows(database_.get(), "SELECT * FROM answer ORDER BY participant, period, rowid");
  int code = rows.step();
  for (; code == SQLITE_ROW; code = rows.step()) {
    JournalAnswer answer;
    answer.participant = rows.text(0);
    answer.period = static_cast<std::uint32_t>(rows.integer(1));
    answer.item = rows.text(2);
    if (!rows.isNull(3)) answer.value = rows.number(3);
    answer.text = rows.text(4);
    answers.push_back(std::move(answer));
  }
  if (code != SQLITE_DONE) return failure();
  return answers;
}

Result<std::vector<JournalFact>> StudyJournal::facts() {
  const std::lock_guard lock(mutex_);
  std::vector<JournalFact> facts;
  SqliteStatement rows(database_.get(), "SELECT * FROM fact ORDER BY participant, name");
  int code = rows.step();
  for (; code == SQLITE_ROW; code = rows.step())
    facts.push_back({rows.text(0), rows.text(1), rows.text(2)});
  if (code != SQLITE_DONE) return failure();
  return facts;
}

Result<std::vector<JournalEvent>> StudyJournal::events() {
  const std::lock_guard lock(mutex_);
  std::vector<JournalEvent> events;
  SqliteStatement rows(database_.get(), "SELECT * FROM happened ORDER BY rowid");
  int code = rows.step();
  for (; code == SQLITE_ROW; code = rows.step()) {
    events.push_back({rows.text(1), rows.text(3), rows.text(4),
                      static_cast<std::uint32_t>(rows.integer(2)), rows.integer(0)});
  }
  if (code != SQLITE_DONE) return failure();
  return events;
}

Result<bool> StudyJournal::agree(const std::string& key, const std::string& value) {
  {
    const std::lock_guard lock(mutex_);
    SqliteStatement row(database_.get(), "INSERT OR IGNORE INTO meta VALUES(?,?)");
    row.bind(1, key);
    row.bind(2, value);
    if (row.step() != SQLITE_DONE) return failure();
  }
  const Result<std::string> known = agreed(key);
  if (!known) return known.error();
  return known.value() == value;
}

Result<std::string> StudyJournal::agreed(const std::string& key) {
  const std::lock_guard lock(mutex_);
  SqliteStatement row(database_.get(), "SELECT value FROM meta WHERE key=?");
  row.bind(1, key);
  const int code = row.step();
  if (code == SQLITE_ROW) return row.text(0);
  if (code == SQLITE_DONE) return std::string();
  return failure();
}

}  // namespace tactus::studies
