#include "models/report/duplicates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "models/report/topology.hpp"

namespace tactus::models {
namespace {

/// Triangles on the same three corners.
struct Pile {
  std::vector<std::uint32_t> forward, backward;  ///< by orientation; ascending
  std::uint32_t sheet = kNone;  ///< set of piles it belongs to, if both are equally many
  bool isWhole = false;         ///< all that prevail are needed, not only one of them

  [[nodiscard]] bool isBalanced() const noexcept { return forward.size() == backward.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& prevailing() const noexcept {
    return forward.size() > backward.size() ? forward : backward;
  }
  /// How many more run the one way than the other.
  [[nodiscard]] std::size_t excess() const noexcept {
    return std::max(forward.size(), backward.size()) - std::min(forward.size(), backward.size());
  }
  /// Of a pile that is not balanced.
  [[nodiscard]] std::size_t keptCount() const noexcept { return isWhole ? excess() : 1; }
};

/// The corners in ascending order.
Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

/// Whether the corners run upward, but for one step back.
bool runsForward(const Triangle& t) {
  return static_cast<int>(t[0] < t[1]) + static_cast<int>(t[1] < t[2]) +
             static_cast<int>(t[2] < t[0]) ==
         2;
}

/// Triangles that share all three corners with another: on their edges two uses have one apex.
std::vector<std::uint32_t> suspects(const Topology& topology) {
  std::vector<std::uint32_t> found;
  std::vector<std::array<std::uint32_t, 2>> apexes;  // apex, triangle
  for (const Edge& edge : topology.edges) {
    if (edge.useCount < 2) continue;
    apexes.clear();
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t side = topology.uses[edge.firstUse + u];
      apexes.push_back({topology.triangles[side / 3][(side + 2) % 3], side / 3});
    }
    std::sort(apexes.begin(), apexes.end());
    for (std::size_t i = 1; i < apexes.size(); ++i) {
      if (apexes[i - 1][0] != apexes[i][0]) continue;
      found.push_back(apexes[i - 1][1]);
      found.push_back(apexes[i][1]);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

class Piles {
 public:
  explicit Piles(const Topology& topology) : topology_(topology) {}

  /// Marks in `isDropped` what goes.
  DroppedDuplicates decide(std::vector<std::uint8_t>& isDropped) {
    collect();
    if (piles_.empty()) return {};
    keepWhatBalances();
    joinSheets();
    judgeSheets();
    DroppedDuplicates dropped;
    for (const Pile& pile : piles_) {
      for (const auto* side : {&pile.forward, &pile.backward}) {
        for (const std::uint32_t t : *side)
          isDropped[t] = 1;
      }
      const std::size_t all = pile.forward.size() + pile.backward.size();
      if (pile.isBalanced()) {
        const std::uint32_t kept = keptOf(pile);
        if (kept != kNone) isDropped[kept] = 0;
        (kept == kNone ? dropped.sheets : dropped.copies) += all - (kept == kNone ? 0 : 1);
        continue;
      }
      for (std::size_t i = 0; i < pile.keptCount(); ++i)
        isDropped[pile.prevailing()[i]] = 0;
      dropped.copies += all - pile.keptCount();
      dropped.needed += pile.keptCount() - 1;
    }
    return dropped;
  }

 private:
  struct Sheet {
    bool isNeeded = false;    ///< an edge around it has an odd number of other triangles
    bool isAttached = false;  ///< an edge of it has other triangles
    bool isClosed = true;     ///< each edge has an even number of its piles
  };

  void collect() {
    pileOf_.assign(topology_.triangles.size(), kNone);
    std::vector<std::uint32_t> order = suspects(topology_);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sorted(topology_.triangles[a]) < sorted(topology_.triangles[b]);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Triangle& t = topology_.triangles[order[i]];
      if (i == 0 || sorted(t) != sorted(topology_.triangles[order[i - 1]])) piles_.emplace_back();
      (runsForward(t) ? piles_.back().forward : piles_.back().backward).push_back(order[i]);
      pileOf_[order[i]] = static_cast<std::uint32_t>(piles_.size() - 1);
    }
  }

  /// How often more an edge is run up than down.
  struct Balance {
    std::int64_t before = 0, after = 0;

    [[nodiscard]] bool isWorse() const noexcept { return std::abs(after) > std::abs(before); }
  };
  [[nodiscard]] Balance balanceOn(const Edge& edge) const {
    Balance balance;
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t side = topology_.uses[edge.firstUse + u];
      const std::int64_t way = topology_.runsUp(side) ? 1 : -1;
      balance.before += way;
      const std::uint32_t p = pileOf_[side / 3];
      if (p == kNone) {
        balance.after += way;
      } else if (!piles_[p].isBalanced() && piles_[p].prevailing().front() == side / 3) {
        balance.after += way * static_cast<std::int64_t>(piles_[p].keptCount());
      }
    }
    return balance;
  }

  [[nodiscard]] bool closesOnAllSides(std::uint32_t triangle) const {
    for (std::uint32_t side = 3 * triangle; side < 3 * triangle + 3; ++side) {
      if (balanceOn(topology_.edges[topology_.edgeOfSide[side]]).before != 0) return false;
    }
    return true;
  }

  /// Where two bodies have a face in common the edges around it need both copies, and close by
  /// them. A pile that keeps them may need its neighbour to do so, too, so this goes on from edge
  /// to edge.
  void keepWhatBalances() {
    std::vector<std::uint32_t> edges;
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e) {
      if (topology_.edges[e].useCount > 2) edges.push_back(e);
    }
    while (!edges.empty()) {
      const Edge& edge = topology_.edges[edges.back()];
      edges.pop_back();
      if (!balanceOn(edge).isWorse()) continue;
      for (std::uint32_t u = 0; u < edge.useCount; ++u) {
        const std::uint32_t triangle = topology_.uses[edge.firstUse + u] / 3;
        if (pileOf_[triangle] == kNone) continue;
        Pile& pile = piles_[pileOf_[triangle]];
        if (pile.isWhole || pile.excess() < 2 || !closesOnAllSides(triangle)) continue;
        pile.isWhole = true;
        for (std::uint32_t side = 3 * triangle; side < 3 * triangle + 3; ++side)
          edges.push_back(topology_.edgeOfSide[side]);
      }
    }
  }

  /// What is on the edge, each pile counted as often as it stays. Piles of sheets apart from all
  /// else.
  struct OnEdge {
    std::vector<std::uint32_t> sheetPiles;
    std::size_t others = 0;
  };
  [[nodiscard]] OnEdge onEdge(const Edge& edge) const {
    OnEdge on;
    std::vector<std::uint32_t> solidPiles;
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t pile = pileOf_[topology_.uses[edge.firstUse + u] / 3];
      if (pile == kNone) {
        ++on.others;
      } else {
        (piles_[pile].isBalanced() ? on.sheetPiles : solidPiles).push_back(pile);
      }
    }
    for (auto* piles : {&on.sheetPiles, &solidPiles}) {
      std::sort(piles->begin(), piles->end());
      piles->erase(std::unique(piles->begin(), piles->end()), piles->end());
    }
    for (const std::uint32_t pile : solidPiles)
      on.others += piles_[pile].keptCount();
    return on;
  }

  /// Balanced piles that share an edge with nothing else on it are one sheet.
  void joinSheets() {
    std::vector<std::uint32_t> parent(piles_.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto find = [&parent](std::uint32_t p) {
      while (parent[p] != p)
        p = parent[p] = parent[parent[p]];
      return p;
    };
    for (const Edge& edge : topology_.edges) {
      if (edge.useCount < 4) continue;
      const OnEdge on = onEdge(edge);
      if (on.others > 0) continue;
      for (std::size_t i = 1; i < on.sheetPiles.size(); ++i) {
        const std::uint32_t a = find(on.sheetPiles[0]);
        const std::uint32_t b = find(on.sheetPiles[i]);
        parent[std::max(a, b)] = std::min(a, b);
      }
    }
    for (std::uint32_t p = 0; p < piles_.size(); ++p) {
      if (piles_[p].isBalanced()) piles_[p].sheet = find(p);
    }
  }

  void judgeSheets() {
    sheets_.assign(piles_.size(), {});
    for (const Edge& edge : topology_.edges) {
      if (edge.useCount < 2) continue;
      const OnEdge on = onEdge(edge);
      for (const std::uint32_t pile : on.sheetPiles) {
        Sheet& sheet = sheets_[piles_[pile].sheet];
        sheet.isAttached = sheet.isAttached || on.others > 0;
        sheet.isNeeded = sheet.isNeeded || on.others % 2 != 0;
        sheet.isClosed = sheet.isClosed && on.sheetPiles.size() % 2 == 0;
      }
    }
    isAllSheet_ = true;
    for (std::size_t t = 0; t < pileOf_.size() && isAllSheet_; ++t) {
      isAllSheet_ =
          topology_.isCollapsed(t) || (pileOf_[t] != kNone && piles_[pileOf_[t]].isBalanced());
    }
  }

  /// The one triangle of the balanced pile that stays, or kNone.
  [[nodiscard]] std::uint32_t keptOf(const Pile& pile) const {
    const Sheet& sheet = sheets_[pile.sheet];
    const bool stays = sheet.isNeeded || (!sheet.isAttached && (sheet.isClosed || isAllSheet_));
    if (!stays) return kNone;
    const std::uint32_t forward = pile.forward.front();
    const std::uint32_t backward = pile.backward.front();
    const int votes = votesFor(forward);
    return votes > 0 || (votes == 0 && forward < backward) ? forward : backward;
  }

  /// Neighbours outside of piles that run against the triangle on their edge, less those with it.
  [[nodiscard]] int votesFor(std::uint32_t triangle) const {
    int votes = 0;
    for (std::uint32_t side = 3 * triangle; side < 3 * triangle + 3; ++side) {
      const Edge& edge = topology_.edges[topology_.edgeOfSide[side]];
      for (std::uint32_t u = 0; u < edge.useCount; ++u) {
        const std::uint32_t other = topology_.uses[edge.firstUse + u];
        if (pileOf_[other / 3] != kNone) continue;
        votes += topology_.runsUp(other) != topology_.runsUp(side) ? 1 : -1;
      }
    }
    return votes;
  }

  const Topology& topology_;
  std::vector<std::uint32_t> pileOf_;
  std::vector<Pile> piles_;
  std::vector<Sheet> sheets_;
  bool isAllSheet_ = false;
};

}  // namespace

DroppedDuplicates dropDuplicates(Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  std::vector<std::uint8_t> isDropped(mesh.triangles.size(), 0);
  const DroppedDuplicates dropped = Piles(topology).decide(isDropped);
  if (dropped.any()) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (isDropped[t] == 0) mesh.triangles[kept++] = mesh.triangles[t];
    }
    mesh.triangles.resize(kept);
  }
  return dropped;
}

}  // namespace tactus::models
