#include "models/sculpt/sculpture_mesher.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/report/self_intersection.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"
#include "models/sculpt/distance_program.hpp"
#include "models/sculpt/edge_lengths.hpp"
#include "models/sculpt/remeshing.hpp"
#include "models/sculpt/surface_extraction.hpp"
#include "models/sculpt/surface_projection.hpp"
#include "models/sculpt/untangling.hpp"

namespace tactus::models {
namespace {

// Triangles per area of one squared cell edge: two for each grid edge that the surface crosses, of
// which a surface facing all ways crosses 3/2.
constexpr double kTrianglesPerCell = 3.0;

// Squared edge of an equilateral triangle over its area.
constexpr double kEdgePerTriangle = 2.309401076758503;

// The first look at a sculpture, to learn its area: cells across the box's diagonal.
constexpr double kFirstCells = 128.0;

// The grid gives this many times the triangles that are wanted: the shortest edges then go, which
// evens the mesh out.
constexpr double kSurplus = 1.2;

// The thinnest stroke is cut by this many cells across its radius, but no cell is smaller than this
// part of the diagonal for its sake.
constexpr double kCellsPerRadius = 2.0;
constexpr double kFinestForThin = 1.0 / 400.0;

// Curvature is looked for this far around a vertex, in edges.
constexpr double kReach = 1.5;
// Pieces of space in which points are projected together, in edges: some hundred vertices each.
constexpr double kGuide = 3.0;

// Part of the diagonal that counts as on the surface: what float leaves after a few operations.
constexpr double kOnSurface = 1e-6;

// Triangles that meet others are mended this often, and this many at a time.
constexpr int kUnfoldings = 6;
// What then still crosses leaves the surface, in patches that grow by a ring each time: the largest
// is some 20 edges across.
constexpr int kUntanglings = 10;
constexpr std::size_t kFoldsAtOnce = 4096;

double thinnestRadius(const Sculpture& sculpture, double otherwise) {
  double thinnest = otherwise;
  for (const Sculpture::Group& group : sculpture.groups) {
    for (const Stroke& stroke : group.strokes) {
      if (stroke.action != Stroke::Action::Add) continue;
      thinnest = std::min(thinnest, stroke.shape == Stroke::Shape::Ellipsoid
                                        ? stroke.halfAxes.minCoeff()
                                        : std::min(stroke.fromRadius, stroke.toRadius));
    }
  }
  return thinnest;
}

Mesh meshOf(const SurfaceMesh& surface, const Eigen::Vector3d& origin) {
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(surface.position.size());
  for (const Eigen::Vector3f& p : surface.position) {
    positions.emplace_back(origin + p.cast<double>());
  }
  return meshFromPositions(positions, surface.triangleList());
}

std::vector<std::uint32_t> foldedTriangles(const Mesh& mesh, unsigned threads) {
  SelfIntersectionSettings settings;
  settings.firstPairs = kFoldsAtOnce;
  const SelfIntersections found = selfIntersections(
      mesh, topologyOf(mesh, threads), buildTriangleBvh(mesh, threads), {}, settings, threads);
  std::vector<std::uint32_t> folded;
  for (const auto& [first, second] : found.first) {
    folded.push_back(first);
    folded.push_back(second);
  }
  std::sort(folded.begin(), folded.end());
  folded.erase(std::unique(folded.begin(), folded.end()), folded.end());
  return folded;
}

}  // namespace

Mesh meshSculpture(const Sculpture& sculpture, std::size_t triangles, unsigned threads) {
  const Bounds box = boundsOf(sculpture);
  if (box.isEmpty()) return {};
  triangles -= triangles % 2;
  const auto count = static_cast<double>(std::max<std::size_t>(triangles, 4));
  const Eigen::Vector3d origin = box.centre();
  const double diagonal = box.diagonal();
  const DistanceProgram program(sculpture, origin, diagonal);
  const Eigen::Vector3f lower = (box.lower - origin).cast<float>();
  const Eigen::Vector3f upper = (box.upper - origin).cast<float>();

  const double firstCell = diagonal / kFirstCells;
  const BrickTree firstTree(program, lower, upper, static_cast<float>(firstCell), 0.0F, threads);
  const double area = static_cast<double>(countSurface(firstTree, threads)) * firstCell *
                      firstCell / kTrianglesPerCell;
  if (!(area > 0.0)) return {};

  const double edge = std::sqrt(kEdgePerTriangle * area / count);
  const double evenCell = std::sqrt(kTrianglesPerCell * area / (kSurplus * count));
  const double thinCell =
      std::max(kFinestForThin * diagonal, thinnestRadius(sculpture, diagonal) / kCellsPerRadius);
  const double cell = std::min(evenCell, thinCell);
  const BrickTree tree(program, lower, upper, static_cast<float>(cell),
                       static_cast<float>(kGuide * edge / cell), threads);

  SurfaceMesh surface = extractSurface(tree, threads);
  SurfaceProjection projection(tree, static_cast<float>(kOnSurface * diagonal), threads);
  Remesher remesher(surface, projection, threads);
  remesher.settle();
  limitEdgesByCurvature(surface, static_cast<float>(kReach * edge), threads);
  remesher.remesh(triangles);

  Mesh mesh = meshOf(surface, origin);
  for (int i = 0; i < kUnfoldings + kUntanglings; ++i) {
    const std::vector<std::uint32_t> folded = foldedTriangles(mesh, threads);
    if (folded.empty()) break;
    if (i < kUnfoldings) {
      remesher.unfold(folded, triangles);
    } else {
      untangle(surface, folded, i - kUnfoldings);
    }
    mesh = meshOf(surface, origin);
  }
  return mesh;
}

}  // namespace tactus::models
