#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {

/// Which side the normals of a shell point to.
enum class ShellSide : std::uint8_t {
  Unknown,   ///< open, and what it is open to cannot be told; or of two minds
  Flat,      ///< closed, but without volume
  Right,     ///< out of the material
  Inverted,  ///< into the material
};

/// Corners that are asked of a shell that meets others, plus six outermost ones: 0.1 s at most.
constexpr std::size_t kMostWitnesses = 4096;

/// Judges each shell (partsOf with Joint::TwoUsesOnly).
///
/// A shell that lies inside an even number of other closed ones is a surface of material from
/// outside and must have positive volume; inside an odd number it is a cavity and must be negative.
///
/// An open shell is judged like a closed one if its inside is clear: each of its rims is closed by
/// a cone from the mean of the rim's corners, and the volume is at least a quarter of what the
/// cones would sweep if they bulged by the rims' radii. A bowl, a box without its lid and a body
/// with small holes are judged; a sheet, a twisted band and all that has a rim in common with
/// another shell or ends at an edge of three triangles are not, nor is one inside another open one.
///
/// Inside means that the other's winding number is not zero; it is counted exactly, along a ray
/// that is shifted by an infinitesimal amount, so that no ray hits an edge (Edelsbrunner and Mücke,
/// "Simulation of Simplicity", 1990). The ray takes the shortest way out of the box around all, and
/// a corner that several shells share is asked once: many shells round one edge cost no more than
/// as many elsewhere.
///
/// One triangle's corners stand for a shell that meets no other and so is inside or outside as a
/// whole; three, because it may share some of them with the other. Of the shells named in
/// `meetingShells` (ascending) all corners are asked, or kMostWitnesses of them chosen by their
/// position alone, and the outermost ones along each axis:
///
/// - none is outside the other: the shell lies in it
/// - at least as many are outside as inside: it does not
/// - fewer are: it may be a part that overlaps the other or a cavity that pokes through its wall,
///   and is what its own normals say
///
/// A corner on the other's surface says nothing. So what is right is never called inverted for
/// overlapping another part, unless only corners that were not asked are outside.
[[nodiscard]] std::vector<ShellSide> shellSides(const Mesh& mesh, const Topology& topology,
                                                const TriangleBvh& bvh, const Parts& shells,
                                                std::span<const std::uint32_t> meetingShells,
                                                unsigned threads = 0);

}  // namespace tactus::models
