#include "collision/surface/triangle_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

/// What the cases need of a triangle.
struct Face {
  const Corners& corners;
  std::array<Vector3d, 3> sides;  ///< from each corner to the next
  Vector3d normal;                ///< of twice the area's length

  explicit Face(const Corners& c)
      : corners(c),
        sides{c[1] - c[0], c[2] - c[1], c[0] - c[2]},
        normal(sides[0].cross(-sides[2])) {}

  /// Whether the point's foot on the plane is in the triangle. Only asked when it has an area.
  [[nodiscard]] bool isOver(const Vector3d& point) const noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
      if (sides[i].cross(point - corners[i]).dot(normal) < 0.0) return false;
    }
    return true;
  }
};

Vector3d nearestOnSegment(const Vector3d& from, const Vector3d& side, const Vector3d& point) {
  const double along = (point - from).dot(side);
  const double squared = side.squaredNorm();
  if (!(along > 0.0)) return from;
  if (along >= squared) return from + side;
  return from + (along / squared) * side;
}

Vector3d nearestOnFace(const Face& face, const Vector3d& point) {
  const double squaredNormal = face.normal.squaredNorm();
  if (squaredNormal > 0.0 && face.isOver(point)) {
    const double height = (point - face.corners[0]).dot(face.normal) / squaredNormal;
    return point - height * face.normal;
  }
  Vector3d best = face.corners[0];
  double least = (point - best).squaredNorm();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3d candidate = nearestOnSegment(face.corners[i], face.sides[i], point);
    const double squared = (point - candidate).squaredNorm();
    if (squared < least) {
      least = squared;
      best = candidate;
    }
  }
  return best;
}

void take(NearestPoints& best, const Vector3d& onA, const Vector3d& onB) {
  const double squared = (onA - onB).squaredNorm();
  if (squared < best.squaredDistance) best = {squared, onA, onB};
}

/// Feet of the common perpendicular, if both are inside the segments p + s u and q + t v.
void takeEdges(NearestPoints& best, const Vector3d& p, const Vector3d& u, const Vector3d& q,
               const Vector3d& v) {
  const Vector3d common = u.cross(v);
  const double squared = common.squaredNorm();
  if (!(squared > 0.0)) return;
  const Vector3d between = q - p;
  const double s = between.cross(v).dot(common) / squared;
  const double t = between.cross(u).dot(common) / squared;
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return;
  take(best, p + s * u, q + t * v);
}

/// Sets `where` if an edge of `cutter` passes through the face.
bool isPierced(const Face& face, const Face& cutter, Vector3d& where) {
  std::array<double, 3> height;
  for (std::size_t i = 0; i < 3; ++i)
    height[i] = (cutter.corners[i] - face.corners[0]).dot(face.normal);
  for (std::size_t i = 0; i < 3; ++i) {
    const double from = height[i];
    const double to = height[(i + 1) % 3];
    if ((from > 0.0) == (to > 0.0) || from == to) continue;
    const Vector3d point = cutter.corners[i] + (from / (from - to)) * cutter.sides[i];
    if (face.isOver(point)) {
      where = point;
      return true;
    }
  }
  return false;
}

}  // namespace

NearestPoints nearestPoints(const Corners& a, const Corners& b) noexcept {
  const Face faceA(a);
  const Face faceB(b);
  NearestPoints best{(a[0] - b[0]).squaredNorm(), a[0], b[0]};
  for (std::size_t i = 0; i < 3; ++i) {
    take(best, a[i], nearestOnFace(faceB, a[i]));
    take(best, nearestOnFace(faceA, b[i]), b[i]);
    for (std::size_t j = 0; j < 3; ++j)
      takeEdges(best, a[i], faceA.sides[i], b[j], faceB.sides[j]);
  }
  Vector3d where;
  if (best.squaredDistance > 0.0 &&
      (isPierced(faceB, faceA, where) || isPierced(faceA, faceB, where))) {
    best = {0.0, where, where};
  }
  return best;
}

}  // namespace tactus::collision
