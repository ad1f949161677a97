#include "collision/surface/posed_facets.hpp"

#include <cstddef>

namespace tactus::collision {
namespace {

// A position in A's coordinates takes ten roundings of half of 1.2e-7.
constexpr double kRounding = 1e-6;

Eigen::Vector3d cornerOf(const FacetHierarchy::Arrays& tree, std::int32_t leaf, std::size_t k) {
  const std::array<float, 9>& all = tree.corners[static_cast<std::size_t>(leaf)];
  return {all[3 * k], all[3 * k + 1], all[3 * k + 2]};
}

}  // namespace

PosedFacets::PosedFacets(const FacetHierarchy& ofA, const FacetHierarchy& ofB,
                         const Eigen::Isometry3d& aFromB) noexcept
    : FloatPose(aFromB.linear(), aFromB * ofB.origin() - ofA.origin()),
      a(&ofA.arrays()),
      b(&ofB.arrays()),
      levelsOfA(&ofA.levels()),
      levelsOfB(&ofB.levels()),
      exactRotation(aFromB.linear()),
      exactOffset(aFromB * ofB.origin() - ofA.origin()) {
  slack = static_cast<float>(kRounding * (ofA.radius() + ofB.radius() + exactOffset.norm()));
}

Corners PosedFacets::cornersOfA(std::int32_t leaf) const noexcept {
  return {cornerOf(*a, leaf, 0), cornerOf(*a, leaf, 1), cornerOf(*a, leaf, 2)};
}

Corners PosedFacets::cornersOfB(std::int32_t leaf) const noexcept {
  Corners corners;
  for (std::size_t k = 0; k < 3; ++k)
    corners[k] = exactRotation * cornerOf(*b, leaf, k) + exactOffset;
  return corners;
}

}  // namespace tactus::collision
