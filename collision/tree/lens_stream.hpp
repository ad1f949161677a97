#pragma once
#include <Eigen/Geometry>
#include <array>

#include "collision/contact/contact_cells.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

/// The stream of the lenses of two trees, which both have leaves: in A's frame, from the origin of
/// B's tree. Its cells are twice as wide as the leaves of the coarser tree are apart on average.
[[nodiscard]] ContactStream lensStream(const InnerSphereTree& a, const InnerSphereTree& b,
                                       const Eigen::Isometry3d& aFromB) noexcept;

/// Adds what is shared but pushes nothing: all below a node that is within a leaf.
void addVolume(ContactCells& cells, const std::array<float, 3>& place, float reach,
               float volume) noexcept;

}  // namespace tactus::collision
