#include "models/report/shell_sides.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "models/mesh/parallel_for.hpp"
#include "models/report/exact_predicates.hpp"

namespace tactus::models {
namespace {

// Corners that are asked of a shell that meets others.
constexpr std::uint32_t kWitnesses = 16;

// A volume below this part of the sum of its terms' magnitudes is rounding: a million terms lose
// at most 1e6 * 2^-53 = 1e-10 of it.
constexpr double kFlat = 1e-10;

constexpr std::size_t kShellsPerBlock = 16;

/// What there is to know of a shell before others are looked at.
struct Shell {
  std::uint32_t firstTriangle = 0, triangleCount = 0;  ///< in trianglesByShell()
  bool isBalanced = true;
  double volume = 0.0;  ///< six times, signed
};

std::vector<std::uint32_t> trianglesByShell(const Parts& parts, std::vector<Shell>& shells) {
  for (const std::uint32_t part : parts.ofTriangle) {
    if (part != kNone) ++shells[part].triangleCount;
  }
  std::uint32_t next = 0;
  for (Shell& shell : shells) {
    shell.firstTriangle = next;
    next += shell.triangleCount;
    shell.triangleCount = 0;
  }
  std::vector<std::uint32_t> triangles(next);
  for (std::uint32_t t = 0; t < parts.ofTriangle.size(); ++t) {
    if (parts.ofTriangle[t] == kNone) continue;
    Shell& shell = shells[parts.ofTriangle[t]];
    triangles[shell.firstTriangle + shell.triangleCount++] = t;
  }
  return triangles;
}

/// A shell is balanced if each edge is used as often upward as downward by its triangles.
void markUnbalanced(const Topology& topology, const Parts& parts, std::vector<Shell>& shells) {
  std::vector<std::pair<std::uint32_t, int>> uses;  // shell, direction
  for (const Edge& edge : topology.edges) {
    if (topology.isPaired(edge)) continue;
    uses.clear();
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t side = topology.uses[edge.firstUse + u];
      uses.emplace_back(parts.ofTriangle[side / 3], topology.runsUp(side) ? 1 : -1);
    }
    std::sort(uses.begin(), uses.end());
    for (std::size_t first = 0, end = 0; first < uses.size(); first = end) {
      int balance = 0;
      for (; end < uses.size() && uses[end].first == uses[first].first; ++end) {
        balance += uses[end].second;
      }
      if (balance != 0) shells[uses[first].first].isBalanced = false;
    }
  }
}

/// About one of the shell's own corners, so that a small part far from the others is exact too.
double sixfoldVolume(const Mesh& mesh, std::span<const std::uint32_t> triangles) {
  const Eigen::Vector3d reference =
      mesh.positions[mesh.triangles[triangles.front()][0]].cast<double>();
  double sum = 0.0;
  double magnitude = 0.0;
  for (const std::uint32_t t : triangles) {
    const Triangle& v = mesh.triangles[t];
    const Eigen::Vector3d a = mesh.positions[v[0]].cast<double>() - reference;
    const Eigen::Vector3d b = mesh.positions[v[1]].cast<double>() - reference;
    const Eigen::Vector3d c = mesh.positions[v[2]].cast<double>() - reference;
    const double term = a.dot(b.cross(c));
    sum += term;
    magnitude += std::fabs(term);
  }
  return std::fabs(sum) > kFlat * magnitude ? sum : 0.0;
}

/// Side of the line from a to b on which the point q + (e, e^2) is, for an infinitely small e > 0;
/// 0 only if a and b are equal.
int shiftedSide(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& q) {
  const int side = orient2d(a, b, q);
  if (side != 0) return side;
  // (b - a) x (e, e^2) = (b - a).x e^2 - (b - a).y e
  if (a.y() != b.y()) return a.y() < b.y() ? -1 : 1;
  if (a.x() != b.x()) return a.x() < b.x() ? 1 : -1;
  return 0;
}

/// How a triangle stands to the ray from p along +x.
struct Crossing {
  int winding = 0;       ///< 1: the ray leaves through its front, -1: enters, 0: misses
  bool touches = false;  ///< p is in the triangle
};

Crossing crossingOf(const Mesh& mesh, const Triangle& triangle, const Eigen::Vector3d& p) {
  std::array<Eigen::Vector3d, 3> at;
  std::array<Eigen::Vector2d, 3> flat;
  for (std::size_t i = 0; i < 3; ++i) {
    at[i] = mesh.positions[triangle[i]].cast<double>();
    flat[i] = dropAxis(at[i], 0);
  }
  const Eigen::Vector2d q = dropAxis(p, 0);
  const int side = shiftedSide(flat[0], flat[1], q);
  if (side == 0 || shiftedSide(flat[1], flat[2], q) != side ||
      shiftedSide(flat[2], flat[0], q) != side) {
    return {};
  }
  // all turns equal `side`: that is the sign of the normal's x, too
  const int above = orient3d(at[0], at[1], at[2], p);
  return {above * side < 0 ? side : 0, above == 0};
}

/// The other shells with what the ray from one corner of `self` says of them.
struct Seen {
  std::uint32_t shell = 0;
  Crossing crossing;
};

class Nesting {
 public:
  Nesting(const Mesh& mesh, const TriangleBvh& bvh, const Parts& parts,
          const std::vector<Shell>& shells, const std::vector<std::uint32_t>& triangles)
      : mesh_(mesh), bvh_(bvh), parts_(parts), shells_(shells), triangles_(triangles) {}

  /// In how many other balanced shells this one lies.
  [[nodiscard]] std::size_t depthOf(std::uint32_t self, std::uint32_t witnesses) const {
    const Shell& shell = shells_[self];
    const std::uint32_t asked = std::min(witnesses, shell.triangleCount);
    std::vector<std::pair<std::uint32_t, bool>> votes;  // shell, whether it is sure
    for (std::uint32_t w = 0; w < asked; ++w) {
      const std::uint64_t step = std::uint64_t{w} * shell.triangleCount / asked;
      const std::uint32_t t = triangles_[shell.firstTriangle + step];
      vote(self, mesh_.positions[mesh_.triangles[t][0]].cast<double>(), votes);
    }
    std::sort(votes.begin(), votes.end());
    std::size_t depth = 0;
    for (std::size_t first = 0, end = 0; first < votes.size(); first = end) {
      bool isSure = false;
      for (; end < votes.size() && votes[end].first == votes[first].first; ++end) {
        isSure = isSure || votes[end].second;
      }
      if (end - first == asked && isSure) ++depth;
    }
    return depth;
  }

 private:
  /// Adds each shell that does not leave p outside: surely if p is within, unsurely if p is on it.
  void vote(std::uint32_t self, const Eigen::Vector3d& p,
            std::vector<std::pair<std::uint32_t, bool>>& votes) const {
    std::vector<Seen> seen;
    double reach = std::numeric_limits<double>::infinity();
    alongRay(bvh_, p, Eigen::Vector3d::UnitX(), reach, [&](std::uint32_t t) {
      const std::uint32_t other = parts_.ofTriangle[t];
      if (other == kNone || other == self || !shells_[other].isBalanced) return;
      const Crossing crossing = crossingOf(mesh_, mesh_.triangles[t], p);
      if (crossing.winding != 0 || crossing.touches) seen.push_back({other, crossing});
    });
    std::sort(seen.begin(), seen.end(),
              [](const Seen& a, const Seen& b) { return a.shell < b.shell; });
    for (std::size_t first = 0, end = 0; first < seen.size(); first = end) {
      int winding = 0;
      bool touches = false;
      for (; end < seen.size() && seen[end].shell == seen[first].shell; ++end) {
        winding += seen[end].crossing.winding;
        touches = touches || seen[end].crossing.touches;
      }
      if (winding != 0 || touches) votes.emplace_back(seen[first].shell, !touches);
    }
  }

  const Mesh& mesh_;
  const TriangleBvh& bvh_;
  const Parts& parts_;
  const std::vector<Shell>& shells_;
  const std::vector<std::uint32_t>& triangles_;
};

}  // namespace

std::vector<ShellSide> shellSides(const Mesh& mesh, const Topology& topology,
                                  const TriangleBvh& bvh, const Parts& parts,
                                  std::span<const std::uint32_t> meetingShells, unsigned threads) {
  std::vector<Shell> shells(parts.count);
  const std::vector<std::uint32_t> triangles = trianglesByShell(parts, shells);
  markUnbalanced(topology, parts, shells);
  for (Shell& shell : shells) {
    if (!shell.isBalanced) continue;
    shell.volume =
        sixfoldVolume(mesh, std::span(triangles).subspan(shell.firstTriangle, shell.triangleCount));
  }

  const Nesting nesting(mesh, bvh, parts, shells, triangles);
  std::vector<ShellSide> sides(shells.size(), ShellSide::Open);
  parallelFor(shells.size(), kShellsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      if (!shells[s].isBalanced) continue;
      if (shells[s].volume == 0.0) {
        sides[s] = ShellSide::Flat;
        continue;
      }
      const auto self = static_cast<std::uint32_t>(s);
      const bool meets = std::binary_search(meetingShells.begin(), meetingShells.end(), self);
      const bool isCavity = nesting.depthOf(self, meets ? kWitnesses : 1) % 2 == 1;
      sides[s] = (shells[s].volume < 0.0) == isCavity ? ShellSide::Right : ShellSide::Inverted;
    }
  });
  return sides;
}

}  // namespace tactus::models
