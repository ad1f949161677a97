#include "collision/surface/facet_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/surface/triangle_distance.hpp"

#define TACTUS_LANES_FILE "collision/surface/facet_distance.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_FACET_DISTANCE_ONCE
#define TACTUS_COLLISION_SURFACE_FACET_DISTANCE_ONCE
namespace tactus::collision {

/// The two trees and B's pose in A's coordinates, as plain pointers and floats for the kernels.
struct FacetProblem {
  const FacetHierarchy::Arrays* a;
  const FacetHierarchy::Arrays* b;
  std::array<float, 9> rotation;  ///< row by row
  std::array<float, 3> offset;
  float slack;  ///< what floats may be off [m]
};

/// The closest pair of leaves so far.
struct ClosestFacets {
  float distance = std::numeric_limits<float>::infinity();
  std::int32_t a = -1, b = -1;
  FacetDistanceCounters counters;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

struct Vector {
  F32x16 x, y, z;
};
LANES_INLINE Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
LANES_INLINE Vector operator*(F32x16 s, const Vector& v) {
  return {s * v.x, s * v.y, s * v.z};
}
LANES_INLINE F32x16 dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANES_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANES_INLINE F32x16 within01(F32x16 t) {
  return min(max(t, 0.0F), 1.0F);
}
LANES_INLINE F32x16 positive(F32x16 x) {
  return max(x, 0.0F);
}

// Divisors are kept from zero; what they divide is zero then as well.
constexpr float kTiny = 1e-30F;

struct Capped {
  Vector centre, normal;
  F32x16 radius, height;
};

/// How far a capped ball reaches at most from its centre in a direction at this cosine and sine to
/// its normal. The disc in which the plane cuts the ball is taken as wide as the ball: patches are
/// nearly flat, and the true width would take a root.
LANES_INLINE F32x16 extent(const Capped& cap, F32x16 cosine, F32x16 sine) {
  const F32x16 capped = min(cap.radius, cap.height * cosine + cap.radius * sine);
  return select(cap.radius * cosine <= cap.height, cap.radius, capped);
}

LANES_INLINE F32x16 sineOf(F32x16 cosine) {
  return sqrt(positive(1.0F - cosine * cosine));
}

/// No point of one is closer to one of the other than this.
LANES_INLINE F32x16 leastDistance(const Capped& a, const Capped& b) {
  const Vector apart = b.centre - a.centre;
  const F32x16 distance = sqrt(dot(apart, apart));
  const F32x16 inverse = 1.0F / max(distance, kTiny);
  const F32x16 alongA = dot(apart, a.normal);
  const F32x16 alongB = -dot(apart, b.normal);
  const F32x16 facing = -dot(a.normal, b.normal);
  const F32x16 cosineA = alongA * inverse;
  const F32x16 cosineB = alongB * inverse;
  const F32x16 byCentres =
      distance - extent(a, cosineA, sineOf(cosineA)) - extent(b, cosineB, sineOf(cosineB));
  const F32x16 sine = sineOf(facing);
  const F32x16 byA = alongA - a.height - extent(b, facing, sine);
  const F32x16 byB = alongB - b.height - extent(a, facing, sine);
  return max(max(byA, byB), byCentres);
}

struct Facet {
  Vector p, q, r;
};

/// Squared distance of the segments from + [0, 1] along.
LANES_INLINE F32x16 squaredOfSegments(const Vector& fromA, const Vector& alongA,
                                      const Vector& fromB, const Vector& alongB) {
  const Vector r = fromA - fromB;
  const F32x16 a = dot(alongA, alongA);
  const F32x16 e = dot(alongB, alongB);
  const F32x16 b = dot(alongA, alongB);
  const F32x16 c = dot(alongA, r);
  const F32x16 f = dot(alongB, r);
  const F32x16 determinant = a * e - b * b;
  const F32x16 start = select(determinant > 1e-6F * (a * e),
                              within01((b * f - c * e) / max(determinant, kTiny)), 0.0F);
  const F32x16 t = within01((b * start + f) / max(e, kTiny));
  const F32x16 s = within01((b * t - c) / max(a, kTiny));
  const Vector apart = (r + s * alongA) - t * alongB;
  return dot(apart, apart);
}

/// A facet's plane with what tells whether a point is above the facet.
struct Plane {
  Vector at, normal, u, v;
  F32x16 uu, uv, vv, squaredNormal;
};

LANES_INLINE Plane planeOf(const Facet& facet) {
  const Vector u = facet.q - facet.p;
  const Vector v = facet.r - facet.p;
  const Vector normal = cross(u, v);
  return {facet.p, normal, u, v, dot(u, u), dot(u, v), dot(v, v), dot(normal, normal)};
}

LANES_INLINE LaneMask<float> isAbove(const Plane& plane, const Vector& fromP) {
  const F32x16 du = dot(plane.u, fromP);
  const F32x16 dv = dot(plane.v, fromP);
  const F32x16 s = plane.vv * du - plane.uv * dv;
  const F32x16 t = plane.uu * dv - plane.uv * du;
  return (s >= 0.0F) & (t >= 0.0F) & (s + t <= plane.squaredNormal);
}

/// Heights of a facet's corners over a plane, times the normal's length, and the least square.
struct Heights {
  F32x16 p, q, r, best;
};

LANES_INLINE F32x16 overFace(const Plane& plane, const Vector& fromP, F32x16 height, F32x16 best) {
  const F32x16 squared = height * height / max(plane.squaredNormal, kTiny);
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
  const std::array<Vector, 3> cornerA = {a.p, a.q, a.r};
  const std::array<Vector, 3> cornerB = {b.p, b.q, b.r};
  const std::array<Vector, 3> sideA = {a.q - a.p, a.r - a.q, a.p - a.r};
  const std::array<Vector, 3> sideB = {b.q - b.p, b.r - b.q, b.p - b.r};
  F32x16 best = 1e30F;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      best = min(best, squaredOfSegments(cornerA[i], sideA[i], cornerB[j], sideB[j]));
  }
  best = againstFace(planeOf(a), b, best);
  return againstFace(planeOf(b), a, best);
}

class Search {
 public:
  LANES_INLINE Search(const FacetProblem& problem, FacetDistanceScratch& scratch,
                      ClosestFacets& closest)
      : p_(problem), s_(scratch), closest_(closest) {}

  LANES_INLINE void run() {
    if (s_.lastA >= 0) {
      addCandidate(s_.lastA, s_.lastB);
      measure();
    }
    std::size_t waiting = 0;
    s_.a[waiting] = 0;
    s_.b[waiting] = 0;
    s_.least[waiting++] = 0.0F;
    while (waiting != 0) {
      --waiting;
      if (s_.least[waiting] >= closest_.distance) continue;
      if (waiting + kLanes > FacetDistanceScratch::kStackEntries) {
        closest_.counters.stackWasFull = true;
        break;
      }
      waiting = open(s_.a[waiting], s_.b[waiting], waiting);
      // before anything is known, the first triangles are worth more than a full round
      const bool isFirst = closest_.a < 0 && candidates_ != 0;
      if (isFirst || candidates_ >= kLanes || waiting == 0) measure();
    }
    measure();
  }

 private:
  LANES_INLINE Vector turned(const Vector& v) const {
    const auto& r = p_.rotation;
    return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
            r[6] * v.x + r[7] * v.y + r[8] * v.z};
  }
  LANES_INLINE Vector moved(const Vector& v) const {
    const Vector t = turned(v);
    return {t.x + p_.offset[0], t.y + p_.offset[1], t.z + p_.offset[2]};
  }

  /// Four children, or one leaf and three that are missing.
  struct Four {
    FacetHierarchy::Caps caps;
    std::array<std::int32_t, 4> link;
  };

  LANES_INLINE static void setLeaf(Four& four, const FacetHierarchy::Arrays& tree,
                                   std::int32_t link) {
    const std::int32_t leaf = ~link;
    const std::int32_t slot = tree.slots[static_cast<std::size_t>(leaf)];
    const FacetHierarchy::Caps& from = tree.caps[static_cast<std::size_t>(slot) / 4];
    const std::size_t k = static_cast<std::size_t>(slot) % 4;
    four.caps = tree.caps.back();
    four.caps.x[0] = from.x[k];
    four.caps.y[0] = from.y[k];
    four.caps.z[0] = from.z[k];
    four.caps.radius[0] = from.radius[k];
    four.caps.nx[0] = from.nx[k];
    four.caps.ny[0] = from.ny[k];
    four.caps.nz[0] = from.nz[k];
    four.caps.height[0] = from.height[k];
    four.link = {link, link, link, link};
  }

  [[gnu::noinline]] std::size_t open(std::int32_t a, std::int32_t b, std::size_t waiting) {
    ++closest_.counters.nodePairs;
    Four leafA;
    Four leafB;
    const FacetHierarchy::Caps* capsA = p_.a->caps.data() + a;
    const FacetHierarchy::Caps* capsB = p_.b->caps.data() + b;
    const std::int32_t* linksA = p_.a->links.data() + 4 * a;
    const std::int32_t* linksB = p_.b->links.data() + 4 * b;
    if (a < 0) {
      setLeaf(leafA, *p_.a, a);
      capsA = &leafA.caps;
      linksA = leafA.link.data();
    }
    if (b < 0) {
      setLeaf(leafB, *p_.b, b);
      capsB = &leafB.caps;
      linksB = leafB.link.data();
    }
    const Capped ofA = {
        {repeat4(capsA->x.data()), repeat4(capsA->y.data()), repeat4(capsA->z.data())},
        {repeat4(capsA->nx.data()), repeat4(capsA->ny.data()), repeat4(capsA->nz.data())},
        repeat4(capsA->radius.data()),
        repeat4(capsA->height.data())};
    const Capped ofB = {
        moved({tile4(capsB->x.data()), tile4(capsB->y.data()), tile4(capsB->z.data())}),
        turned({tile4(capsB->nx.data()), tile4(capsB->ny.data()), tile4(capsB->nz.data())}),
        tile4(capsB->radius.data()), tile4(capsB->height.data())};
    const F32x16 least = leastDistance(ofA, ofB) - p_.slack;
    const auto near = least < closest_.distance;
    if (none(near)) return waiting;
    const I32x16 linkA = repeat4(linksA);
    const I32x16 linkB = tile4(linksB);
    const auto leaves = maskOf<std::int32_t>(near) & (linkA < 0) & (linkB < 0);
    const auto nodes = maskOf<std::int32_t>(near) & !leaves;
    if (any(leaves)) {
      append(linkA, leaves, s_.candidatesA.data() + candidates_);
      candidates_ += append(linkB, leaves, s_.candidatesB.data() + candidates_);
    }
    append(linkA, nodes, s_.a.data() + waiting);
    append(linkB, nodes, s_.b.data() + waiting);
    const std::size_t end =
        waiting + append(least, maskOf<float>(nodes), s_.least.data() + waiting);
    // the most promising one is opened next
    std::size_t best = waiting;
    for (std::size_t i = waiting + 1; i < end; ++i) {
      if (s_.least[i] < s_.least[best]) best = i;
    }
    if (end != waiting) {
      std::swap(s_.a[best], s_.a[end - 1]);
      std::swap(s_.b[best], s_.b[end - 1]);
      std::swap(s_.least[best], s_.least[end - 1]);
    }
    return end;
  }

  /// By the links of two leaves.
  LANES_INLINE void addCandidate(std::int32_t leafA, std::int32_t leafB) {
    s_.candidatesA[candidates_] = ~leafA;
    s_.candidatesB[candidates_++] = ~leafB;
  }

  [[gnu::noinline]] void measure() {
    closest_.counters.facetPairs += static_cast<std::uint32_t>(candidates_);
    for (std::size_t i = 0; i < candidates_; i += kLanes) {
      const std::size_t n = std::min(kLanes, candidates_ - i);
      std::array<std::array<float, kLanes>, 18> corner;
      for (std::size_t k = 0; k < kLanes; ++k) {
        const std::size_t from = i + std::min(k, n - 1);
        const std::int32_t leafA = ~s_.candidatesA[from];
        const std::int32_t leafB = ~s_.candidatesB[from];
        const auto& ofA = p_.a->corners[static_cast<std::size_t>(leafA)];
        const auto& ofB = p_.b->corners[static_cast<std::size_t>(leafB)];
        for (std::size_t c = 0; c < 9; ++c) {
          corner[c][k] = ofA[c];
          corner[9 + c][k] = ofB[c];
        }
      }
      const Facet a = {loaded(corner, 0), loaded(corner, 3), loaded(corner, 6)};
      const Facet b = {moved(loaded(corner, 9)), moved(loaded(corner, 12)),
                       moved(loaded(corner, 15))};
      std::array<float, kLanes> distances;
      store(sqrt(squaredOfFacets(a, b)), distances.data());
      for (std::size_t k = 0; k < n; ++k) {
        if (distances[k] >= closest_.distance) continue;
        closest_.distance = distances[k];
        closest_.a = ~s_.candidatesA[i + k];
        closest_.b = ~s_.candidatesB[i + k];
      }
    }
    candidates_ = 0;
  }

  LANES_INLINE static Vector loaded(const std::array<std::array<float, kLanes>, 18>& corner,
                                    std::size_t first) {
    return {load(corner[first].data()), load(corner[first + 1].data()),
            load(corner[first + 2].data())};
  }

  const FacetProblem& p_;
  FacetDistanceScratch& s_;
  ClosestFacets& closest_;
  std::size_t candidates_ = 0;
};

void search(const FacetProblem& problem, FacetDistanceScratch& scratch,
            ClosestFacets& closest) noexcept {
  Search(problem, scratch, closest).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

FacetDistanceScratch::FacetDistanceScratch()
    : a(kStackEntries + 16),
      b(kStackEntries + 16),
      least(kStackEntries + 16),
      candidatesA(kCandidates),
      candidatesB(kCandidates) {}

FacetDistance facetDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                            const Eigen::Isometry3d& aFromB,
                            FacetDistanceScratch& scratch) noexcept {
  FacetDistance result;
  if (a.empty() || b.empty()) return result;
  FacetProblem problem{&a.arrays(), &b.arrays(), {}, {}, 0.0F};
  const Eigen::Matrix3d rotation = aFromB.linear();
  const Eigen::Vector3d offset = aFromB * b.origin() - a.origin();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      problem.rotation[3 * i + j] = static_cast<float>(rotation(row, static_cast<Eigen::Index>(j)));
    problem.offset[i] = static_cast<float>(offset[row]);
  }
  // a position in A's frame takes ten roundings
  problem.slack = static_cast<float>(1e-6 * (a.radius() + b.radius() + offset.norm()));

  ClosestFacets closest;
  TACTUS_LANES_CALL(search)(problem, scratch, closest);
  scratch.lastA = closest.a;
  scratch.lastB = closest.b;
  result.counters = closest.counters;
  if (closest.a < 0) return result;
  const auto leafA = static_cast<std::size_t>(closest.a);
  const auto leafB = static_cast<std::size_t>(closest.b);
  result.facetA = a.arrays().facets[leafA];
  result.facetB = b.arrays().facets[leafB];
  Corners cornersA;
  Corners cornersB;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto corner = [k](const std::array<float, 9>& all) {
      return Eigen::Vector3d(all[3 * k], all[3 * k + 1], all[3 * k + 2]);
    };
    cornersA[k] = corner(a.arrays().corners[leafA]);
    cornersB[k] = rotation * corner(b.arrays().corners[leafB]) + offset;
  }
  const NearestPoints nearest = nearestPoints(cornersA, cornersB);
  result.distance = std::sqrt(nearest.squaredDistance);
  result.onA = nearest.onA + a.origin();
  result.onB = nearest.onB + a.origin();
  return result;
}

}  // namespace tactus::collision
#endif
