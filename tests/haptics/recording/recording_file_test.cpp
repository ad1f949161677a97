// What is written is read again, and damage is named.
#include "haptics/recording/recording_file.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <vector>

#include "haptics/recording/chunk_codec.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "tests/collision/cache/temporary_file.hpp"

namespace {

using namespace tactus::haptics;
using tactus::models::Reason;
using tactus::tests::TemporaryFile;

std::vector<std::byte> recordsFrom(std::uint64_t tick, std::uint32_t count) {
  std::vector<std::byte> records;
  for (std::uint64_t t = tick; t < tick + count; ++t) {
    for (std::uint64_t k = 0; k < 3; ++k)
      records.push_back(static_cast<std::byte>((7 * t + k) % 251));
  }
  return records;
}

void putTicks(RecordingWriter& writer, const char* stream, std::uint64_t tick,
              std::uint32_t count) {
  ASSERT_TRUE(writer.putChunk(stream, tick, count, static_cast<std::int64_t>(1000 * (tick + count)),
                              packedChunk({tick, count, 3}, recordsFrom(tick, count))));
}

/// Two streams of 100 ticks, one of them without ticks 50 to 59.
void writeSmall(const TemporaryFile& file) {
  auto writer = RecordingWriter::create(file.path(), false);
  ASSERT_TRUE(writer) << writer.error().sentence;
  EXPECT_TRUE(writer.value().putMeta("scene", "two boxes"));
  EXPECT_TRUE(writer.value().putMeta("dropped", "3"));
  putTicks(writer.value(), "hand.left", 0, 50);
  putTicks(writer.value(), "hand.left", 50, 50);
  putTicks(writer.value(), "tick", 0, 50);
  putTicks(writer.value(), "tick", 60, 40);
  EXPECT_TRUE(writer.value().putEvent({7, 7000, "clutch", "{\"hand\": \"left\"}"}));
  EXPECT_TRUE(writer.value().putParameter({8, 8000, "stiffness_n_m", 500.0, 800.0}));
  EXPECT_TRUE(writer.value().putAnswer("trial-1", "heavier", "left", 9000));
  EXPECT_TRUE(writer.value().commit());
  EXPECT_TRUE(writer.value().close());
}

void run(const TemporaryFile& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.path().c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(RecordingFile, GivesBackWhatWentIn) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader) << reader.error().sentence;
  EXPECT_EQ(reader.value().meta().at("scene"), "two boxes");
  ASSERT_EQ(reader.value().chunks().size(), 4U);
  for (const RecordedChunk& chunk : reader.value().chunks()) {
    const auto records = reader.value().records(chunk);
    ASSERT_TRUE(records) << records.error().sentence;
    EXPECT_EQ(records.value(), recordsFrom(chunk.firstTick, chunk.ticks));
  }
  ASSERT_EQ(reader.value().events().size(), 1U);
  EXPECT_EQ(reader.value().events()[0].kind, "clutch");
  ASSERT_EQ(reader.value().parameters().size(), 1U);
  EXPECT_EQ(reader.value().parameters()[0].after, 800.0);
  const RecordingSummary summary = reader.value().summary();
  EXPECT_EQ(summary.ticks, 100U);
  EXPECT_EQ(summary.firstTick, 0U);
  EXPECT_EQ(summary.lastTick, 99U);
  EXPECT_EQ(summary.lastWallNs, 100'000);
  EXPECT_EQ(summary.gaps, 1U);
  EXPECT_EQ(summary.dropped, 3U);
}

// Somebody who goes through a recording by hand jumps about in it.
TEST(StreamCursor, FindsEachTickInAnyOrder) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader) << reader.error().sentence;
  StreamCursor cursor(reader.value(), "tick", 3);
  constexpr std::uint64_t kTicks = 100;
  for (std::uint64_t step = 0; step < 3 * kTicks; ++step) {
    const std::uint64_t tick = (37 * step) % (kTicks + 5);  // 37 and 105 have no common divisor
    std::vector<std::byte> record(3);
    const auto found = cursor.at(tick, record.data());
    ASSERT_TRUE(found) << found.error().sentence;
    const bool isThere = tick < kTicks && (tick < 50 || tick >= 60);
    ASSERT_EQ(found.value(), isThere) << tick;
    if (isThere) {
      ASSERT_EQ(record, recordsFrom(tick, 1)) << tick;
    }
  }
}

TEST(RecordingFile, IsOneFileWhenClosed) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(file.folder()))
    ++files;
  EXPECT_EQ(files, 1U);
}

TEST(RecordingFile, DamageIsNamed) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  // the bytes of one chunk in the place of another's
  run(file,
      "UPDATE chunk SET data = (SELECT data FROM chunk WHERE stream = 'tick' AND first_tick = 0)"
      " WHERE stream = 'hand.left' AND first_tick = 50");
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader);
  int damaged = 0;
  for (const RecordedChunk& chunk : reader.value().chunks()) {
    const auto records = reader.value().records(chunk);
    if (records) continue;
    ++damaged;
    EXPECT_NE(records.error().sentence.find("stream hand.left, ticks 50 to 99"), std::string::npos)
        << records.error().sentence;
  }
  EXPECT_EQ(damaged, 1);
}

// A copy that was broken off, and not a file of somebody else's.
TEST(RecordingFile, ACutOneSaysHowMuchIsLeft) {
  const TemporaryFile file("session.tacr");
  constexpr std::uint64_t kChunks = 400;
  {
    auto writer = RecordingWriter::create(file.path(), false);
    ASSERT_TRUE(writer) << writer.error().sentence;
    for (std::uint64_t chunk = 0; chunk < kChunks; ++chunk)
      putTicks(writer.value(), "tick", 50 * chunk, 50);
    ASSERT_TRUE(writer.value().close());
  }
  const std::uintmax_t whole = std::filesystem::file_size(file.path());
  ASSERT_GT(whole, 50'000U);
  for (const double share : {0.9, 0.5}) {
    const auto left = static_cast<std::uintmax_t>(share * static_cast<double>(whole));
    std::filesystem::resize_file(file.path(), left);
    const auto reader = RecordingReader::open(file.path());
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().reason, Reason::Truncated);
    const std::string& sentence = reader.error().sentence;
    EXPECT_NE(sentence.find(std::to_string(left) + " of " + std::to_string(whole) + " bytes"),
              std::string::npos)
        << sentence;
    const std::string_view before = "ticks 0 to ";
    const std::size_t at = sentence.find(before);
    ASSERT_NE(at, std::string::npos) << sentence;
    const auto last = std::stoull(sentence.substr(at + before.size()));
    // A third of the pages of a file so short hold no chunk, wherever they stand.
    const double kept = static_cast<double>(last) / (50.0 * kChunks);
    EXPECT_LT(kept, share + 0.3 * (1.0 - share)) << sentence;
    EXPECT_GT(kept, 0.5 * share) << sentence;
  }
  std::filesystem::resize_file(file.path(), 200);
  EXPECT_NE(RecordingReader::open(file.path()).error().sentence.find("no tick is left"),
            std::string::npos);
}

TEST(RecordingFile, AChunkMovedToOtherTicksIsDamaged) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  run(file, "UPDATE chunk SET first_tick = 61 WHERE first_tick = 60");
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader.value().records(reader.value().chunks().back()));
}

TEST(RecordingFile, NothingIsOverwrittenUnasked) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  const auto second = RecordingWriter::create(file.path(), false);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().reason, Reason::AlreadyExists);
  EXPECT_TRUE(RecordingReader::open(file.path()));
  EXPECT_TRUE(RecordingWriter::create(file.path(), true));
}

TEST(RecordingFile, OtherFilesAreRefused) {
  const TemporaryFile file("session.tacr");
  EXPECT_EQ(RecordingReader::open(file.path()).error().reason, Reason::FileMissing);
  for (const std::string& content :
       {std::string(), std::string("solid cube"), std::string(5000, '\0')}) {
    file.write(content);
    const auto reader = RecordingReader::open(file.path());
    ASSERT_FALSE(reader) << content;
    EXPECT_EQ(reader.error().reason, Reason::UnknownFormat);
  }
  std::filesystem::remove(file.path());
  run(file, "CREATE TABLE meta(key, value)");  // SQLite, but not ours
  EXPECT_EQ(RecordingReader::open(file.path()).error().reason, Reason::UnknownFormat);
}

TEST(RecordingFile, ANewerFormatIsRefused) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  run(file, "PRAGMA user_version = 2");
  const auto reader = RecordingReader::open(file.path());
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().reason, Reason::Unsupported);
}

TEST(RecordingFile, EveryTruncationOpensOrEndsInASentence) {
  const TemporaryFile file("session.tacr");
  writeSmall(file);
  const std::string whole = file.content();
  for (std::size_t length = 0; length < whole.size(); length += 997) {
    file.write(whole.substr(0, length));
    const auto reader = RecordingReader::open(file.path());
    if (!reader) {
      EXPECT_FALSE(reader.error().sentence.empty());
      continue;
    }
    for (const RecordedChunk& chunk : reader.value().chunks())
      static_cast<void>(reader.value().records(chunk));
  }
}

}  // namespace
