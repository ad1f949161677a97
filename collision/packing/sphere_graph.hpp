#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/packing/sphere_packing.hpp"

namespace tactus::collision {

/// Which spheres of a packing are neighbours: the **sphere graph**.
///
/// Source: Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 4.4.1.2, which connects adjacent spheres. Here two spheres are adjacent when the gap
/// between them is at most `gap` of the smaller one's radius: in an Apollonian packing each sphere
/// touches four others or the surface when it is inserted, but for rounding and cut corners.
struct SphereGraph {
  std::vector<std::size_t> first;        ///< of each sphere in `neighbour`, and the end
  std::vector<std::uint32_t> neighbour;  ///< of one sphere ascending; each edge stands twice

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t sphere) const {
    return std::span(neighbour).subspan(first[sphere], first[sphere + 1] - first[sphere]);
  }
};

/// The same for any `threads` (0: one a core).
[[nodiscard]] SphereGraph sphereGraph(const SpherePacking& packing, double gap = 0.05,
                                      unsigned threads = 0);

}  // namespace tactus::collision
