#include "collision/surface/sheet_sides.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "models/report/self_intersection.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using models::Edge;
using models::kNone;
using models::Mesh;
using models::Topology;

// Two meshes in each other meet in a few pairs a triangle along a line; with more on average nearly
// every triangle is in some of them, and the list would be longer than the mesh.
constexpr std::size_t kMostMeetings = 4;

// Above a triangle, in roots of its area: first as far as this, then nearer and nearer, until the
// triangle is what is closest.
constexpr double kFirstHeight = 0.1;
constexpr int kHeights = 12;

// Winding numbers of closed meshes are integers to 0.02.
constexpr double kInteger = 0.1;

bool isClosed(const Topology& topology) {
  return std::ranges::all_of(topology.edges, [&](const Edge& edge) {
    return 2 * topology.upwardUses(edge) == edge.useCount;
  });
}

/// The vector along the normal that is twice as long as the area.
Vector3d areaVector(const Mesh& mesh, std::size_t triangle) {
  const models::Triangle& t = mesh.triangles[triangle];
  const Vector3d a = mesh.positions[t[0]].cast<double>();
  return (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a);
}

bool isSliver(const Mesh& mesh, std::size_t triangle) {
  const models::Triangle& t = mesh.triangles[triangle];
  const Vector3d a = mesh.positions[t[0]].cast<double>();
  const double ab = (mesh.positions[t[1]].cast<double>() - a).squaredNorm();
  const double ac = (mesh.positions[t[2]].cast<double>() - a).squaredNorm();
  return !(areaVector(mesh, triangle).squaredNorm() > kSliver * ab * ac);
}

/// 1 for triangles of a sheet.
std::vector<std::uint8_t> inSheets(const Mesh& mesh, const Topology& topology,
                                   const std::vector<models::TrianglePair>& meetings) {
  std::vector<std::uint8_t> isGood(mesh.triangles.size(), 1);
  for (const auto& [i, j] : meetings) {
    isGood[i] = 0;
    isGood[j] = 0;
  }
  for (std::size_t t = 0; t < isGood.size(); ++t) {
    for (std::size_t k = 0; k < 3 && isGood[t] != 0; ++k) {
      const std::uint32_t edge = topology.edgeOfSide[3 * t + k];
      if (edge == kNone || !topology.isPaired(topology.edges[edge])) isGood[t] = 0;
    }
    if (isGood[t] != 0 && isSliver(mesh, t)) isGood[t] = 0;
  }
  return isGood;
}

/// The winding number close above a triangle, if it can be told.
std::optional<double> windingAbove(const Mesh& mesh, std::size_t triangle, const SurfaceTree& tree,
                                   const models::WindingNumber& winding) {
  const models::Triangle& t = mesh.triangles[triangle];
  const Vector3d area = areaVector(mesh, triangle);
  const Vector3d middle =
      (mesh.positions[t[0]].cast<double>() + mesh.positions[t[1]].cast<double>() +
       mesh.positions[t[2]].cast<double>()) /
      3.0;
  // the vector is as long as a square of twice the area: scaled by its root it is a length
  const Vector3d up = area / std::sqrt(area.norm());
  double height = kFirstHeight;
  for (int k = 0; k < kHeights; ++k, height *= 0.25) {
    const Vector3d point = middle + height * up;
    if (tree.closest(point, std::numeric_limits<double>::infinity()).triangle != triangle) continue;
    const double number = winding.at(mesh.origin + point);
    if (std::fabs(number - std::round(number)) < kInteger) return std::round(number);
  }
  return std::nullopt;
}

SheetSides sidesOf(double windingAbove) {
  if (windingAbove > 0.5) return SheetSides::Inside;
  return windingAbove > -0.5 ? SheetSides::InsideBehind : SheetSides::Outside;
}

/// Which edges and corners are within a sheet.
void findFeatures(const Topology& topology, SheetSidesOfMesh& result) {
  const auto isKnown = [&](std::uint32_t side) {
    return result.ofTriangle[side / 3] != SheetSides::Unknown;
  };
  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const Edge& edge = topology.edges[e];
    result.isEdgeOfSheet[e] = 1;
    for (std::size_t use = 0; use < edge.useCount; ++use) {
      if (!isKnown(topology.uses[edge.firstUse + use])) result.isEdgeOfSheet[e] = 0;
    }
  }
  const std::vector<std::uint32_t> fans = models::fansOf(topology);
  for (std::size_t corner = 0; corner < fans.size(); ++corner)
    result.isCornerOfSheet[corner] = fans[corner] == 1 ? 1 : 0;
  for (std::size_t t = 0; t < result.ofTriangle.size(); ++t) {
    if (result.ofTriangle[t] != SheetSides::Unknown) continue;
    for (const std::uint32_t corner : topology.triangles[t])
      result.isCornerOfSheet[corner] = 0;
  }
}

}  // namespace

SheetSidesOfMesh sheetSides(const Mesh& mesh, const Topology& topology, const SurfaceTree& tree,
                            const models::WindingNumber& winding, unsigned threads) {
  const std::size_t count = mesh.triangles.size();
  SheetSidesOfMesh result{std::vector<SheetSides>(count, SheetSides::Unknown),
                          std::vector<std::uint8_t>(topology.edges.size(), 0),
                          std::vector<std::uint8_t>(topology.merged.count(), 0)};
  std::vector<SheetSides>& sides = result.ofTriangle;
  if (!isClosed(topology)) return result;
  const models::SelfIntersections meetings =
      models::selfIntersections(mesh, topology, models::buildTriangleBvh(mesh, threads), {},
                                {.firstPairs = kMostMeetings * count}, threads);
  if (!meetings.isComplete || meetings.pairs > meetings.first.size()) return result;

  const std::vector<std::uint8_t> isGood = inSheets(mesh, topology, meetings.first);
  std::vector<std::uint8_t> wasSeen(count, 0);
  std::vector<std::uint32_t> sheet;
  for (std::size_t begin = 0; begin < count; ++begin) {
    if (isGood[begin] == 0 || wasSeen[begin] != 0) continue;
    sheet.assign(1, static_cast<std::uint32_t>(begin));
    wasSeen[begin] = 1;
    for (std::size_t next = 0; next < sheet.size(); ++next) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Edge& edge = topology.edges[topology.edgeOfSide[3 * std::size_t{sheet[next]} + k]];
        for (std::size_t use = 0; use < edge.useCount; ++use) {
          const std::uint32_t other = topology.uses[edge.firstUse + use] / 3;
          if (isGood[other] == 0 || wasSeen[other] != 0) continue;
          wasSeen[other] = 1;
          sheet.push_back(other);
        }
      }
    }
    const std::uint32_t largest = *std::ranges::max_element(sheet, {}, [&](std::uint32_t triangle) {
      return areaVector(mesh, triangle).squaredNorm();
    });
    const std::optional<double> above = windingAbove(mesh, largest, tree, winding);
    if (!above) continue;
    for (const std::uint32_t triangle : sheet)
      sides[triangle] = sidesOf(*above);
  }
  findFeatures(topology, result);
  return result;
}

}  // namespace tactus::collision
