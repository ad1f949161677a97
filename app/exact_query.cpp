#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/object_source.hpp"
#include "app/query_answers.hpp"
#include "collision/exact/exact_depth.hpp"
#include "collision/exact/exact_distance.hpp"
#include "collision/exact/exact_overlap.hpp"
#include "models/files/file_label.hpp"
#include "models/report/mesh_report.hpp"

namespace tactus::app {
namespace {

using collision::ExactBody;
using collision::ExactDepth;
using collision::ExactDistance;
using collision::ExactOverlap;
using collision::SurfaceDistance;
using models::Result;

/// What a query asks; the surfaces are there for the law of depth only.
struct Pair {
  const ExactBody& a;
  const ExactBody& b;
  std::optional<SurfaceDistance> surfaceA, surfaceB;
  bool countsTwice = false;  ///< a surface may overlap itself: no bound of a volume is known
};

// The integral of depths has missed a part of the overlap where its volume is off by more than this
// share.
constexpr double kMissed = 0.01;

QueryAnswer ask(const Pair& pair, const Eigen::Isometry3d& aFromB) {
  const ExactBody& a = pair.a;
  const ExactBody& b = pair.b;
  QueryAnswer answer;
  // surfaces that do not meet share nothing, to the bit: that is told by the distance
  const ExactDistance apart = collision::exactDistance(a, b, aFromB);
  answer.distance = apart.distance;
  if (apart.distance > 0.0) return answer;
  const ExactOverlap overlap = collision::exactOverlap(a, b, aFromB);
  answer.volume = overlap.volume;
  answer.volumeLower = std::max(0.0, overlap.volume - overlap.volumeError);
  answer.volumeUpper = overlap.volume + overlap.volumeError;
  answer.energy = overlap.volume;
  answer.force = overlap.force;
  answer.torque = overlap.torque;
  if (pair.countsTwice) {
    answer.volumeLower = answer.volumeUpper = std::numeric_limits<double>::quiet_NaN();
  }
  if (overlap.volume > 0.0) answer.centroid = overlap.centroid;
  answer.contacts = overlap.volume > 0.0 ? 1 : 0;
  if (pair.surfaceA && pair.surfaceB) {
    const ExactDepth depth = collision::exactDepth(*pair.surfaceA, *pair.surfaceB, aFromB);
    answer.energy = depth.energy;
    answer.force = depth.force;
    answer.torque = depth.torque;
    answer.isRough =
        !pair.countsTwice && std::fabs(depth.volume - overlap.volume) > kMissed * overlap.volume;
  }
  answer.countsTwice = pair.countsTwice;
  return answer;
}

/// A model whose inside is known; the sentence says what is wrong with another one.
Result<ExactBody> openSolid(const std::string& name) {
  Result<SourcedModel> source = openModel(name);
  if (!source) return source.error();
  ExactBody body(std::move(source.value().mesh), std::move(source.value().remainders));
  switch (body.solidity) {
    case collision::Solidity::Solid:
      return body;
    case collision::Solidity::Open:
      return aboutOpenSurface(name);
    case collision::Solidity::InsideOut:
      break;
  }
  return aboutInsideOut(name);
}

/// Whether what the body covers twice would count twice; says so.
bool countsTwice(const ExactBody& body, const std::string& name) {
  const models::MeshReport report = models::reportOn(body.mesh);
  if (!report.mayOverlap() && report.mass.volume == report.signedVolume) return false;
  complain(fmt::format(
      "{}: not clean, as {}; what it covers twice counts twice here, so no bounds of the "
      "volume are given.",
      models::printable(name), models::whyNotClean(report)));
  return true;
}

}  // namespace

Result<std::vector<QueryAnswer>> askExact(const QueryRequest& request,
                                          const std::vector<Eigen::Isometry3d>& poses) {
  const Result<ExactBody> a = openSolid(request.a);
  if (!a) return a.error();
  const Result<ExactBody> b = openSolid(request.b);
  if (!b) return b.error();
  Pair pair{a.value(), b.value(), {}, {}};
  const bool aCountsTwice = countsTwice(pair.a, request.a);
  pair.countsTwice =
      (request.a == request.b ? aCountsTwice : countsTwice(pair.b, request.b)) || aCountsTwice;
  if (request.law == "depth") {
    const auto surfaceOf = [](const ExactBody& body) {
      const collision::SignRule rule = collision::signRuleFor(body.mesh);
      return SurfaceDistance(body.mesh, {.signRule = rule});
    };
    pair.surfaceA = surfaceOf(pair.a);
    pair.surfaceB = surfaceOf(pair.b);
  }
  return askAll(poses, request.repeat, WarmUp::None,
                [&](const Eigen::Isometry3d& aFromB) { return ask(pair, aFromB); });
}

}  // namespace tactus::app
