#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/figures_text.hpp"
#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/contact/contact_patches.hpp"
#include "collision/tree/proximity.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::Proximity;
using collision::ProximityBody;
using collision::ProximityScratch;
using models::Result;

QueryAnswer ask(const ProximityBody& a, const ProximityBody& b, const Eigen::Isometry3d& aFromB,
                ProximityScratch& scratch, const collision::ProximitySettings& settings) noexcept {
  const Proximity found = collision::proximity(a, b, aFromB, scratch, settings);
  QueryAnswer answer;
  answer.volume = found.volume;
  answer.volumeLower = found.volumeLower;
  answer.volumeUpper = found.volumeUpper;
  answer.distance = found.distance;
  answer.energy = found.energy;
  answer.force = found.force;
  answer.torque = found.torque;
  answer.isCut = found.isCut;
  answer.lacksPairs = found.status == collision::ProximityStatus::QueueWasFull;
  return answer;
}

/// Divides each overlap into patches and finds its centroid, with queries of their own: they are no
/// part of the time.
void addContacts(const ProximityBody& a, const ProximityBody& b,
                 const std::vector<Eigen::Isometry3d>& poses, collision::ProximitySettings settings,
                 std::vector<QueryAnswer>& answers) {
  ProximityScratch scratch(a, b);
  collision::PatchScratch patches;
  collision::ContactCells cells;
  settings.contacts = &cells;
  settings.wantsCentroid = true;
  for (std::size_t p = 0; p < poses.size(); ++p) {
    if (!(answers[p].volume > 0.0)) continue;
    scratch.forget();
    const Proximity found = collision::proximity(a, b, poses[p], scratch, settings);
    // what overlaps without a force, as one inside the other, is a contact all the same
    answers[p].contacts =
        std::max<std::size_t>(1, collision::contactPatches(cells, poses[p], patches).count);
    answers[p].centroid = found.centroid;
  }
}

/// Whether there are any.
bool tellsOfThinWalls(const CollisionObject& object, const std::string& name) {
  const std::string thin = aboutThinWalls(object);
  if (!thin.empty()) complain(fmt::format("{}: {}.", models::printable(name), thin));
  return !thin.empty();
}

constexpr double kMostPairTests = 1e9;

/// Pair tests that a unified query makes in a microsecond: the median over poses from the
/// middles upon each other to half way apart.
double testsPerUs(const ProximityBody& a, const ProximityBody& b, ProximityScratch& scratch) {
  constexpr std::uint32_t kTests = 100'000;  // as many as a query with a contact of some percent
  constexpr int kTimes = 25;
  const Eigen::Vector3d apart = a.spheres.origin() - b.spheres.origin();
  const auto radius = static_cast<double>(a.spheres.bounds()[0].radius[0]);
  std::vector<double> rates;
  for (int k = 0; k < kTimes; ++k) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = apart;
    pose.translation()[k % 3] += radius * 0.02 * k;
    const auto start = std::chrono::steady_clock::now();
    const Proximity found = collision::proximity(a, b, pose, scratch, {.pairTests = kTests});
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (found.pairs.pairTests > 0 && took.count() > 0.0)
      rates.push_back(found.pairs.pairTests / took.count());
  }
  if (rates.empty()) return 1.0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

}  // namespace

Result<std::vector<QueryAnswer>> askTrees(QueryRequest& request,
                                          const std::vector<Eigen::Isometry3d>& poses) {
  Result<NamedObject> foundA = findObject(request.a, request.parameters);
  if (!foundA) return foundA.error();
  // where caches cannot be kept, an object against itself is still built once
  const bool isSame = request.a == request.b;
  Result<NamedObject> foundB = isSame ? NamedObject{} : findObject(request.b, request.parameters);
  if (!foundB) return foundB.error();
  const Result<CollisionObject> a = openObject(std::move(foundA).value());
  if (!a) return a.error();
  const Result<CollisionObject> b = isSame ? a : openObject(std::move(foundB).value());
  if (!b) return b.error();
  bool hasThinWalls = false;
  if (request.law == "depth") {
    hasThinWalls = tellsOfThinWalls(a.value(), request.a);
    if (!isSame && tellsOfThinWalls(b.value(), request.b)) hasThinWalls = true;
  }
  const ProximityBody bodyA = a.value().body();
  const ProximityBody bodyB = b.value().body();
  ProximityScratch scratch(
      bodyA, bodyB,
      request.isCoherent ? collision::Coherence::SmallSteps : collision::Coherence::None);
  if (request.budgetUs) {
    const double tests = std::floor(*request.budgetUs * testsPerUs(bodyA, bodyB, scratch));
    request.budget = static_cast<std::uint32_t>(std::clamp(tests, 1.0, kMostPairTests));
  }
  const collision::ProximitySettings settings{
      .law = request.law == "depth" ? collision::EnergyLaw::Depth : collision::EnergyLaw::Volume,
      .pairTests = request.budget.value_or(collision::kNoBudget)};
  // what is coherent begins with the first pose
  const WarmUp warmUp = request.isCoherent ? WarmUp::None : WarmUp::SomePoses;
  std::vector<QueryAnswer> answers =
      askAll(poses, request.repeat, warmUp, [&](const Eigen::Isometry3d& aFromB) {
        if (!request.isCoherent) scratch.forget();
        return ask(bodyA, bodyB, aFromB, scratch, settings);
      });
  addContacts(bodyA, bodyB, poses, settings, answers);
  for (QueryAnswer& answer : answers)
    answer.hasThinWalls = hasThinWalls && answer.volumeUpper > 0.0;
  return answers;
}

}  // namespace tactus::app
