// Bodies that wander at random: a pair may be skipped only while its balls cannot have met.
#include "collision/broad/pair_schedule.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

TEST(PairSchedule, IsDueAtOnceAndThenAfterTheGap) {
  PairSchedule schedule(3);
  EXPECT_TRUE(schedule.isDue(0, 1));
  schedule.apartBy(1, 0, 1.0);
  EXPECT_FALSE(schedule.isDue(0, 1));
  EXPECT_FALSE(schedule.isDue(1, 0));
  EXPECT_TRUE(schedule.isDue(0, 2));
  schedule.travelled(0, 0.6);
  schedule.travelled(2, 5.0);
  EXPECT_FALSE(schedule.isDue(0, 1));
  schedule.travelled(1, 0.4);
  EXPECT_TRUE(schedule.isDue(0, 1));
  schedule.apartBy(0, 1, 1.0);
  schedule.forget(1);
  EXPECT_TRUE(schedule.isDue(0, 1));
  schedule.apartBy(0, 1, 0.0);
  EXPECT_TRUE(schedule.isDue(0, 1)) << "bodies that touch are always looked at";
}

TEST(PairSchedule, NeverMissesAMeeting) {
  constexpr std::size_t kBodies = 12;
  constexpr int kSteps = 4000;
  for (const double scale : {1e-3, 1.0, 1e3}) {
    tests::SeededBits random(31);
    const auto vector = [&](double size) {
      return Vector3d{random.between(-size, size), random.between(-size, size),
                      random.between(-size, size)};
    };
    std::vector<Vector3d> places(kBodies);
    std::vector<Vector3d> steps(kBodies);
    std::vector<double> radii(kBodies);
    for (std::size_t i = 0; i < kBodies; ++i) {
      places[i] = vector(scale);
      radii[i] = random.between(0.02, 0.15) * scale;
    }
    PairSchedule schedule(kBodies);
    int looked = 0;
    int met = 0;
    for (int step = 0; step < kSteps; ++step) {
      for (std::size_t i = 0; i < kBodies; ++i) {
        // speeds jump now and then, as no bound on accelerations would allow
        if (step % 100 == 0) steps[i] = vector((step / 100) % 3 == 0 ? 2e-2 * scale : 1e-3 * scale);
        for (Eigen::Index k = 0; k < 3; ++k) {
          if (std::abs(places[i][k]) > scale)
            steps[i][k] = places[i][k] > 0.0 ? -1e-3 * scale : 1e-3 * scale;
        }
        places[i] += steps[i];
        schedule.travelled(i, steps[i].norm());
      }
      for (std::size_t i = 0; i < kBodies; ++i) {
        for (std::size_t j = i + 1; j < kBodies; ++j) {
          const double gap = (places[i] - places[j]).norm() - radii[i] - radii[j];
          if (gap <= 0.0) {
            ++met;
            ASSERT_TRUE(schedule.isDue(i, j)) << "step " << step;
          }
          if (!schedule.isDue(i, j)) continue;
          ++looked;
          schedule.apartBy(i, j, gap);
        }
      }
    }
    EXPECT_GT(met, 100);
    constexpr int kAll = kSteps * static_cast<int>(kBodies * (kBodies - 1) / 2);
    EXPECT_LT(looked, kAll / 5) << "most pairs are skipped";
  }
}

}  // namespace
}  // namespace tactus::collision
