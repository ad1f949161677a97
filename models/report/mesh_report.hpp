#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/mass_properties.hpp"
#include "models/report/solid_mass.hpp"
#include "models/report/thickness.hpp"

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
/// All topology is judged after merging equal positions (-0 is 0). `closed` is the contract's word:
/// each edge is used exactly once in each direction. A triangle of which two corners are equal is
/// an edge or a point after merging: it counts as degenerate and on no edge. One with three
/// different corners in a line is on its edges like any other, and may close a surface.
/// Precondition: indices in range, positions finite (as the loaders guarantee).
struct MeshReport {
  std::size_t triangles = 0;
  std::size_t vertices = 0;          ///< as stored
  std::size_t distinctVertices = 0;  ///< after merging equal positions
  std::size_t unusedVertices = 0;    ///< stored ones that no triangle names
  /// Stored ones that the file had apart from another and that floats could not keep apart. See
  /// Mesh::mergedByRounding.
  std::size_t mergedByRounding = 0;
  Bounds bounds;  ///< of all stored positions

  bool closed = false;       ///< false, too, when no triangle has three different corners
  Flaw boundaryEdges;        ///< used by one triangle only; place: middle of the edge
  std::size_t holes = 0;     ///< simple loops (and loose chains) that the boundary edges form
  Flaw nonManifoldEdges;     ///< used by more than two triangles; place: middle of the edge
  Flaw nonManifoldVertices;  ///< whose triangles, joined by edges there, form more than one fan
  Flaw misorientedEdges;     ///< used by exactly two triangles, both in the same direction
  Flaw duplicateTriangles;   ///< same three positions as an earlier one, whatever their order
  Flaw degenerateTriangles;  ///< area exactly zero: two corners equal, or three in a line
  /// Pairs of triangles that meet elsewhere than in a shared corner or edge, decided exactly; see
  /// meetBeyondSharedSide. Touching triangles count; of duplicates only the first one is looked at.
  Flaw selfIntersections;
  bool selfIntersectionsComplete =
      true;                    ///< false: too many to count all; there are at least so many
  std::size_t components = 0;  ///< joined by edges, by non-manifold ones too
  /// Parts whose normals point the wrong way: into the material. A part inside another one
  /// is a cavity and right when its normals point into the hollow; a cavity's island points outward
  /// again. Parts are joined by edges of two triangles, so that a box is judged even if a fin or
  /// another box shares an edge with it; an open part only if its inside is clear. See shellSides.
  std::size_t invertedComponents = 0;
  /// No misoriented edge, no inverted part, none of which it is unknown (and not empty).
  bool outwardOriented = false;
  bool orientationKnown = true;  ///< false: nothing is wrong, but a part may be inside out

  /// Only of closed, consistently oriented surfaces that do not meet themselves: else the walls of
  /// a part may be inside another.
  bool thicknessKnown = false;
  double minThickness = 0.0;  ///< [m], see leastThickness for what it means
  Eigen::Vector3d thinnestPlace = Eigen::Vector3d::Zero();  ///< middle of the wall there
  ThicknessSource thicknessSource = ThicknessSource::Unknown;

  /// Whether there is a solid to pack. An edge of four triangles, as of two boxes that share one,
  /// is no flaw here, though such a surface is not `closed`.
  Solidity solidity = Solidity::Open;
  /// Set by those who have asked whatRepairLeaves(): why it would change nothing. Empty: it would,
  /// or nobody has asked.
  std::string leftByRepair;
  bool isSheet = false;  ///< open, and all of it in one plane: no lid would enclose anything
  /// Meaningful unless `solidity` is Open. All space counted once, as a packing sees it; of a
  /// surface that is InsideOut, the signed integral. See SolidMass.
  MassProperties mass;
  double volumeError = 0.0;   ///< of `mass`; 0: exact [m^3]
  double signedVolume = 0.0;  ///< what is wound about twice counts twice [m^3]

  /// Nothing is inside, though all edges are as they should be: a sheet folded onto itself.
  [[nodiscard]] bool isFlat() const noexcept;

  /// The surface meets itself, as far as is known.
  [[nodiscard]] bool mayOverlap() const noexcept {
    return selfIntersections.count != 0 || !selfIntersectionsComplete;
  }

  /// Closed, oriented outward, one-to-one and free of self-intersections.
  [[nodiscard]] bool isClean() const noexcept {
    return closed && outwardOriented && nonManifoldVertices.count == 0 &&
           duplicateTriangles.count == 0 && degenerateTriangles.count == 0 && !mayOverlap();
  }
};

/// Looks at everything. Deterministic for any `threads` (0: one a core).
[[nodiscard]] MeshReport reportOn(const Mesh& mesh, unsigned threads = 0);

/// Why a surface that bounds a solid is not clean, in a few words, the worst first: "1 part is
/// inside out". Empty if it is clean.
[[nodiscard]] std::string whyNotClean(const MeshReport& report);

/// What to do with the surface, in one sentence.
[[nodiscard]] std::string adviceOn(const MeshReport& report);

/// The report for a person: aligned lines, lengths with sensible prefixes, each kind of flaw with
/// its number and first place; the last line is adviceOn().
[[nodiscard]] std::string toText(const MeshReport& report);

}  // namespace tactus::models
