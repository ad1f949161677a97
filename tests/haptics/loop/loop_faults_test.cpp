// The loop with a device, a recorder and whoever tunes, while things go wrong: the clock is set, a
// tick takes 35 ms, all parameters are slammed, measurements are no numbers, the device is
// unplugged, its dead-man switch is let go. What was recorded runs again to the bit.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "haptics/loop/haptic_loop.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "tests/collision/cache/temporary_file.hpp"
#include "tests/haptics/tick/press_scene.hpp"

namespace {

std::atomic<std::int64_t> secondsAhead = 0;  // of the clock that people set

}  // namespace

/// The system's clock, which this program can set.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto answer = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (answer == 0 && clock == CLOCK_REALTIME) now->tv_sec += secondsAhead.load();
  return answer;
}

namespace tactus::haptics {
namespace {

using response::SafetyPhase;
using response::SafetyReason;
using response::ToolKind;
using test::pressing;
using test::pressScene;
using tests::TemporaryFile;

const std::vector<std::string> kNames = {"right"};

/// A device, and what happens between its ticks.
class Meddled final : public HapticDevice {
 public:
  Meddled(HapticDevice& device, std::function<void(std::uint64_t tick)> meddle)
      : device_(&device), meddle_(std::move(meddle)) {}
  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return device_->capabilities();
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override {
    meddle_(ticks_++);
    return device_->read(nowNs, sample);
  }
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override {
    commands.push_back(command);
    return device_->write(command);
  }
  [[nodiscard]] DeviceCounters counters() const noexcept override { return device_->counters(); }

  std::vector<DeviceCommand> commands;

 private:
  HapticDevice* device_;
  std::function<void(std::uint64_t)> meddle_;
  std::uint64_t ticks_ = 0;
};

/// The loop in which a box is pressed on a plate and held, recorded.
struct Held {
  explicit Held(TimeSource time, std::uint64_t ticks, const HandPath& path,
                const SimulatedFaults& faults = {})
      : simulated(findProfile("sigma7").value(), path, {.faults = faults}),
        device(simulated, [this](std::uint64_t number) { meddle(number); }),
        tick(setup),
        pace(time == TimeSource::Wall ? RecorderPace::OwnThread : RecorderPace::ByDriver),
        recorder(Recorder::start(file.path(), true, {},
                                 TickRecorder::streamsOf(kNames, setup.bodies.size()), pace)
                     .value()),
        loop({.tick = &tick, .devices = {&device}, .recorder = recorder.get(), .pace = pace},
             test::parametersOf(setup)),
        settings{.time = time, .ticks = ticks} {}

  void run() {
    loop.run(settings, stops);
    EXPECT_TRUE(recorder->finish());
    EXPECT_EQ(recorder->dropped(), 0U);
  }
  void publish(const TickParameters& parameters) {
    loop.parameters().back() = parameters;
    loop.parameters().publish();
  }
  /// By how much the force rises from one tick to the next at most [N].
  [[nodiscard]] double steepest(std::size_t from = 1) const {
    double most = 0.0;
    for (std::size_t k = from; k < device.commands.size(); ++k)
      most = std::max(most, forceAt(k) - forceAt(k - 1));
    return most;
  }
  [[nodiscard]] double forceAt(std::size_t k) const {
    return device.commands[k].wrench.force.norm();
  }
  [[nodiscard]] HandRecord recordAt(std::uint64_t number) const {
    const auto reader = RecordingReader::open(file.path());
    HandRecord record;
    StreamCursor cursor(reader.value(), "hand.right", sizeof record);
    EXPECT_TRUE(cursor.at(number, &record).value());
    return record;
  }
  void expectReplay(std::uint64_t compared) const {
    const auto reader = RecordingReader::open(file.path());
    HapticTick again(setup);
    const auto outcome = replayTicks(reader.value(), kNames, test::parametersOf(setup), again);
    ASSERT_TRUE(outcome) << outcome.error().sentence;
    EXPECT_TRUE(outcome.value().isIdentical()) << outcome.value().stopped;
    EXPECT_EQ(outcome.value().compared, compared);
  }

  TickSetup setup = pressScene(ToolKind::QuasiStatic);
  TemporaryFile file{"held.tacr"};
  SimulatedDevice simulated;
  std::function<void(std::uint64_t)> meddle = [](std::uint64_t) {};
  Meddled device;
  HapticTick tick;
  RecorderPace pace;
  std::unique_ptr<Recorder> recorder;
  HapticLoop loop;
  ServoSettings settings;
  std::atomic<bool> stops = false;
};

// Neither the ticks nor the force hang on the clock that people set; and the recording's last time
// is that of its last tick, whatever came before.
TEST(LoopFaults, SettingTheClockChangesNothing) {
  constexpr std::uint64_t kTicks = 600;
  constexpr std::int64_t kHour = 3600;
  Held held(TimeSource::Wall, kTicks, pressing(0.004, 0.9));
  held.meddle = [](std::uint64_t tick) {
    if (tick == 20) secondsAhead = kHour;
    if (tick == 40) secondsAhead = -kHour;
  };
  held.run();
  const std::int64_t ended = wallNs();
  secondsAhead = 0;
  const ServoTimes& times = held.loop.times();
  EXPECT_LE(times.ticks + times.skipped, kTicks);
  ASSERT_GT(times.ticks, 50U);  // what is skipped is as the machine has it, and not hours
  const auto reader = RecordingReader::open(held.file.path());
  ASSERT_TRUE(reader);
  const RecordingSummary summary = reader.value().summary();
  EXPECT_EQ(summary.ticks, times.ticks);
  EXPECT_LE(summary.lastWallNs, ended);
  EXPECT_GT(summary.lastWallNs, ended - 5'000'000'000);
  held.expectReplay(times.ticks);
}

// What the hand then feels is tested tick by tick, where the machine has no say; here, that the
// loop counts, lets go and goes on.
TEST(LoopFaults, ATickOf35MillisecondsIsASkipAndNoKick) {
  constexpr std::uint64_t kMostTicks = 60'000;
  constexpr std::uint64_t kStall = 2000;  // by the device's count, as its path is
  constexpr std::uint64_t kAfter = 400;
  Held held(TimeSource::Wall, kMostTicks, pressing(0.005, 0.9));
  std::size_t stalled = 0;
  std::uint64_t skippedBefore = 0;
  held.meddle = [&](std::uint64_t tick) {
    if (tick == kStall + kAfter) held.stops = true;
    if (tick != kStall) return;
    stalled = held.device.commands.size();
    skippedBefore = held.loop.times().skipped;
    std::this_thread::sleep_for(std::chrono::milliseconds(35));
  };
  held.run();
  const ServoTimes& times = held.loop.times();
  EXPECT_GE(times.skipped - skippedBefore, 30U);
  ASSERT_EQ(stalled, kStall);
  ASSERT_EQ(times.ticks, kStall + kAfter + 1);
  // the stalled tick itself knows nothing; the next one lets go
  EXPECT_LE(held.forceAt(stalled + 1), held.forceAt(stalled - 1));
  EXPECT_LT(held.steepest(stalled), 0.1);
  held.expectReplay(times.ticks);
}

// From their least to their most and back, every tenth of a second, while the hand presses.
TEST(LoopFaults, SlammedParametersNeverKickAndAreRecorded) {
  constexpr std::uint64_t kTicks = 4500;
  Held held(TimeSource::Simulated, kTicks, pressing(0.006, 1.2));
  const TickParameters usual = test::parametersOf(held.setup);
  held.meddle = [&](std::uint64_t tick) {
    if (tick < 2500 || tick % 100 != 0) return;
    TickParameters slammed = usual;
    response::ForceParameters& right = test::rightOf(slammed);
    const bool isMost = tick / 100 % 2 == 0;
    for (const response::ParameterRange& range : response::kForceParameterRanges) {
      if (range.value == &response::ForceParameters::stiffness ||
          range.value == &response::ForceParameters::damping ||
          range.value == &response::ForceParameters::turnStiffness ||
          range.value == &response::ForceParameters::turnDamping)
        right.*range.value = isMost ? range.high : range.low;
    }
    held.publish(slammed);
  };
  held.run();
  EXPECT_GT(held.forceAt(2400), 1.0);
  EXPECT_LT(held.steepest(), 0.1);  // a hundred newtons a second
  for (const DeviceCommand& command : held.device.commands)
    ASSERT_TRUE(command.wrench.force.allFinite());
  EXPECT_GE(RecordingReader::open(held.file.path()).value().parameters().size(), 4U * 19U);
  held.expectReplay(kTicks);
}

TEST(LoopFaults, NoNumbersALossAndBackRunAgainToTheBit) {
  constexpr std::uint64_t kTicks = 6500;
  SimulatedFaults faults;
  faults.notFiniteAt = 2500;
  faults.lostFrom = 4000;
  faults.lostUntil = 4300;
  Held held(TimeSource::Simulated, kTicks, pressing(0.005, 1.2), faults);
  held.run();
  EXPECT_GT(held.forceAt(2499), 1.0);
  EXPECT_EQ(held.forceAt(2500), 0.0);
  EXPECT_EQ(held.forceAt(4200), 0.0);
  EXPECT_LT(held.steepest(2501), 0.1);
  EXPECT_EQ(held.recordAt(kTicks - 1).phase, static_cast<std::uint8_t>(SafetyPhase::Active));
  EXPECT_TRUE(statusOf(held.recordAt(2500).readFlags).has(DeviceFlag::NotFinite));
  EXPECT_TRUE(statusOf(held.recordAt(4100).readFlags).has(DeviceFlag::Lost));
  EXPECT_TRUE(statusOf(held.recordAt(4300).readFlags).has(DeviceFlag::Rejoined));
  EXPECT_EQ(held.simulated.counters().rejoins, 1U);
  held.expectReplay(kTicks);
}

// Let go, forces fade and damping is left; taken up again, they come back slowly. The fingers'
// angle goes with every tick into the snapshot and the recording.
TEST(LoopFaults, TheDeadManSwitchAndTheFingersAreCarriedAndRecorded) {
  constexpr std::uint64_t kTicks = 5500;
  constexpr std::uint64_t kOpen = 3000;
  constexpr std::uint64_t kHeld = 3500;
  SimulatedFaults faults;
  faults.forcesOffFrom = kOpen;
  faults.forcesOffUntil = kHeld;
  HandPath path = pressing(0.005, 1.2);
  path.keys.back().closed = 1.0;
  Held held(TimeSource::Simulated, kTicks, path, faults);
  held.run();
  EXPECT_GT(held.forceAt(kOpen - 1), 1.0);
  EXPECT_LT(held.forceAt(kOpen + 100), 0.05);
  const HandRecord open = held.recordAt(kOpen + 100);
  EXPECT_TRUE(statusOf(open.readFlags).has(DeviceFlag::ForcesOff));
  EXPECT_EQ(open.reason, static_cast<std::uint8_t>(SafetyReason::DeadManOpen));
  EXPECT_EQ(held.recordAt(kTicks - 1).phase, static_cast<std::uint8_t>(SafetyPhase::Active));
  EXPECT_LT(held.steepest(kHeld), 0.1);

  const double range = findProfile("sigma7").value().gripperRange;
  EXPECT_NEAR(held.recordAt(100).gripperAngle, range, 0.02 * range);
  EXPECT_NEAR(held.recordAt(kTicks - 1).gripperAngle, 0.0, 0.02 * range);
  ASSERT_TRUE(held.loop.snapshots().refresh());
  EXPECT_EQ(held.loop.snapshots().front().hands[0].gripperAngle,
            held.recordAt(kTicks - 1).gripperAngle);
  held.expectReplay(kTicks);
}

}  // namespace
}  // namespace tactus::haptics
