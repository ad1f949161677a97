#include "collision/surface/leaf_distances.hpp"

#include <algorithm>
#include <array>

#define TACTUS_LANES_FILE "collision/surface/leaf_distances.cpp"
#include "models/lanes/lanes.hpp"
// The next one is read once a target as well.
#include "collision/surface/vector_lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

struct Facet {
  Vector p, q, r;
};

/// A side of a facet, from + [0, 1] along.
struct Side {
  Vector from, along;
  F32x16 squared, inverse;
};

LANES_INLINE Side sideOf(const Vector& from, const Vector& to) {
  const Vector along = to - from;
  const F32x16 squared = dot(along, along);
  return {from, along, squared, 1.0F / max(squared, kTiny)};
}

LANES_INLINE F32x16 squaredOfSides(const Side& a, const Side& b) {
  const Vector r = a.from - b.from;
  const F32x16 ab = dot(a.along, b.along);
  const F32x16 c = dot(a.along, r);
  const F32x16 f = dot(b.along, r);
  const F32x16 both = a.squared * b.squared;
  const F32x16 determinant = both - ab * ab;
  const F32x16 start = select(determinant > 1e-6F * both,
                              within01((ab * f - c * b.squared) / max(determinant, kTiny)), 0.0F);
  const F32x16 t = within01((ab * start + f) * b.inverse);
  const F32x16 s = within01((ab * t - c) * a.inverse);
  const Vector apart = (r + s * a.along) - t * b.along;
  return dot(apart, apart);
}

/// A facet's plane with what tells whether a point is above the facet.
struct Plane {
  Vector at, normal;
  Vector insideU, insideV, insideW;  ///< in the plane, square to the sides p q, p r and q r
  Vector u;
  F32x16 squaredNormal;
  F32x16 inverse;  ///< of the squared normal
};

LANES_INLINE Vector without(const Vector& v, const Vector& along) {
  return v - (dot(v, along) / max(dot(along, along), kTiny)) * along;
}

/// Of a sliver the product of two long sides is mostly rounding and tilted in any direction; square
/// to both it turns about the long sides only, from which no point of the facet is far.
LANES_INLINE Plane planeOf(const Facet& facet) {
  const Vector u = facet.q - facet.p;
  const Vector v = facet.r - facet.p;
  const Vector normal = without(without(cross(u, v), u), v);
  const F32x16 squared = dot(normal, normal);
  return {facet.p, normal,  cross(normal, u),          cross(v, normal), cross(normal, v - u),
          u,       squared, 1.0F / max(squared, kTiny)};
}

/// By the distances from the sides, which are right to a rounding of the facet's length. Shares of
/// the corners would not be: of a sliver they tell little more than where it is along its length.
LANES_INLINE LaneMask<float> isAbove(const Plane& plane, const Vector& fromP) {
  return (dot(plane.insideU, fromP) >= 0.0F) & (dot(plane.insideV, fromP) >= 0.0F) &
         (dot(plane.insideW, fromP - plane.u) >= 0.0F);
}

LANES_INLINE F32x16 overFace(const Plane& plane, const Vector& fromP, F32x16 height, F32x16 best) {
  const F32x16 squared = height * height * plane.inverse;
  return select(isAbove(plane, fromP) & (plane.squaredNormal > kTiny), min(best, squared), best);
}

/// Zero where the side between two corners passes through the face.
LANES_INLINE F32x16 through(const Plane& plane, const Vector& from, const Vector& to, F32x16 hFrom,
                            F32x16 hTo, F32x16 best) {
  const auto crosses = ((hFrom < 0.0F) & (hTo > 0.0F)) | ((hFrom > 0.0F) & (hTo < 0.0F));
  if (none(crosses)) return best;
  const F32x16 t = hFrom / select(crosses, hFrom - hTo, 1.0F);
  const Vector at = from + t * (to - from);
  return select(crosses & isAbove(plane, at), 0.0F, best);
}

/// Corners and sides of one facet against the face of the other.
LANES_INLINE F32x16 againstFace(const Plane& plane, const Facet& facet, F32x16 best) {
  const Vector p = facet.p - plane.at;
  const Vector q = facet.q - plane.at;
  const Vector r = facet.r - plane.at;
  const F32x16 hp = dot(plane.normal, p);
  const F32x16 hq = dot(plane.normal, q);
  const F32x16 hr = dot(plane.normal, r);
  best = overFace(plane, p, hp, best);
  best = overFace(plane, q, hq, best);
  best = overFace(plane, r, hr, best);
  best = through(plane, p, q, hp, hq, best);
  best = through(plane, q, r, hq, hr, best);
  return through(plane, r, p, hr, hp, best);
}

LANES_INLINE F32x16 squaredOfFacets(const Facet& a, const Facet& b) {
  const std::array<Side, 3> sidesA = {sideOf(a.p, a.q), sideOf(a.q, a.r), sideOf(a.r, a.p)};
  const std::array<Side, 3> sidesB = {sideOf(b.p, b.q), sideOf(b.q, b.r), sideOf(b.r, b.p)};
  F32x16 best = 1e30F;
  // not unrolled: nine copies take ten times as long to compile, and are no faster
#pragma GCC unroll 1
  for (const Side& sideA : sidesA) {
#pragma GCC unroll 1
    for (const Side& sideB : sidesB)
      best = min(best, squaredOfSides(sideA, sideB));
  }
  best = againstFace(planeOf(a), b, best);
  return againstFace(planeOf(b), a, best);
}

void measure(const PosedFacets& p, const std::int32_t* leavesA, const std::int32_t* leavesB,
             std::size_t count, float* distances) noexcept {
  std::array<std::array<float, kLanes>, 18> corner;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const std::size_t from = std::min(k, count - 1);
    const auto& ofA = p.a->corners[static_cast<std::size_t>(leavesA[from])];
    const auto& ofB = p.b->corners[static_cast<std::size_t>(leavesB[from])];
    for (std::size_t c = 0; c < 9; ++c) {
      corner[c][k] = ofA[c];
      corner[9 + c][k] = ofB[c];
    }
  }
  std::array<Vector, 6> at;
  for (std::size_t c = 0; c < 6; ++c) {
    at[c] = {load(corner[3 * c].data()), load(corner[3 * c + 1].data()),
             load(corner[3 * c + 2].data())};
  }
  const Facet ofA = {at[0], at[1], at[2]};
  const Facet ofB = {moved(p, at[3]), moved(p, at[4]), moved(p, at[5])};
  store(sqrt(squaredOfFacets(ofA, ofB)), distances);
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

LeafDistances leafDistances(const PosedFacets& posed, const std::int32_t* leavesA,
                            const std::int32_t* leavesB, std::size_t count) noexcept {
  LeafDistances distances;
  TACTUS_LANES_CALL(measure)(posed, leavesA, leavesB, count, distances.data());
  return distances;
}

}  // namespace tactus::collision
#endif
