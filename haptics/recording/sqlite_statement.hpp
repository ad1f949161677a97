#pragma once
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::haptics {

/// A prepared statement of SQLite that is gone with its scope. Columns count from 0, places of what
/// is bound from 1, as SQLite has it.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, const char* sql) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK)
      statement_ = nullptr;
  }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;
  ~SqliteStatement() { sqlite3_finalize(statement_); }
  explicit operator bool() const noexcept { return statement_ != nullptr; }

  void bind(int place, std::string_view text) {
    sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
  }
  void bind(int place, std::int64_t number) { sqlite3_bind_int64(statement_, place, number); }
  void bind(int place, std::uint64_t number) { bind(place, static_cast<std::int64_t>(number)); }
  void bind(int place, double number) { sqlite3_bind_double(statement_, place, number); }
  void bind(int place, std::span<const std::byte> bytes) {
    sqlite3_bind_blob64(statement_, place, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  }
  /// SQLite's code; an error for a statement that could not be prepared.
  [[nodiscard]] int step() {
    return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_);
  }

  [[nodiscard]] bool isNull(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  [[nodiscard]] std::int64_t integer(int column) const {
    return sqlite3_column_int64(statement_, column);
  }
  [[nodiscard]] std::uint64_t count(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  [[nodiscard]] double number(int column) const {
    return sqlite3_column_double(statement_, column);
  }
  [[nodiscard]] std::string text(int column) const {
    const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    const void* const from = sqlite3_column_blob(statement_, column);
    return from == nullptr ? std::string() : std::string(static_cast<const char*>(from), bytes);
  }
  [[nodiscard]] std::vector<std::byte> bytes(int column) const {
    const auto count = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    const auto* const from = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    return from == nullptr ? std::vector<std::byte>() : std::vector<std::byte>(from, from + count);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace tactus::haptics
