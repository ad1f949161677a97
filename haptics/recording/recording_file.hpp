#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"

struct sqlite3;

namespace tactus::haptics {

/// Some consecutive ticks of one stream, packed (see packedChunk()).
struct RecordedChunk {
  std::int64_t row = 0;  ///< in the table, for people who look there
  std::string stream;
  std::uint64_t firstTick = 0;
  std::uint32_t ticks = 0;
  std::int64_t wallNs = 0;  ///< of its last record, since 1970
};

/// Something that happened, as a word and what belongs to it (JSON, or empty).
struct RecordedEvent {
  std::uint64_t tick = 0;
  std::int64_t wallNs = 0;
  std::string kind, text;
};

/// A parameter that somebody changed, in the units of its name.
struct RecordedParameter {
  std::uint64_t tick = 0;
  std::int64_t wallNs = 0;
  std::string name;
  double before = 0.0, after = 0.0;
};

/// A connection to a recording's SQLite file.
class Database {
 public:
  explicit Database(sqlite3* connection) noexcept : connection_(connection) {}
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();
  [[nodiscard]] sqlite3* get() const noexcept { return connection_; }

 private:
  sqlite3* connection_ = nullptr;
};

/// Writes a recording: a SQLite file with the tables meta, chunk, event, param and answer, as
/// docs/recording-format.md says.
///
/// What commit() has written survives a power cut: the write-ahead log is flushed at each, and a
/// reader finds the last whole commit. close() brings all into the one file; after a kill the log
/// lies beside it, and whoever opens the file next takes it up. One thread at a time.
class RecordingWriter {
 public:
  /// Fails if there is a file and `overwrites` is false.
  [[nodiscard]] static models::Result<RecordingWriter> create(const std::filesystem::path& file,
                                                              bool overwrites);

  // Each is part of the transaction that commit() ends. False when the disk or the file has failed;
  // then failure() says how, and nothing is written any more.
  bool putMeta(std::string_view key, std::string_view value);
  bool putChunk(std::string_view stream, std::uint64_t firstTick, std::uint32_t ticks,
                std::int64_t wallNs, std::span<const std::byte> packed);
  bool putEvent(const RecordedEvent& event);
  bool putParameter(const RecordedParameter& parameter);
  bool putAnswer(std::string_view trial, std::string_view item, std::string_view value,
                 std::int64_t wallNs);
  bool commit();
  bool close();

  /// One sentence; empty while all is well.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

 private:
  explicit RecordingWriter(sqlite3* connection, std::filesystem::path file)
      : database_(connection), file_(std::move(file)) {}
  bool run(const char* sql);
  template <typename Bind>
  bool insert(const char* sql, Bind bind);
  bool fail();

  Database database_;
  std::filesystem::path file_;
  std::string failure_;
  bool isOpen_ = false;  ///< a transaction
};

/// What stands in a recording, without its samples.
struct RecordingSummary {
  std::uint64_t ticks = 0;  ///< that some stream has
  std::uint64_t firstTick = 0, lastTick = 0;
  std::int64_t lastWallNs = 0;  ///< of the last tick
  std::uint64_t gaps = 0;       ///< runs of ticks that a stream lacks between two that it has
  std::uint64_t dropped = 0;    ///< records, for want of room, as the recorder counted them
};

/// Reads a recording, also one that was cut off by a kill or a power cut.
class RecordingReader {
 public:
  [[nodiscard]] static models::Result<RecordingReader> open(const std::filesystem::path& file);

  [[nodiscard]] const std::map<std::string, std::string>& meta() const noexcept { return meta_; }
  /// In the order of their ticks, streams one after the other.
  [[nodiscard]] const std::vector<RecordedChunk>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] const std::vector<RecordedEvent>& events() const noexcept { return events_; }
  [[nodiscard]] const std::vector<RecordedParameter>& parameters() const noexcept {
    return parameters_;
  }
  [[nodiscard]] RecordingSummary summary() const;
  /// The records of a chunk; a sentence that names it if it is damaged.
  [[nodiscard]] models::Result<std::vector<std::byte>> records(const RecordedChunk& chunk) const;

 private:
  RecordingReader(sqlite3* connection, std::string label)
      : database_(connection), label_(std::move(label)) {}
  bool readTables();
  [[nodiscard]] models::Error damaged(const std::string& what) const;
  /// Of a file that is too short: says which ticks are left. The reader is of no other use then.
  [[nodiscard]] models::Error cutOff(std::uint64_t there, std::uint64_t whole);

  Database database_;
  std::string label_;  ///< of the file, for sentences
  std::map<std::string, std::string> meta_;
  std::vector<RecordedChunk> chunks_;
  std::vector<RecordedEvent> events_;
  std::vector<RecordedParameter> parameters_;
};

}  // namespace tactus::haptics
