// What the loop pushes is what the file holds, also after a kill and on a full disk. Ticks count,
// not time.
#include "haptics/recording/recorder.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/collision/cache/temporary_file.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using namespace tactus::haptics;
using tactus::tests::TemporaryFile;

struct Sample {
  double position[3] = {};
  float force[3] = {};
  std::uint32_t buttons = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};

Sample sampleAt(std::uint64_t tick) {
  Sample sample;
  sample.position[0] = 1e-3 * static_cast<double>(tick % 1000);
  sample.force[2] = static_cast<float>(tick % 7);
  sample.buttons = static_cast<std::uint32_t>(tick);
  return sample;
}

std::unique_ptr<Recorder> startedOn(const TemporaryFile& file, RecorderPace pace) {
  auto recorder = Recorder::start(
      file.path(), false, {{"scene", "test"}},
      {{"hand.left", "f64 position_m[3], f32 force_n[3], u32 buttons", sizeof(Sample)},
       {"tick", "u64 tick", sizeof(std::uint64_t)}},
      pace);
  EXPECT_TRUE(recorder) << recorder.error().sentence;
  return recorder ? std::move(recorder).value() : nullptr;
}

void pushTick(Recorder& recorder, std::uint64_t tick) {
  const RecordRing::Stamp stamp = {tick, static_cast<std::int64_t>(1'000'000 * tick)};
  const Sample sample = sampleAt(tick);
  recorder.push(0, stamp, &sample);
  recorder.push(1, stamp, &tick);
}

/// Checks all samples of all chunks; returns the first stream's ticks.
std::vector<std::uint64_t> ticksIn(const RecordingReader& reader) {
  std::vector<std::uint64_t> ticks;
  for (const RecordedChunk& chunk : reader.chunks()) {
    const auto records = reader.records(chunk);
    EXPECT_TRUE(records) << records.error().sentence;
    if (!records || chunk.stream != "hand.left") continue;
    EXPECT_LE(chunk.ticks, Recorder::kChunkTicks);
    for (std::uint32_t i = 0; i < chunk.ticks; ++i) {
      Sample sample;
      std::memcpy(&sample, records.value().data() + i * sizeof sample, sizeof sample);
      const Sample expected = sampleAt(chunk.firstTick + i);
      EXPECT_EQ(sample, expected) << chunk.firstTick + i;
      ticks.push_back(chunk.firstTick + i);
    }
  }
  return ticks;
}

TEST(Recorder, HoldsEveryTick) {
  const TemporaryFile file("session.tacr");
  const auto recorder = startedOn(file, RecorderPace::ByDriver);
  ASSERT_NE(recorder, nullptr);
  for (std::uint64_t tick = 0; tick < 5000; ++tick) {
    pushTick(*recorder, tick);
    if (tick % 25 == 24) recorder->drain();
  }
  RecorderNote change;
  std::strcpy(change.name.data(), "stiffness_n_m");
  change.isParameter = true;
  change.before = 1.0;
  change.after = 2.0;
  recorder->note({17, 17}, change);
  RecorderNote event;
  std::strcpy(event.name.data(), "law");
  std::strcpy(event.text.data(), "\"depth\"");
  recorder->note({18, 18}, event);
  EXPECT_EQ(recorder->dropped(), 0U);
  EXPECT_EQ(recorder->records(), 10'002U);
  EXPECT_TRUE(recorder->finish());
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader) << reader.error().sentence;
  EXPECT_EQ(ticksIn(reader.value()).size(), 5000U);
  EXPECT_EQ(reader.value().summary().gaps, 0U);
  EXPECT_EQ(reader.value().meta().at("dropped"), "0");
  EXPECT_EQ(reader.value().meta().at("fields.tick"), "u64 tick");
  ASSERT_EQ(reader.value().parameters().size(), 1U);
  EXPECT_EQ(reader.value().parameters()[0].name, "stiffness_n_m");
  ASSERT_EQ(reader.value().events().size(), 1U);
  EXPECT_EQ(reader.value().events()[0].text, "\"depth\"");
}

TEST(Recorder, ItsOwnThreadBringsEverythingToTheFile) {
  const TemporaryFile file("session.tacr");
  const auto recorder = startedOn(file, RecorderPace::OwnThread);
  ASSERT_NE(recorder, nullptr);
  for (std::uint64_t tick = 0; tick < Recorder::kRingTicks; ++tick)
    pushTick(*recorder, tick);
  EXPECT_TRUE(recorder->finish());
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(ticksIn(reader.value()).size(), Recorder::kRingTicks);
}

TEST(Recorder, SkippedTicksAreAGapAndLostOnesAreCounted) {
  const TemporaryFile file("session.tacr");
  const auto recorder = startedOn(file, RecorderPace::ByDriver);
  ASSERT_NE(recorder, nullptr);
  for (std::uint64_t tick = 0; tick < 100; ++tick) {
    if (tick < 40 || tick >= 45) pushTick(*recorder, tick);
  }
  recorder->drain();
  for (std::uint64_t tick = 100; tick < 100 + Recorder::kRingTicks + 10; ++tick)
    pushTick(*recorder, tick);
  EXPECT_EQ(recorder->dropped(), 20U);
  EXPECT_TRUE(recorder->finish());
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader.value().summary().gaps, 2U);  // one a stream
  EXPECT_EQ(reader.value().summary().dropped, 20U);
  EXPECT_EQ(ticksIn(reader.value()).size(), 95U + Recorder::kRingTicks);
}

/// What parent and child share.
struct Shared {
  volatile std::uint64_t drained = 0;  ///< ticks that were pushed before the last drain() returned
  volatile std::uint64_t pushed = 0;
};

TEST(Recorder, AfterAKillWhatWasCommittedIsThere) {
  void* const page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  tactus::tests::SeededBits random(1);
  for (int round = 0; round < 20; ++round) {
    auto* const shared = new (page) Shared;
    const TemporaryFile file("session.tacr");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto recorder = startedOn(file, RecorderPace::ByDriver);
      for (std::uint64_t tick = 0;; ++tick) {
        pushTick(*recorder, tick);
        shared->pushed = tick + 1;
        if (tick % 25 != 24) continue;
        recorder->drain();
        shared->drained = tick + 1;
      }
    }
    const std::uint64_t least = 25 + random.below(2000);
    while (shared->pushed < least && waitpid(child, nullptr, WNOHANG) == 0)
      usleep(static_cast<useconds_t>(random.below(300)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto reader = RecordingReader::open(file.path());
    ASSERT_TRUE(reader) << reader.error().sentence;
    const std::vector<std::uint64_t> ticks = ticksIn(reader.value());
    EXPECT_GE(ticks.size(), shared->drained);
    EXPECT_LE(shared->pushed - ticks.size(), 50U);  // 50 ms
    EXPECT_EQ(reader.value().summary().gaps, 0U);
  }
  munmap(page, sizeof(Shared));
}

TEST(Recorder, AFullDiskEndsTheRecordingAndNothingElse) {
  const TemporaryFile file("session.tacr");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto recorder = startedOn(file, RecorderPace::ByDriver);
    const rlimit limit = {200'000, 200'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    tactus::tests::SeededBits random(2);
    for (std::uint64_t tick = 0; tick < 20'000; ++tick) {
      Sample sample;
      for (double& x : sample.position)
        x = random.between(-1.0, 1.0);
      recorder->push(0, {tick, 0}, &sample);
      if (tick % 25 == 24) recorder->drain();
    }
    const bool told = recorder->hasFailed() && recorder->dropped() > 1000;
    const auto end = recorder->finish();
    const bool says =
        !end && end.error().sentence.find("the recording ends here") != std::string::npos;
    _exit(told && says ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader) << reader.error().sentence;
  std::size_t whole = 0;
  for (const RecordedChunk& chunk : reader.value().chunks())
    whole += reader.value().records(chunk) ? 1U : 0U;
  EXPECT_GT(whole, 10U);
  EXPECT_EQ(whole, reader.value().chunks().size());
}

}  // namespace
