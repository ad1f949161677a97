#include "models/report/duplicates.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "models/report/topology.hpp"

namespace tactus::models {
namespace {

/// Triangles on the same three corners.
struct Pile {
  std::vector<std::uint32_t> forward, backward;  ///< by orientation; ascending
  std::uint32_t sheet = kNone;  ///< set of piles it belongs to, if both are equally many

  [[nodiscard]] bool isBalanced() const noexcept { return forward.size() == backward.size(); }
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
    joinSheets();
    judgeSheets();
    DroppedDuplicates dropped;
    for (const Pile& pile : piles_) {
      const std::uint32_t kept = keptOf(pile);
      const bool isSheet = kept == kNone;
      for (const auto* side : {&pile.forward, &pile.backward}) {
        for (const std::uint32_t t : *side) {
          if (t == kept) continue;
          isDropped[t] = 1;
          ++(isSheet ? dropped.sheets : dropped.copies);
        }
      }
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

  /// What is on the edge, each pile counted once. Piles of sheets apart from all else.
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
    on.others += solidPiles.size();
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

  /// The one triangle of the pile that stays, or kNone.
  [[nodiscard]] std::uint32_t keptOf(const Pile& pile) const {
    if (!pile.isBalanced()) {
      return pile.forward.size() > pile.backward.size() ? pile.forward.front()
                                                        : pile.backward.front();
    }
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
