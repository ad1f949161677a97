#include "models/report/mesh_report.hpp"

#include <Eigen/Geometry>  // cross product
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "models/mesh/parallel_for.hpp"
#include "models/report/exact_predicates.hpp"
#include "models/report/self_intersection.hpp"
#include "models/report/shell_sides.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {
namespace {

constexpr std::size_t kTrianglesPerBlock = 16'384;

// A volume below this part of the diagonal's cube is rounding. A sheet of 1 m by 1 nm has 1e-9.
constexpr double kFlat = 1e-14;

// Of a sheet's extent. Floats bring a plane that is at a slant to 1e-7 of it.
constexpr double kLevel = 1e-6;

void note(Flaw& flaw, const Eigen::Vector3d& place) {
  ++flaw.count;
  if (flaw.places.size() < kReportedPlaces) flaw.places.push_back(place);
}

Eigen::Vector3d centreOf(const Mesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  return (mesh.position(t[0]) + mesh.position(t[1]) + mesh.position(t[2])) / 3.0;
}

void reportVertices(const Mesh& mesh, const Topology& topology, MeshReport& report) {
  report.triangles = mesh.triangles.size();
  report.vertices = mesh.positions.size();
  report.distinctVertices = topology.merged.count();
  report.mergedByRounding = mesh.mergedByRounding;
  report.bounds = mesh.bounds();
  std::vector<std::uint8_t> isUsed(mesh.positions.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t)
      isUsed[v] = 1;
  }
  report.unusedVertices =
      static_cast<std::size_t>(std::count(isUsed.begin(), isUsed.end(), std::uint8_t{0}));
}

void reportEdges(const Mesh& mesh, const Topology& topology, MeshReport& report) {
  report.closed = !topology.edges.empty();
  for (const Edge& edge : topology.edges) {
    if (topology.isPaired(edge)) continue;
    report.closed = false;
    const Eigen::Vector3d middle = 0.5 * (mesh.position(topology.merged.firstVertex[edge.low]) +
                                          mesh.position(topology.merged.firstVertex[edge.high]));
    if (edge.useCount == 1) {
      note(report.boundaryEdges, middle);
    } else if (edge.useCount == 2) {
      note(report.misorientedEdges, middle);
    } else {
      note(report.nonManifoldEdges, middle);
    }
  }
  if (report.boundaryEdges.count != 0) report.holes = boundaryLoops(topology).size();
}

void reportFans(const Mesh& mesh, const Topology& topology, MeshReport& report) {
  const std::vector<std::uint32_t> fans = fansOf(topology);
  for (std::size_t p = 0; p < fans.size(); ++p) {
    if (fans[p] > 1) {
      note(report.nonManifoldVertices, mesh.position(topology.merged.firstVertex[p]));
    }
  }
}

void reportDuplicates(const Mesh& mesh, const Topology& topology, MeshReport& report) {
  for (const Duplicate& duplicate : duplicatesIn(topology))
    note(report.duplicateTriangles, centreOf(mesh, duplicate.triangle));
}

void reportDegenerates(const Mesh& mesh, unsigned threads, MeshReport& report) {
  std::vector<std::vector<std::uint32_t>> blocks(mesh.triangles.size() / kTrianglesPerBlock + 1);
  parallelFor(mesh.triangles.size(), kTrianglesPerBlock, threads,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t t = begin; t < end; ++t) {
                  const Triangle& v = mesh.triangles[t];
                  if (projectionAxis(mesh.positions[v[0]].cast<double>(),
                                     mesh.positions[v[1]].cast<double>(),
                                     mesh.positions[v[2]].cast<double>()) < 0) {
                    blocks[begin / kTrianglesPerBlock].push_back(static_cast<std::uint32_t>(t));
                  }
                }
              });
  for (const auto& block : blocks) {
    for (const std::uint32_t t : block)
      note(report.degenerateTriangles, centreOf(mesh, t));
  }
}

/// Whether all triangles lie in the plane of the largest, within rounding.
bool isInOnePlane(const Mesh& mesh) {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  Eigen::Vector3d foot = Eigen::Vector3d::Zero();
  double reach = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
    const Eigen::Vector3d own =
        (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a);
    if (own.squaredNorm() > normal.squaredNorm()) {
      normal = own;
      foot = a;
    }
  }
  if (!(normal.norm() > 0.0)) return true;
  normal.normalize();
  double rise = 0.0;
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) {
      const Eigen::Vector3d from = mesh.positions[v].cast<double>() - foot;
      reach = std::max(reach, from.norm());
      rise = std::max(rise, std::fabs(from.dot(normal)));
    }
  }
  return rise <= kLevel * reach;
}

/// Where to look for a pair that meets: the middle of what their boxes have in common.
Eigen::Vector3d meetingPlace(const Mesh& mesh, const TrianglePair& pair) {
  const auto lowerUpper = [&](std::uint32_t triangle) {
    const Triangle& t = mesh.triangles[triangle];
    const Eigen::Vector3f &a = mesh.positions[t[0]], &b = mesh.positions[t[1]],
                          &c = mesh.positions[t[2]];
    return std::pair<Eigen::Vector3d, Eigen::Vector3d>(a.cwiseMin(b).cwiseMin(c).cast<double>(),
                                                       a.cwiseMax(b).cwiseMax(c).cast<double>());
  };
  const auto [lowerA, upperA] = lowerUpper(pair.first);
  const auto [lowerB, upperB] = lowerUpper(pair.second);
  return mesh.origin + 0.5 * (lowerA.cwiseMax(lowerB) + upperA.cwiseMin(upperB));
}

}  // namespace

MeshReport reportOn(const Mesh& mesh, unsigned threads) {
  MeshReport report;
  const Topology topology = topologyOf(mesh, threads);
  reportVertices(mesh, topology, report);
  reportEdges(mesh, topology, report);
  reportFans(mesh, topology, report);
  reportDuplicates(mesh, topology, report);
  reportDegenerates(mesh, threads, report);
  report.components = partsOf(topology, Joint::AnyEdge).count;

  const TriangleBvh bvh = buildTriangleBvh(mesh, threads);
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  const SelfIntersections meetings = selfIntersections(mesh, topology, bvh, shells.ofTriangle,
                                                       {.firstPairs = kReportedPlaces}, threads);
  report.selfIntersections.count = meetings.pairs;
  report.selfIntersectionsComplete = meetings.isComplete;
  for (const TrianglePair& pair : meetings.first) {
    report.selfIntersections.places.push_back(meetingPlace(mesh, pair));
  }

  const std::vector<ShellSide> sides =
      shellSides(mesh, topology, bvh, shells, meetings.meetingShells, threads);
  report.invertedComponents =
      static_cast<std::size_t>(std::count(sides.begin(), sides.end(), ShellSide::Inverted));
  const bool isWrong = report.components == 0 || report.misorientedEdges.count != 0 ||
                       report.invertedComponents != 0;
  report.orientationKnown =
      isWrong || std::find(sides.begin(), sides.end(), ShellSide::Unknown) == sides.end();
  report.outwardOriented = !isWrong && report.orientationKnown;

  // where the surface meets itself, the walls of one part may be inside another
  if (report.closed && !report.mayOverlap()) {
    std::vector<std::uint8_t> isInverted(mesh.triangles.size(), 0);
    for (std::size_t t = 0; t < isInverted.size(); ++t) {
      const std::uint32_t shell = shells.ofTriangle[t];
      if (shell != kNone && sides[shell] == ShellSide::Inverted) isInverted[t] = 1;
    }
    const Thickness thickness = leastThickness(mesh, topology, bvh, isInverted, threads);
    report.thicknessSource = thickness.source;
    report.thicknessKnown = thickness.source != ThicknessSource::Unknown;
    report.minThickness = thickness.least;
    report.thinnestPlace = thickness.place;
  }
  report.mass = massProperties(mesh, threads);
  report.signedVolume = report.mass.volume;
  report.solidity = solidityOf(mesh, topology, report.mass);
  report.isSheet = report.solidity == Solidity::Open && isInOnePlane(mesh);
  if (report.solidity == Solidity::Solid && !report.isClean()) {
    const SolidMass solid = solidMass(mesh, topology, threads);
    report.mass = solid.mass;
    report.volumeError = solid.volumeError;
    // its search may have found what no line has met
    if (report.mayOverlap()) report.volumeError += solid.resolution;
    if (report.isFlat()) report.mass.volume = report.signedVolume = report.volumeError = 0.0;
  }
  return report;
}

bool MeshReport::isFlat() const noexcept {
  const double diagonal = bounds.diagonal();
  return solidity == Solidity::Solid && mass.volume <= kFlat * diagonal * diagonal * diagonal;
}

}  // namespace tactus::models
