#include "models/report/self_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;
using Corners = std::array<Eigen::Vector3f, 3>;

SelfIntersections search(const Mesh& mesh, const SelfIntersectionSettings& settings = {},
                         unsigned threads = 0) {
  return selfIntersections(mesh, topologyOf(mesh), buildTriangleBvh(mesh), {}, settings, threads);
}

Corners cornersOf(const Mesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  return {mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]};
}

// --- The reference: whole-number arithmetic and another method.
//
// The second triangle is written as half-spaces (for one without area: of the segment or point that
// it is), the first one is clipped by all of them. What is left is a convex polygon with rational
// corners; the two meet elsewhere than in a shared corner or edge if one of these corners is not in
// the hull of the shared ones. Coordinates are small whole numbers, so that nothing overflows.

__extension__ using Wide = __int128;
using Vec = std::array<Wide, 3>;

Vec minus(const Vec& a, const Vec& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Wide dot(const Vec& a, const Vec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool isZero(const Vec& v) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

struct Rational {  ///< the point at / w, w > 0
  Vec at{};
  Wide w = 1;
};

struct HalfSpace {  ///< normal . x >= offset
  Vec normal{};
  Wide offset = 0;

  [[nodiscard]] Wide value(const Rational& p) const { return dot(normal, p.at) - offset * p.w; }
};

Wide greatestCommonDivisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

Rational between(const Rational& p, Wide valueP, const Rational& q, Wide valueQ) {
  Rational r;
  for (std::size_t k = 0; k < 3; ++k)
    r.at[k] = q.at[k] * valueP - p.at[k] * valueQ;
  r.w = q.w * valueP - p.w * valueQ;
  if (r.w < 0) {
    r.w = -r.w;
    for (Wide& x : r.at)
      x = -x;
  }
  Wide divisor = r.w;
  for (const Wide x : r.at)
    divisor = greatestCommonDivisor(divisor, x);
  for (Wide& x : r.at)
    x /= divisor;
  r.w /= divisor;
  return r;
}

std::vector<Rational> clip(const std::vector<Rational>& polygon, const HalfSpace& half) {
  std::vector<Rational> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Rational& p = polygon[i];
    const Rational& q = polygon[(i + 1) % polygon.size()];
    const Wide valueP = half.value(p);
    const Wide valueQ = half.value(q);
    if (valueP >= 0) kept.push_back(p);
    if ((valueP > 0 && valueQ < 0) || (valueP < 0 && valueQ > 0)) {
      kept.push_back(between(p, valueP, q, valueQ));
    }
  }
  return kept;
}

void addEquality(const Vec& normal, const Vec& through, std::vector<HalfSpace>& halves) {
  halves.push_back({normal, dot(normal, through)});
  halves.push_back({{-normal[0], -normal[1], -normal[2]}, -dot(normal, through)});
}

/// The hull of three points as half-spaces, whatever its dimension.
std::vector<HalfSpace> halfSpacesOf(const std::array<Vec, 3>& t) {
  std::vector<HalfSpace> halves;
  const Vec normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  if (!isZero(normal)) {
    addEquality(normal, t[0], halves);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec inward = cross(normal, minus(t[(i + 1) % 3], t[i]));
      halves.push_back({inward, dot(inward, t[i])});
    }
    return halves;
  }
  // the longest side is the segment
  std::size_t longest = 0;
  const auto squared = [&](std::size_t i) {
    return dot(minus(t[(i + 1) % 3], t[i]), minus(t[(i + 1) % 3], t[i]));
  };
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    if (squared(i) > squared(longest)) longest = i;
  }
  const Vec& from = t[longest];
  const Vec& to = t[(longest + 1) % 3];
  const Vec along = minus(to, from);
  for (const Vec& axis : {Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}}) {
    addEquality(isZero(along) ? axis : cross(along, axis), from, halves);
  }
  if (!isZero(along)) {
    halves.push_back({along, dot(along, from)});
    halves.push_back({{-along[0], -along[1], -along[2]}, -dot(along, to)});
  }
  return halves;
}

Vec wholeOf(const Eigen::Vector3f& p) {
  return {static_cast<Wide>(p.x()), static_cast<Wide>(p.y()), static_cast<Wide>(p.z())};
}

bool referenceMeets(const Corners& a, const Corners& b) {
  std::array<Vec, 3> wholeA{};
  std::array<Vec, 3> wholeB{};
  for (std::size_t i = 0; i < 3; ++i) {
    wholeA[i] = wholeOf(a[i]);
    wholeB[i] = wholeOf(b[i]);
  }
  std::vector<Rational> common;
  common.reserve(wholeA.size());
  for (const Vec& p : wholeA)
    common.push_back({p, 1});
  for (const HalfSpace& half : halfSpacesOf(wholeB))
    common = clip(common, half);
  if (common.empty()) return false;

  std::vector<Vec> shared;
  for (const Vec& p : wholeA) {
    if (std::find(wholeB.begin(), wholeB.end(), p) != wholeB.end() &&
        std::find(shared.begin(), shared.end(), p) == shared.end()) {
      shared.push_back(p);
    }
  }
  if (shared.empty()) return true;
  // of three shared corners no more than an edge counts as shared: any of the three
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const Vec& p = shared[i];
    const Vec& q = shared[(i + 1) % shared.size()];
    const std::vector<HalfSpace> edge = halfSpacesOf({p, q, q});
    const bool isWithin = std::all_of(common.begin(), common.end(), [&](const Rational& x) {
      return std::all_of(edge.begin(), edge.end(),
                         [&](const HalfSpace& half) { return half.value(x) >= 0; });
    });
    if (isWithin) return false;
  }
  return true;
}

/// Whether an earlier triangle has the same three different positions.
bool isDuplicate(const Mesh& mesh, std::size_t triangle) {
  const Corners corners = cornersOf(mesh, triangle);
  if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
    return false;
  }
  for (std::size_t earlier = 0; earlier < triangle; ++earlier) {
    const Corners other = cornersOf(mesh, earlier);
    if (std::is_permutation(corners.begin(), corners.end(), other.begin())) return true;
  }
  return false;
}

std::vector<TrianglePair> referencePairs(const Mesh& mesh) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    if (isDuplicate(mesh, i)) continue;
    for (std::uint32_t j = i + 1; j < mesh.triangles.size(); ++j) {
      if (isDuplicate(mesh, j)) continue;
      if (referenceMeets(cornersOf(mesh, i), cornersOf(mesh, j))) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

// --- Pairs by name. Each is asked in both orders and with the corners turned round.

struct NamedPair {
  std::string name;
  Corners a, b;
  bool meets;
};

const Corners kFloor{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

const std::vector<NamedPair>& namedPairs() {
  static const std::vector<NamedPair> pairs{
      {"Apart", kFloor, {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}, false},
      {"ApartInTheSamePlane", kFloor, {{{4, 4, 0}, {4, 1, 0}, {1, 4, 0}}}, false},
      {"PlaneCrossedButTriangleMissed", kFloor, {{{3, 3, -1}, {3, 3, 1}, {4, 4, 0}}}, false},
      {"PiercedByAnEdge", kFloor, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}}, true},
      {"CornerOnTheFace", kFloor, {{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, true},
      {"CornerOnAnEdge", kFloor, {{{2, 0, 0}, {2, -1, 1}, {3, -1, 1}}}, true},
      {"CornerJustOffTheFace", kFloor, {{{1, 1, 0x1p-149F}, {1, 1, 1}, {2, 1, 1}}}, false},
      {"EdgesCross", kFloor, {{{2, -1, 0}, {2, 1, 0}, {2, 0, 5}}}, true},
      {"EdgesTouchInAPoint", kFloor, {{{2, 0, -1}, {2, 0, 1}, {2, -3, 0}}}, true},
      {"OverlapInThePlane", kFloor, {{{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}}, true},
      {"OneInsideTheOther", kFloor, {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true},
      {"SharedCornerOnly", kFloor, {{{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}}, false},
      {"SharedCornerAndCrossing", kFloor, {{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}}, true},
      {"SharedCornerAndTouchingTheFarEdge", kFloor, {{{0, 0, 0}, {2, 2, 0}, {1, 1, 1}}}, true},
      {"SharedCornerAndOverlap", kFloor, {{{0, 0, 0}, {1, 2, 0}, {2, 1, 0}}}, true},
      {"SharedCornerAndOverlapBeyond", kFloor, {{{0, 0, 0}, {5, 9, 0}, {9, 5, 0}}}, true},
      {"SharedCornerPlaneTouchedOutside", kFloor, {{{0, 0, 0}, {-1, -1, 0}, {0, 0, 3}}}, false},
      {"SharedEdgeAtAnAngle", kFloor, {{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}}, false},
      {"SharedEdgeFlat", kFloor, {{{0, 0, 0}, {4, 0, 0}, {0, -4, 0}}}, false},
      {"SharedEdgeFoldedFlat", kFloor, {{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}}}, true},
      {"SharedEdgeAlmostFolded", kFloor, {{{0, 0, 0}, {4, 0, 0}, {1, 1, 0x1p-149F}}}, false},
      {"SameTriangle", kFloor, kFloor, true},
      {"SameTriangleTurnedRound", kFloor, {{{0, 0, 0}, {0, 4, 0}, {4, 0, 0}}}, true},
      {"TJunction", kFloor, {{{0, 0, 0}, {2, 0, 0}, {0, -4, 0}}}, true},
      {"SegmentOnTheEdge", kFloor, {{{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}}, false},
      {"SegmentBeyondTheEdge", kFloor, {{{0, 0, 0}, {4, 0, 0}, {6, 0, 0}}}, false},
      {"SegmentIntoTheFace", kFloor, {{{0, 0, 0}, {1, 1, 0}, {3, 3, 0}}}, true},
      {"SegmentAcrossTheFace", kFloor, {{{1, 1, -1}, {1, 1, 0}, {1, 1, 1}}}, true},
      {"SegmentBackward", kFloor, {{{0, 0, 0}, {-1, -1, 0}, {-2, -2, 0}}}, false},
      {"SegmentThroughTheCorner", kFloor, {{{0, 0, 0}, {1, 1, 0}, {-1, -1, 0}}}, true},
      {"PointOnTheFace", kFloor, {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, true},
      {"PointOnTheCorner", kFloor, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, false},
      {"PointBesideTheFace", kFloor, {{{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}}, false},
      {"CollapsedEdge", kFloor, {{{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}}, false},
      {"CollapsedIntoTheFace", kFloor, {{{0, 0, 0}, {1, 1, 0}, {1, 1, 0}}}, true},
      {"SegmentsInALine",
       {{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}},
       {{{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}},
       true},
      {"SegmentsInALineApart",
       {{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}},
       {{{3, 3, 3}, {4, 4, 4}, {5, 5, 5}}},
       false},
      {"SegmentsThatCross",
       {{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}},
       {{{0, 2, 1}, {1, 1, 1}, {2, 0, 1}}},
       false},
      {"SegmentsThatCrossUnshared",
       {{{0, 0, 0}, {2, 2, 2}, {4, 4, 4}}},
       {{{0, 2, 1}, {2, 0, 1}, {4, -2, 1}}},
       true},
      {"SegmentsOppositeWays",
       {{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}},
       {{{0, 0, 0}, {-2, 0, 0}, {-4, 0, 0}}},
       false},
      {"MinusZeroIsZero", kFloor, {{{-0.0F, 0, -0.0F}, {4, -0.0F, 0}, {0, 0, 4}}}, false},
  };
  return pairs;
}

TEST(MeetBeyondSharedSide, NamedPairs) {
  for (const NamedPair& pair : namedPairs()) {
    SCOPED_TRACE(pair.name);
    for (std::size_t turn = 0; turn < 3; ++turn) {
      for (const bool mirrored : {false, true}) {
        Corners b{pair.b[turn], pair.b[(turn + 1) % 3], pair.b[(turn + 2) % 3]};
        if (mirrored) std::swap(b[0], b[1]);
        EXPECT_EQ(meetBeyondSharedSide(pair.a, b), pair.meets);
        EXPECT_EQ(meetBeyondSharedSide(b, pair.a), pair.meets);
      }
    }
  }
}

// Corners from a tiny grid: about half of all pairs share corners, lie in one plane or have no
// area.
TEST(MeetBeyondSharedSide, AgreesWithWholeNumbers) {
  Random random(7);
  std::size_t meeting = 0;
  for (const std::uint32_t side : {2U, 3U, 4U, 7U}) {
    for (int n = 0; n < 12'000; ++n) {
      std::array<Corners, 2> t;
      const bool isFlat = n % 3 == 0;
      for (Corners& corners : t) {
        for (Eigen::Vector3f& p : corners) {
          for (float& x : p)
            x = static_cast<float>(random.index(side));
          if (isFlat) p.z() = p.x();
        }
      }
      if (n % 5 < 3) t[1][random.index(3)] = t[0][random.index(3)];
      if (n % 5 < 2) t[1][random.index(3)] = t[0][random.index(3)];
      const bool expected = referenceMeets(t[0], t[1]);
      meeting += expected ? 1 : 0;
      ASSERT_EQ(meetBeyondSharedSide(t[0], t[1]), expected)
          << t[0][0].transpose() << " | " << t[0][1].transpose() << " | " << t[0][2].transpose()
          << "\n"
          << t[1][0].transpose() << " | " << t[1][1].transpose() << " | " << t[1][2].transpose();
      ASSERT_EQ(referenceMeets(t[1], t[0]), expected);
    }
  }
  EXPECT_GT(meeting, 10'000U);
  EXPECT_LT(meeting, 40'000U);
}

// --- Whole meshes.

Mesh randomWholeMesh(Random& random, std::size_t triangles, std::uint32_t side) {
  Mesh mesh;
  for (std::size_t v = 0; v < triangles + 4; ++v) {
    const auto x = static_cast<float>(random.index(side));
    const auto y = static_cast<float>(random.index(side));
    mesh.positions.emplace_back(x, y, static_cast<float>(random.index(side)));
  }
  for (std::size_t t = 0; t < triangles; ++t) {
    const std::uint32_t a = random.index(mesh.positions.size());
    const std::uint32_t b = random.index(mesh.positions.size());
    mesh.triangles.push_back({a, b, random.index(mesh.positions.size())});
  }
  return mesh;
}

TEST(SelfIntersections, AgreeWithAllPairsOnWholeNumberMeshes) {
  Random random(11);
  for (int n = 0; n < 120; ++n) {
    const Mesh mesh = randomWholeMesh(random, 10 + random.index(40), 3 + random.index(12));
    const std::vector<TrianglePair> expected = referencePairs(mesh);
    const SelfIntersections found = search(mesh, {.firstPairs = 10'000});
    ASSERT_TRUE(found.isComplete);
    ASSERT_EQ(found.pairs, expected.size());
    ASSERT_EQ(found.first, expected);
  }
}

TEST(SelfIntersections, CleanSolidsHaveNone) {
  for (const Mesh& mesh : {test::box(), test::sphere(), test::torus(), test::tetrahedron(),
                           test::exploded(test::torus())}) {
    EXPECT_EQ(search(mesh).pairs, 0U);
  }
}

TEST(SelfIntersections, CrossingBoxesAgreeWithAllPairs) {
  // the second box's corner region pokes through three faces of the first
  Mesh mesh = test::box(Eigen::Vector3d::Constant(8));
  test::append(mesh, test::box(Eigen::Vector3d(6, 6, 6), Eigen::Vector3d(4, 3, 2)));
  const std::vector<TrianglePair> expected = referencePairs(mesh);
  ASSERT_FALSE(expected.empty());
  const SelfIntersections found = search(mesh);
  EXPECT_EQ(found.pairs, expected.size());
  ASSERT_EQ(found.first.size(), std::min<std::size_t>(8, expected.size()));
  EXPECT_TRUE(std::equal(found.first.begin(), found.first.end(), expected.begin()));
}

TEST(SelfIntersections, NamesTheShellsThatMeet) {
  Mesh mesh = test::box();                                                           // shell 0
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(5, 0, 0)));  // 1, apart
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(0.5, 0, 0)));
  const Topology topology = topologyOf(mesh);
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  const SelfIntersections found =
      selfIntersections(mesh, topology, buildTriangleBvh(mesh), shells.ofTriangle);
  EXPECT_EQ(found.meetingShells, (std::vector<std::uint32_t>{0, 2}));
}

TEST(SelfIntersections, AreTheSameMovedScaledAndShuffled) {
  Random random(13);
  for (int n = 0; n < 20; ++n) {
    const Mesh mesh = randomWholeMesh(random, 60, 9);
    const std::size_t expected = search(mesh).pairs;
    Mesh changed = mesh;
    for (Eigen::Vector3f& p : changed.positions) {
      // exact in floats: powers of two, whole shifts, axes exchanged and one turned round
      p = Eigen::Vector3f(p.y(), p.z(), -p.x()) * 0x1p-40F + Eigen::Vector3f(1, -2, 3) * 0x1p-38F;
    }
    for (std::size_t i = changed.triangles.size(); i > 1; --i) {
      std::swap(changed.triangles[i - 1], changed.triangles[random.index(i)]);
    }
    ASSERT_EQ(search(changed).pairs, expected);
  }
}

/// Triangles that all contain the origin, in planes through it that differ.
Mesh allThroughOnePoint(std::uint32_t count) {
  Random random(17);
  Mesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Eigen::Quaterniond turn = random.rotation();
    for (const Eigen::Vector3d& p :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(-1, 1, 0), Eigen::Vector3d(-1, -1, 0)}) {
      // on a grid, with the third corner minus the sum of the others: the middle stays exact
      mesh.positions.push_back((turn * p * 1024).array().round().matrix().cast<float>());
    }
    mesh.positions.back() =
        -(mesh.positions[mesh.positions.size() - 2] + mesh.positions[mesh.positions.size() - 3]);
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

TEST(SelfIntersections, AllThroughOnePointAreAllCounted) {
  EXPECT_EQ(search(allThroughOnePoint(200)).pairs, 200U * 199U / 2U);
}

// Around one hub, between whole numbers: fans that fold over themselves, rays that coincide,
// slivers and triangles beside the fan, some of which pierce it.
TEST(SelfIntersections, FansAroundHubsAgreeWithAllPairs) {
  Random random(19);
  std::size_t meeting = 0;
  for (int n = 0; n < 12; ++n) {
    Mesh mesh = randomWholeMesh(random, 200, 9 + random.index(30));
    for (std::size_t t = 0; t < 160; ++t)
      mesh.triangles[t][random.index(3)] = t < 140 ? 0 : 1;
    if (n % 3 == 0) {
      for (Eigen::Vector3f& p : mesh.positions)
        p.z() = p.x();
    }
    const std::vector<TrianglePair> expected = referencePairs(mesh);
    const SelfIntersections found = search(mesh, {.firstPairs = 100'000});
    ASSERT_TRUE(found.isComplete);
    ASSERT_EQ(found.first, expected);
    meeting += expected.size();
  }
  EXPECT_GT(meeting, 1000U);
}

// About one edge, between whole numbers: pages, some in one plane, cones at either end and
// triangles beside them, some of which touch the edge, cross it or lie along it.
TEST(SelfIntersections, PagesAndConesAboutAnEdgeAgreeWithAllPairs) {
  Random random(23);
  std::size_t meeting = 0;
  for (int n = 0; n < 12; ++n) {
    Mesh mesh = randomWholeMesh(random, 360, 40);
    for (Eigen::Vector3f& p : mesh.positions)
      p -= Eigen::Vector3f(20, 20, 20);
    mesh.positions[0] = {0, 0, 0};
    mesh.positions[1] = {0, 0, 2};
    mesh.positions[2] = {0, 0, 1};
    mesh.positions[3] = {0, 0, 4};
    for (std::size_t t = 0; t < 320; ++t) {
      const std::uint32_t corner = random.index(3);
      mesh.triangles[t][corner] = t < 280 ? 0 : 1;
      if (t < 150) mesh.triangles[t][(corner + 1) % 3] = 1;
    }
    const std::vector<TrianglePair> expected = referencePairs(mesh);
    const SelfIntersections found = search(mesh, {.firstPairs = 100'000});
    ASSERT_TRUE(found.isComplete);
    ASSERT_EQ(found.first, expected);
    meeting += expected.size();
  }
  EXPECT_GT(meeting, 10'000U);
}

/// A cylinder of n sides whose ends are fans, turned so that no part is along an axis.
Mesh tiltedCylinder(std::uint32_t sides) {
  const Eigen::AngleAxisd turn(0.7, Eigen::Vector3d(1, 2, 3).normalized());
  Mesh mesh;
  for (const double z : {-0.5, 0.5}) {
    mesh.positions.push_back((turn * Eigen::Vector3d(0, 0, z)).cast<float>());
    for (std::uint32_t s = 0; s < sides; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / sides;
      mesh.positions.push_back(
          (turn * Eigen::Vector3d(std::cos(angle), std::sin(angle), z)).cast<float>());
    }
  }
  const std::uint32_t top = sides + 1;
  for (std::uint32_t s = 0; s < sides; ++s) {
    const std::uint32_t a = 1 + s;
    const std::uint32_t b = 1 + (s + 1) % sides;
    mesh.triangles.push_back({0, b, a});
    mesh.triangles.push_back({top, top + a, top + b});
    mesh.triangles.push_back({a, b, top + b});
    mesh.triangles.push_back({a, top + b, top + a});
  }
  return mesh;
}

TEST(SelfIntersections, FansCostNoMoreThanTheirSize) {
  const SelfIntersections few = search(tiltedCylinder(2000));
  const SelfIntersections many = search(tiltedCylinder(16'000));
  EXPECT_EQ(few.pairs, 0U);
  EXPECT_EQ(many.pairs, 0U);
  EXPECT_LT(few.work, 1000U * 8000U);
  EXPECT_LT(many.work, 10U * few.work);  // all pairs would be 64 times as many
}

/// Two cones on one rim, turned so that no part is along an axis.
Mesh tiltedBicone(std::uint32_t sides) {
  Mesh mesh = tiltedCylinder(sides);
  std::erase_if(mesh.triangles, [](const Triangle& t) { return t[0] != 0; });
  mesh.positions.resize(sides + 2);
  for (std::uint32_t s = 0; s < sides; ++s)
    mesh.triangles.push_back({sides + 1, 1 + s, 1 + (s + 1) % sides});
  // the other hub, and this one a bit further out than the rim
  const Eigen::Vector3f hub = mesh.positions[0];
  mesh.positions[sides + 1] = -hub;
  mesh.positions[0] = 2.0F * hub;
  return mesh;
}

/// Tetrahedra that have one edge in common and nothing else.
Mesh wedges(std::uint32_t count) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 2, 3}};
  for (std::uint32_t w = 0; w < count; ++w) {
    for (const double share : {0.0, 0.5}) {
      const double angle = 2.0 * std::numbers::pi * (w + share) / count;
      mesh.positions.emplace_back(
          Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.5).cast<float>());
    }
    const std::uint32_t p = 2 + 2 * w;
    mesh.triangles.insert(mesh.triangles.end(),
                          {{0, 1, p + 1}, {0, p, 1}, {0, p + 1, p}, {1, p, p + 1}});
  }
  return mesh;
}

TEST(SelfIntersections, WhatStandsAboutOneAxisCostsNoMoreThanItsSize) {
  for (const auto& make : {tiltedBicone, wedges}) {
    const SelfIntersections few = search(make(2000));
    const SelfIntersections many = search(make(16'000));
    EXPECT_EQ(few.pairs, 0U);
    EXPECT_EQ(many.pairs, 0U);
    EXPECT_LT(few.work, 1000U * 4000U);
    EXPECT_LT(many.work, 10U * few.work);  // all pairs would be 64 times as many
  }
}

TEST(SelfIntersections, CopiesCostNothingAndTheirShellsMeet) {
  Mesh mesh;
  for (int copy = 0; copy < 10'000; ++copy)
    test::append(mesh, test::tetrahedron());
  const SelfIntersections found = search(mesh);
  EXPECT_TRUE(found.isComplete);
  EXPECT_EQ(found.pairs, 0U);
  EXPECT_LT(found.work, 1000U);

  // a box and a copy of one of its triangles
  Mesh box = test::box();
  box.triangles.push_back(box.triangles[0]);
  const Topology topology = topologyOf(box);
  std::vector<std::uint32_t> shells(box.triangles.size(), 0);
  shells.back() = 1;
  EXPECT_EQ(selfIntersections(box, topology, buildTriangleBvh(box), shells).meetingShells,
            (std::vector<std::uint32_t>{0, 1}));
}

TEST(SelfIntersections, StopAtTheBudgetAndSaySo) {
  const Mesh mesh = allThroughOnePoint(1000);
  const SelfIntersectionSettings little{.budget = 1'000'000, .budgetPerTriangle = 0};
  const SelfIntersections one = search(mesh, little, 1);
  EXPECT_FALSE(one.isComplete);
  EXPECT_GT(one.pairs, 10'000U);
  EXPECT_LT(one.pairs, 1000U * 999U / 2U);
  for (const unsigned threads : {2U, 3U, 7U}) {
    const SelfIntersections more = search(mesh, little, threads);
    EXPECT_EQ(more.pairs, one.pairs);
    EXPECT_EQ(more.first, one.first);
    EXPECT_FALSE(more.isComplete);
  }
}

TEST(SelfIntersections, AnyNumberOfThreadsFindsTheSame) {
  Mesh mesh = test::torus(1.0, 0.4, 96, 48);
  test::append(mesh, test::moved(test::torus(1.0, 0.3, 80, 40), {0.7, 0.1, 0.05}));
  const SelfIntersections one = search(mesh, {}, 1);
  EXPECT_GT(one.pairs, 100U);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const SelfIntersections more = search(mesh, {}, threads);
    EXPECT_EQ(more.pairs, one.pairs);
    EXPECT_EQ(more.first, one.first);
  }
}

TEST(SelfIntersections, EmptyMeshHasNone) {
  EXPECT_EQ(search(Mesh{}).pairs, 0U);
}

}  // namespace
}  // namespace tactus::models
