#include "models/report/thickness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "models/mesh/parallel_for.hpp"
#include "models/report/crease_thickness.hpp"
#include "models/report/walls.hpp"

namespace tactus::models {
namespace {

// A wall faces the ray up to 30 degrees. A metric thread's flanks (60 degrees) do not face each
// other, the two sides of a tapering ear or a key do.
constexpr double kFacingCosine = 0.86602540378443865;

// Distance of the samples near corners from them, as a part of the triangle: 0.4 % of how much the
// thickness varies over it.
constexpr double kCornerOffset = 1.0 / 256.0;

// Samples that are measured first; the thinnest of them then bounds the length of all other rays.
constexpr std::size_t kPilots = 1024;
constexpr std::size_t kPilotsPerBlock = 64;
constexpr std::size_t kSamplesPerBlock = 4096;

// Triangles that the rays of a block may be tested against, as an average a ray; an ordinary ray
// meets 30. The rest of a block that needs more is left out: where thousands of needles end in one
// point, the boxes of all of them overlap, and each ray from there would test them all.
constexpr std::size_t kTestsPerSample = 150;

// Normals along which a component's width is taken.
constexpr std::size_t kWidthNormals = 256;

// A width counts if it is less than the thinnest wall by more than a thousandth: a plate's or a
// ball's width is its thickness up to rounding, and is to be called a wall.
constexpr double kWidthShare = 0.999;

// Triangles that are looked at first, spread over the component, before all of them.
constexpr std::size_t kSpreadTriangles = 64;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A measured thickness. The earlier sample wins among equals, so order of work is no matter.
struct Measured {
  double length = kInfinite;
  std::size_t sample = 0;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
};

class Gauge {
 public:
  Gauge(const Walls& walls, const TriangleBvh& bvh) : walls_(walls), bvh_(bvh) {
    const std::size_t triangles = walls.count();
    samplesPerTriangle_ = triangles <= kCornerSampledTriangles ? 4 : 1;
    triangleStep_ = (triangles + kThicknessSamples - 1) / kThicknessSamples;
  }

  [[nodiscard]] std::size_t samples() const noexcept {
    return walls_.count() / triangleStep_ * samplesPerTriangle_;
  }

  /// Replaces `best` if this sample's wall is thinner. Adds the triangles tested to `tests`.
  void measure(std::size_t sample, Measured& best, std::size_t& tests) const {
    const std::size_t t = sample / samplesPerTriangle_ * triangleStep_;
    const Walls::Wall own = walls_.wall(t);
    const double twiceArea = own.normal.norm();
    if (!(twiceArea > 0.0)) return;
    const Eigen::Vector3d into = own.normal / -twiceArea;
    const std::size_t which = sample % samplesPerTriangle_;
    const bool isCentre = which == 0;
    const Eigen::Vector3d from = pointOf(own, which);

    double reach = best.length;
    bool isFacing = false;
    alongRay(bvh_, from, into, reach, [&](std::uint32_t other) {
      ++tests;
      const double length = walls_.exitAt(other, from, into);
      if (length > reach || length == kInfinite || other == t) return;
      // of two walls at equal distance (a ray through an edge) it is enough that one faces
      const bool faces = isFacingWall(other, into) && (isCentre || !walls_.areNeighbours(t, other));
      if (length < reach || (faces && length < best.length)) {
        reach = length;
        isFacing = faces;
      }
    });
    if (!isFacing || !(reach > 0.0) || !(reach < best.length)) return;
    best = {reach, sample, from + 0.5 * reach * into};
  }

 private:
  static Eigen::Vector3d pointOf(const Walls::Wall& wall, std::size_t which) {
    constexpr double kNear = 1.0 - 2.0 * kCornerOffset;
    const auto point = [&wall](double a, double b, double c) -> Eigen::Vector3d {
      return a * wall.at[0] + b * wall.at[1] + c * wall.at[2];
    };
    switch (which) {
      case 1:
        return point(kNear, kCornerOffset, kCornerOffset);
      case 2:
        return point(kCornerOffset, kNear, kCornerOffset);
      case 3:
        return point(kCornerOffset, kCornerOffset, kNear);
      default:
        return point(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0);
    }
  }

  [[nodiscard]] bool isFacingWall(std::size_t t, const Eigen::Vector3d& direction) const {
    const Eigen::Vector3d normal = walls_.wall(t).normal;
    return normal.dot(direction) >= kFacingCosine * normal.norm();
  }

  const Walls& walls_;
  const TriangleBvh& bvh_;
  std::size_t samplesPerTriangle_ = 1, triangleStep_ = 1;
};

Measured thinner(const Measured& a, const Measured& b) {
  if (a.length != b.length) return a.length < b.length ? a : b;
  return a.sample <= b.sample ? a : b;
}

/// The thinnest of `count` samples, every step-th, no longer than `bound`.
Measured thinnest(const Gauge& gauge, std::size_t count, std::size_t step, std::size_t block,
                  double bound, unsigned threads) {
  std::vector<Measured> blocks(count / block + 1);
  parallelFor(count, block, threads, [&](std::size_t begin, std::size_t end) {
    Measured best;
    best.length = bound;
    std::size_t tests = 0;
    for (std::size_t i = begin; i < end && tests < kTestsPerSample * (end - begin); ++i) {
      gauge.measure(i * step, best, tests);
    }
    if (best.length < bound) blocks[begin / block] = best;
  });
  Measured best;
  for (const Measured& measured : blocks)
    best = thinner(best, measured);
  return best;
}

/// The triangles of each component, ascending.
struct Components {
  std::vector<std::uint32_t> start;  ///< of component c: triangles[start[c]], up to start[c + 1]
  std::vector<std::uint32_t> triangles;

  explicit Components(const Topology& topology) {
    const Parts parts = partsOf(topology, Joint::AnyEdge);
    start.assign(parts.count + 1, 0);
    for (const std::uint32_t part : parts.ofTriangle) {
      if (part != kNone) ++start[part + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    triangles.resize(start.back());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t t = 0; t < parts.ofTriangle.size(); ++t) {
      const std::uint32_t part = parts.ofTriangle[t];
      if (part != kNone) triangles[next[part]++] = static_cast<std::uint32_t>(t);
    }
  }
  [[nodiscard]] std::size_t count() const noexcept { return start.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t component) const {
    return std::span(triangles).subspan(start[component], start[component + 1] - start[component]);
  }
};

/// The n-th of `size` in an order spread by the golden ratio, which falls in step with no pattern.
std::size_t spread(std::size_t n, std::size_t size) {
  return (std::uint64_t{n} * 0x9e3779b9U & 0xffffffffU) * size >> 32U;
}

/// Whether the component has its material inside, or none; false: it is a hollow.
bool isSolid(const Walls& walls, std::span<const std::uint32_t> triangles) {
  const Eigen::Vector3d foot = walls.wall(triangles.front()).at[0];
  double six = 0.0;
  for (const std::uint32_t t : triangles) {
    const Walls::Wall wall = walls.wall(t);
    six += (wall.at[0] - foot).dot(wall.normal);
  }
  return six >= 0.0;
}

/// Extent of the triangles along a unit normal; Unknown if it is `bound` or more.
Thickness extentAlong(const Eigen::Vector3d& normal, const Walls& walls,
                      std::span<const std::uint32_t> triangles, double bound) {
  double low = kInfinite;
  double high = -kInfinite;
  Eigen::Vector3d lowest = Eigen::Vector3d::Zero();
  Eigen::Vector3d highest = Eigen::Vector3d::Zero();
  const auto isWithinBound = [&](std::uint32_t t) {
    for (const std::uint32_t v : walls.mesh().triangles[t]) {
      const Eigen::Vector3d p = walls.mesh().positions[v].cast<double>();
      const double along = p.dot(normal);
      if (along < low) {
        low = along;
        lowest = p;
      }
      if (along > high) {
        high = along;
        highest = p;
      }
    }
    return high - low < bound;
  };
  // most components are wider than their thinnest wall, and a few triangles show it
  for (std::size_t n = 0; n < std::min(kSpreadTriangles, triangles.size()); ++n) {
    if (!isWithinBound(triangles[spread(n, triangles.size())])) return {};
  }
  for (const std::uint32_t t : triangles) {
    if (!isWithinBound(t)) return {};
  }
  return {high - low, walls.mesh().origin + 0.5 * (lowest + highest), ThicknessSource::Width};
}

/// Least width of a component that is not a hollow, if one is less than `bound`.
Thickness width(const Walls& walls, double bound, unsigned threads) {
  const Components components(walls.topology());
  struct Direction {
    std::size_t component;
    std::uint32_t triangle;
  };
  std::vector<Direction> directions;
  for (std::size_t c = 0; c < components.count(); ++c) {
    const std::span<const std::uint32_t> triangles = components.of(c);
    if (!isSolid(walls, triangles)) continue;
    for (std::size_t n = 0; n < std::min(triangles.size(), kWidthNormals); ++n) {
      const std::size_t at = triangles.size() <= kWidthNormals ? n : spread(n, triangles.size());
      if (walls.wall(triangles[at]).normal.norm() > 0.0) directions.push_back({c, triangles[at]});
    }
  }
  std::vector<Thickness> extents(directions.size());
  parallelFor(directions.size(), 4, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      extents[n] = extentAlong(walls.normal(directions[n].triangle), walls,
                               components.of(directions[n].component), bound);
    }
  });
  Thickness best;
  for (const Thickness& extent : extents) {
    if (extent.source == ThicknessSource::Unknown) continue;
    if (best.source == ThicknessSource::Unknown || extent.least < best.least) best = extent;
  }
  return best;
}

}  // namespace

Thickness leastThickness(const Mesh& mesh, const Topology& topology, const TriangleBvh& bvh,
                         std::span<const std::uint8_t> isInverted, unsigned threads) {
  if (mesh.triangles.empty()) return {};
  const Walls walls(mesh, topology, isInverted);
  const Gauge gauge(walls, bvh);
  const std::size_t step = std::max<std::size_t>(1, gauge.samples() / kPilots);
  const Measured pilot =
      thinnest(gauge, gauge.samples() / step, step, kPilotsPerBlock, kInfinite, threads);
  const Measured faces =
      thinner(pilot, thinnest(gauge, gauge.samples(), 1, kSamplesPerBlock, pilot.length, threads));

  Thickness least;
  if (faces.length < kInfinite) {
    least = {faces.length, mesh.origin + faces.middle, ThicknessSource::FacingWall};
  }
  const Thickness narrowest = width(walls, kWidthShare * faces.length, threads);
  if (narrowest.source != ThicknessSource::Unknown) least = narrowest;
  if (least.source == ThicknessSource::Unknown) return least;
  const CreaseThickness creases = thinnestAtCreases(walls, bvh, least.least, threads);
  if (creases.length < least.least) {
    least = {creases.length, mesh.origin + creases.middle, ThicknessSource::FacingWall};
  }
  return least;
}

}  // namespace tactus::models
