#pragma once
#include "collision/surface/facet_distance.hpp"
#include "collision/surface/posed_facets.hpp"

namespace tactus::collision {

/// Whether two surfaces are so far apart that floats might not hold the squares of their distances,
/// and larger by far than both.
[[nodiscard]] bool areFarApart(const PosedFacets& posed) noexcept;

/// Of surfaces that are: from one triangle of the one to one of the other, in doubles.
///
/// Deviation: the objects' sizes, 1e-9 of the distance at most. Neither surface is empty.
[[nodiscard]] FacetDistance farDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                                        const PosedFacets& posed) noexcept;

}  // namespace tactus::collision
