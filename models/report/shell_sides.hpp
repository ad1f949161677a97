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
  Open,      ///< some edge of it is not used equally often in both directions: has no inside
  Flat,      ///< closed, but without volume
  Right,     ///< out of the material
  Inverted,  ///< into the material
};

/// Judges each shell (partsOf with Joint::TwoUsesOnly).
///
/// A shell that lies inside an even number of other closed ones is a surface of material from
/// outside and must have positive volume; inside an odd number it is a cavity and must be negative.
/// Inside means that the other's winding number is not zero; it is counted exactly, along a ray
/// that is shifted by an infinitesimal amount, so that no ray hits an edge (Edelsbrunner and Mücke,
/// "Simulation of Simplicity", 1990).
///
/// One corner stands for a shell, because one that meets no other is inside or outside as a whole.
/// Of the shells named in `meetingShells` (ascending) up to 16 corners are asked, and another one
/// contains it if none of them is outside: a cavity that pokes through the wall is still a cavity.
[[nodiscard]] std::vector<ShellSide> shellSides(const Mesh& mesh, const Topology& topology,
                                                const TriangleBvh& bvh, const Parts& shells,
                                                std::span<const std::uint32_t> meetingShells,
                                                unsigned threads = 0);

}  // namespace tactus::models
