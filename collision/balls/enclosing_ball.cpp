#include "collision/balls/enclosing_ball.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace tactus::collision {
namespace {

// Balls that touch the smallest enclosing one from within: four hold it in three dimensions.
constexpr std::size_t kMostTouching = 4;
using Set = std::array<const Ball*, kMostTouching + 1>;

// Sticking out by less than this part of the radius is rounding: a thousand times that of double.
constexpr double kRounding = 1e-12;

// Each step enlarges the ball, and there are finitely many sets; random balls take 5 to 10 steps.
constexpr int kMostSteps = 60;

// Centres whose Gram matrix is flatter than this do not span what their number says; a smaller set
// holds the same ball.
constexpr double kFlat = 1e-12;

double reach(const Eigen::Vector3d& from, const Ball& ball) noexcept {
  return (ball.centre - from).norm() + ball.radius;
}

bool encloses(const Ball& outer, const Ball& inner) noexcept {
  return reach(outer.centre, inner) <= outer.radius * (1.0 + kRounding);
}

// Smallest ball that every ball of the set touches from within, its centre in the flat through
// theirs. With x the centre and t the radius, both counted from the first ball,
//   |x| = t,  |x - q_i| = t - s_i  =>  q_i . x = (q_i^2 - s_i^2) / 2 + t s_i,  x = sum l_i q_i,
// the l_i are linear in t, and |x|^2 = t^2 is a quadratic equation for t.
std::optional<Ball> tangentBall(const Set& set, std::size_t count) noexcept {
  const Ball& first = *set[0];
  const std::size_t n = count - 1;
  if (n == 0) return first;
  std::array<Eigen::Vector3d, 3> q;
  std::array<double, 3> s{};
  Eigen::Vector3d largest = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = set[i + 1]->centre - first.centre;
    s[i] = set[i + 1]->radius - first.radius;
    if (q[i].squaredNorm() > largest.squaredNorm()) largest = q[i];
  }
  const double scale = largest.norm();
  if (!(scale > 0.0)) return std::nullopt;

  // Dual vectors g_i with g_i . q_j = 1 if i = j, else 0: x = sum (e_i + t s_i) g_i.
  std::array<Eigen::Vector3d, 3> dual;
  if (n == 1) {
    dual[0] = q[0] / q[0].squaredNorm();
  } else if (n == 2) {
    const Eigen::Vector3d normal = q[0].cross(q[1]);
    const double area2 = normal.squaredNorm();
    if (!(area2 > kFlat * q[0].squaredNorm() * q[1].squaredNorm())) return std::nullopt;
    dual[0] = q[1].cross(normal) / area2;
    dual[1] = normal.cross(q[0]) / area2;
  } else {
    const Eigen::Vector3d across = q[1].cross(q[2]);
    const double volume = q[0].dot(across);
    if (!(volume * volume > kFlat * q[0].squaredNorm() * q[1].squaredNorm() * q[2].squaredNorm())) {
      return std::nullopt;
    }
    dual[0] = across / volume;
    dual[1] = q[2].cross(q[0]) / volume;
    dual[2] = q[0].cross(q[1]) / volume;
  }
  Eigen::Vector3d u = Eigen::Vector3d::Zero();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  double least = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    u += (0.5 * (q[i].squaredNorm() - s[i] * s[i])) * dual[i];
    v += s[i] * dual[i];
    least = std::max(least, s[i]);
  }

  // (v^2 - 1) t^2 + 2 u.v t + u^2 = 0, the smaller t that is large enough for each of them.
  const double a = v.squaredNorm() - 1.0;
  const double b = u.dot(v);
  const double c = u.squaredNorm();
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0)) return std::nullopt;
  const double root = std::sqrt(discriminant);
  const double sum = b >= 0.0 ? -(b + root) : root - b;  // without cancellation
  const double slack = kRounding * scale;
  std::optional<double> best;
  for (const double t : {sum / a, c / sum}) {
    if (t >= least - slack && (!best || t < *best)) best = t;
  }
  if (!best) return std::nullopt;
  return Ball{first.centre + u + *best * v, first.radius + *best};
}

// Smallest ball around `kept` and `fresh`, which is not in the one around `kept`: so it touches
// `fresh`. Moves the balls that hold it to the front of `kept` and sets their number.
std::optional<Ball> enclosingFew(Set& kept, std::size_t& count, const Ball& fresh) noexcept {
  std::optional<Ball> best;
  Set bestSet{};
  std::size_t bestCount = 0;
  for (unsigned subset = 0; subset < 1U << count; ++subset) {
    Set set{};
    std::size_t size = 0;
    set[size++] = &fresh;
    for (std::size_t i = 0; i < count; ++i) {
      if ((subset >> i & 1U) != 0 && size <= kMostTouching) set[size++] = kept[i];
    }
    if (size > kMostTouching) continue;
    const std::optional<Ball> ball = tangentBall(set, size);
    if (!ball || (best && ball->radius >= best->radius) || !encloses(*ball, fresh)) continue;
    bool all = true;
    for (std::size_t i = 0; i < count && all; ++i)
      all = encloses(*ball, *kept[i]);
    if (!all) continue;
    best = ball;
    bestSet = set;
    bestCount = size;
  }
  if (best) {
    kept = bestSet;
    count = bestCount;
  }
  return best;
}

// The furthest reaching ball as seen from a centre.
std::size_t furthest(std::span<const Ball> balls, const Eigen::Vector3d& centre,
                     double& distance) noexcept {
  std::size_t which = 0;
  distance = -1.0;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const double r = reach(centre, balls[i]);
    if (r > distance) {
      distance = r;
      which = i;
    }
  }
  return which;
}

}  // namespace

Ball enclosingBall(std::span<const Ball> balls) noexcept {
  if (balls.empty()) return {};
  Set kept{&balls[0]};
  std::size_t count = 1;
  Ball ball = balls[0];
  double distance = 0.0;
  for (int step = 0; step < kMostSteps; ++step) {
    const Ball& out = balls[furthest(balls, ball.centre, distance)];
    if (distance <= ball.radius * (1.0 + kRounding)) break;
    const std::optional<Ball> next = enclosingFew(kept, count, out);
    if (!next || next->radius <= ball.radius) break;  // rounding has the last word; see below
    ball = *next;
  }
  furthest(balls, ball.centre, distance);
  ball.radius = distance;
  return ball;
}

}  // namespace tactus::collision
