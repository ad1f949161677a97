#include "collision/surface/leaf_distances.hpp"

#include <algorithm>
#include <array>

#define TACTUS_LANES_FILE "collision/surface/leaf_distances.cpp"
#include "models/lanes/lanes.hpp"
// The next one is read once a target as well.
#include "collision/surface/vector_lanes.hpp"
#include "models/lanes/scattered_rows.hpp"

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

/// The leaves' facets, B's in A's coordinates.
struct Facets {
  Facet a, b;
};

LANES_INLINE Facet facetsAt(const std::array<float, 9>* corners, const std::int32_t* leaves,
                            std::size_t count) {
  std::array<const float*, kLanes> at;
  for (std::size_t k = 0; k < kLanes; ++k)
    at[k] = corners[static_cast<std::size_t>(leaves[std::min(k, count - 1)])].data();
  const FourFloats first = loadFours(at.data());
  const FourFloats second = loadFours<4>(at.data());
  const F32x16 last = loadFours<5>(at.data()).number[3];
  return {{first.number[0], first.number[1], first.number[2]},
          {first.number[3], second.number[0], second.number[1]},
          {second.number[2], second.number[3], last}};
}

LANES_INLINE Facets facetsOf(const PosedFacets& p, const std::int32_t* leavesA,
                             const std::int32_t* leavesB, std::size_t count) {
  const Facet a = facetsAt(p.a->corners.data(), leavesA, count);
  const Facet b = facetsAt(p.b->corners.data(), leavesB, count);
  return {a, {moved(p, b.p), moved(p, b.q), moved(p, b.r)}};
}

void measure(const PosedFacets& p, const std::int32_t* leavesA, const std::int32_t* leavesB,
             std::size_t count, float* distances) noexcept {
  const Facets of = facetsOf(p, leavesA, leavesB, count);
  store(sqrt(squaredOfFacets(of.a, of.b)), distances);
}

/// Two facets, from a corner of A's.
struct FromCorner {
  Vector q, r;     ///< the other two of A's
  Vector u, v, w;  ///< B's
};

/// What separates them along a direction of any length; of one that has as good as none, nothing.
/// Also along A's normal all of its corners count: of a sliver it is mostly rounding.
LANES_INLINE F32x16 gapAlong(const FromCorner& at, const Vector& direction) {
  const F32x16 squared = dot(direction, direction);
  const F32x16 ofA = positive(max(dot(direction, at.q), dot(direction, at.r)));
  const F32x16 ofB = min(min(dot(direction, at.u), dot(direction, at.v)), dot(direction, at.w));
  return select(squared > kTiny, (ofB - ofA) / sqrt(max(squared, kTiny)), 0.0F);
}

void separate(const PosedFacets& p, const std::int32_t* leavesA, const std::int32_t* leavesB,
              std::size_t count, float* gaps) noexcept {
  const Facets of = facetsOf(p, leavesA, leavesB, count);
  const FromCorner at = {of.a.q - of.a.p, of.a.r - of.a.p, of.b.p - of.a.p, of.b.q - of.a.p,
                         of.b.r - of.a.p};
  const F32x16 byCentres = gapAlong(at, (at.u + at.v + at.w) - (at.q + at.r));
  const F32x16 byA = gapAlong(at, cross(at.q, at.r));
  const F32x16 byB = gapAlong(at, cross(at.w - at.u, at.v - at.u));
  store(max(max(byCentres, byA), byB), gaps);
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

LeafDistances leafGaps(const PosedFacets& posed, const std::int32_t* leavesA,
                       const std::int32_t* leavesB, std::size_t count) noexcept {
  LeafDistances gaps;
  TACTUS_LANES_CALL(separate)(posed, leavesA, leavesB, count, gaps.data());
  return gaps;
}

}  // namespace tactus::collision
#endif
