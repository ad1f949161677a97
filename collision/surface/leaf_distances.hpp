#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/surface/posed_facets.hpp"

namespace tactus::collision {

using LeafDistances = std::array<float, 16>;

/// Distances of pairs of leaves, triangle by triangle in floats [m]; of sixteen at most and of one
/// at least. Behind the last one it is repeated.
///
/// Source: the cases of Ericson, "Real-Time Collision Detection", 2005, section 5.1.10: side
/// against side, corner above face, side through face, of which the least counts.
/// triangle_distance.hpp has the same in doubles.
///
/// Deviation: PosedFacets::slack. Same bytes on every vector target.
[[nodiscard]] LeafDistances leafDistances(const PosedFacets& posed, const std::int32_t* leavesA,
                                          const std::int32_t* leavesB, std::size_t count) noexcept;

/// What lies between the same pairs along the best of three directions: no more than the distance,
/// but for PosedFacets::slack, and negative or 0 if none of them separates the triangles. The
/// directions are the line of centres and the triangles' normals, A's own and against B's.
[[nodiscard]] LeafDistances leafGaps(const PosedFacets& posed, const std::int32_t* leavesA,
                                     const std::int32_t* leavesB, std::size_t count) noexcept;

}  // namespace tactus::collision
