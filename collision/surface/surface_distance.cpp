#include "collision/surface/surface_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/report/mesh_report.hpp"
#include "models/report/topology.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

// Points of a batch a block: few enough for threads to end together.
constexpr std::size_t kPointsPerBlock = 512;

// The hint of a batch is lengthened by more than the rounding of a distance, as a share of the
// mesh's size.
constexpr double kHintRoundUp = 1e-9;

Vector3d closestPointOfSides(const Vector3d& point, const std::array<Vector3d, 3>& corner,
                             SurfaceFeature& feature) {
  Vector3d best = corner[0];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d side = corner[(k + 1) % 3] - corner[k];
    const double squared = side.squaredNorm();
    const double t =
        squared > 0.0 ? std::clamp((point - corner[k]).dot(side) / squared, 0.0, 1.0) : 0.0;
    const Vector3d at = corner[k] + t * side;
    const double distance = (point - at).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = at;
    const auto first = static_cast<std::size_t>(SurfaceFeature::Side0);
    const auto corner0 = static_cast<std::size_t>(SurfaceFeature::Corner0);
    feature = static_cast<SurfaceFeature>(t <= 0.0   ? corner0 + k
                                          : t >= 1.0 ? corner0 + (k + 1) % 3
                                                     : first + k);
  }
  return best;
}

double angleBetween(const Vector3d& a, const Vector3d& b) {
  return models::elementary::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

Vector3d closestPointOfTriangle(const Vector3d& point, const Vector3d& a, const Vector3d& b,
                                const Vector3d& c, SurfaceFeature& feature) noexcept {
  // each region of Ericson 5.1.5 is named by the signs of the same six products
  const Vector3d ab = b - a;
  const Vector3d ac = c - a;
  const Vector3d ap = point - a;
  const double abAp = ab.dot(ap);
  const double acAp = ac.dot(ap);
  feature = SurfaceFeature::Corner0;
  if (abAp <= 0.0 && acAp <= 0.0) return a;
  const Vector3d bp = point - b;
  const double abBp = ab.dot(bp);
  const double acBp = ac.dot(bp);
  feature = SurfaceFeature::Corner1;
  if (abBp >= 0.0 && acBp <= abBp) return b;
  const Vector3d cp = point - c;
  const double abCp = ab.dot(cp);
  const double acCp = ac.dot(cp);
  feature = SurfaceFeature::Corner2;
  if (acCp >= 0.0 && abCp <= acCp) return c;
  const double beyondAb = abAp * acBp - abBp * acAp;
  feature = SurfaceFeature::Side0;
  // abAp - abBp is the squared length of ab; a side without length has no points but its corners
  if (beyondAb <= 0.0 && abAp >= 0.0 && abBp <= 0.0 && abAp > abBp) {
    return a + abAp / (abAp - abBp) * ab;
  }
  const double beyondAc = abCp * acAp - abAp * acCp;
  feature = SurfaceFeature::Side2;
  if (beyondAc <= 0.0 && acAp >= 0.0 && acCp <= 0.0 && acAp > acCp) {
    return a + acAp / (acAp - acCp) * ac;
  }
  const double beyondBc = abBp * acCp - abCp * acBp;
  const double alongB = acBp - abBp;
  const double alongC = abCp - acCp;
  feature = SurfaceFeature::Side1;
  if (beyondBc <= 0.0 && alongB >= 0.0 && alongC >= 0.0 && alongB + alongC > 0.0) {
    return b + alongB / (alongB + alongC) * (c - b);
  }
  const double whole = beyondAb + beyondAc + beyondBc;  // squared length of ab x ac
  if (!(whole > kSliver * ab.squaredNorm() * ac.squaredNorm())) {
    return closestPointOfSides(point, {a, b, c}, feature);
  }
  feature = SurfaceFeature::Face;
  return a + beyondAc / whole * ab + beyondAb / whole * ac;
}

SurfaceDistance::SurfaceDistance(const models::Mesh& mesh, const SurfaceDistanceSettings& settings)
    : origin_(mesh.origin),
      bounds_(mesh.bounds()),
      signRule_(settings.signRule),
      positions_(mesh.positions),
      triangles_(mesh.triangles),
      tree_(mesh, settings.threads) {
  models::Topology topology = models::topologyOf(mesh, settings.threads);
  if (signRule_ == SignRule::WindingNumber) {
    winding_ = std::make_unique<const models::WindingNumber>(
        mesh, models::WindingSettings{.cutsSlivers = true}, settings.threads);
    sides_ = sheetSides(mesh, topology, tree_, *winding_, settings.threads);
  }
  makeNormals(std::move(topology));
}

void SurfaceDistance::makeNormals(models::Topology topology) {
  faceNormals_.resize(triangles_.size());
  edgeNormals_.assign(topology.edges.size(), Vector3d::Zero());
  cornerNormals_.assign(topology.merged.count(), Vector3d::Zero());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    std::array<Vector3d, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = positions_[triangles_[t][k]].cast<double>();
    const Vector3d areaNormal = (p[1] - p[0]).cross(p[2] - p[0]);
    const double length = areaNormal.norm();
    faceNormals_[t] = length > 0.0 ? Vector3d(areaNormal / length) : Vector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t edge = topology.edgeOfSide[3 * t + k];
      if (edge != models::kNone) edgeNormals_[edge] += faceNormals_[t];
      cornerNormals_[topology.triangles[t][k]] +=
          angleBetween(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]) * faceNormals_[t];
    }
  }
  edgeOfSide_ = std::move(topology.edgeOfSide);
  mergedTriangles_ = std::move(topology.triangles);
}

Vector3d SurfaceDistance::normalAt(std::uint32_t triangle, SurfaceFeature feature) const noexcept {
  const auto number = static_cast<std::size_t>(feature);
  if (feature == SurfaceFeature::Face) return faceNormals_[triangle];
  if (number >= static_cast<std::size_t>(SurfaceFeature::Corner0)) {
    return cornerNormals_[mergedTriangles_[triangle][number - static_cast<std::size_t>(
                                                                  SurfaceFeature::Corner0)]];
  }
  const std::uint32_t edge = edgeOfSide_[3 * std::size_t{triangle} + number -
                                         static_cast<std::size_t>(SurfaceFeature::Side0)];
  return edge == models::kNone ? faceNormals_[triangle] : edgeNormals_[edge];
}

SheetSides SurfaceDistance::sidesAt(std::uint32_t triangle, SurfaceFeature feature) const noexcept {
  const SheetSides sides = sides_.ofTriangle[triangle];
  const auto number = static_cast<std::size_t>(feature);
  const auto corner0 = static_cast<std::size_t>(SurfaceFeature::Corner0);
  if (sides == SheetSides::Unknown || feature == SurfaceFeature::Face) return sides;
  // a triangle of a sheet has three edges
  const bool isOfSheet =
      number >= corner0
          ? sides_.isCornerOfSheet[mergedTriangles_[triangle][number - corner0]] != 0
          : sides_.isEdgeOfSheet[edgeOfSide_[3 * std::size_t{triangle} + number -
                                             static_cast<std::size_t>(SurfaceFeature::Side0)]] != 0;
  return isOfSheet ? sides : SheetSides::Unknown;
}

SurfacePoint SurfaceDistance::pointOf(const Vector3d& point,
                                      std::uint32_t triangle) const noexcept {
  SurfacePoint result;
  const Vector3d local = point - origin_;
  const auto [a, b, c] = corners(triangle);
  const Vector3d closest = closestPointOfTriangle(local, a.cast<double>(), b.cast<double>(),
                                                  c.cast<double>(), result.feature);
  result.triangle = triangle;
  result.distance = (local - closest).norm();
  result.point = origin_ + closest;
  return result;
}

void SurfaceDistance::sign(const Vector3d& point, SurfacePoint& result) const noexcept {
  SheetSides sides = SheetSides::InsideBehind;
  if (signRule_ == SignRule::WindingNumber)
    sides = result.found() ? sidesAt(result.triangle, result.feature) : SheetSides::Unknown;
  bool isInside = sides == SheetSides::Inside;
  if (sides == SheetSides::Unknown) {
    isInside = winding_->contains(point);
  } else if (sides == SheetSides::InsideBehind && result.found()) {
    isInside = (point - result.point).dot(normalAt(result.triangle, result.feature)) < 0.0;
  }
  if (isInside) result.distance = -result.distance;
}

SurfacePoint SurfaceDistance::unsignedAt(const Vector3d& point, double reach) const noexcept {
  const SurfaceTree::Hit hit = tree_.closest(point - origin_, reach);
  return hit.triangle == kNoTriangle ? SurfacePoint{} : pointOf(point, hit.triangle);
}

SurfacePoint SurfaceDistance::at(const Vector3d& point, double reach) const noexcept {
  SurfacePoint result = unsignedAt(point, reach);
  sign(point, result);
  return result;
}

SurfacePoint SurfaceDistance::at(const Vector3d& point,
                                 std::uint32_t closestTriangle) const noexcept {
  SurfacePoint result = pointOf(point, closestTriangle);
  sign(point, result);
  return result;
}

bool SurfaceDistance::contains(const Vector3d& point) const noexcept {
  if (signRule_ == SignRule::WindingNumber) return winding_->contains(point);
  return at(point).distance <= 0.0;
}

void SurfaceDistance::at(std::span<const Vector3d> points, std::span<SurfacePoint> results,
                         unsigned threads) const {
  models::parallelFor(
      points.size(), kPointsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
        double reach = std::numeric_limits<double>::infinity();
        for (std::size_t i = begin; i < end; ++i) {
          results[i] = at(points[i], reach);
          // the surface is no further from the next point than this by the triangle inequality;
          // the bound prunes only, so a block's cut does not show in the answer
          if (i + 1 < end) {
            const double moved = (points[i + 1] - points[i]).norm();
            reach = (std::fabs(results[i].distance) + moved) * (1.0 + kHintRoundUp) +
                    kHintRoundUp * bounds_.diagonal();
          }
        }
      });
}

std::size_t SurfaceDistance::bytes() const noexcept {
  return positions_.size() * sizeof(positions_[0]) + triangles_.size() * sizeof(triangles_[0]) +
         tree_.bytes() +
         (faceNormals_.size() + edgeNormals_.size() + cornerNormals_.size()) * sizeof(Vector3d) +
         edgeOfSide_.size() * sizeof(edgeOfSide_[0]) +
         mergedTriangles_.size() * sizeof(mergedTriangles_[0]) +
         sides_.ofTriangle.size() * sizeof(SheetSides) + sides_.isEdgeOfSheet.size() +
         sides_.isCornerOfSheet.size() + (winding_ ? winding_->bytes() : 0);
}

SignRule signRuleFor(const models::Mesh& mesh, unsigned threads) {
  return models::reportOn(mesh, threads).isClean() ? SignRule::Pseudonormal
                                                   : SignRule::WindingNumber;
}

}  // namespace tactus::collision
