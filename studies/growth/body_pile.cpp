#include "studies/growth/body_pile.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "collision/cache/xxhash64.hpp"
#include "models/builtin.hpp"
#include "studies/process_memory.hpp"
#include "studies/random_stream.hpp"
#include "studies/timing_figures.hpp"

namespace tactus::studies {
namespace {

using models::Error;
using models::Mesh;
using models::Reason;
using models::Result;
using response::BodyDescription;

constexpr double kTick = 1e-3;       // [s]
constexpr double kDensity = 1000.0;  // [kg/m^3]
constexpr std::uint64_t kSeed = 1;

// A plate of 10 cm becomes a floor for a hundred bodies, 28 mm thick.
constexpr double kFloorScale = 14.0;
constexpr std::size_t kFloorTriangles = 1'000;
constexpr std::uint64_t kFloorSpheres = 5'000;

// Balls around two bodies are apart by this part of their size.
constexpr double kPlay = 1.01;

Result<BodyDescription> bodyMadeOf(const Mesh& mesh, std::uint64_t spheres, unsigned threads) {
  collision::BuildSettings how;
  how.parameters.spheres = spheres;
  how.parameters.points = 0;
  how.threads = threads;
  const collision::BuildOutcome outcome = collision::buildObject({mesh, {}}, how);
  if (outcome.end != collision::BuildEnd::Built)
    return Error{Reason::BadValue, -1, "No object could be built for the pile."};
  BodyDescription body;
  body.solid = response::contactSolidOf(outcome.object);
  body.mass = response::bodyMassOf(mesh, kDensity);
  return body;
}

std::vector<BodyDescription> piled(const PileBodies& of, std::size_t count) {
  const double apart = 2.0 * kPlay * of.body.mass.radius;
  const auto side =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::round(std::cbrt(count))));
  RandomStream random(kSeed);
  std::vector<BodyDescription> bodies;
  bodies.reserve(count + 1);
  bodies.push_back(of.floor);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t layer = i / (side * side);
    const std::size_t inLayer = i % (side * side);
    const auto across = [&](std::size_t place) {
      return apart * (static_cast<double>(place) - 0.5 * static_cast<double>(side - 1));
    };
    const Eigen::Vector3d centre(across(inLayer % side), apart * (0.5 + static_cast<double>(layer)),
                                 across(inLayer / side));
    BodyDescription body = of.body;
    body.pose.linear() = random.rotation().toRotationMatrix();
    body.pose.translation() = centre - body.pose.linear() * body.mass.centre;
    bodies.push_back(std::move(body));
  }
  return bodies;
}

std::uint64_t hashOfPoses(const response::World& world) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    const Eigen::Matrix4d pose = world.pose(i).matrix();
    hash = collision::xxhash64(std::as_bytes(std::span(pose.data(), 16)), hash);
  }
  return hash;
}

}  // namespace

Result<PileBodies> makePileBodies(std::size_t triangles, std::uint64_t spheres, unsigned threads) {
  const Result<Mesh> rhino = models::makeBuiltin("rhino", triangles, threads);
  if (!rhino) return rhino.error();
  Result<Mesh> plate = models::makeBuiltin("plate", kFloorTriangles, threads);
  if (!plate) return plate.error();
  models::scale(plate.value(), kFloorScale);
  Result<BodyDescription> body = bodyMadeOf(rhino.value(), spheres, threads);
  if (!body) return body.error();
  Result<BodyDescription> floor = bodyMadeOf(plate.value(), kFloorSpheres, threads);
  if (!floor) return floor.error();
  PileBodies made{std::move(body).value(), std::move(floor).value()};
  made.floor.kind = response::BodyKind::Fixed;
  made.floor.pose.translation().y() = -plate.value().bounds().upper.y();
  return made;
}

std::vector<double> PileTiming::medians() const {
  std::vector<double> medians;
  if (times.empty()) return medians;
  medians.reserve(times.front().size());
  for (std::size_t k = 0; k < times.front().size(); ++k) {
    std::vector<double> ofStep;
    ofStep.reserve(times.size());
    for (const std::vector<double>& repetition : times)
      ofStep.push_back(repetition[k]);
    medians.push_back(medianOf(std::move(ofStep)));
  }
  return medians;
}

PileTiming timePile(const PileBodies& of, const PileSettings& settings) {
  using Clock = std::chrono::steady_clock;
  PileTiming timing;
  const std::vector<BodyDescription> bodies = piled(of, settings.bodies);
  response::WorldSettings how;
  how.mayAllSleep = false;
  for (int r = 0; r < settings.repetitions; ++r) {
    resetPeakMemory();
    const std::size_t before = peakMemory();
    response::World world(bodies, how);
    std::vector<double> times;
    times.reserve(settings.steps);
    for (std::size_t k = 0; k < settings.settleSteps + settings.steps; ++k) {
      const Clock::time_point start = Clock::now();
      world.step(kTick);
      const std::chrono::duration<double, std::micro> took = Clock::now() - start;
      const response::WorldCounters& did = world.counters();
      timing.dropped += r == 0 ? did.dropped : 0;
      if (k < settings.settleSteps) continue;
      times.push_back(took.count());
      if (r > 0) continue;
      timing.contacts += did.touching;
      timing.asked += did.queried;
      timing.carried += did.carried;
      timing.tests += did.tests;
    }
    timing.times.push_back(std::move(times));
    const std::uint64_t hash = hashOfPoses(world);
    if (r == 0) {
      timing.hash = hash;
      timing.peakBytes = peakMemory() - std::min(before, peakMemory());
      for (std::size_t i = 1; i < world.size(); ++i)
        timing.lost += world.motion(i).centre.y() < 0.0 ? 1 : 0;
    }
    timing.isSteady = timing.isSteady && hash == timing.hash;
  }
  for (double* sum : {&timing.contacts, &timing.asked, &timing.carried, &timing.tests})
    *sum /= static_cast<double>(settings.steps);
  return timing;
}

}  // namespace tactus::studies
