#include "collision/exact/exact_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kGauss = 0.28867513459481287;  // Gauss's two points, from the middle of a side 1

// Cells along the longest side of what the bounding boxes share. They are cubes, or flatter where
// one is enough: an overlap that is thin along an axis, or of a thin wall, is not smaller than a
// cell then.
constexpr int kRoots = 8;

// A cube is divided this often in any case (its middle may miss what is in it), and at most.
constexpr int kLeastDivisions = 2;
constexpr int kMostDivisions = 10;

// Share of the whole that the parts of a cube may differ from it. Ten thousand cubes are accepted,
// and their differences do not all have one sign: the sum is off by a hundred of these or less.
constexpr double kTolerance = 1e-6;

// An edge may pass a cube where none of its parts' middles tells. So the depths along its edges
// must be the linear ones, but for what would be this many tolerances all over the cube.
constexpr double kAtEdges = 30.0;

// Depths are the same when they differ by less than this share of the objects and of how far they
// are from their origins: some thousand roundings. Each surface then pulls by half.
constexpr double kSame = 1e-12;
constexpr double kShareOfBoth = 0.5;

// Gradients that differ by less are the same, and do not tell along which axis depths cross.
constexpr double kSameGradient = 1e-9;

// Cubes are not divided further when that might take more samples than this, which takes a minute
// on a core.
constexpr std::uint64_t kMostSamples = 40'000'000;
constexpr std::uint64_t kSamplesACube = 16;  // eight parts, and eight along the edges

// Cubes that are divided before what they tell is put together: their parts take 6 MB.
constexpr std::size_t kCubesAtOnce = 4096;
constexpr std::size_t kCubesPerBlock = 16;

// Points nearer to the surface than this share of the object have no direction to it.
constexpr double kOnSurface = 1e-12;

struct Sums {
  double energy = 0.0, volume = 0.0, pull = 0.0;  ///< pull: lengths of forces
  Vector3d force = Vector3d::Zero();
  Vector3d torque = Vector3d::Zero();  ///< about the frame's origin

  Sums& operator+=(const Sums& other) noexcept {
    energy += other.energy;
    volume += other.volume;
    pull += other.pull;
    force += other.force;
    torque += other.torque;
    return *this;
  }
};

/// This much further from `one` to `two`, and on.
Sums beyond(const Sums& one, const Sums& two, double share) noexcept {
  Sums sums = two;
  sums.energy += share * (two.energy - one.energy);
  sums.volume += share * (two.volume - one.volume);
  sums.pull += share * (two.pull - one.pull);
  sums.force += share * (two.force - one.force);
  sums.torque += share * (two.torque - one.torque);
  return sums;
}

struct Depth {
  double value = 0.0;
  Vector3d gradient = Vector3d::Zero();
};

Depth depthAt(const SurfaceDistance& surface, const Vector3d& point) {
  const SurfacePoint nearest = surface.at(point);
  Depth depth;
  depth.value = -nearest.distance;
  const Vector3d away = point - nearest.point;
  const double length = away.norm();
  if (length > kOnSurface * surface.bounds().diagonal()) {
    depth.gradient = away * ((depth.value > 0.0 ? 1.0 : -1.0) / length);
  } else {
    const std::array<Eigen::Vector3f, 3> corners = surface.corners(nearest.triangle);
    const Vector3d normal =
        (corners[1] - corners[0]).cast<double>().cross((corners[2] - corners[0]).cast<double>());
    depth.gradient = -normal.normalized();
  }
  return depth;
}

/// Where on a line from -1/2 to 1/2 a linear function is positive.
struct Interval {
  double from = -0.5, to = 0.5;

  void cut(double middle, double change) noexcept {
    if (change == 0.0) {
      if (!(middle > 0.0)) to = from;
      return;
    }
    const double zero = -middle / change;
    if (change > 0.0) {
      from = std::max(from, zero);
    } else {
      to = std::min(to, zero);
    }
  }
};

/// Axes of the lines that a cube is cut by: along the one on which the depths differ most, or, if
/// they do not, change most.
struct Lines {
  Eigen::Index along = 0, across = 1, beside = 2;
};

Lines linesOf(const Depth& p, const Depth& q) noexcept {
  Lines lines;
  const Vector3d differs = (p.gradient - q.gradient).cwiseAbs();
  if (differs.maxCoeff(&lines.along) <= kSameGradient) p.gradient.cwiseAbs().maxCoeff(&lines.along);
  lines.across = (lines.along + 1) % 3;
  lines.beside = (lines.along + 2) % 3;
  return lines;
}

/// Both depths along a line, at u and v from a cell's middle, in its sides.
struct Line {
  double p, q;              ///< in its middle
  double changeP, changeQ;  ///< from one end to the other
  Interval inside;          ///< of both solids

  Line(const Depth& ofP, const Depth& ofQ, const Lines& lines, const Vector3d& size, double u,
       double v) noexcept
      : p(at(ofP, lines, size, u, v)),
        q(at(ofQ, lines, size, u, v)),
        changeP(ofP.gradient[lines.along] * size[lines.along]),
        changeQ(ofQ.gradient[lines.along] * size[lines.along]) {
    inside.cut(p, changeP);
    inside.cut(q, changeQ);
  }

 private:
  static double at(const Depth& depth, const Lines& lines, const Vector3d& size, double u,
                   double v) noexcept {
    return depth.value + u * size[lines.across] * depth.gradient[lines.across] +
           v * size[lines.beside] * depth.gradient[lines.beside];
  }
};

class Integrator {
 public:
  Integrator(const SurfaceDistance& a, const SurfaceDistance& b, const Isometry3d& aFromB,
             ExactDepthLaw law)
      : a_(a),
        b_(b),
        bFromA_(aFromB.inverse(Eigen::Isometry)),
        law_(law),
        same_(kSame * (a.bounds().diagonal() + b.bounds().diagonal() + a.bounds().centre().norm() +
                       b.bounds().centre().norm() + aFromB.translation().norm())) {}

  /// A cell, and what it is taken to hold.
  struct Cube {
    Vector3d middle;
    Vector3d size = Vector3d::Zero();
    Depth p, q;  ///< below A's and B's surface, at the middle
    Sums sums;
    bool isOutside = false;
  };

  /// How far parts may differ from the whole.
  struct Tolerance {
    double energy = 0.0, pull = 0.0;
  };

  [[nodiscard]] Cube cube(const Vector3d& middle, const Vector3d& size,
                          std::uint64_t& samples) const {
    Cube result{middle, size, {}, {}, {}, false};
    ++samples;
    result.p = depthAt(a_, middle);
    result.q = depthAt(b_, bFromA_ * middle);
    result.q.gradient = bFromA_.linear().transpose() * result.q.gradient;
    result.isOutside = std::min(result.p.value, result.q.value) <= -0.5 * size.norm();
    if (!result.isOutside) result.sums = integral(middle, size, result.p, result.q);
    return result;
  }

  /// What a cube holds as its eight parts tell, and the parts.
  struct Divided {
    std::array<Cube, 8> parts;
    Sums sums;
    double change = 0.0;        ///< of the energy, by the division
    bool isSame = false;        ///< but for the tolerance
    std::uint64_t samples = 0;  ///< that it took
  };

  [[nodiscard]] Divided divided(const Cube& whole, bool mayBeSame,
                                const Tolerance& tolerance) const {
    Divided result;
    Sums together;
    for (std::size_t k = 0; k < result.parts.size(); ++k) {
      const Vector3d step((k & 1U) != 0 ? 1.0 : -1.0, (k & 2U) != 0 ? 1.0 : -1.0,
                          (k & 4U) != 0 ? 1.0 : -1.0);
      result.parts[k] = cube(whole.middle + 0.25 * whole.size.cwiseProduct(step), 0.5 * whole.size,
                             result.samples);
      together += result.parts[k].sums;
    }
    result.isSame = mayBeSame &&
                    std::fabs(together.energy - whole.sums.energy) <= tolerance.energy &&
                    (together.force - whole.sums.force).norm() <= tolerance.pull &&
                    std::fabs(together.pull - whole.sums.pull) <= tolerance.pull &&
                    isLinear(whole, tolerance, result.samples);
    result.sums = beyond(whole.sums, together, 1.0 / 3.0);
    result.change = std::fabs(together.energy - whole.sums.energy);
    return result;
  }

 private:
  /// Whether the depths are linear where lines along the cube's edges are inside of both solids.
  [[nodiscard]] bool isLinear(const Cube& cube, const Tolerance& tolerance,
                              std::uint64_t& samples) const {
    const double volume = cube.size.prod();
    const double face = volume / cube.size.minCoeff();
    const double most = kAtEdges * std::min(tolerance.energy / volume, tolerance.pull / face);
    const Lines lines = linesOf(cube.p, cube.q);
    for (const double u : {-0.5, 0.5}) {
      for (const double v : {-0.5, 0.5}) {
        const Line line(cube.p, cube.q, lines, cube.size, u, v);
        for (const double share : {0.2, 0.8}) {
          if (!(line.inside.from < line.inside.to)) continue;
          const double at = line.inside.from + share * (line.inside.to - line.inside.from);
          Vector3d place = cube.middle;
          place[lines.along] += at * cube.size[lines.along];
          place[lines.across] += u * cube.size[lines.across];
          place[lines.beside] += v * cube.size[lines.beside];
          ++samples;
          const double lesser = std::min(-a_.at(place).distance, -b_.at(bFromA_ * place).distance);
          if (std::fabs(lesser - std::min(line.p + line.changeP * at, line.q + line.changeQ * at)) >
              most)
            return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] Sums integral(const Vector3d& middle, const Vector3d& size, const Depth& p,
                              const Depth& q) const {
    const double volume = size.prod();
    const Lines lines = linesOf(p, q);
    Sums sums;
    for (const double u : {-kGauss, kGauss}) {
      for (const double v : {-kGauss, kGauss}) {
        const Line line(p, q, lines, size, u, v);
        const Interval& inside = line.inside;
        if (!(inside.from < inside.to)) continue;
        // before and after the place where the depths are equal
        const double differs = line.changeP - line.changeQ;
        const double equal = differs == 0.0 ? inside.to : (line.q - line.p) / differs;
        const double split = std::clamp(equal, inside.from, inside.to);
        for (const Interval part : {Interval{inside.from, split}, Interval{split, inside.to}}) {
          if (!(part.from < part.to)) continue;
          const double at = 0.5 * (part.from + part.to);
          const double here = line.p + line.changeP * at;
          const double there = line.q + line.changeQ * at;
          const double weight = 0.25 * (part.to - part.from) * volume;
          sums.volume += weight;
          // where both surfaces are the same, rounding alone would decide, and ever anew
          const bool isOfBoth = std::fabs(there - here) <= same_;
          const bool isOfB = law_ == ExactDepthLaw::OfB || isOfBoth || there < here;
          sums.energy += weight * (isOfB ? there : here);
          if (!isOfB) continue;
          const double pull =
              law_ == ExactDepthLaw::Lesser && isOfBoth ? kShareOfBoth * weight : weight;
          Vector3d arm = middle;
          arm[lines.along] += at * size[lines.along];
          arm[lines.across] += u * size[lines.across];
          arm[lines.beside] += v * size[lines.beside];
          sums.force += pull * q.gradient;
          sums.torque += pull * arm.cross(q.gradient);
          sums.pull += pull;
        }
      }
    }
    return sums;
  }

  const SurfaceDistance& a_;
  const SurfaceDistance& b_;
  Isometry3d bFromA_;
  ExactDepthLaw law_;
  double same_;  ///< depths that differ by no more are the same [m]
};

/// What the bounding boxes share, in A's frame.
models::Bounds sharedBounds(const SurfaceDistance& a, const SurfaceDistance& b,
                            const Isometry3d& aFromB) {
  const models::Bounds& of = b.bounds();
  const Vector3d half = 0.5 * (of.upper - of.lower);
  const Vector3d middle = aFromB * of.centre();
  const Vector3d reach = aFromB.linear().cwiseAbs() * half;
  models::Bounds shared;
  shared.lower = a.bounds().lower.cwiseMax(middle - reach);
  shared.upper = a.bounds().upper.cwiseMin(middle + reach);
  return shared;
}

}  // namespace

ExactDepth exactDepth(const SurfaceDistance& a, const SurfaceDistance& b, const Isometry3d& aFromB,
                      ExactDepthLaw law, unsigned threads) {
  ExactDepth result;
  if (a.triangleCount() == 0 || b.triangleCount() == 0) return result;
  const models::Bounds shared = sharedBounds(a, b, aFromB);
  const Vector3d size = shared.upper - shared.lower;
  if (!(size.minCoeff() > 0.0)) return result;
  const Integrator integrator(a, b, aFromB, law);
  const double side = size.maxCoeff() / kRoots;
  const std::array<std::size_t, 3> along = {static_cast<std::size_t>(std::ceil(size.x() / side)),
                                            static_cast<std::size_t>(std::ceil(size.y() / side)),
                                            static_cast<std::size_t>(std::ceil(size.z() / side))};
  const std::size_t count = along[0] * along[1] * along[2];
  Vector3d cell = Vector3d::Constant(side);
  for (std::size_t k = 0; k < along.size(); ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    if (along[k] == 1) cell[axis] = size[axis];
  }

  std::vector<Integrator::Cube> roots(count);
  models::parallelFor(count, 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t y = i / along[0] % along[1];
      const std::size_t z = i / (along[0] * along[1]);
      const Vector3d place(static_cast<double>(i % along[0]), static_cast<double>(y),
                           static_cast<double>(z));
      const Vector3d middle = shared.lower + cell.cwiseProduct(place + Vector3d::Constant(0.5));
      std::uint64_t samples = 0;
      roots[i] = integrator.cube(middle, cell, samples);
    }
  });
  result.samples = count;
  std::erase_if(roots, [](const Integrator::Cube& cube) { return cube.isOutside; });

  // one rough pass tells how much there is, the next one how much of it a cube may be off
  Sums sums;
  Integrator::Tolerance tolerance;
  for (const int most : {kLeastDivisions, kMostDivisions}) {
    sums = {};
    result.energyError = 0.0;
    std::vector<Integrator::Cube> now = roots;
    for (int divisions = 0; !now.empty(); ++divisions) {
      const bool isLast =
          divisions >= most || result.samples + kSamplesACube * 8 * now.size() > kMostSamples;
      const bool mayBeSame = divisions >= kLeastDivisions;
      std::vector<Integrator::Cube> next;
      std::vector<Integrator::Divided> some;
      for (std::size_t first = 0; first < now.size(); first += kCubesAtOnce) {
        some.resize(std::min(kCubesAtOnce, now.size() - first));
        models::parallelFor(some.size(), kCubesPerBlock, threads,
                            [&](std::size_t begin, std::size_t end) {
                              for (std::size_t i = begin; i < end; ++i)
                                some[i] = integrator.divided(now[first + i], mayBeSame, tolerance);
                            });
        for (const Integrator::Divided& cube : some) {
          result.samples += cube.samples;
          if (cube.isSame || isLast) {
            sums += cube.sums;
            // what is left of a cube that did not settle may be as much again
            result.energyError += cube.isSame ? cube.change / 3.0 : cube.change;
            continue;
          }
          std::copy_if(cube.parts.begin(), cube.parts.end(), std::back_inserter(next),
                       [](const Integrator::Cube& part) { return !part.isOutside; });
        }
      }
      if (isLast) break;
      now = std::move(next);
    }
    tolerance = {kTolerance * sums.energy, kTolerance * sums.pull};
  }
  result.energy = sums.energy;
  result.volume = sums.volume;
  result.force = sums.force;
  result.torque = sums.torque - aFromB.translation().cross(sums.force);
  return result;
}

}  // namespace tactus::collision
