#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/mass_properties.hpp"

namespace tactus::models {

/// How many of the first places of each kind of flaw a report names.
constexpr std::size_t kReportedPlaces = 8;

/// A kind of flaw: how often, and where the first ones are.
struct Flaw {
  std::size_t count = 0;
  std::vector<Eigen::Vector3d> places;  ///< of the first kReportedPlaces, in metres
};

/// Everything that packing an object needs to know of its surface, before anything is packed.
///
/// All topology is judged after merging equal positions. `closed` is the contract's word: each edge
/// is used exactly once in each direction.
struct MeshReport {
  std::size_t triangles = 0;
  std::size_t vertices = 0;          ///< as stored
  std::size_t distinctVertices = 0;  ///< after merging equal positions
  std::size_t unusedVertices = 0;    ///< that no triangle names
  Bounds bounds;

  bool closed = false;
  Flaw boundaryEdges;        ///< used by one triangle only
  std::size_t holes = 0;     ///< loops that the boundary edges form
  Flaw nonManifoldEdges;     ///< used by more than two triangles
  Flaw nonManifoldVertices;  ///< whose triangles form more than one fan
  Flaw misorientedEdges;     ///< used by exactly two triangles, both in the same direction
  Flaw duplicateTriangles;   ///< same three positions as an earlier one, whatever their order
  Flaw degenerateTriangles;  ///< area exactly zero: two corners equal, or three in a line
  Flaw selfIntersections;    ///< pairs of triangles that meet elsewhere than in a shared corner or edge
  std::size_t components = 0;          ///< joined by edges
  std::size_t invertedComponents = 0;  ///< closed parts whose normals point the wrong way
  bool outwardOriented = false;        ///< consistent everywhere and no part is inverted

  bool thicknessKnown = false;
  double minThickness = 0.0;  ///< [m], see thickness.hpp for what it means
  Eigen::Vector3d thinnestPlace = Eigen::Vector3d::Zero();

  MassProperties mass;  ///< meaningful only when `closed`

  /// Closed, oriented outward, one-to-one and free of self-intersections.
  [[nodiscard]] bool isClean() const noexcept {
    return closed && outwardOriented && nonManifoldVertices.count == 0 &&
           duplicateTriangles.count == 0 && degenerateTriangles.count == 0 &&
           selfIntersections.count == 0;
  }
};

/// Looks at everything. Deterministic for any `threads` (0: one a core).
[[nodiscard]] MeshReport reportOn(const Mesh& mesh, unsigned threads = 0);

/// The report for a person, several lines, ending with what to do about it.
[[nodiscard]] std::string toText(const MeshReport& report);

}  // namespace tactus::models
