#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {

/// How a least thickness came about.
enum class ThicknessSource : std::uint8_t {
  Unknown,     ///< no triangle with area
  FacingWall,  ///< measured between two walls
  Width,       ///< a component's width, see below: no walls face each other closer (a tetrahedron)
};

struct Thickness {
  double least = 0.0;                               ///< [m]
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< the middle of the wall there [m]
  ThicknessSource source = ThicknessSource::Unknown;
};

/// Smallest local thickness of the solid inside a closed surface.
///
/// Definition: from a sample on the surface a ray goes into the material, against the triangle's
/// normal, to the first wall through which it leaves. If that wall faces the sample (its normal is
/// within 30 degrees of the ray), the ray's length is the thickness there; otherwise the sample has
/// none. So a plate has its thickness, a box its shortest side, a ball its diameter, a torus the
/// tube's, a hollow ball its wall; and the edge of a wedge or a thread's crest, where walls meet at
/// an angle, does not make it zero. Where walls that face each other meet (a blade), the thickness
/// at a triangle's centre counts and that near its corners does not, if the wall has a corner in
/// common with it: a coarse blade has about half its back's thickness, a fine one less and less.
///
/// Faces alone miss where a solid is thin at an edge or a point of the hollow around it: the waist
/// of an hourglass, the tip of a dent, a groove, the throat of a flight of stairs. There the
/// distance from the crease or the tip across the material counts, see thinnestAtCreases.
///
/// No solid is thicker than its width, the least distance between two parallel planes around it. So
/// the width of every component (parts joined by edges, hollows left out), over the normals of up
/// to 256 triangles, is the answer where no walls face each other closer: of two tetrahedra that
/// touch in a point, the smaller one's width.
///
/// The least thickness is an upper bound taken over samples: creases, the centre of every triangle
/// and, up to kCornerSampledTriangles, a point near each corner, for plates of few triangles whose
/// thickness varies. Beyond kThicknessSamples triangles every n-th is asked. Where needles crowd
/// (the hub of a fan of thousands) samples are left out.
///
/// `isInverted` (one entry a triangle, or empty) tells where normals point into the material.
/// Deterministic for any `threads` (0: one a core).
[[nodiscard]] Thickness leastThickness(const Mesh& mesh, const Topology& topology,
                                       const TriangleBvh& bvh,
                                       std::span<const std::uint8_t> isInverted,
                                       unsigned threads = 0);

/// These keep a mesh of a million triangles at a second on two cores, one of 100 000 at a tenth.
constexpr std::size_t kThicknessSamples = 1'000'000;
constexpr std::size_t kCornerSampledTriangles = 50'000;

}  // namespace tactus::models
