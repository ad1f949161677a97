#include "models/report/dangling_sheets.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/report/topology.hpp"

namespace tactus::models {
namespace {

struct Sheet {
  bool hasFreeRim = false;
  bool stands = false;     ///< on an edge with an odd number of triangles
  bool isNeeded = false;   ///< by an edge that would not be even without it
  bool isSmallest = true;  ///< of the shells on each of its edges
  bool hasBody = true;     ///< each of its edges has a shell that could be no fin
  double area = 0.0;

  [[nodiscard]] bool couldBeFin() const noexcept { return hasFreeRim && stands && !isNeeded; }
  [[nodiscard]] bool isFin() const noexcept { return couldBeFin() && isSmallest && hasBody; }
};

/// The shells on an edge, ascending, each as often as it uses it.
std::vector<std::uint32_t> shellsOn(const Topology& topology, const Parts& shells,
                                    const Edge& edge) {
  std::vector<std::uint32_t> on;
  on.reserve(edge.useCount);
  for (std::uint32_t u = 0; u < edge.useCount; ++u) {
    on.push_back(shells.ofTriangle[topology.uses[edge.firstUse + u] / 3]);
  }
  std::sort(on.begin(), on.end());
  return on;
}

double areaOf(const Mesh& mesh, const Triangle& t) {
  const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
  const Eigen::Vector3d b = mesh.positions[t[1]].cast<double>() - a;
  const Eigen::Vector3d c = mesh.positions[t[2]].cast<double>() - a;
  return b.cross(c).norm();
}

void judge(const Topology& topology, const Parts& shells, std::vector<Sheet>& sheets) {
  for (const Edge& edge : topology.edges) {
    if (edge.useCount == 2) continue;
    const std::vector<std::uint32_t> on = shellsOn(topology, shells, edge);
    if (on.size() == 1) {
      sheets[on[0]].hasFreeRim = true;
      continue;
    }
    for (auto first = on.begin(); first != on.end();) {
      const auto end = std::upper_bound(first, on.end(), *first);
      if (on.size() % 2 != 0 && (end - first) % 2 != 0) {
        sheets[*first].stands = true;
      } else if ((end - first) % 2 != 0) {
        sheets[*first].isNeeded = true;
      }
      first = end;
    }
  }
}

/// Rules out shells that share an edge with a smaller one, because what is larger is the body, and
/// those on an edge where all are alike.
void compare(const Topology& topology, const Parts& shells, std::vector<Sheet>& sheets) {
  for (const Edge& edge : topology.edges) {
    if (edge.useCount < 3) continue;
    const std::vector<std::uint32_t> on = shellsOn(topology, shells, edge);
    const std::uint32_t smallest = *std::min_element(
        on.begin(), on.end(),
        [&sheets](std::uint32_t a, std::uint32_t b) { return sheets[a].area < sheets[b].area; });
    for (const std::uint32_t shell : on) {
      if (shell != smallest) sheets[shell].isSmallest = false;
    }
    const bool areAlike = std::all_of(on.begin(), on.end(), [&sheets](std::uint32_t shell) {
      return sheets[shell].couldBeFin();
    });
    if (!areAlike) continue;
    for (const std::uint32_t shell : on)
      sheets[shell].hasBody = false;
  }
}

}  // namespace

DroppedSheets dropDanglingSheets(Mesh& mesh) {
  DroppedSheets dropped;
  const Topology topology = topologyOf(mesh);
  const bool isManifold = std::none_of(topology.edges.begin(), topology.edges.end(),
                                       [](const Edge& edge) { return edge.useCount > 2; });
  if (isManifold) return dropped;
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  std::vector<Sheet> sheets(shells.count);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (shells.ofTriangle[t] == kNone) continue;
    sheets[shells.ofTriangle[t]].area += areaOf(mesh, mesh.triangles[t]);
  }
  judge(topology, shells, sheets);
  compare(topology, shells, sheets);

  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t shell = shells.ofTriangle[t];
    if (shell != kNone && sheets[shell].isFin()) {
      ++dropped.triangles;
    } else {
      mesh.triangles[kept++] = mesh.triangles[t];
    }
  }
  mesh.triangles.resize(kept);
  dropped.sheets = static_cast<std::size_t>(std::count_if(
      sheets.begin(), sheets.end(), [](const Sheet& sheet) { return sheet.isFin(); }));
  dropped.undecided =
      static_cast<std::size_t>(std::count_if(sheets.begin(), sheets.end(), [](const Sheet& sheet) {
        return sheet.couldBeFin() && !sheet.hasBody;
      }));
  return dropped;
}

}  // namespace tactus::models
