#include "collision/packing/empty_balls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#define TACTUS_LANES_FILE "collision/packing/empty_balls.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_PACKING_EMPTY_BALLS_ONCE
#define TACTUS_COLLISION_PACKING_EMPTY_BALLS_ONCE

namespace tactus::collision {

// Vertices of an icosahedron whose sides are cut in three: 12 + 2 * 30 + 20, 20 degrees apart, a
// third of the least angle between two maxima.
inline constexpr std::size_t kDirections = 92;
inline constexpr std::size_t kPaddedDirections = 96;

struct SampleDirections {
  std::array<std::array<float, kPaddedDirections>, 3> axis{};
  std::array<std::array<std::uint8_t, 6>, kDirections> neighbour{};  ///< five: the last one twice
};

/// Sites and scratch as plain pointers, for the kernels.
struct SiteArrays {
  std::array<const float*, 4> ball;
  std::array<const float*, 9> corner;
  std::size_t balls, triangles;  ///< rounded up to sixteen
  std::size_t realBalls, realTriangles;
  std::array<float*, 4> tangent, bound;
};

}  // namespace tactus::collision

#endif

TACTUS_LANES_BEGIN(tactus::collision);

// Newton steps double the digits near a node; this bounds the climb from a bad start.
constexpr int kMostSteps = 12;

// A step that gains less than this share of the radius ends the climb.
constexpr float kLeastGain = 2e-6F;

// The linear program's pivots; so many can only be a cycle among sites at the same distance, and
// any basis is good enough then: the step is measured before it is taken.
constexpr int kMostPivots = 48;

// A step's clearance may grow by this at most, and the prototype move by up to three times as much,
// in units of the place. Where the clearance is the same all over, as in a plate, a step may go
// anywhere: it should not lead far away then.
constexpr double kTrust = 0.4;

// Halvings of a step that has promised more than it kept.
constexpr int kMostHalvings = 4;

// A promise worth a halving, as a share of the radius.
constexpr double kLeastPromise = 1e-4;

// Where the clearance rises away from the ball in the middle by more than this per length, the
// prototype lets go of it.
constexpr double kLetGo = 0.05;

// A triangle has entered a ball when it is nearer to the centre than this share of the radius. The
// rest is the widest gap between the ball in the middle and a triangle through which the search
// looks as if there were no triangle, in units of what is beyond.
constexpr float kEntered = 0.99999F;

// Passes over the triangles until the balls of all directions are small enough.
constexpr int kMostPasses = 4;

struct Vector {
  F32x16 x, y, z;
};
LANES_INLINE Vector minus(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE F32x16 dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Away {
  Vector rest;  ///< from the closest point of the triangle
  F32x16 squared;
};

/// From the side to the point `p`, given relative to the side's start.
LANES_INLINE Away awayFromSide(const Vector& p, const Vector& side) {
  const F32x16 t = min(max(dot(p, side) / max(dot(side, side), 1e-30F), 0.0F), 1.0F);
  const Vector rest = {p.x - t * side.x, p.y - t * side.y, p.z - t * side.z};
  return {rest, dot(rest, rest)};
}

LANES_INLINE Away closer(const Away& a, const Away& b) {
  const auto second = b.squared < a.squared;
  return {{select(second, b.rest.x, a.rest.x), select(second, b.rest.y, a.rest.y),
           select(second, b.rest.z, a.rest.z)},
          min(b.squared, a.squared)};
}

/// From triangles to points, lane by lane.
LANES_INLINE Away awayFromTriangle(const Vector& p, const Vector& a, const Vector& b,
                                   const Vector& c) {
  const Vector ab = minus(b, a);
  const Vector ac = minus(c, a);
  const Vector ap = minus(p, a);
  Away best = closer(awayFromSide(ap, ab), awayFromSide(ap, ac));
  best = closer(best, awayFromSide(minus(p, b), minus(c, b)));
  const F32x16 alongAb = dot(ab, ap);
  const F32x16 alongAc = dot(ac, ap);
  const F32x16 abab = dot(ab, ab);
  const F32x16 abac = dot(ab, ac);
  const F32x16 acac = dot(ac, ac);
  const F32x16 v = acac * alongAb - abac * alongAc;
  const F32x16 w = abab * alongAc - abac * alongAb;
  const Vector n = {ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z,
                    ab.x * ac.y - ab.y * ac.x};
  const F32x16 nn = dot(n, n);
  const auto onFace = (v >= 0.0F) & (w >= 0.0F) & (v + w <= nn) & (nn > 1e-30F);
  const F32x16 height = dot(n, ap) / max(nn, 1e-30F);
  const Vector up = {height * n.x, height * n.y, height * n.z};
  return {{select(onFace, up.x, best.rest.x), select(onFace, up.y, best.rest.y),
           select(onFace, up.z, best.rest.z)},
          select(onFace, dot(up, up), best.squared)};
}

LANES_INLINE Vector cornerOf(const SiteArrays& s, std::size_t corner, std::size_t i) {
  return {load(s.corner[3 * corner] + i), load(s.corner[3 * corner + 1] + i),
          load(s.corner[3 * corner + 2] + i)};
}

LANES_INLINE void storeTangent(const SiteArrays& s, std::size_t at, F32x16 clearance,
                               const Vector& away, F32x16 length) {
  const F32x16 inverse = 1.0F / max(length, 1e-12F);
  store(clearance, s.tangent[0] + at);
  store(away.x * inverse, s.tangent[1] + at);
  store(away.y * inverse, s.tangent[2] + at);
  store(away.z * inverse, s.tangent[3] + at);
}

/// Clearance of a point: its distance to the closest site. Leaves the tangents of all distances.
LANES_INLINE float clearance(const SiteArrays& s, const std::array<float, 3>& point) {
  const Vector p = {point[0], point[1], point[2]};
  F32x16 least = 1e30F;
  for (std::size_t i = 0; i < s.balls; i += kLanes) {
    const Vector centre = {load(s.ball[0] + i), load(s.ball[1] + i), load(s.ball[2] + i)};
    const Vector away = minus(p, centre);
    const F32x16 length = sqrt(dot(away, away));
    const F32x16 d = length - load(s.ball[3] + i);
    storeTangent(s, i, d, away, length);
    least = min(least, d);
  }
  for (std::size_t i = 0; i < s.triangles; i += kLanes) {
    const Away away = awayFromTriangle(p, cornerOf(s, 0, i), cornerOf(s, 1, i), cornerOf(s, 2, i));
    const F32x16 d = sqrt(away.squared);
    storeTangent(s, s.balls + i, d, away.rest, d);
    least = min(least, d);
  }
  return minimum(least);
}

/// A step of the prototype and the clearance that it is sure to reach.
struct Step {
  std::array<double, 3> move;
  double clearance;
  double hold;  ///< multiplier of the held tangent: below 0 the clearance rises away from its site
};

/// Maximises c subject to c <= d_i + n_i . s over all tangents, by the dual simplex method.
///
/// Begins with four tangents that are not there, in the directions of a tetrahedron: they keep the
/// answer finite. The most violated tangent enters; the one leaves that keeps all multipliers
/// positive. Row j of the inverse of the basis (n_j, 1) belongs to its j-th tangent; its last
/// number is the multiplier. If `holds`, c = d_0 + n_0 . s: site 0 enters first and stays, whatever
/// its multiplier.
LANES_INLINE Step bestStep(const SiteArrays& s, double radius, double trust, bool holds) {
  constexpr double kH = 0.57735026918962576;  // 1 / sqrt(3)
  constexpr double kQ = 0.75 * kH;
  std::array<std::array<double, 4>, 4> row = {
      {{kQ, kQ, kQ, 0.25}, {kQ, -kQ, -kQ, 0.25}, {-kQ, kQ, -kQ, 0.25}, {-kQ, -kQ, kQ, 0.25}}};
  // above the held tangent too, so that it is violated and may enter
  const double most =
      (holds ? std::max(radius, static_cast<double>(s.tangent[0][0])) : radius) + trust;
  std::array<double, 4> d = {most, most, most, most};
  Step step{{0.0, 0.0, 0.0}, most, 0.0};
  std::size_t held = 4;
  const std::size_t count = s.balls + s.triangles;
  for (int pivot = 0; pivot < kMostPivots; ++pivot) {
    const bool isFirst = holds && pivot == 0;
    const auto mx = static_cast<float>(step.move[0]);
    const auto my = static_cast<float>(step.move[1]);
    const auto mz = static_cast<float>(step.move[2]);
    F32x16 least = 1e30F;
    I32x16 where = 0;
    for (std::size_t i = 0; i < count; i += kLanes) {
      const F32x16 value = load(s.tangent[0] + i) + load(s.tangent[1] + i) * mx +
                           load(s.tangent[2] + i) * my + load(s.tangent[3] + i) * mz;
      const auto lower = value < least;
      least = select(lower, value, least);
      where = select(maskOf<std::int32_t>(lower), static_cast<std::int32_t>(i), where);
    }
    std::array<float, kLanes> values;
    std::array<std::int32_t, kLanes> rounds;
    store(least, values.data());
    store(where, rounds.data());
    std::size_t lane = 0;
    for (std::size_t i = 1; i < kLanes; ++i) {
      if (values[i] < values[lane]) lane = i;
    }
    if (!isFirst && static_cast<double>(values[lane]) >= step.clearance - 1e-6) break;

    const std::size_t enters = isFirst ? 0 : static_cast<std::size_t>(rounds[lane]) + lane;
    const std::array<double, 4> column = {static_cast<double>(s.tangent[1][enters]),
                                          static_cast<double>(s.tangent[2][enters]),
                                          static_cast<double>(s.tangent[3][enters]), 1.0};
    std::array<double, 4> weight;
    std::size_t leaves = 0;
    double ratio = 1e300;
    for (std::size_t j = 0; j < 4; ++j) {
      weight[j] = row[j][0] * column[0] + row[j][1] * column[1] + row[j][2] * column[2] +
                  row[j][3] * column[3];
      // the weights add up to one, so there is a positive one
      if (j != held && weight[j] > 1e-7 && row[j][3] < ratio * weight[j]) {
        ratio = row[j][3] / weight[j];
        leaves = j;
      }
    }
    if (ratio == 1e300) break;
    if (isFirst) held = leaves;
    const double inverse = 1.0 / weight[leaves];
    for (double& x : row[leaves])
      x *= inverse;
    for (std::size_t j = 0; j < 4; ++j) {
      if (j == leaves) continue;
      for (std::size_t k = 0; k < 4; ++k)
        row[j][k] -= weight[j] * row[leaves][k];
    }
    d[leaves] = static_cast<double>(s.tangent[0][enters]);
    for (std::size_t k = 0; k < 3; ++k) {
      step.move[k] = -(d[0] * row[0][k] + d[1] * row[1][k] + d[2] * row[2][k] + d[3] * row[3][k]);
    }
    step.clearance = d[0] * row[0][3] + d[1] * row[1][3] + d[2] * row[2][3] + d[3] * row[3][3];
  }
  if (held < 4) step.hold = row[held][3];
  return step;
}

/// What is left of a clearance within the known neighbourhood.
LANES_INLINE float heldWithin(const std::array<float, 3>& p, float radius, float reach) {
  return std::min(radius, reach - std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
}

/// Climbs, along the surface of site 0 if `holds`, unless the clearance rises away from it.
void climbTo(const SiteArrays& s, std::array<float, 3>& point, float& radius, float reach,
             bool holds) noexcept {
  // a step beyond the known neighbourhood would be cut down
  const double trust = std::min(kTrust, 0.5 * static_cast<double>(reach - 1.0F));
  radius = heldWithin(point, clearance(s, point), reach);
  for (int n = 0; n < kMostSteps && radius > 0.0F; ++n) {
    Step step = bestStep(s, static_cast<double>(radius), trust, holds);
    if (holds && step.hold < -kLetGo) {
      holds = false;
      step = bestStep(s, static_cast<double>(radius), trust, holds);
    }
    const float before = radius;
    double share = 1.0;
    for (int halving = 0; halving <= kMostHalvings; ++halving, share *= 0.5) {
      const std::array<float, 3> next = {point[0] + static_cast<float>(share * step.move[0]),
                                         point[1] + static_cast<float>(share * step.move[1]),
                                         point[2] + static_cast<float>(share * step.move[2])};
      const float grown = heldWithin(next, clearance(s, next), reach);
      if (grown > radius) {
        point = next;
        radius = grown;
        break;
      }
      if (!(step.clearance > static_cast<double>(before) * (1.0 + kLeastPromise))) break;
    }
    if (radius <= before * (1.0F + kLeastGain)) break;
  }
}

/// For each direction the distance of the centre of the largest empty ball that touches the unit
/// ball there, at most `furthest`.
void sampleAround(const SiteArrays& s, const SampleDirections& directions, float furthest,
                  float* distances) noexcept {
  for (std::size_t i = 0; i < s.balls; i += kLanes) {
    const Vector v = {load(s.ball[0] + i), load(s.ball[1] + i), load(s.ball[2] + i)};
    const F32x16 e = load(s.ball[3] + i) - 1.0F;
    const F32x16 scale = 2.0F / max(dot(v, v) - e * e, 1e-6F);
    store(v.x * scale, s.bound[0] + i);
    store(v.y * scale, s.bound[1] + i);
    store(v.z * scale, s.bound[2] + i);
    store(e * scale, s.bound[3] + i);
  }
  for (std::size_t g = 0; g < kPaddedDirections; g += kLanes) {
    const Vector u = {load(directions.axis[0].data() + g), load(directions.axis[1].data() + g),
                      load(directions.axis[2].data() + g)};
    F32x16 inverse = 1.0F / furthest;
    for (std::size_t i = 1; i < s.realBalls; ++i) {  // 0 is the unit ball
      inverse = max(
          inverse, u.x * s.bound[0][i] + u.y * s.bound[1][i] + u.z * s.bound[2][i] + s.bound[3][i]);
    }
    F32x16 t = max(1.0F / inverse, 1.0F);
    for (int pass = 0; pass < kMostPasses; ++pass) {
      auto anyEntered = t < 0.0F;
      for (std::size_t i = 0; i < s.realTriangles; ++i) {
        const Vector a = {s.corner[0][i], s.corner[1][i], s.corner[2][i]};
        const Vector b = {s.corner[3][i], s.corner[4][i], s.corner[5][i]};
        const Vector c = {s.corner[6][i], s.corner[7][i], s.corner[8][i]};
        const Vector x = {t * u.x, t * u.y, t * u.z};
        const Away away = awayFromTriangle(x, a, b, c);
        const F32x16 r = kEntered * (t - 1.0F);
        const Vector q = minus(x, away.rest);
        const F32x16 ahead = dot(u, q) - 1.0F;
        const auto entered = (away.squared < r * r) & (ahead > 1e-6F);
        const F32x16 smaller = 0.5F * (dot(q, q) - 1.0F) / max(ahead, 1e-6F);
        t = select(entered, min(t, max(smaller, 1.0F)), t);
        anyEntered = anyEntered | entered;
      }
      if (none(anyEntered)) break;
    }
    store(t, distances + g);
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

namespace {

using models::lanes::kLanes;

// Far enough not to bound anything, near enough for its square to be a float.
constexpr float kFar = 1e6F;

// Smaller than this, a ball loses digits in the frame of the unit ball, and most of the sites are
// too far away to matter.
constexpr float kSmall = 0.1F;

// A prototype that starts this deep in a ball already found would climb to the same one.
constexpr float kSameBasin = 0.5F;

std::size_t padded(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

SampleDirections makeDirections() {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Eigen::Vector3d> corners;
  for (const double one : {-1.0, 1.0}) {
    for (const double phi : {-golden, golden}) {
      corners.emplace_back(0.0, one, phi);
      corners.emplace_back(one, phi, 0.0);
      corners.emplace_back(phi, 0.0, one);
    }
  }
  const auto isSide = [&](std::size_t i, std::size_t j) {
    return (corners[i] - corners[j]).squaredNorm() < 4.1;  // sides have length 2
  };
  std::vector<Eigen::Vector3d> all = corners;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (std::size_t j = i + 1; j < corners.size(); ++j) {
      if (!isSide(i, j)) continue;
      all.emplace_back(2.0 * corners[i] + corners[j]);
      all.emplace_back(corners[i] + 2.0 * corners[j]);
      for (std::size_t k = j + 1; k < corners.size(); ++k) {
        if (isSide(i, k) && isSide(j, k)) all.emplace_back(corners[i] + corners[j] + corners[k]);
      }
    }
  }
  SampleDirections directions;
  for (Eigen::Vector3d& v : all)
    v.normalize();
  for (std::size_t i = 0; i < kPaddedDirections; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      directions.axis[k][i] =
          static_cast<float>(all[std::min(i, kDirections - 1)][static_cast<Eigen::Index>(k)]);
    }
  }
  for (std::size_t i = 0; i < kDirections; ++i) {
    std::size_t n = 0;
    for (std::size_t j = 0; j < kDirections; ++j) {
      // neighbours are 18 to 25 degrees away, the next ones 35
      if (j != i && all[i].dot(all[j]) > 0.87) {
        directions.neighbour[i][n++] = static_cast<std::uint8_t>(j);
      }
    }
    for (; n < 6; ++n)
      directions.neighbour[i][n] = directions.neighbour[i][n - 1];
  }
  return directions;
}

const SampleDirections& sampleDirections() {
  static const SampleDirections directions = makeDirections();
  return directions;
}

bool isMaximum(const SampleDirections& directions, const float* distances, std::size_t i) {
  return std::all_of(
      directions.neighbour[i].begin(), directions.neighbour[i].end(), [&](std::uint8_t j) {
        return distances[j] < distances[i] || (distances[j] == distances[i] && i < j);
      });
}

template <std::size_t n>
std::array<const float*, n> pointersTo(const std::array<std::vector<float>, n>& arrays) {
  std::array<const float*, n> pointers;
  for (std::size_t i = 0; i < n; ++i)
    pointers[i] = arrays[i].data();
  return pointers;
}

std::array<float*, 4> grown(std::array<std::vector<float>, 4>& arrays, std::size_t size) {
  std::array<float*, 4> pointers;
  for (std::size_t i = 0; i < 4; ++i) {
    if (arrays[i].size() < size) arrays[i].resize(size);
    pointers[i] = arrays[i].data();
  }
  return pointers;
}

}  // namespace

void BallSites::clear() {
  for (auto& array : ball_)
    array.clear();
  for (auto& array : corner_)
    array.clear();
  balls_ = 0;
  triangles_ = 0;
}

void BallSites::addBall(const Eigen::Vector3f& centre, float radius) {
  if (balls_ % kLanes == 0) {
    for (std::size_t i = 0; i < 4; ++i)
      ball_[i].resize(balls_ + kLanes, i == 3 ? 0.0F : kFar);
  }
  for (Eigen::Index i = 0; i < 3; ++i)
    ball_[static_cast<std::size_t>(i)][balls_] = centre[i];
  ball_[3][balls_++] = radius;
}

void BallSites::addTriangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b,
                            const Eigen::Vector3f& c) {
  if (triangles_ % kLanes == 0) {
    for (auto& array : corner_)
      array.resize(triangles_ + kLanes, kFar);
  }
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    corner_[axis][triangles_] = a[i];
    corner_[3 + axis][triangles_] = b[i];
    corner_[6 + axis][triangles_] = c[i];
  }
  ++triangles_;
}

EmptyBallSearch::EmptyBallSearch() = default;

void EmptyBallSearch::around(const BallSites& sites, float reach, float smallest,
                             std::vector<EmptyBall>& found) {
  const std::size_t balls = padded(sites.balls_);
  const std::size_t triangles = padded(sites.triangles_);
  const SiteArrays arrays = {pointersTo(sites.ball_),
                             pointersTo(sites.corner_),
                             balls,
                             triangles,
                             sites.balls_,
                             sites.triangles_,
                             grown(tangent_, balls + triangles),
                             grown(bound_, balls)};
  const SampleDirections& directions = sampleDirections();
  std::array<float, kPaddedDirections> distances;
  // the ball's far end is at 2 t - 1
  TACTUS_LANES_CALL(sampleAround)(arrays, directions, 0.5F * (reach + 1.0F), distances.data());
  const std::size_t before = found.size();
  for (std::size_t i = 0; i < kDirections; ++i) {
    const float t = distances[i];
    // a climb rarely doubles the radius
    if (t - 1.0F < 0.5F * smallest || !isMaximum(directions, distances.data(), i)) continue;
    std::array<float, 3> point = {t * directions.axis[0][i], t * directions.axis[1][i],
                                  t * directions.axis[2][i]};
    const auto isIn = [&](const Eigen::Vector3f& p, float share) {
      return std::any_of(
          found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
          [&](const EmptyBall& ball) { return (ball.centre - p).norm() < share * ball.radius; });
    };
    if (isIn({point[0], point[1], point[2]}, kSameBasin)) continue;
    EmptyBall ball;
    if (t - 1.0F < kSmall) {
      if (t > 1.0F) found.push_back({{point[0], point[1], point[2]}, t - 1.0F, true});
      continue;
    }
    TACTUS_LANES_CALL(climbTo)(arrays, point, ball.radius, reach, true);
    ball.centre = {point[0], point[1], point[2]};
    if (ball.radius >= smallest && !isIn(ball.centre, 0.01F)) found.push_back(ball);
  }
}

EmptyBall EmptyBallSearch::climb(const BallSites& sites, const Eigen::Vector3f& start,
                                 float reach) {
  const std::size_t balls = padded(sites.balls_);
  const std::size_t triangles = padded(sites.triangles_);
  const SiteArrays arrays = {
      pointersTo(sites.ball_), pointersTo(sites.corner_),          balls, triangles, sites.balls_,
      sites.triangles_,        grown(tangent_, balls + triangles), {}};
  std::array<float, 3> point = {start.x(), start.y(), start.z()};
  EmptyBall ball;
  TACTUS_LANES_CALL(climbTo)(arrays, point, ball.radius, reach, false);
  ball.centre = {point[0], point[1], point[2]};
  return ball;
}

}  // namespace tactus::collision
#endif
