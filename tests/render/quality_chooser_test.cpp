// Which quality holds, on machines that are made of numbers.
#include "render/quality_chooser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace tactus::render {
namespace {

constexpr double kFrame = 1.0 / 60.0;

/// Milliseconds of a frame in each quality, from draft on.
using Machine = std::array<double, 7>;
constexpr Machine kSteady = {4, 5, 6, 11, 40, 80, 160};

/// A window on a machine, second by second.
struct Shown {
  QualityChooser chooser;
  double now = 0.0;
  std::set<Quality> seen;
  int changes = 0;

  void pass(double seconds, const Machine& machine) {
    seen.clear();
    changes = 0;
    for (const double until = now + seconds; now < until;) {
      const Quality before = chooser.quality();
      const double work = 1e-3 * machine[static_cast<std::size_t>(before)];
      now += std::max(work, kFrame);
      chooser.observe(work, now);
      seen.insert(chooser.quality());
      if (chooser.quality() != before) ++changes;
    }
  }
};

Shown runFrom(Quality first, Quality best = Quality::Full) {
  return {QualityChooser({}, first, best, kFrame), 0.0, {}, 0};
}

TEST(QualityChooser, FindsTheBestThatHolds) {
  for (const Quality first : {Quality::Draft, Quality::Plain, Quality::Fast}) {
    Shown run = runFrom(first);
    run.pass(30.0, kSteady);
    EXPECT_EQ(run.chooser.quality(), Quality::Fast) << nameOf(first);
  }
  Shown bounded = runFrom(Quality::Draft, Quality::Coarse);
  bounded.pass(30.0, kSteady);
  EXPECT_EQ(bounded.chooser.quality(), Quality::Coarse);
}

TEST(QualityChooser, ComesBackAfterTheMachineWasBusyForAMoment) {
  Shown run = runFrom(Quality::Plain, Quality::Fast);
  run.pass(30.0, kSteady);
  ASSERT_EQ(run.chooser.quality(), Quality::Fast);
  Machine busy = kSteady;
  for (double& work : busy)
    work *= 4.0;
  run.pass(5.0, busy);
  EXPECT_EQ(run.chooser.quality(), Quality::Draft);
  run.pass(60.0, kSteady);
  EXPECT_EQ(run.chooser.quality(), Quality::Fast);
}

TEST(QualityChooser, DoesNotMindHalfASecond) {
  Shown run = runFrom(Quality::Plain, Quality::Plain);
  run.pass(5.0, kSteady);
  Machine busy = kSteady;
  busy[static_cast<std::size_t>(Quality::Plain)] = 20.0;
  run.pass(0.5, busy);
  run.pass(0.5, kSteady);
  EXPECT_EQ(run.seen, (std::set<Quality>{Quality::Plain}));
}

TEST(QualityChooser, TriesWhatDoesNotHoldMoreAndMoreRarely) {
  Machine deceiving = kSteady;
  deceiving[static_cast<std::size_t>(Quality::Fast)] = 20.0;  // more than twice the one below
  Shown run = runFrom(Quality::Plain, Quality::Fast);
  run.pass(300.0, deceiving);
  run.pass(300.0, deceiving);
  EXPECT_EQ(run.chooser.quality(), Quality::Plain);
  EXPECT_GE(run.changes, 2) << "nothing is given up for good";
  EXPECT_LE(run.changes, 2 * (1 + static_cast<int>(300.0 / QualityChooser::kLongestPatience)));
}

TEST(QualityChooser, EveryFourthFrameMayTakeLongIfTheOthersMakeUpForIt) {
  QualityChooser chooser({}, Quality::Plain, Quality::Plain, kFrame);
  double now = 0.0;
  const auto pass = [&](double usual, double fourth) {
    for (int frame = 0; frame < 600; ++frame) {
      now += kFrame;
      chooser.observe(frame % 4 == 0 ? fourth : usual, now);
    }
    return chooser.quality();
  };
  EXPECT_EQ(pass(0.010, 0.022), Quality::Plain);
  EXPECT_NE(pass(0.015, 0.022), Quality::Plain);
}

TEST(QualityChooser, AFixedOneStays) {
  Shown run{QualityChooser(Quality::Good, Quality::Draft, Quality::Full, kFrame), 0.0, {}, 0};
  run.pass(10.0, kSteady);
  EXPECT_EQ(run.seen, (std::set<Quality>{Quality::Good}));
}

}  // namespace
}  // namespace tactus::render
