#include "models/report/shell_sides.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "models/mesh/parallel_for.hpp"
#include "models/mesh/position_hash.hpp"
#include "models/report/exact_predicates.hpp"

namespace tactus::models {
namespace {

// A volume below this part of the sum of its terms' magnitudes is rounding: a million terms lose
// at most 1e6 * 2^-53 = 1e-10 of it.
constexpr double kFlat = 1e-10;

// Of the lids' area times the rims' radii. Half a ball has 2/3, a box without its lid 1.4; a sheet
// that bulges by a third of its radius has 1/6 and could as well be a dent.
constexpr double kClear = 0.25;

constexpr std::size_t kQuestionsPerBlock = 64;

/// What there is to know of a shell before others are looked at.
struct Shell {
  std::uint32_t firstTriangle = 0, triangleCount = 0;  ///< in trianglesByShell()
  bool isBalanced = true;
  bool isOpen = false;     ///< unbalanced along simple rims of its own only, with a clear volume
  bool isTangled = false;  ///< unbalanced elsewhere, too
  double volume = 0.0;  ///< six times, signed, with the lids; 0 if there is none or it is unclear
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
      if (balance == 0) continue;
      shells[uses[first].first].isBalanced = false;
      if (edge.useCount != 1) shells[uses[first].first].isTangled = true;
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

/// Gives a volume to open shells that have a clear one.
void judgeOpenShells(const Mesh& mesh, const Topology& topology, const Parts& parts,
                     const std::vector<std::uint32_t>& triangles, std::vector<Shell>& shells) {
  if (std::all_of(shells.begin(), shells.end(), [](const Shell& s) { return s.isBalanced; })) {
    return;
  }
  struct Lid {
    double volume = 0.0, sweep = 0.0;  ///< six times both
  };
  std::vector<Lid> lids(shells.size());
  const auto at = [&](std::uint32_t position) -> Eigen::Vector3d {
    return mesh.positions[topology.merged.firstVertex[position]].cast<double>();
  };
  for (const BoundaryLoop& loop : boundaryLoops(topology)) {
    const std::size_t n = loop.positions.size();
    const auto shellAt = [&](std::size_t i) {
      const std::uint32_t edge =
          topology.edgeBetween(loop.positions[i], loop.positions[(i + 1) % n]);
      return parts.ofTriangle[topology.uses[topology.edges[edge].firstUse] / 3];
    };
    const std::size_t edges = loop.isClosed ? n : n - 1;
    const std::uint32_t shell = shellAt(0);
    bool isSimple = loop.isClosed;
    for (std::size_t i = 1; i < edges; ++i)
      isSimple = isSimple && shellAt(i) == shell;
    if (!isSimple) {
      for (std::size_t i = 0; i < edges; ++i)
        shells[shellAt(i)].isTangled = true;
      continue;
    }
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const std::uint32_t p : loop.positions)
      middle += at(p) / static_cast<double>(n);
    const Eigen::Vector3d reference =
        mesh.positions[mesh.triangles[triangles[shells[shell].firstTriangle]][0]].cast<double>();
    double doubledArea = 0.0;
    double radius = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::Vector3d from = at(loop.positions[i]);
      const Eigen::Vector3d to = at(loop.positions[(i + 1) % n]);
      lids[shell].volume += (middle - reference).dot((from - reference).cross(to - reference));
      doubledArea += (from - middle).cross(to - middle).norm();
      radius = std::max(radius, (from - middle).norm());
    }
    lids[shell].sweep += 3.0 * doubledArea * radius;
  }
  for (std::size_t s = 0; s < shells.size(); ++s) {
    Shell& shell = shells[s];
    if (shell.isBalanced || shell.isTangled) continue;
    const double volume = sixfoldVolume(mesh, std::span(triangles).subspan(shell.firstTriangle,
                                                                           shell.triangleCount)) +
                          lids[s].volume;
    if (!(std::fabs(volume) > kClear * lids[s].sweep)) continue;
    shell.isOpen = true;
    shell.volume = volume;
  }
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

/// Where a ray runs: along an axis, up (1) or down (-1).
struct WayOut {
  int axis = 0, sign = 1;
};

/// To the nearest face of the box around all. A ray through the middle of a book would meet half of
/// its pages.
WayOut wayOut(const TriangleBvh& bvh, const Eigen::Vector3d& p) {
  WayOut way;
  double shortest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double up = double{bvh.nodes.front().upper[axis]} - p[axis];
    const double down = p[axis] - double{bvh.nodes.front().lower[axis]};
    if (up < shortest) {
      shortest = up;
      way = {axis, 1};
    }
    if (down < shortest) {
      shortest = down;
      way = {axis, -1};
    }
  }
  return way;
}

/// How a triangle stands to the ray from p.
struct Crossing {
  int winding = 0;       ///< 1: the ray leaves through its front, -1: enters, 0: misses
  bool touches = false;  ///< p is in the triangle
};

/// Whether p is in the closed triangle. One without area is skipped: those around it have its
/// corners, too.
bool isOn(const std::array<Eigen::Vector3d, 3>& at, const Eigen::Vector3d& p) {
  const Eigen::Vector3d lower = at[0].cwiseMin(at[1]).cwiseMin(at[2]);
  const Eigen::Vector3d upper = at[0].cwiseMax(at[1]).cwiseMax(at[2]);
  if ((p.array() < lower.array()).any() || (p.array() > upper.array()).any()) return false;
  if (orient3d(at[0], at[1], at[2], p) != 0) return false;
  const int axis = projectionAxis(at[0], at[1], at[2]);
  if (axis < 0) return false;
  const Eigen::Vector2d q = dropAxis(p, axis);
  bool isLeft = false;
  bool isRight = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const int side = orient2d(dropAxis(at[i], axis), dropAxis(at[(i + 1) % 3], axis), q);
    isLeft = isLeft || side > 0;
    isRight = isRight || side < 0;
  }
  return !(isLeft && isRight);
}

Crossing crossingOf(const Mesh& mesh, const Triangle& triangle, const Eigen::Vector3d& p,
                    WayOut way) {
  std::array<Eigen::Vector3d, 3> at;
  std::array<Eigen::Vector2d, 3> flat;
  for (std::size_t i = 0; i < 3; ++i) {
    at[i] = mesh.positions[triangle[i]].cast<double>();
    flat[i] = dropAxis(at[i], way.axis);
  }
  if (isOn(at, p)) return {0, true};
  const Eigen::Vector2d q = dropAxis(p, way.axis);
  const int side = shiftedSide(flat[0], flat[1], q);
  if (side == 0 || shiftedSide(flat[1], flat[2], q) != side ||
      shiftedSide(flat[2], flat[0], q) != side) {
    return {};
  }
  // all turns equal `side`: that is the sign of the normal along the axis, too
  const int along = side * way.sign;
  return {orient3d(at[0], at[1], at[2], p) * along < 0 ? along : 0, false};
}

/// At most kMostWitnesses of the corners (distinct positions), and the outermost ones. Drawn by a
/// hash of the position, which has nothing to do with the order in which a file lists things: any
/// fixed stride can follow a row of a regular tessellation.
std::vector<std::uint32_t> chosenOf(const Mesh& mesh, const Topology& topology,
                                    std::vector<std::uint32_t> corners) {
  if (corners.size() <= kMostWitnesses) return corners;
  struct Candidate {
    std::uint64_t lot = 0;
    std::uint32_t corner = 0;
    Eigen::Vector3f at = Eigen::Vector3f::Zero();
  };
  std::vector<Candidate> candidates;
  candidates.reserve(corners.size());
  for (const std::uint32_t corner : corners) {
    const Eigen::Vector3f& p = mesh.positions[topology.merged.firstVertex[corner]];
    candidates.push_back({hashOf(p), corner, p});
  }
  std::vector<std::uint32_t> chosen;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [lowest, highest] = std::minmax_element(
        candidates.begin(), candidates.end(), [axis](const Candidate& a, const Candidate& b) {
          return std::pair(a.at[axis], a.lot) < std::pair(b.at[axis], b.lot);
        });
    chosen.push_back(lowest->corner);
    chosen.push_back(highest->corner);
  }
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(kMostWitnesses);
  std::nth_element(candidates.begin(), end, candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return std::pair(a.lot, a.corner) < std::pair(b.lot, b.corner);
                   });
  std::for_each(candidates.begin(), end,
                [&chosen](const Candidate& candidate) { chosen.push_back(candidate.corner); });
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// The corners that are asked on behalf of one shell.
struct Witnesses {
  std::uint32_t shell = 0;
  std::vector<std::uint32_t> corners;
};

/// Whom to ask: of each shell that has a volume.
std::vector<Witnesses> callWitnesses(const Mesh& mesh, const Topology& topology,
                                     const std::vector<Shell>& shells,
                                     const std::vector<std::uint32_t>& trianglesByShell,
                                     std::span<const std::uint32_t> meetingShells) {
  std::vector<Witnesses> all;
  std::vector<std::uint32_t> lastShell(topology.merged.count(), kNone);  // to take a corner
  for (std::uint32_t s = 0; s < shells.size(); ++s) {
    if (shells[s].volume == 0.0) continue;
    const bool meets = std::binary_search(meetingShells.begin(), meetingShells.end(), s);
    // the corners of a single triangle are not all shared with another shell, as a rule
    const std::uint32_t asked = meets ? shells[s].triangleCount : 1;
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t t :
         std::span(trianglesByShell).subspan(shells[s].firstTriangle, asked)) {
      for (const std::uint32_t corner : topology.triangles[t]) {
        if (lastShell[corner] == s) continue;
        lastShell[corner] = s;
        corners.push_back(corner);
      }
    }
    all.push_back({s, chosenOf(mesh, topology, std::move(corners))});
  }
  return all;
}

/// A corner that several shells may share, asked once for all of them.
struct Question {
  std::uint32_t corner = 0;
  std::uint32_t asker = kNone;  ///< the only shell that asks; kNone: several do
  bool asksOpen = false;        ///< of open shells, too
};

/// A shell that a corner is not outside of.
struct Stand {
  std::uint32_t shell = 0;
  bool isOn = false;  ///< neither inside, but on the surface
};

/// Of each shell that is balanced, or open if that is asked for; ascending.
std::vector<Stand> answer(const Mesh& mesh, const Topology& topology, const TriangleBvh& bvh,
                          const Parts& parts, const std::vector<Shell>& shells,
                          const Question& question) {
  if (bvh.nodes.empty()) return {};  // of a single shell
  struct Seen {
    std::uint32_t shell = 0;
    Crossing crossing;
  };
  std::vector<Seen> seen;
  const Eigen::Vector3d p =
      mesh.positions[topology.merged.firstVertex[question.corner]].cast<double>();
  const WayOut way = wayOut(bvh, p);
  double reach = std::numeric_limits<double>::infinity();
  alongRay(bvh, p, static_cast<double>(way.sign) * Eigen::Vector3d::Unit(way.axis), reach,
           [&](std::uint32_t t) {
             const std::uint32_t other = parts.ofTriangle[t];
             if (other == kNone || other == question.asker) return;
             if (!shells[other].isBalanced && !(question.asksOpen && shells[other].isOpen)) return;
             const Crossing crossing = crossingOf(mesh, mesh.triangles[t], p, way);
             if (crossing.winding != 0 || crossing.touches) seen.push_back({other, crossing});
           });
  std::sort(seen.begin(), seen.end(),
            [](const Seen& a, const Seen& b) { return a.shell < b.shell; });
  std::vector<Stand> stands;
  for (std::size_t first = 0, end = 0; first < seen.size(); first = end) {
    int winding = 0;
    bool touches = false;
    for (; end < seen.size() && seen[end].shell == seen[first].shell; ++end) {
      winding += seen[end].crossing.winding;
      touches = touches || seen[end].crossing.touches;
    }
    if (winding != 0 || touches) stands.push_back({seen[first].shell, touches});
  }
  return stands;
}

/// What all witnesses know, by corner.
class Answers {
 public:
  Answers(const Mesh& mesh, const Topology& topology, const TriangleBvh& bvh, const Parts& parts,
          const std::vector<Shell>& shells, const std::vector<Witnesses>& witnesses,
          unsigned threads)
      : number_(topology.merged.count(), kNone) {
    std::vector<Question> questions;
    for (const auto& [shell, corners] : witnesses) {
      for (const std::uint32_t corner : corners) {
        if (number_[corner] == kNone) {
          number_[corner] = static_cast<std::uint32_t>(questions.size());
          questions.push_back({corner, shell, shells[shell].isOpen});
        } else {
          Question& known = questions[number_[corner]];
          known.asker = kNone;
          known.asksOpen = known.asksOpen || shells[shell].isOpen;
        }
      }
    }
    // each question has a slot of its own, so the answers are the same for any `threads`
    stands_.resize(questions.size());
    parallelFor(questions.size(), kQuestionsPerBlock, threads,
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t q = begin; q < end; ++q)
                    stands_[q] = answer(mesh, topology, bvh, parts, shells, questions[q]);
                });
  }

  /// May hold the shells that ask, and open ones that one of them does not ask for.
  [[nodiscard]] std::span<const Stand> of(std::uint32_t corner) const {
    return stands_[number_[corner]];
  }

 private:
  std::vector<std::uint32_t> number_;  ///< of the question about a corner
  std::vector<std::vector<Stand>> stands_;
};

/// What the witnesses say of one shell.
struct Nesting {
  std::size_t containers = 0;   ///< balanced shells in which it lies
  bool reachesOutside = false;  ///< most of it lies in another one that it leaves
  bool isInOpen = false;        ///< it lies in an open one, which may or may not count
};

Nesting nestingOf(const Witnesses& witnesses, const Answers& answers,
                  const std::vector<Shell>& shells) {
  // only a shell in which a corner lies says anything; many may have corners on them
  std::vector<std::uint32_t> around;
  for (const std::uint32_t corner : witnesses.corners) {
    for (const Stand& stand : answers.of(corner)) {
      if (stand.isOn || stand.shell == witnesses.shell) continue;
      if (shells[stand.shell].isOpen && !shells[witnesses.shell].isOpen) continue;
      around.push_back(stand.shell);
    }
  }
  std::sort(around.begin(), around.end());
  Nesting nesting;
  for (std::size_t first = 0, end = 0; first < around.size(); first = end) {
    const std::uint32_t other = around[first];
    while (end < around.size() && around[end] == other)
      ++end;
    if (shells[other].isOpen) {
      nesting.isInOpen = true;
      continue;
    }
    const std::size_t inside = end - first;
    std::size_t outside = 0;
    for (const std::uint32_t corner : witnesses.corners) {
      const std::span<const Stand> stands = answers.of(corner);
      const auto stand =
          std::lower_bound(stands.begin(), stands.end(), other,
                           [](const Stand& s, std::uint32_t shell) { return s.shell < shell; });
      if (stand == stands.end() || stand->shell != other) ++outside;
    }
    if (outside == 0) ++nesting.containers;
    if (outside > 0 && inside > outside) nesting.reachesOutside = true;
  }
  return nesting;
}

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
  judgeOpenShells(mesh, topology, parts, triangles, shells);

  const std::vector<Witnesses> witnesses =
      callWitnesses(mesh, topology, shells, triangles, meetingShells);
  const Answers answers(mesh, topology, bvh, parts, shells, witnesses, threads);
  std::vector<Nesting> nestings(shells.size());
  for (const Witnesses& ofShell : witnesses)
    nestings[ofShell.shell] = nestingOf(ofShell, answers, shells);

  std::vector<ShellSide> sides(shells.size(), ShellSide::Unknown);
  for (std::size_t s = 0; s < shells.size(); ++s) {
    if (!shells[s].isBalanced && (!shells[s].isOpen || nestings[s].isInOpen)) continue;
    if (shells[s].volume == 0.0) {
      sides[s] = ShellSide::Flat;
      continue;
    }
    const bool pointsInward = shells[s].volume < 0.0;
    const bool isCavity = nestings[s].containers % 2 == 1;
    sides[s] = pointsInward == isCavity || nestings[s].reachesOutside ? ShellSide::Right
                                                                      : ShellSide::Inverted;
  }
  return sides;
}

}  // namespace tactus::models
