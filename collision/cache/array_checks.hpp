#pragma once
#include <cstdint>
#include <string_view>

#include "collision/cache/collision_object.hpp"

namespace tactus::collision {

/// What is wrong with arrays that came from somewhere else, as words for a sentence; empty: nothing
/// that could lead a query astray. Afterwards all numbers are finite, all indices are in range,
/// links make a tree (each block has one parent, which stands before it) that is no deeper than the
/// queries' stacks, and only children that are missing have NaN for a place.
///
/// That the balls bound what is below them is not checked: it takes as long as building the tree,
/// and a wrong ball makes a wrong answer but no crash. Checksums are against accidents.
[[nodiscard]] std::string_view flawOf(const InnerSphereTree::Arrays& tree);

/// `triangles`: of the mesh. See above.
[[nodiscard]] std::string_view flawOf(const FacetHierarchy::Arrays& facets,
                                      std::uint64_t triangles);

/// Grids that halve their cubes from one to the next, and values for all cubes of all grids.
[[nodiscard]] std::string_view flawOf(const DistanceField::Arrays& field);

/// Values for all corners of a grid of a side that the queries can count to.
[[nodiscard]] std::string_view flawOf(const DepthField::Arrays& field);

/// One block of cones for each of `tree`, and axes that are directions.
[[nodiscard]] std::string_view flawOf(const NormalCones::Arrays& cones,
                                      const InnerSphereTree::Arrays& tree);

/// Numbers of places, bricks and values that belong together, each brick in one place, offsets that
/// are no larger than the grid; or nothing at all.
[[nodiscard]] std::string_view flawOf(const Voxmap::Arrays& map);

/// Levels that lie one behind the other, trees whose groups have as many children as there are
/// nodes below them, finite numbers, an order that names each point once; or nothing at all.
[[nodiscard]] std::string_view flawOf(const Pointshell::Arrays& shell);

/// Finite positions, indices in range, and remainders for all positions or for none.
[[nodiscard]] std::string_view flawOf(const SolidMesh& solid);

/// Finite centres, radii that are not negative.
[[nodiscard]] std::string_view flawOf(const PackedBalls& packing);

}  // namespace tactus::collision
