#include "models/report/thickness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "models/mesh/parallel_for.hpp"

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

// A ray that passes a wall's edge by rounding only has hit it.
constexpr double kEdgeTolerance = 1e-12;

// Normals along which the width is taken when no walls face each other.
constexpr std::size_t kWidthNormals = 256;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Wall {
  std::array<Eigen::Vector3d, 3> at;
  Eigen::Vector3d normal;  ///< out of the material, of twice the area's length

  [[nodiscard]] Eigen::Vector3d point(double a, double b, double c) const {
    return a * at[0] + b * at[1] + c * at[2];
  }
};

/// A measured thickness. The earlier sample wins among equals, so order of work is no matter.
struct Measured {
  double length = kInfinite;
  std::size_t sample = 0;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
};

class Gauge {
 public:
  Gauge(const Mesh& mesh, const Topology& topology, const TriangleBvh& bvh,
        std::span<const std::uint8_t> isInverted)
      : mesh_(mesh), topology_(topology), bvh_(bvh), isInverted_(isInverted) {
    const std::size_t triangles = mesh.triangles.size();
    samplesPerTriangle_ = triangles <= kCornerSampledTriangles ? 4 : 1;
    triangleStep_ = (triangles + kThicknessSamples - 1) / kThicknessSamples;
  }

  [[nodiscard]] std::size_t samples() const noexcept {
    return mesh_.triangles.size() / triangleStep_ * samplesPerTriangle_;
  }

  [[nodiscard]] Wall wall(std::size_t t) const {
    Wall wall;
    for (std::size_t i = 0; i < 3; ++i) {
      wall.at[i] = mesh_.positions[mesh_.triangles[t][i]].cast<double>();
    }
    wall.normal = (wall.at[1] - wall.at[0]).cross(wall.at[2] - wall.at[0]);
    if (isTurned(t)) wall.normal = -wall.normal;
    return wall;
  }

  /// Replaces `best` if this sample's wall is thinner. Adds the triangles tested to `tests`.
  void measure(std::size_t sample, Measured& best, std::size_t& tests) const {
    const std::size_t t = sample / samplesPerTriangle_ * triangleStep_;
    const Wall own = wall(t);
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
      const double length = exitAt(other, from, into);
      if (length > reach || length == kInfinite || other == t) return;
      // of two walls at equal distance (a ray through an edge) it is enough that one faces
      const bool faces = isFacingWall(other, into) && (isCentre || !areNeighbours(t, other));
      if (length < reach || (faces && length < best.length)) {
        reach = length;
        isFacing = faces;
      }
    });
    if (!isFacing || !(reach > 0.0) || !(reach < best.length)) return;
    best = {reach, sample, from + 0.5 * reach * into};
  }

 private:
  static Eigen::Vector3d pointOf(const Wall& wall, std::size_t which) {
    constexpr double kNear = 1.0 - 2.0 * kCornerOffset;
    switch (which) {
      case 1:
        return wall.point(kNear, kCornerOffset, kCornerOffset);
      case 2:
        return wall.point(kCornerOffset, kNear, kCornerOffset);
      case 3:
        return wall.point(kCornerOffset, kCornerOffset, kNear);
      default:
        return wall.point(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0);
    }
  }

  /// Ray parameter at which the ray leaves the material through the triangle; infinity if it misses
  /// or enters (Möller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997).
  [[nodiscard]] double exitAt(std::size_t t, const Eigen::Vector3d& from,
                              const Eigen::Vector3d& direction) const {
    const Triangle& triangle = mesh_.triangles[t];
    const Eigen::Vector3d a = mesh_.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d e1 = mesh_.positions[triangle[1]].cast<double>() - a;
    const Eigen::Vector3d e2 = mesh_.positions[triangle[2]].cast<double>() - a;
    const Eigen::Vector3d p = direction.cross(e2);
    const double determinant = e1.dot(p);  // minus the normal along the ray
    if (!(isTurned(t) ? determinant > 0.0 : determinant < 0.0)) return kInfinite;
    const double inverse = 1.0 / determinant;
    const Eigen::Vector3d s = from - a;
    const double u = s.dot(p) * inverse;
    if (!(u >= -kEdgeTolerance)) return kInfinite;
    const Eigen::Vector3d q = s.cross(e1);
    const double v = direction.dot(q) * inverse;
    if (!(v >= -kEdgeTolerance && u + v <= 1.0 + kEdgeTolerance)) return kInfinite;
    const double length = e2.dot(q) * inverse;
    return length > 0.0 ? length : kInfinite;
  }

  [[nodiscard]] bool isFacingWall(std::size_t t, const Eigen::Vector3d& direction) const {
    const Eigen::Vector3d normal = wall(t).normal;
    return normal.dot(direction) >= kFacingCosine * normal.norm();
  }

  [[nodiscard]] bool isTurned(std::size_t t) const noexcept {
    return !isInverted_.empty() && isInverted_[t] != 0;
  }

  [[nodiscard]] bool areNeighbours(std::size_t a, std::size_t b) const {
    const Triangle& s = topology_.triangles[a];
    const Triangle& t = topology_.triangles[b];
    return std::any_of(s.begin(), s.end(), [&](std::uint32_t corner) {
      return std::find(t.begin(), t.end(), corner) != t.end();
    });
  }

  const Mesh& mesh_;
  const Topology& topology_;
  const TriangleBvh& bvh_;
  std::span<const std::uint8_t> isInverted_;
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

/// Least extent of the used positions along the normals of some triangles.
Thickness width(const Mesh& mesh, const Gauge& gauge, unsigned threads) {
  std::vector<Eigen::Vector3d> normals;
  const std::uint64_t triangles = mesh.triangles.size();
  for (std::uint64_t n = 0; n < std::min<std::uint64_t>(triangles, kWidthNormals); ++n) {
    // few triangles: all; else spread by the golden ratio, which falls in step with no pattern
    const std::uint64_t t =
        triangles <= kWidthNormals ? n : (n * 0x9e3779b9U & 0xffffffffU) * triangles >> 32U;
    const Eigen::Vector3d normal = gauge.wall(t).normal;
    if (normal.norm() > 0.0) normals.push_back(normal.normalized());
  }
  std::vector<Thickness> extents(normals.size());
  parallelFor(normals.size(), 4, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      double low = kInfinite;
      double high = -kInfinite;
      Eigen::Vector3d lowest = Eigen::Vector3d::Zero();
      Eigen::Vector3d highest = Eigen::Vector3d::Zero();
      for (const Triangle& t : mesh.triangles) {
        for (const std::uint32_t v : t) {
          const Eigen::Vector3d p = mesh.positions[v].cast<double>();
          const double along = p.dot(normals[n]);
          if (along < low) {
            low = along;
            lowest = p;
          }
          if (along > high) {
            high = along;
            highest = p;
          }
        }
      }
      extents[n] = {high - low, mesh.origin + 0.5 * (lowest + highest), ThicknessSource::Width};
    }
  });
  Thickness best;
  for (const Thickness& extent : extents) {
    if (best.source == ThicknessSource::Unknown || extent.least < best.least) best = extent;
  }
  return best;
}

}  // namespace

Thickness leastThickness(const Mesh& mesh, const Topology& topology, const TriangleBvh& bvh,
                         std::span<const std::uint8_t> isInverted, unsigned threads) {
  if (mesh.triangles.empty()) return {};
  const Gauge gauge(mesh, topology, bvh, isInverted);
  const std::size_t step = std::max<std::size_t>(1, gauge.samples() / kPilots);
  const Measured pilot =
      thinnest(gauge, gauge.samples() / step, step, kPilotsPerBlock, kInfinite, threads);
  const Measured best =
      thinner(pilot, thinnest(gauge, gauge.samples(), 1, kSamplesPerBlock, pilot.length, threads));
  if (best.length == kInfinite) return width(mesh, gauge, threads);
  return {best.length, mesh.origin + best.middle, ThicknessSource::FacingWall};
}

}  // namespace tactus::models
