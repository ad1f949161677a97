#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::PointForce;
using collision::PointForceSettings;
using collision::VoxmapPointshell;
using models::Error;
using models::Reason;
using models::Result;

constexpr double kMostTests = 1e9;

/// Tests of nodes and points in a microsecond: the median over poses from the middles upon each
/// other to half way apart.
double testsPerUs(const CollisionObject& a, const CollisionObject& b, VoxmapPointshell& query,
                  PointForceSettings settings) {
  constexpr int kTimes = 25;
  const collision::Pointshell& shell =
      settings.pointsOf == collision::PointsOf::A ? a.pointshell : b.pointshell;
  const Eigen::Vector3d apart = a.tree.origin() - b.tree.origin();
  std::vector<double> rates;
  for (int k = 0; k < kTimes; ++k) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = apart;
    pose.translation()[k % 3] += shell.arrays().radius * 0.02 * k;
    const auto start = std::chrono::steady_clock::now();
    const PointForce found = query.query(pose, settings);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    const double tests = static_cast<double>(found.nodeTests) + found.pointTests;
    if (tests > 0.0 && took.count() > 0.0) rates.push_back(tests / took.count());
  }
  if (rates.empty()) return 1.0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

QueryAnswer ask(VoxmapPointshell& query, const Eigen::Isometry3d& aFromB,
                const PointForceSettings& settings) noexcept {
  const PointForce found = query.query(aFromB, settings);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  QueryAnswer answer;
  answer.volume = answer.volumeLower = answer.volumeUpper = kUnknown;
  answer.distance = std::max(0.0, found.distance);
  answer.energy = found.energy;
  answer.force = found.force;
  answer.torque = found.torque;
  answer.isCut = found.isCut;
  answer.contacts = found.area > 0.0 ? 1 : 0;
  return answer;
}

Error lacks(const std::string& name, const char* what, const char* option) {
  return {Reason::BadValue, -1,
          fmt::format("{}: it has no {}, which --method vps needs; build it with '{}'.",
                      models::printable(name), what, option)};
}

}  // namespace

Result<std::vector<QueryAnswer>> askPoints(QueryRequest& request,
                                           const std::vector<Eigen::Isometry3d>& poses) {
  const Result<CollisionObject> a = openObject(request.a, request.parameters);
  if (!a) return a.error();
  const Result<CollisionObject> b =
      request.a == request.b ? a : openObject(request.b, request.parameters);
  if (!b) return b.error();
  const bool isOfA = request.pointsOf == "a";
  if ((isOfA ? a : b).value().pointshell.empty()) {
    return lacks(isOfA ? request.a : request.b, "points", "--points");
  }
  if ((isOfA ? b : a).value().voxmap.empty()) {
    return lacks(isOfA ? request.b : request.a, "voxmap", "--voxel");
  }
  VoxmapPointshell query({&a.value().pointshell, &a.value().voxmap},
                         {&b.value().pointshell, &b.value().voxmap});
  PointForceSettings settings{
      .law = request.law == "depth" ? collision::PointLaw::Depth : collision::PointLaw::Volume,
      .pointsOf = isOfA ? collision::PointsOf::A : collision::PointsOf::B};
  if (request.budgetUs) {
    const double tests =
        std::floor(*request.budgetUs * testsPerUs(a.value(), b.value(), query, settings));
    request.budget = static_cast<std::uint32_t>(std::clamp(tests, 1.0, kMostTests));
  }
  settings.pointTests = request.budget.value_or(collision::kAllPoints);
  return askAll(poses, request.repeat,
                [&](const Eigen::Isometry3d& aFromB) { return ask(query, aFromB, settings); });
}

}  // namespace tactus::app
