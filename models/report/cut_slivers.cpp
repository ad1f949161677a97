#include "models/report/cut_slivers.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tactus::models {
namespace {

using Corners = std::array<Eigen::Vector3f, 3>;

// Slender is a triangle whose longest side's square is more than this many times its area; of one
// with equal sides it is 2.3 times, of half a square 4.
constexpr double kSlender = 6.0;

// Short enough is what is no longer than this share of the mesh's size; more, if that makes too
// many pieces.
constexpr double kShort = 2e-3;
constexpr double kLonger = 1.5;

// Pieces at most, 140 MB with the hierarchy above them, or four for each triangle.
constexpr std::size_t kMostPieces = 1'000'000;
constexpr std::size_t kMostPerTriangle = 4;

double areaOf(const Corners& c) {
  const Eigen::Vector3d a = c[0].cast<double>();
  return 0.5 * (c[1].cast<double>() - a).cross(c[2].cast<double>() - a).norm();
}

/// The triangle in pieces, if need be, at the end of `all`. False: more than `most` are there.
bool addPieces(const Corners& triangle, double squaredLength, std::size_t most,
               std::vector<Corners>& waiting, std::vector<Corners>& all) {
  waiting.assign(1, triangle);
  while (!waiting.empty()) {
    const Corners now = waiting.back();
    waiting.pop_back();
    std::size_t side = 0;
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double squared =
          (now[(k + 1) % 3].cast<double>() - now[k].cast<double>()).squaredNorm();
      if (squared > longest) {
        longest = squared;
        side = k;
      }
    }
    if (longest <= squaredLength || longest <= kSlender * areaOf(now)) {
      all.push_back(now);
      if (all.size() > most) return false;
      continue;
    }
    const Eigen::Vector3f& from = now[side];
    const Eigen::Vector3f& to = now[(side + 1) % 3];
    const Eigen::Vector3f& opposite = now[(side + 2) % 3];
    const Eigen::Vector3f middle = 0.5F * from + 0.5F * to;
    waiting.push_back({middle, to, opposite});
    waiting.push_back({from, middle, opposite});
  }
  return true;
}

}  // namespace

std::vector<Corners> cornersOf(const Mesh& mesh) {
  std::vector<Corners> all;
  all.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    all.push_back({mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]});
  return all;
}

std::vector<Corners> cutSlivers(const Mesh& mesh) {
  std::vector<Corners> whole = cornersOf(mesh);
  const double size = mesh.bounds().diagonal();
  if (!std::isfinite(size) || !(size > 0.0)) return whole;
  const std::size_t most = std::max(kMostPieces, kMostPerTriangle * whole.size());
  std::vector<Corners> all;
  std::vector<Corners> waiting;
  for (double length = kShort * size;; length *= kLonger) {
    all.clear();
    all.reserve(whole.size());
    const bool areFew = std::ranges::all_of(whole, [&](const Corners& triangle) {
      return addPieces(triangle, length * length, most, waiting, all);
    });
    if (areFew) return all;
  }
}

}  // namespace tactus::models
