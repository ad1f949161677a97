#include "models/report/shell_orientation.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "models/report/shell_sides.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {
namespace {

/// Whether each triangle is to be turned so that it agrees with the first one of its shell.
struct Agreement {
  std::vector<std::uint8_t> isTurned;
  std::vector<std::uint8_t> isOneSided;  ///< by shell
};

Agreement spreadAgreement(const Topology& topology, const Parts& shells) {
  Agreement agreement;
  agreement.isTurned.assign(topology.triangles.size(), 0);
  agreement.isOneSided.assign(shells.count, 0);
  std::vector<std::uint8_t> isReached(topology.triangles.size(), 0);
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t first = 0; first < topology.triangles.size(); ++first) {
    if (isReached[first] != 0 || shells.ofTriangle[first] == kNone) continue;
    isReached[first] = 1;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const std::uint32_t t = waiting.back();
      waiting.pop_back();
      for (std::uint32_t side = 3 * t; side < 3 * t + 3; ++side) {
        const Edge& edge = topology.edges[topology.edgeOfSide[side]];
        if (edge.useCount != 2) continue;
        const std::uint32_t otherSide = topology.uses[edge.firstUse] == side
                                            ? topology.uses[edge.firstUse + 1]
                                            : topology.uses[edge.firstUse];
        const std::uint32_t other = otherSide / 3;
        const bool disagrees = topology.runsUp(side) == topology.runsUp(otherSide);
        const bool isTurned = (agreement.isTurned[t] != 0) != disagrees;
        if (isReached[other] == 0) {
          isReached[other] = 1;
          agreement.isTurned[other] = static_cast<std::uint8_t>(isTurned);
          waiting.push_back(other);
        } else if ((agreement.isTurned[other] != 0) != isTurned) {
          agreement.isOneSided[shells.ofTriangle[t]] = 1;
        }
      }
    }
  }
  return agreement;
}

/// Two shells that meet along a rim, and whether one is to be turned for the rim to run one way.
struct RimLink {
  std::uint32_t other = 0;
  bool disagrees = false;
};

/// Shells that take turns along the rim of one hole belong to one surface, of which the hole has
/// cut the connection: a lid can join them only if all edges of the rim run the same way round.
std::vector<std::vector<RimLink>> linksAlongRims(const Topology& topology, const Parts& shells,
                                                 const Agreement& agreement) {
  std::vector<std::vector<RimLink>> links(shells.count);
  const std::vector<BoundaryLoop> loops = boundaryLoops(topology);
  const std::vector<std::uint8_t> isArbitrary = arbitraryLoops(topology, shells, loops);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const BoundaryLoop& loop = loops[l];
    if (!loop.isClosed || isArbitrary[l] != 0) continue;
    const std::size_t n = loop.positions.size();
    // of each edge the shell, and whether the shell's own agreement runs along the loop
    std::vector<std::pair<std::uint32_t, bool>> runs;
    runs.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t from = loop.positions[i];
      const Edge& edge = topology.edges[topology.edgeBetween(from, loop.positions[(i + 1) % n])];
      const std::uint32_t side = topology.uses[edge.firstUse];
      const bool runsAlong = topology.startOf(side) == from;
      runs.emplace_back(shells.ofTriangle[side / 3],
                        runsAlong != (agreement.isTurned[side / 3] != 0));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto& [shell, runsAlong] = runs[i];
      const auto& [next, nextRunsAlong] = runs[(i + 1) % n];
      if (shell == next) continue;
      links[shell].push_back({next, runsAlong != nextRunsAlong});
      links[next].push_back({shell, runsAlong != nextRunsAlong});
    }
  }
  return links;
}

/// Joins shells along rims and turns each group to the side that most of its triangles had.
void settle(const Topology& topology, const Parts& shells, Agreement& agreement) {
  std::vector<std::size_t> turned(shells.count, 0);
  std::vector<std::size_t> total(shells.count, 0);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell == kNone) continue;
    ++total[shell];
    if (agreement.isTurned[t] != 0) ++turned[shell];
  }

  const std::vector<std::vector<RimLink>> links = linksAlongRims(topology, shells, agreement);
  std::vector<std::uint8_t> turnsShell(shells.count, 0);
  std::vector<std::uint8_t> isReached(shells.count, 0);
  for (std::uint32_t first = 0; first < shells.count; ++first) {
    if (isReached[first] != 0 || agreement.isOneSided[first] != 0) continue;
    std::vector<std::uint32_t> group{first};
    isReached[first] = 1;
    std::size_t groupTotal = 0;
    std::size_t groupTurned = 0;
    for (std::size_t g = 0; g < group.size(); ++g) {
      const std::uint32_t shell = group[g];
      groupTotal += total[shell];
      groupTurned += turnsShell[shell] != 0 ? total[shell] - turned[shell] : turned[shell];
      for (const RimLink& link : links[shell]) {
        if (isReached[link.other] != 0 || agreement.isOneSided[link.other] != 0) continue;
        isReached[link.other] = 1;
        turnsShell[link.other] =
            static_cast<std::uint8_t>((turnsShell[shell] != 0) != link.disagrees);
        group.push_back(link.other);
      }
    }
    if (2 * groupTurned <= groupTotal) continue;
    for (const std::uint32_t shell : group)
      turnsShell[shell] ^= 1U;
  }

  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell == kNone) continue;
    agreement.isTurned[t] =
        agreement.isOneSided[shell] != 0
            ? std::uint8_t{0}
            : static_cast<std::uint8_t>(agreement.isTurned[t] ^ turnsShell[shell]);
  }
}

void turn(Mesh& mesh, const std::vector<std::uint8_t>& isTurned) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (isTurned[t] != 0) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  }
}

}  // namespace

Oriented orientShells(Mesh& mesh, unsigned threads) {
  Topology topology = topologyOf(mesh, threads);
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  Agreement agreement = spreadAgreement(topology, shells);
  settle(topology, shells, agreement);
  std::vector<std::uint8_t>& isTurned = agreement.isTurned;
  if (std::find(isTurned.begin(), isTurned.end(), 1) != isTurned.end()) {
    turn(mesh, isTurned);
    topology = topologyOf(mesh, threads);
  }

  // One shell can lie in no other. Where there are more, all may meet; for those that do not, many
  // corners say the same as one.
  const TriangleBvh bvh = shells.count > 1 ? buildTriangleBvh(mesh, threads) : TriangleBvh();
  std::vector<std::uint32_t> mayMeet(shells.count > 1 ? shells.count : 0);
  std::iota(mayMeet.begin(), mayMeet.end(), 0U);
  const std::vector<ShellSide> sides = shellSides(mesh, topology, bvh, shells, mayMeet, threads);
  std::vector<std::uint8_t> isInverted(mesh.triangles.size(), 0);
  for (std::size_t t = 0; t < isInverted.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell == kNone || sides[shell] != ShellSide::Inverted) continue;
    isInverted[t] = 1;
    isTurned[t] ^= 1U;
  }
  turn(mesh, isInverted);

  Oriented oriented;
  std::vector<std::uint8_t> isTouched(shells.count, 0);
  for (std::size_t t = 0; t < isTurned.size(); ++t) {
    if (isTurned[t] == 0) continue;
    ++oriented.triangles;
    isTouched[shells.ofTriangle[t]] = 1;
  }
  oriented.shells = static_cast<std::size_t>(std::count(isTouched.begin(), isTouched.end(), 1));
  oriented.oneSided = static_cast<std::size_t>(
      std::count(agreement.isOneSided.begin(), agreement.isOneSided.end(), 1));
  return oriented;
}

}  // namespace tactus::models
