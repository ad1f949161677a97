// The vector code that the searches over two facet hierarchies share: least distance of capped
// balls, and distance of triangles, sixteen pairs at a time.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/surface/posed_facets.hpp"
#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_CAPPED_BALL_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_CAPPED_BALL_LANES
#undef TACTUS_CAPPED_BALL_LANES
#else
#define TACTUS_CAPPED_BALL_LANES
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

LANES_INLINE F32x16 sineOf(F32x16 cosine) {
  return sqrt(positive(1.0F - cosine * cosine));
}

/// How far a capped ball reaches at most from its centre in a direction at this cosine and sine to
/// its normal, or at this much less than a right angle; behind it the whole ball counts, as at a
/// right angle. The disc in which the plane cuts the ball is taken as wide as the ball: patches are
/// nearly flat, and the true width would take a root.
LANES_INLINE F32x16 extent(const Capped& cap, F32x16 cosine, F32x16 sine) {
  return min(cap.radius, cap.height * cosine + cap.radius * sine);
}

/// How far two capped balls are apart along three directions: what separates them along any of
/// them is a plane, and so the largest is a lower bound of their distance.
struct Gaps {
  F32x16 byCentres, byA, byB;  ///< along the line of centres, A's normal, and against B's [m]
  F32x16 centres;              ///< distance of the centres: how near the two are in general [m]
  Vector line;                 ///< unit, from A's centre to B's

  /// No point of one is closer to one of the other than this.
  [[nodiscard]] LANES_INLINE F32x16 least() const { return max(max(byA, byB), byCentres); }
};

LANES_INLINE Gaps gapsOf(const Capped& a, const Capped& b) {
  const Vector apart = b.centre - a.centre;
  const F32x16 distance = sqrt(dot(apart, apart));
  const F32x16 inverse = 1.0F / max(distance, kTiny);
  const F32x16 alongA = dot(apart, a.normal);
  const F32x16 againstB = dot(apart, b.normal);
  const F32x16 facing = positive(-dot(a.normal, b.normal));
  const F32x16 cosineA = positive(alongA * inverse);
  const F32x16 cosineB = positive(-againstB * inverse);
  const F32x16 sine = sineOf(facing);
  return {distance - extent(a, cosineA, sineOf(cosineA)) - extent(b, cosineB, sineOf(cosineB)),
          alongA - a.height - extent(b, facing, sine),
          -againstB - b.height - extent(a, facing, sine), distance, inverse * apart};
}

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
  Vector at, normal, u, v;
  F32x16 uu, uv, vv, squaredNormal;
  F32x16 inverse;  ///< of the squared normal
};

LANES_INLINE Plane planeOf(const Facet& facet) {
  const Vector u = facet.q - facet.p;
  const Vector v = facet.r - facet.p;
  const Vector normal = cross(u, v);
  const F32x16 squared = dot(normal, normal);
  return {
      facet.p, normal, u, v, dot(u, u), dot(u, v), dot(v, v), squared, 1.0F / max(squared, kTiny)};
}

LANES_INLINE LaneMask<float> isAbove(const Plane& plane, const Vector& fromP) {
  const F32x16 du = dot(plane.u, fromP);
  const F32x16 dv = dot(plane.v, fromP);
  const F32x16 s = plane.vv * du - plane.uv * dv;
  const F32x16 t = plane.uu * dv - plane.uv * du;
  return (s >= 0.0F) & (t >= 0.0F) & (s + t <= plane.squaredNormal);
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
  for (const Side& sideA : sidesA) {
    for (const Side& sideB : sidesB)
      best = min(best, squaredOfSides(sideA, sideB));
  }
  best = againstFace(planeOf(a), b, best);
  return againstFace(planeOf(b), a, best);
}

/// Four children, or one leaf and three that are missing.
struct FourCaps {
  FacetHierarchy::Caps caps;
  std::array<std::int32_t, 4> links;

  /// Only of a leaf, which stands in its parent's block.
  LANES_INLINE void setLeaf(const FacetHierarchy::Arrays& tree, std::int32_t link) {
    const std::int32_t leaf = ~link;
    const auto slot = static_cast<std::size_t>(tree.slots[static_cast<std::size_t>(leaf)]);
    const FacetHierarchy::Caps& from = tree.caps[slot / 4];
    const std::size_t k = slot % 4;
    caps = tree.caps.back();
    caps.x[0] = from.x[k];
    caps.y[0] = from.y[k];
    caps.z[0] = from.z[k];
    caps.radius[0] = from.radius[k];
    caps.nx[0] = from.nx[k];
    caps.ny[0] = from.ny[k];
    caps.nz[0] = from.nz[k];
    caps.height[0] = from.height[k];
    links = {link, link, link, link};
  }
};

LANES_INLINE Vector turned(const PosedFacets& p, const Vector& v) {
  const auto& r = p.rotation;
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

LANES_INLINE Vector moved(const PosedFacets& p, const Vector& v) {
  const Vector t = turned(p, v);
  return {t.x + p.offset[0], t.y + p.offset[1], t.z + p.offset[2]};
}

/// Both nodes' children, each of one with each of the other, in A's coordinates. A leaf is its own
/// first child.
struct CappedPairs {
  Capped a, b;
  I32x16 linkA, linkB;
};

LANES_INLINE CappedPairs childrenOf(const PosedFacets& p, std::int32_t a, std::int32_t b) {
  FourCaps leafA;
  FourCaps leafB;
  const FacetHierarchy::Caps* capsA = p.a->caps.data() + a;
  const FacetHierarchy::Caps* capsB = p.b->caps.data() + b;
  const std::int32_t* linksA = p.a->links.data() + 4 * a;
  const std::int32_t* linksB = p.b->links.data() + 4 * b;
  if (a < 0) {
    leafA.setLeaf(*p.a, a);
    capsA = &leafA.caps;
    linksA = leafA.links.data();
  }
  if (b < 0) {
    leafB.setLeaf(*p.b, b);
    capsB = &leafB.caps;
    linksB = leafB.links.data();
  }
  return {{{repeat4(capsA->x.data()), repeat4(capsA->y.data()), repeat4(capsA->z.data())},
           {repeat4(capsA->nx.data()), repeat4(capsA->ny.data()), repeat4(capsA->nz.data())},
           repeat4(capsA->radius.data()),
           repeat4(capsA->height.data())},
          {moved(p, {tile4(capsB->x.data()), tile4(capsB->y.data()), tile4(capsB->z.data())}),
           turned(p, {tile4(capsB->nx.data()), tile4(capsB->ny.data()), tile4(capsB->nz.data())}),
           tile4(capsB->radius.data()), tile4(capsB->height.data())},
          repeat4(linksA),
          tile4(linksB)};
}

/// Where a node's children stand: a block of four, of which a leaf is only one.
struct Place {
  std::int32_t block;
  std::uint32_t which;  ///< bits
};

LANES_INLINE Place placeOf(const FacetHierarchy::Arrays& tree, std::int32_t link) {
  if (link >= 0) return {link, 0xFU};
  const std::int32_t leaf = ~link;
  const std::int32_t slot = tree.slots[static_cast<std::size_t>(leaf)];
  return {slot / 4, 1U << static_cast<std::uint32_t>(slot % 4)};
}

/// Four pairs of nodes at a time, since B's children are moved sixteen at a time.
struct FourPairs {
  std::array<Place, 4> a, b;
  std::array<std::array<float, kLanes>, 6> inA;  ///< B's centres and normals

  /// Links of nodes or leaves; from `count` on the last ones are repeated.
  LANES_INLINE FourPairs(const PosedFacets& p, const std::int32_t* linksA,
                         const std::int32_t* linksB, std::size_t count) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t from = std::min(k, count - 1);
      a[k] = placeOf(*p.a, linksA[from]);
      b[k] = placeOf(*p.b, linksB[from]);
    }
    const FacetHierarchy::Caps& b0 = capsOfB(p, 0);
    const FacetHierarchy::Caps& b1 = capsOfB(p, 1);
    const FacetHierarchy::Caps& b2 = capsOfB(p, 2);
    const FacetHierarchy::Caps& b3 = capsOfB(p, 3);
    const Vector centre = moved(p, {join4(b0.x.data(), b1.x.data(), b2.x.data(), b3.x.data()),
                                    join4(b0.y.data(), b1.y.data(), b2.y.data(), b3.y.data()),
                                    join4(b0.z.data(), b1.z.data(), b2.z.data(), b3.z.data())});
    const Vector normal =
        turned(p, {join4(b0.nx.data(), b1.nx.data(), b2.nx.data(), b3.nx.data()),
                   join4(b0.ny.data(), b1.ny.data(), b2.ny.data(), b3.ny.data()),
                   join4(b0.nz.data(), b1.nz.data(), b2.nz.data(), b3.nz.data())});
    store(centre.x, inA[0].data());
    store(centre.y, inA[1].data());
    store(centre.z, inA[2].data());
    store(normal.x, inA[3].data());
    store(normal.y, inA[4].data());
    store(normal.z, inA[5].data());
  }

  LANES_INLINE const FacetHierarchy::Caps& capsOfB(const PosedFacets& p, std::size_t k) const {
    return p.b->caps[static_cast<std::size_t>(b[k].block)];
  }

  /// Of pair k's children, each of A's with each of B's.
  LANES_INLINE Gaps gaps(const PosedFacets& p, std::size_t k) const {
    const FacetHierarchy::Caps& ofA = p.a->caps[static_cast<std::size_t>(a[k].block)];
    const FacetHierarchy::Caps& ofB = capsOfB(p, k);
    const auto at = [&](std::size_t i) { return inA[i].data() + 4 * k; };
    return gapsOf({{repeat4(ofA.x.data()), repeat4(ofA.y.data()), repeat4(ofA.z.data())},
                   {repeat4(ofA.nx.data()), repeat4(ofA.ny.data()), repeat4(ofA.nz.data())},
                   repeat4(ofA.radius.data()),
                   repeat4(ofA.height.data())},
                  {{tile4(at(0)), tile4(at(1)), tile4(at(2))},
                   {tile4(at(3)), tile4(at(4)), tile4(at(5))},
                   tile4(ofB.radius.data()),
                   tile4(ofB.height.data())});
  }

  /// Which of those sixteen pairs there are.
  LANES_INLINE LaneMask<std::int32_t> there(std::size_t k) const {
    // bit i of A's children stands for lanes 4 i to 4 i + 3, of B's for i, i + 4, i + 8 and i + 12
    constexpr std::array<std::uint32_t, 16> kRows = {0x0000, 0x000F, 0x00F0, 0x00FF, 0x0F00, 0x0F0F,
                                                     0x0FF0, 0x0FFF, 0xF000, 0xF00F, 0xF0F0, 0xF0FF,
                                                     0xFF00, 0xFF0F, 0xFFF0, 0xFFFF};
    return maskOfBits(kRows[a[k].which] & (0x1111U * b[k].which));
  }
};

/// Distances of pairs of leaves, sixteen at most; behind the last one it is repeated.
LANES_INLINE F32x16 distancesOfLeaves(const PosedFacets& p, const std::int32_t* leavesA,
                                      const std::int32_t* leavesB, std::size_t count) {
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
  return sqrt(
      squaredOfFacets({at[0], at[1], at[2]}, {moved(p, at[3]), moved(p, at[4]), moved(p, at[5])}));
}

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_CAPPED_BALL_LANES
