#include "models/report/shell_orientation.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "models/report/orientation.hpp"
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

void turn(Mesh& mesh, const std::vector<std::uint8_t>& isTurned) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (isTurned[t] != 0) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  }
}

}  // namespace

Oriented orientShells(Mesh& mesh, unsigned threads) {
  Topology topology = topologyOf(mesh, threads);
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  const Agreement agreement = spreadAgreement(topology, shells);
  std::vector<std::uint8_t> isTurned = agreement.isTurned;

  std::vector<std::size_t> turned(shells.count, 0);
  std::vector<std::size_t> total(shells.count, 0);
  for (std::size_t t = 0; t < isTurned.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell == kNone) continue;
    ++total[shell];
    if (isTurned[t] != 0) ++turned[shell];
  }
  bool isChanged = false;
  for (std::size_t t = 0; t < isTurned.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell == kNone) continue;
    if (2 * turned[shell] > total[shell]) isTurned[t] ^= 1U;
    if (agreement.isOneSided[shell] != 0) isTurned[t] = 0;
    isChanged = isChanged || isTurned[t] != 0;
  }
  if (isChanged) {
    turn(mesh, isTurned);
    topology = topologyOf(mesh, threads);
  }

  // One shell can lie in no other. Where there are more, all may meet: then a shell is a cavity if
  // all corners asked are inside, which for shells that do not meet is the same as for one corner.
  const TriangleBvh bvh = shells.count > 1 ? buildTriangleBvh(mesh, threads) : TriangleBvh();
  std::vector<std::uint32_t> all(shells.count);
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<ShellSide> sides = shellSides(mesh, topology, bvh, shells, all, threads);
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
