#include "haptics/recording/recording_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "haptics/recording/chunk_codec.hpp"
#include "haptics/recording/sqlite_statement.hpp"
#include "models/files/file_label.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;

// "Tacr": tells `file` and us that this SQLite file is one of ours.
constexpr int kApplicationId = 0x54616372;
constexpr int kFormatVersion = 1;

constexpr const char* kTables =
    "PRAGMA page_size = 4096;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE chunk(stream TEXT NOT NULL, first_tick INTEGER NOT NULL, ticks INTEGER NOT NULL,"
    " wall_ns INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE event(tick INTEGER NOT NULL, wall_ns INTEGER NOT NULL, kind TEXT NOT NULL,"
    " text TEXT NOT NULL);"
    "CREATE TABLE param(tick INTEGER NOT NULL, wall_ns INTEGER NOT NULL, name TEXT NOT NULL,"
    " before REAL NOT NULL, after REAL NOT NULL);"
    "CREATE TABLE answer(trial TEXT NOT NULL, item TEXT NOT NULL, value TEXT NOT NULL,"
    " wall_ns INTEGER NOT NULL);";

/// How many bytes a recording of ours says that it has; nothing if the file does not begin as one.
/// SQLite itself reads nothing of a file that is shorter than its head says.
std::optional<std::uint64_t> declaredBytes(const std::filesystem::path& file) {
  // the file format of SQLite, section 1.3
  constexpr std::size_t kHead = 100, kPageBytesAt = 16, kPagesAt = 28, kApplicationAt = 68;
  constexpr std::string_view kMagic = "SQLite format 3";
  std::array<char, kHead> head{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(head.data(), head.size())) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < bytes; ++k)
      value = value << 8U | static_cast<std::uint8_t>(head[at + k]);
    return value;
  };
  if (!std::string_view(head.data(), head.size()).starts_with(kMagic)) return std::nullopt;
  if (number(kApplicationAt, 4) != std::uint64_t{kApplicationId}) return std::nullopt;
  const std::uint64_t pageBytes = number(kPageBytesAt, 2);
  return (pageBytes == 1 ? 65536 : pageBytes) * number(kPagesAt, 4);
}

std::int64_t pragma(sqlite3* database, const char* sql) {
  SqliteStatement statement(database, sql);
  return statement && statement.step() == SQLITE_ROW ? statement.integer(0) : -1;
}

}  // namespace

Database::Database(Database&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(connection_, other.connection_);
  return *this;
}

Database::~Database() {
  sqlite3_close_v2(connection_);
}

// ---- writing
// -------------------------------------------------------------------------------------

Result<RecordingWriter> RecordingWriter::create(const std::filesystem::path& file,
                                                bool overwrites) {
  const FileLabel label(file.string());
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    if (!overwrites)
      return label.whole(Reason::AlreadyExists, "exists already; give another name or --force");
    std::filesystem::remove(file, ignored);
    std::filesystem::remove(file.string() + "-wal", ignored);
    std::filesystem::remove(file.string() + "-shm", ignored);
  }
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &connection,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  RecordingWriter writer(connection, file);
  if (code != SQLITE_OK || !writer.run(kTables)) {
    const char* const why = connection == nullptr ? "no memory" : sqlite3_errmsg(connection);
    return label.whole(Reason::CannotWrite, std::string("cannot be written (") + why + ")");
  }
  const std::string marks = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(kFormatVersion) + ";";
  if (!writer.run(marks.c_str()))
    return label.whole(Reason::CannotWrite, "cannot be written (" + writer.failure() + ")");
  return writer;
}

bool RecordingWriter::fail() {
  const char* const why = sqlite3_errmsg(database_.get());
  failure_ = FileLabel(file_.string())
                 .whole(Reason::CannotWrite, std::string("the recording ends here (") + why + ")")
                 .sentence;
  return false;
}

bool RecordingWriter::run(const char* sql) {
  if (!failure_.empty()) return false;
  return sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK || fail();
}

template <typename Bind>
bool RecordingWriter::insert(const char* sql, Bind bind) {
  if (!isOpen_) {
    if (!run("BEGIN")) return false;
    isOpen_ = true;
  }
  if (!failure_.empty()) return false;
  SqliteStatement statement(database_.get(), sql);
  if (!statement) return fail();
  bind(statement);
  return statement.step() == SQLITE_DONE || fail();
}

bool RecordingWriter::putMeta(std::string_view key, std::string_view value) {
  return insert("INSERT OR REPLACE INTO meta VALUES(?, ?)", [&](SqliteStatement& s) {
    s.bind(1, key);
    s.bind(2, value);
  });
}

bool RecordingWriter::putChunk(std::string_view stream, std::uint64_t firstTick,
                               std::uint32_t ticks, std::int64_t wallNs,
                               std::span<const std::byte> packed) {
  return insert("INSERT INTO chunk VALUES(?, ?, ?, ?, ?)", [&](SqliteStatement& s) {
    s.bind(1, stream);
    s.bind(2, firstTick);
    s.bind(3, std::int64_t{ticks});
    s.bind(4, wallNs);
    s.bind(5, packed);
  });
}

bool RecordingWriter::putEvent(const RecordedEvent& event) {
  return insert("INSERT INTO event VALUES(?, ?, ?, ?)", [&](SqliteStatement& s) {
    s.bind(1, event.tick);
    s.bind(2, event.wallNs);
    s.bind(3, event.kind);
    s.bind(4, event.text);
  });
}

bool RecordingWriter::putParameter(const RecordedParameter& parameter) {
  return insert("INSERT INTO param VALUES(?, ?, ?, ?, ?)", [&](SqliteStatement& s) {
    s.bind(1, parameter.tick);
    s.bind(2, parameter.wallNs);
    s.bind(3, parameter.name);
    s.bind(4, parameter.before);
    s.bind(5, parameter.after);
  });
}

bool RecordingWriter::putAnswer(std::string_view trial, std::string_view item,
                                std::string_view value, std::int64_t wallNs) {
  return insert("INSERT INTO answer VALUES(?, ?, ?, ?)", [&](SqliteStatement& s) {
    s.bind(1, trial);
    s.bind(2, item);
    s.bind(3, value);
    s.bind(4, wallNs);
  });
}

bool RecordingWriter::commit() {
  if (!isOpen_) return failure_.empty();
  isOpen_ = false;
  return run("COMMIT");
}

bool RecordingWriter::close() {
  return commit() && run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
}

// ---- reading
// -------------------------------------------------------------------------------------

Result<RecordingReader> RecordingReader::open(const std::filesystem::path& file) {
  const FileLabel label(file.string());
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    return label.whole(Reason::FileMissing, "there is no such file");
  sqlite3* connection = nullptr;
  // for writing where that is allowed: what a killed program left beside the file is taken up
  int code = sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READWRITE, nullptr);
  if (code != SQLITE_OK) {
    sqlite3_close_v2(connection);
    code = sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr);
  }
  RecordingReader reader(connection, file.string());
  if (code != SQLITE_OK || pragma(connection, "PRAGMA application_id") != kApplicationId) {
    const std::optional<std::uint64_t> whole = declaredBytes(file);
    if (!whole) return label.whole(Reason::UnknownFormat, "is not a recording of ours");
    const std::uintmax_t there = std::filesystem::file_size(file, ignored);
    return there < *whole ? reader.cutOff(there, *whole)
                          : reader.damaged(sqlite3_errmsg(connection));
  }
  const std::int64_t version = pragma(connection, "PRAGMA user_version");
  if (version != kFormatVersion) {
    return label.whole(Reason::Unsupported, "has version " + std::to_string(version) +
                                                " of the recording format; this program reads " +
                                                std::to_string(kFormatVersion));
  }
  if (!reader.readTables()) return reader.damaged(sqlite3_errmsg(connection));
  return reader;
}

Error RecordingReader::damaged(const std::string& what) const {
  return FileLabel(label_).whole(Reason::Malformed, "is damaged: " + what);
}

Error RecordingReader::cutOff(std::uint64_t there, std::uint64_t whole) {
  // Then SQLite reads the pages that there are.
  sqlite3_exec(database_.get(), "PRAGMA writable_schema = ON", nullptr, nullptr, nullptr);
  SqliteStatement statement(database_.get(),
                            "SELECT rowid, stream, first_tick, ticks, wall_ns FROM chunk");
  while (statement && statement.step() == SQLITE_ROW) {
    const RecordedChunk chunk{statement.integer(0), statement.text(1), statement.count(2),
                              static_cast<std::uint32_t>(statement.count(3)), statement.integer(4)};
    if (records(chunk)) chunks_.push_back(chunk);
  }
  std::ranges::stable_sort(chunks_, [](const RecordedChunk& a, const RecordedChunk& b) {
    return std::tie(a.stream, a.firstTick) < std::tie(b.stream, b.firstTick);
  });
  const RecordingSummary left = summary();
  const std::string held = chunks_.empty() ? "no tick is left"
                                           : "ticks " + std::to_string(left.firstTick) + " to " +
                                                 std::to_string(left.lastTick) + " are left of it";
  return FileLabel(label_).whole(Reason::Truncated, "the recording is cut off after " +
                                                        std::to_string(there) + " of " +
                                                        std::to_string(whole) + " bytes, " + held +
                                                        "; copy the whole file again");
}

bool RecordingReader::readTables() {
  const auto rows = [this](const char* sql, auto take) {
    SqliteStatement statement(database_.get(), sql);
    if (!statement) return false;
    int code = statement.step();
    for (; code == SQLITE_ROW; code = statement.step())
      take(statement);
    return code == SQLITE_DONE;
  };
  return rows("SELECT key, value FROM meta",
              [this](const SqliteStatement& s) { meta_[s.text(0)] = s.text(1); }) &&
         rows(
             "SELECT rowid, stream, first_tick, ticks, wall_ns FROM chunk"
             " ORDER BY stream, first_tick, rowid",
             [this](const SqliteStatement& s) {
               chunks_.push_back({s.integer(0), s.text(1), s.count(2),
                                  static_cast<std::uint32_t>(s.count(3)), s.integer(4)});
             }) &&
         rows("SELECT tick, wall_ns, kind, text FROM event ORDER BY rowid",
              [this](const SqliteStatement& s) {
                events_.push_back({s.count(0), s.integer(1), s.text(2), s.text(3)});
              }) &&
         rows("SELECT tick, wall_ns, name, before, after FROM param ORDER BY rowid",
              [this](const SqliteStatement& s) {
                parameters_.push_back(
                    {s.count(0), s.integer(1), s.text(2), s.number(3), s.number(4)});
              });
}

RecordingSummary RecordingReader::summary() const {
  RecordingSummary summary;
  // chunks of one stream stand together, in the order of their ticks
  const RecordedChunk* before = nullptr;
  std::uint64_t ofStream = 0;
  for (const RecordedChunk& chunk : chunks_) {
    const std::uint64_t last = chunk.firstTick + std::max(chunk.ticks, 1U) - 1;
    const bool isFirst = before == nullptr;
    summary.firstTick = isFirst ? chunk.firstTick : std::min(summary.firstTick, chunk.firstTick);
    // of the last tick, and not the latest: somebody may have set the clock back
    if (isFirst || last >= summary.lastTick) summary.lastWallNs = chunk.wallNs;
    summary.lastTick = std::max(summary.lastTick, last);
    const bool goesOn = !isFirst && before->stream == chunk.stream;
    if (goesOn && chunk.firstTick > before->firstTick + before->ticks) ++summary.gaps;
    ofStream = (goesOn ? ofStream : 0) + chunk.ticks;
    summary.ticks = std::max(summary.ticks, ofStream);
    before = &chunk;
  }
  if (const auto dropped = meta_.find("dropped"); dropped != meta_.end()) {
    const std::string& text = dropped->second;
    std::from_chars(text.data(), text.data() + text.size(), summary.dropped);
  }
  return summary;
}

Result<std::vector<std::byte>> RecordingReader::records(const RecordedChunk& chunk) const {
  const auto name = [&] {
    return "chunk " + std::to_string(chunk.row) + " (stream " +
           models::printable(chunk.stream, 40) + ", ticks " + std::to_string(chunk.firstTick) +
           " to " + std::to_string(chunk.firstTick + chunk.ticks - 1) + ")";
  };
  SqliteStatement statement(database_.get(), "SELECT data FROM chunk WHERE rowid = ?");
  if (!statement) return damaged(name());
  statement.bind(1, chunk.row);
  if (statement.step() != SQLITE_ROW) return damaged(name() + " cannot be read");
  auto records = unpackedChunk(chunk.firstTick, chunk.ticks, statement.bytes(0));
  if (!records) return damaged(name() + " has other bytes than were written");
  return *std::move(records);
}

}  // namespace tactus::haptics
