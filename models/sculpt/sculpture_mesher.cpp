#include "models/sculpt/sculpture_mesher.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/sculpt/distance_program.hpp"
#include "models/sculpt/edge_lengths.hpp"
#include "models/sculpt/remeshing.hpp"
#include "models/sculpt/surface_extraction.hpp"
#include "models/sculpt/surface_projection.hpp"

namespace tactus::models {
namespace {

// A cell sees 3 triangles per squared cell edge of a surface in general position.
constexpr double kTrianglesPerCellArea = 3.0;
// The first look at a sculpture, to learn its area: cells across the box's diagonal.
constexpr double kFirstCells = 128.0;
// Thinnest things are cut by this many cells across a radius.
constexpr double kCellsPerRadius = 2.0;
// Part of the diagonal that counts as on the surface.
constexpr double kOnSurface = 1e-6;

double thinnestRadius(const Sculpture& sculpture) {
  double thinnest = 1e30;
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

}  // namespace

Mesh meshSculpture(const Sculpture& sculpture, std::size_t triangles, unsigned threads) {
  const Bounds box = boundsOf(sculpture);
  if (box.isEmpty()) return {};
  const Eigen::Vector3d origin = box.centre();
  const double diagonal = box.diagonal();
  const DistanceProgram program(sculpture, origin, diagonal);
  const Eigen::Vector3f lower = (box.lower - origin).cast<float>();
  const Eigen::Vector3f upper = (box.upper - origin).cast<float>();

  const auto wanted = static_cast<double>(triangles);
  const auto firstCell = static_cast<float>(diagonal / kFirstCells);
  const BrickTree firstTree(program, lower, upper, firstCell, 0.0F, threads);
  const double area = static_cast<double>(countSurface(firstTree, threads)) /
                      kTrianglesPerCellArea * (diagonal / kFirstCells) * (diagonal / kFirstCells);
  const double evenCell = std::sqrt(kTrianglesPerCellArea * area / (1.2 * wanted));
  const double finest = diagonal / 400.0;
  const double cell =
      std::min(evenCell, std::max(finest, thinnestRadius(sculpture) / kCellsPerRadius));
  const double edge = std::sqrt(2.3 * area / wanted);
  const BrickTree tree(program, lower, upper, static_cast<float>(cell),
                       static_cast<float>(3.0 * edge / cell), threads);
  SurfaceMesh mesh = extractSurface(tree, threads);
  SurfaceProjection projection(tree, static_cast<float>(kOnSurface * diagonal), threads);
  Remesher remesher(mesh, projection, threads);
  remesher.settle();
  limitEdgesByCurvature(mesh, static_cast<float>(1.5 * edge), threads);
  remesher.remesh(triangles);
  mesh.compact();
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(mesh.position.size());
  for (const Eigen::Vector3f& p : mesh.position)
    positions.emplace_back(origin + p.cast<double>());
  return meshFromPositions(positions, mesh.triangleList());
}

}  // namespace tactus::models
