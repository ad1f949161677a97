#include "studies/quality/quality_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
  static std::map<std::pair<std::string, std::uint64_t>, CollisionObject> known;
  const std::pair key(name, parameters.spheres);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const std::string model = name.substr(name.find(':') + 1);
  const std::size_t at = model.find('@');
  Result<models::Mesh> mesh =
      models::makeBuiltin(model.substr(0, at), std::stoul(model.substr(at + 1)));
  if (!mesh) return mesh.error();
  collision::BuildSettings settings;
  settings.parameters = parameters;
  collision::BuildOutcome outcome = collision::buildObject({std::move(mesh).value(), {}}, settings);
  return known.emplace(key, std::move(outcome.object)).first->second;
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
    EXPECT_EQ(a.course.jumps.byStep, b.course.jumps.byStep);
    EXPECT_EQ(a.course.cutJumps.byHalf, b.course.cutJumps.byHalf);
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
    EXPECT_GT(quality.course.usMean(), 0.0);
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
  EXPECT_GT(vps.course.jumps.largest(), 0.0);
  EXPECT_LT(valueOf(vps.course.jumps.ratio()), 0.6);
  EXPECT_FALSE(of(benchmark.value(), QualityLaw::VpsSeed).course.jumps.ratio());
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

/// A block that goes down into another one, off its middle, so that there is a torque; its lower
/// face is 1 mm and then 2 mm below the other one's upper face.
RecordedPath pressedBlock() {
  RecordedPath path;
  path.name = "block-on-block";
  path.a = path.b = "block";
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << 0.03, 0.039, 0.01;
  path.poses.push_back(pose);
  pose.translation().y() = 0.038;
  path.poses.push_back(pose);
  return path;
}

/// Measured once: an exact wrench takes some tenths of a second.
const Result<ShapeQuality>& pressed() {
  static QualityObjects objects(built);
  static const Result<ShapeQuality> shape = measureShape(
      pressedBlock(),
      {.samples = 2, .fineness = {1000, 300}, .repetitions = 1, .jumpWindows = 2, .jumpSteps = 3},
      objects);
  return shape;
}

// The laws' wrenches of a closed form: of flat faces of the area S, delta deep, by the lesser depth
// K S delta / 2, by one depth K S delta, by volume k S; about the middle of the moving block.
TEST(ShapeQuality, ItsExactWrenchesAreThoseOfFlatFaces) {
  ASSERT_TRUE(pressed().ok()) << pressed().error().sentence;
  // blocks of 120 x 40 x 60 mm
  const double area = (0.120 - 0.03) * (0.060 - 0.01);
  const Eigen::Vector3d arm(-0.015, -0.02, -0.005);
  for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
    const LawCourse& course = pressed().value().laws[i].course;
    ASSERT_EQ(course.idealForce.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
      const double delta = 0.001 * static_cast<double>(k + 1);
      const std::array<double, 3> pushes = {0.5 * area * delta, area, area * delta};
      Eigen::Vector3d force(0.0, pushes[i], 0.0);
      // by volume the sides push with all that is between the faces
      if (kShapeLaws[i] == QualityLaw::IstVolume) force += Eigen::Vector3d(0.05, 0.0, 0.09) * delta;
      const double part = 0.04 * pushes[i];  // by depth where they are nearer than what is below
      EXPECT_NEAR((course.idealForce[k] - force).norm(), 0.0, part) << i << " " << k;
      EXPECT_NEAR((course.idealTorque[k] - arm.cross(force)).norm(), 0.0, 2.0 * part * arm.norm());
    }
  }
}

TEST(ShapeQuality, LawsAreNearTheirExactOnesAndJumpsHalve) {
  ASSERT_TRUE(pressed().ok()) << pressed().error().sentence;
  for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
    const ShapeLaw& law = pressed().value().laws[i];
    if (kShapeLaws[i] == QualityLaw::IstVolume) {
      EXPECT_EQ(law.budget, 0U) << "the volume has none";
      continue;  // and spheres do not fill flat faces
    }
    EXPECT_LT(valueOf(law.force.sigma), 0.1) << i;
    EXPECT_LT(valueOf(law.torque.sigma), 0.1) << i;
    EXPECT_LT(valueOf(law.course.jumps.ratio()), 0.6) << i;
    EXPECT_GT(law.budget, 0U);
  }
}

TEST(ResolutionSweep, ABudgetIsMadeOfTimeAndCutsWhatTakesMore) {
  QualityObjects objects(built);
  SweepSettings settings;
  settings.scenarios = {QualityScenario::II};
  settings.spheres = {100, 300};
  settings.triangles = 2000;
  settings.samples = 21;
  std::size_t steps = 0;
  const auto count = [&](QualityScenario, std::uint64_t) { ++steps; };
  const Result<std::vector<SweepRow>> wide = sweepResolutions(settings, objects, count);
  settings.budgetUs = 1.0;
  const Result<std::vector<SweepRow>> narrow = sweepResolutions(settings, objects, count);
  ASSERT_TRUE(wide.ok() && narrow.ok());
  EXPECT_EQ(steps, 4U);
  ASSERT_EQ(wide.value().size(), 4U);
  for (std::size_t r = 0; r < 4; ++r) {
    const SweepRow& row = wide.value()[r];
    EXPECT_EQ(row.spheres, r < 2 ? 100U : 300U);
    EXPECT_EQ(row.law, kSweptLaws[r % 2]);
    EXPECT_EQ(row.tests.size(), 21U);
    EXPECT_NEAR(row.budget, 900.0 * row.testsPerUs, 1.0);
    EXPECT_LT(valueOf(row.eta()), 1.0);
    // what is cut is so by counts, whatever the clock has said
    const SweepRow& cut = narrow.value()[r];
    EXPECT_EQ(cut.tests, row.tests);
    EXPECT_GE(cut.cutShare(), row.cutShare());
  }
  const SweepRow* best = bestOf(wide.value(), QualityScenario::II, QualityLaw::Ist);
  ASSERT_NE(best, nullptr);
  for (const std::size_t r : {std::size_t{0}, std::size_t{2}})
    EXPECT_LE(valueOf(best->eta()), valueOf(wide.value()[r].eta()));
  EXPECT_EQ(bestOf(wide.value(), QualityScenario::III, QualityLaw::Ist), nullptr);
}

TEST(QualityBenchmark, AllItsPartsAreOnThePage) {
  QualitySettings settings = small();
  settings.scenarios.clear();
  settings.sweep.scenarios = {QualityScenario::II};
  settings.sweep.spheres = {100};
  settings.sweep.triangles = settings.triangles;
  settings.sweep.samples = 21;
  std::size_t last = 0, count = 0;
  settings.onStep = [&](const BenchmarkStep& step) {
    EXPECT_EQ(step.number, ++last);
    count = step.count;
  };
  Result<QualityBenchmark> made = benchmarkQuality(settings);
  ASSERT_TRUE(made.ok() && pressed().ok());
  EXPECT_EQ(last, count);
  QualityBenchmark& benchmark = made.value();
  EXPECT_EQ(benchmark.sweep.size(), 2U);
  benchmark.shapes.push_back(pressed().value());
  benchmark.shapes.front().stolenShare = 0.5;
  EXPECT_EQ(benchmark.worstStolenShare(), 0.5);
  const std::string page = qualityPage(benchmark);
  for (const char* words : {"block-on-block", "least &eta;", "spheres, or points"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_EQ(page.find("nan"), std::string::npos);
  const std::vector<QualityVerdict> verdicts = verdictsOf(benchmark);
  EXPECT_EQ(
      std::ranges::count(verdicts, std::string("block-on-block: jump of half a step, budgeted"),
                         &QualityVerdict::what),
      1);
}

}  // namespace
}  // namespace tactus::studies
