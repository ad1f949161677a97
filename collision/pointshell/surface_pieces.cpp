#include "collision/pointshell/surface_pieces.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "models/mesh/parallel_for.hpp"
#include "models/mesh/split_mix.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using Corners = std::array<Vector3d, 3>;

// Halving gives pieces whose area is a fifth of their longest side's square, on the average over
// the built-in models.
constexpr double kAreaOfSquare = 0.2;

// 2^60 pieces of one triangle: the depth of a path, and with it the stack, ends there.
constexpr std::size_t kMostCuts = 60;

constexpr std::size_t kBlock = 64;  // triangles

// Slivers are long against their area, and pieces as short as the others' are many: so many are
// made, 30 MB for a while, before they are let be longer.
constexpr std::size_t kMostOfSlivers = 1'000'000;

// Then by this much, again and again.
constexpr double kLonger = 1.25;

// Where pieces stay longer, so much of a side is the range of places where it is cut: in slivers
// beside each other all pieces would lie in rows, and points in rings with nothing between.
constexpr double kScatter = 0.4;

/// Calls take(corners) for each piece of a triangle. `seed` 0: sides are cut in their middles.
template <typename Take>
void cut(const Corners& triangle, double longest, std::uint64_t seed, const Take& take) {
  struct Waiting {
    Corners corners;
    std::size_t cuts;
  };
  models::SplitMix random(seed);
  std::array<Waiting, kMostCuts + 1> stack;  // one half waits for each cut of the path
  std::size_t waiting = 0;
  stack[waiting++] = {triangle, 0};
  while (waiting > 0) {
    const Waiting now = stack[--waiting];
    std::size_t side = 0;
    double squared = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double s = (now.corners[(k + 1) % 3] - now.corners[k]).squaredNorm();
      if (s > squared) {
        squared = s;
        side = k;
      }
    }
    if (squared <= longest * longest || now.cuts == kMostCuts) {
      take(now.corners);
      continue;
    }
    const Vector3d& from = now.corners[side];
    const Vector3d& to = now.corners[(side + 1) % 3];
    const Vector3d& opposite = now.corners[(side + 2) % 3];
    const double share = seed == 0 ? 0.5 : 0.5 + kScatter * (random.share() - 0.5);
    const Vector3d middle = from + share * (to - from);
    stack[waiting++] = {{middle, to, opposite}, now.cuts + 1};
    stack[waiting++] = {{from, middle, opposite}, now.cuts + 1};
  }
}

}  // namespace

SurfacePieces cutSurface(const models::Mesh& mesh, std::size_t wanted, unsigned threads,
                         const models::GoesOn& goesOn) {
  SurfacePieces result;
  const models::Bounds bounds = mesh.bounds();
  result.origin = bounds.isEmpty() ? mesh.origin : bounds.centre();
  const std::size_t triangles = mesh.triangles.size();
  const Vector3d shift = mesh.origin - result.origin;
  const auto cornersOf = [&](std::size_t t) {
    Corners corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = mesh.positions[mesh.triangles[t][k]].cast<double>() + shift;
    return corners;
  };
  std::vector<double> areas(triangles);
  models::parallelFor(triangles, kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Corners c = cornersOf(t);
      areas[t] = 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm();
    }
  });
  result.area = std::accumulate(areas.begin(), areas.end(), 0.0);
  if (!(result.area > 0.0) || wanted == 0) return result;

  std::vector<std::size_t> firsts(triangles + 1);
  double longest = std::sqrt(result.area / (kAreaOfSquare * static_cast<double>(wanted)));
  bool isScattered = false;
  const auto seedOf = [&](std::size_t t) { return isScattered ? std::uint64_t{t} + 1 : 0; };
  while (true) {
    const auto count = [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        std::size_t pieces = 0;
        if (areas[t] > 0.0)
          cut(cornersOf(t), longest, seedOf(t), [&](const Corners&) { ++pieces; });
        firsts[t + 1] = pieces;
      }
    };
    if (!models::parallelWhile(triangles, kBlock, threads, models::partOf(goesOn, 0.0, 0.5), count))
      return result;
    std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
    if (firsts.back() <= std::max(kMostOfSlivers, 2 * wanted + 4 * triangles)) break;
    longest *= kLonger;
    isScattered = true;
    firsts[0] = 0;
  }
  result.pieces.resize(firsts.back());
  const auto cutAll = [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      if (firsts[t] == firsts[t + 1]) continue;
      const Corners whole = cornersOf(t);
      const Vector3d across = (whole[1] - whole[0]).cross(whole[2] - whole[0]);
      const double length = across.norm();
      std::size_t piece = firsts[t];
      cut(whole, longest, seedOf(t), [&](const Corners& c) {
        SurfacePiece& p = result.pieces[piece++];
        p.spot.place = ((c[0] + c[1] + c[2]) / 3.0).cast<float>();
        p.area = static_cast<float>(0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm());
        p.flatArea = p.area;
        p.spot.normal = (across / length).cast<float>();
      });
    }
  };
  if (!models::parallelWhile(triangles, kBlock, threads, models::partOf(goesOn, 0.5, 1.0), cutAll))
    result.pieces.clear();
  return result;
}

}  // namespace tactus::collision
