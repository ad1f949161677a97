#include "studies/quality/quality_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "models/builtin.hpp"
#include "studies/quality/quality_page.hpp"
#include "studies/quality/quality_verdicts.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using models::Result;

/// `builtin:NAME@TRIANGLES`, built once: most of a test's time goes into that.
Result<CollisionObject> built(const std::string& name,
                              const collision::BuildParameters& parameters) {
  static std::map<std::string, CollisionObject> known;
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const std::string model = name.substr(name.find(':') + 1);
  const std::size_t at = model.find('@');
  Result<models::Mesh> mesh =
      models::makeBuiltin(model.substr(0, at), std::stoul(model.substr(at + 1)));
  if (!mesh) return mesh.error();
  collision::BuildSettings settings;
  settings.parameters = parameters;
  collision::BuildOutcome outcome = collision::buildObject({std::move(mesh).value(), {}}, settings);
  return known.emplace(name, std::move(outcome.object)).first->second;
}

QualitySettings small() {
  QualitySettings settings;
  settings.scenarios = {QualityScenario::II};
  settings.samples = 61;
  settings.triangles = 2000;
  settings.spheres = 300;
  settings.repetitions = 1;
  settings.jumpWindows = 3;
  settings.jumpSteps = 6;
  settings.open = built;
  return settings;
}

/// What is missing is as bad as can be.
double valueOf(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::infinity());
}

const LawQuality& of(const QualityBenchmark& benchmark, QualityLaw law) {
  return benchmark.scenarios.front().laws[static_cast<std::size_t>(law)];
}

TEST(QualityBenchmark, TheSameBytesTwice) {
  const Result<QualityBenchmark> one = benchmarkQuality(small());
  const Result<QualityBenchmark> two = benchmarkQuality(small());
  ASSERT_TRUE(one.ok() && two.ok());
  for (const QualityLaw law : kQualityLaws) {
    const LawQuality& a = of(one.value(), law);
    const LawQuality& b = of(two.value(), law);
    EXPECT_EQ(a.course.force.size(), 61U);
    EXPECT_EQ(a.course.hash, b.course.hash) << nameOf(law);
    EXPECT_EQ(a.force.sigma, b.force.sigma);
    EXPECT_EQ(a.ripple, b.ripple);
    EXPECT_EQ(a.course.jump, b.course.jump);
    EXPECT_EQ(a.course.cutJumpOfHalf, b.course.cutJumpOfHalf);
  }
}

// A ball on a cylinder, coarse as they are: each law near its own ideal, and far from another's.
TEST(QualityBenchmark, EachLawIsHeldAgainstItsOwnIdeal) {
  const Result<QualityBenchmark> benchmark = benchmarkQuality(small());
  ASSERT_TRUE(benchmark.ok());
  for (const QualityLaw law : {QualityLaw::Ist, QualityLaw::IstVolume, QualityLaw::Vps}) {
    const LawQuality& quality = of(benchmark.value(), law);
    EXPECT_LT(valueOf(quality.force.sigma), 0.2) << nameOf(law);
    EXPECT_LT(valueOf(quality.force.gammaMax), 15.0) << nameOf(law);
    EXPECT_FALSE(quality.torque.sigma) << "there is no ideal torque";
    EXPECT_LT(valueOf(quality.stray), 0.1) << nameOf(law);
    EXPECT_EQ(quality.letsGo, 0U);
    EXPECT_GT(quality.usMean, 0.0);
  }
  const double lesser = of(benchmark.value(), QualityLaw::Ist).course.idealForce[5].norm();
  const double ofOne = of(benchmark.value(), QualityLaw::Vps).course.idealForce[5].norm();
  EXPECT_NEAR(ofOne / lesser, 2.0, 0.3);
}

// The window's walk covers as much of the path by halves, so a force that is continuous halves.
TEST(QualityBenchmark, JumpsOfPointsInAVoxmapHalve) {
  const Result<QualityBenchmark> benchmark = benchmarkQuality(small());
  ASSERT_TRUE(benchmark.ok());
  const LawQuality& vps = of(benchmark.value(), QualityLaw::Vps);
  EXPECT_GT(vps.course.jump, 0.0);
  EXPECT_LT(valueOf(vps.jumpRatio()), 0.6);
  EXPECT_FALSE(of(benchmark.value(), QualityLaw::VpsSeed).jumpRatio());
}

TEST(QualityBenchmark, ThePageHasAllScenariosAndNeedsNothingElse) {
  const Result<QualityBenchmark> benchmark = benchmarkQuality(small());
  ASSERT_TRUE(benchmark.ok());
  const std::string page = qualityPage(benchmark.value());
  EXPECT_NE(page.find("<h2>Scenario II</h2>"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
}

TEST(QualityBenchmark, VerdictsAreOfTheDefaultLaw) {
  const Result<QualityBenchmark> benchmark = benchmarkQuality(small());
  ASSERT_TRUE(benchmark.ok());
  const std::vector<QualityVerdict> verdicts = verdictsOf(benchmark.value());
  const auto angle = std::ranges::find(verdicts, std::string("II: mean angle of the force [deg]"),
                                       &QualityVerdict::what);
  ASSERT_NE(angle, verdicts.end());
  EXPECT_EQ(angle->value, of(benchmark.value(), QualityLaw::Ist).force.gammaMean);
  EXPECT_FALSE((QualityVerdict{"", std::nullopt, 1.0}.holds()));
  EXPECT_FALSE((QualityVerdict{"", 1.1, 1.0}.holds()));
  EXPECT_TRUE((QualityVerdict{"", 1.0, 1.0}.holds()));
  EXPECT_EQ(printedFigures(benchmark.value()).size(), 2U);
}

}  // namespace
}  // namespace tactus::studies
