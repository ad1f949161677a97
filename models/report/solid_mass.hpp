#pragma once
#include <cstdint>

#include "models/mesh/mesh.hpp"
#include "models/report/mass_properties.hpp"
#include "models/report/topology.hpp"

namespace tactus::models {

/// Whether a surface bounds a solid, as far as its edges and its sign tell.
enum class Solidity : std::uint8_t {
  Solid,      ///< every edge is used as often in one direction as in the other
  Open,       ///< some edge is not, or there is none: there is no inside
  InsideOut,  ///< bounded, but of negative volume: its normals point inward
};

/// `mass` is massProperties() of the mesh.
[[nodiscard]] Solidity solidityOf(const Mesh& mesh, const Topology& topology,
                                  const MassProperties& mass);
[[nodiscard]] Solidity solidityOf(const Mesh& mesh, unsigned threads = 0);

/// What a surface encloses, all space counted once.
struct SolidMass {
  MassProperties mass;
  /// How far the volume may be off; 0: no overlap was found [m^3].
  double volumeError = 0.0;
  /// A smaller overlap of a part with itself may have been missed [m^3].
  double resolution = 0.0;
};

/// Mass properties of the points about which the surface winds at least once. Where bodies of one
/// mesh overlap, or a part within another is turned outward, massProperties() counts some space
/// more than once; here it counts once, and what is wound about backwards not at all.
///
/// Method: what massProperties() counts too much is measured along parallel lines, 256 across the
/// box as seen along them, and taken away. Along a line the crossings are where they are; across
/// them the sum is a midpoint rule of a continuous function, because no face of an ordinary object
/// holds the lines' direction. So what is counted once is exact, and only the overlap is measured:
/// its volume to 2e-4 of itself, as a rule. `volumeError` is how far the four quarters of the
/// lines (every second one, each way) are apart. Where the boxes of two parts meet there are as
/// many lines over what they share alone, so that small parts in a large box are not missed.
///
/// A line whose crossings do not cancel passes within rounding of a corner and is left out. There
/// are fewer lines where triangles are many and large, so that the time stays bounded.
///
/// Precondition: solidityOf() is not Open. Deterministic for any `threads` (0: one a core).
[[nodiscard]] SolidMass solidMass(const Mesh& mesh, const Topology& topology, unsigned threads = 0);

}  // namespace tactus::models
