// The vector code that the searches over two facet hierarchies share: least distance of capped
// balls, sixteen pairs at a time.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/surface/posed_facets.hpp"
#include "collision/surface/vector_lanes.hpp"
#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_CAPPED_BALL_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_CAPPED_BALL_LANES
#undef TACTUS_CAPPED_BALL_LANES
#else
#define TACTUS_CAPPED_BALL_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

struct CapSize {
  F32x16 radius, height;
};

struct Capped : CapSize {
  Vector centre, normal;
};

/// How far a capped ball reaches at most from its centre in a direction at this cosine and sine to
/// its normal, or at this much less than a right angle; behind it the whole ball counts, as at a
/// right angle. The disc in which the plane cuts the ball is taken as wide as the ball: patches are
/// nearly flat, and the true width would take a root.
LANES_INLINE F32x16 extent(const CapSize& cap, F32x16 cosine, F32x16 sine) {
  return min(cap.radius, cap.height * cosine + cap.radius * sine);
}

/// How two capped balls stand to each other.
struct CapsApart {
  F32x16 squared;           ///< distance of the centres [m^2]
  F32x16 alongA, againstB;  ///< the way from A's centre to B's, along A's normal and against B's
  F32x16 facing;            ///< cosine of A's normal and B's turned round
};

LANES_INLINE CapsApart apartOf(const Vector& centreA, const Vector& normalA, const Vector& centreB,
                               const Vector& normalB) {
  const Vector apart = centreB - centreA;
  return {dot(apart, apart), dot(apart, normalA), -dot(apart, normalB), -dot(normalA, normalB)};
}

/// How far two capped balls are apart along three directions: what separates them along any of
/// them is a plane, and so the largest is a lower bound of their distance.
struct Gaps {
  F32x16 byCentres, byA, byB;  ///< along the line of centres, A's normal, and against B's [m]
  F32x16 centres;              ///< distance of the centres: how near the two are in general [m]
  F32x16 perCentres;           ///< 1 by it [1/m]

  /// No point of one is closer to one of the other than this.
  [[nodiscard]] LANES_INLINE F32x16 least() const { return max(max(byA, byB), byCentres); }
};

LANES_INLINE Gaps gapsOf(const CapsApart& c, const CapSize& a, const CapSize& b) {
  const F32x16 distance = sqrt(c.squared);
  const F32x16 inverse = 1.0F / max(distance, kTiny);
  const F32x16 facing = positive(c.facing);
  const F32x16 frontA = positive(c.alongA);
  const F32x16 frontB = positive(c.againstB);
  const F32x16 sine = sqrt(positive(1.0F - facing * facing));
  // cosine and sine along the line of centres, times the distance: so no root waits for a quotient
  const F32x16 asideA = sqrt(positive(c.squared - frontA * frontA));
  const F32x16 asideB = sqrt(positive(c.squared - frontB * frontB));
  const F32x16 ofA = min(a.radius * distance, a.height * frontA + a.radius * asideA);
  const F32x16 ofB = min(b.radius * distance, b.height * frontB + b.radius * asideB);
  // where the centres are as good as the same, the line has no direction
  const F32x16 byCentres =
      select(c.squared < kTiny, -(a.radius + b.radius), (c.squared - ofA - ofB) * inverse);
  return {byCentres, c.alongA - a.height - extent(b, facing, sine),
          c.againstB - b.height - extent(a, facing, sine), distance, inverse};
}

LANES_INLINE Gaps gapsOf(const Capped& a, const Capped& b) {
  return gapsOf(apartOf(a.centre, a.normal, b.centre, b.normal), a, b);
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
  return {{{repeat4(capsA->radius.data()), repeat4(capsA->height.data())},
           {repeat4(capsA->x.data()), repeat4(capsA->y.data()), repeat4(capsA->z.data())},
           {repeat4(capsA->nx.data()), repeat4(capsA->ny.data()), repeat4(capsA->nz.data())}},
          {{tile4(capsB->radius.data()), tile4(capsB->height.data())},
           moved(p, {tile4(capsB->x.data()), tile4(capsB->y.data()), tile4(capsB->z.data())}),
           turned(p, {tile4(capsB->nx.data()), tile4(capsB->ny.data()), tile4(capsB->nz.data())})},
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

/// Up to kMost pairs of nodes with their children. Each step is a loop of its own over all pairs: a
/// processor looks some three pairs ahead in a loop that does everything for one pair after the
/// other, which is less than what each has to wait for.
struct PairsOfNodes {
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kAtOnce = 4;  // B's children are moved sixteen at a time
  std::array<Place, kMost> a, b;
  alignas(64) std::array<std::array<float, 4 * kMost>, 6> inA;  ///< B's centres and normals
  std::size_t count;

  /// Links of nodes or leaves, one at least.
  LANES_INLINE void set(const PosedFacets& p, const std::int32_t* linksA,
                        const std::int32_t* linksB, std::size_t ofThem) {
    count = ofThem;
    for (std::size_t k = 0; k < count; ++k) {
      a[k] = placeOf(*p.a, linksA[k]);
      b[k] = placeOf(*p.b, linksB[k]);
    }
    for (std::size_t k = count; k % kAtOnce != 0; ++k)
      b[k] = b[count - 1];
    const FacetHierarchy::Caps* const all = p.b->caps.data();
    for (std::size_t k = 0; k < count; k += kAtOnce) {
      const FacetHierarchy::Caps& b0 = all[b[k].block];
      const FacetHierarchy::Caps& b1 = all[b[k + 1].block];
      const FacetHierarchy::Caps& b2 = all[b[k + 2].block];
      const FacetHierarchy::Caps& b3 = all[b[k + 3].block];
      const Vector centre = moved(p, {join4(b0.x.data(), b1.x.data(), b2.x.data(), b3.x.data()),
                                      join4(b0.y.data(), b1.y.data(), b2.y.data(), b3.y.data()),
                                      join4(b0.z.data(), b1.z.data(), b2.z.data(), b3.z.data())});
      const Vector normal =
          turned(p, {join4(b0.nx.data(), b1.nx.data(), b2.nx.data(), b3.nx.data()),
                     join4(b0.ny.data(), b1.ny.data(), b2.ny.data(), b3.ny.data()),
                     join4(b0.nz.data(), b1.nz.data(), b2.nz.data(), b3.nz.data())});
      store(centre.x, inA[0].data() + 4 * k);
      store(centre.y, inA[1].data() + 4 * k);
      store(centre.z, inA[2].data() + 4 * k);
      store(normal.x, inA[3].data() + 4 * k);
      store(normal.y, inA[4].data() + 4 * k);
      store(normal.z, inA[5].data() + 4 * k);
    }
  }

  /// How pair k's children stand to each other, each of A's to each of B's.
  LANES_INLINE CapsApart apart(const FacetHierarchy::Caps* allA, std::size_t k) const {
    const FacetHierarchy::Caps& ofA = allA[a[k].block];
    const auto at = [&](std::size_t i) { return inA[i].data() + 4 * k; };
    return apartOf({repeat4(ofA.x.data()), repeat4(ofA.y.data()), repeat4(ofA.z.data())},
                   {repeat4(ofA.nx.data()), repeat4(ofA.ny.data()), repeat4(ofA.nz.data())},
                   {tile4(at(0)), tile4(at(1)), tile4(at(2))},
                   {tile4(at(3)), tile4(at(4)), tile4(at(5))});
  }

  LANES_INLINE Gaps gaps(const CapsApart& apart, const FacetHierarchy::Caps* allA,
                         const FacetHierarchy::Caps* allB, std::size_t k) const {
    const FacetHierarchy::Caps& ofA = allA[a[k].block];
    const FacetHierarchy::Caps& ofB = allB[b[k].block];
    return gapsOf(apart, {repeat4(ofA.radius.data()), repeat4(ofA.height.data())},
                  {tile4(ofB.radius.data()), tile4(ofB.height.data())});
  }

  /// Which of those sixteen pairs there are, as bitsOf().
  LANES_INLINE std::uint32_t there(std::size_t k) const {
    // bit i of A's children stands for lanes 4 i to 4 i + 3, of B's for i, i + 4, i + 8 and i + 12
    static constexpr std::array<std::uint32_t, 16> kRows = {
        0x0000, 0x000F, 0x00F0, 0x00FF, 0x0F00, 0x0F0F, 0x0FF0, 0x0FFF,
        0xF000, 0xF00F, 0xF0F0, 0xF0FF, 0xFF00, 0xFF0F, 0xFFF0, 0xFFFF};
    return kRows[a[k].which] & (0x1111U * b[k].which);
  }
};

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_CAPPED_BALL_LANES
