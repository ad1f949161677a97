#include "collision/cache/array_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "collision/tree/ball_hierarchy.hpp"
#include "collision/voxmap/brick_places.hpp"

namespace tactus::collision {
namespace {

// Both trees have this many children a node.
constexpr std::size_t kArity = 4;
static_assert(InnerSphereTree::kArity == kArity && FacetHierarchy::kArity == kArity);

// Slots are numbered by 32 bits with a sign.
constexpr std::size_t kMostBlocks = std::numeric_limits<std::int32_t>::max() / kArity;

// Facets are quartered, so 4^16 of them are 16 steps below the root. The stack of facetDistance()
// is made for that.
constexpr std::int32_t kMostFacetSteps = 16;

bool areFinite(const Eigen::Vector3d& v) {
  return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

bool isLength(float x) noexcept {
  return std::isfinite(x) && x >= 0.0F;
}

bool isLength(double x) noexcept {
  return std::isfinite(x) && x >= 0.0;
}

/// Whether a child is there, is missing, or is neither.
enum class Presence { There, Missing, Neither };

Presence presenceOf(float x, float y, float z) noexcept {
  if (std::isfinite(x) && std::isfinite(y) && std::isfinite(z)) return Presence::There;
  if (std::isnan(x) && std::isnan(y) && std::isnan(z)) return Presence::Missing;
  return Presence::Neither;
}

/// What the links of a tree of `blocks` blocks show.
struct LinkFindings {
  std::string_view flaw;
  std::uint64_t leaves = 0;
  std::int32_t steps = 0;  ///< from the root to the furthest leaf
};

/// `presence(slot)`, `linkAt(slot)`; `leafFlaw(slot, ~link)` says what is wrong with a leaf.
template <typename PresenceAt, typename LinkAt, typename LeafFlaw>
LinkFindings lookAtLinks(std::size_t blocks, const PresenceAt& presence, const LinkAt& linkAt,
                         const LeafFlaw& leafFlaw) {
  LinkFindings found;
  const auto flawed = [&found](std::string_view flaw) {
    found.flaw = flaw;
    return found;
  };
  if (blocks < 2 || blocks > kMostBlocks) return flawed("its number of blocks");
  const auto last = static_cast<std::int32_t>(blocks - 1);  // the empty one
  constexpr std::int32_t kUnseen = -1;
  std::vector<std::int32_t> stepsOf(blocks, kUnseen);
  stepsOf[0] = 0;
  for (std::size_t slot = 0; slot < kArity * blocks; ++slot) {
    const auto block = static_cast<std::int32_t>(slot / kArity);
    const std::int32_t steps = stepsOf[slot / kArity];
    if (block != last && steps == kUnseen) return flawed("a block without a parent");
    const std::int32_t link = linkAt(slot);
    if (presence(slot) == Presence::Neither) return flawed("a place that is not finite");
    if (presence(slot) == Presence::Missing) {
      if (slot == 0) return flawed("the root");
      if (link != last) return flawed("a link of a missing child");
      continue;
    }
    if (block == last || (block == 0 && slot != 0)) return flawed("a child too many");
    if (link < 0) {
      const std::string_view flaw = leafFlaw(slot, static_cast<std::uint32_t>(~link));
      if (!flaw.empty()) return flawed(flaw);
      ++found.leaves;
      found.steps = std::max(found.steps, steps);
      continue;
    }
    if (link <= block || link >= last) return flawed("a link");
    std::int32_t& below = stepsOf[static_cast<std::size_t>(link)];
    if (below != kUnseen) return flawed("two links to one block");
    below = steps + 1;
  }
  return found;
}

}  // namespace

std::string_view flawOf(const InnerSphereTree::Arrays& tree) {
  const std::size_t blocks = tree.bounds.size();
  if (tree.contents.size() != blocks || tree.sums.size() != blocks ||
      tree.sphereOfSlot.size() != kArity * blocks) {
    return "its numbers of blocks differ";
  }
  if (!areFinite(tree.origin) || !isLength(tree.volume)) return "its origin or volume";
  const LinkFindings links = lookAtLinks(
      blocks,
      [&](std::size_t slot) {
        const InnerSphereTree::Bounds& b = tree.bounds[slot / kArity];
        const std::size_t k = slot % kArity;
        return presenceOf(b.x[k], b.y[k], b.z[k]);
      },
      [&](std::size_t slot) { return tree.contents[slot / kArity].link[slot % kArity]; },
      [&](std::size_t slot, std::uint32_t leaf) -> std::string_view {
        if (leaf != slot) return "a leaf's link";
        return tree.sphereOfSlot[slot] < tree.leafCount ? "" : "a leaf's sphere";
      });
  if (!links.flaw.empty()) return links.flaw;
  if (links.leaves != tree.leafCount) return "its number of leaves";
  if (links.steps != tree.depth || links.steps > BallHierarchy::kMaxDepth) return "its depth";
  for (std::size_t block = 0; block < blocks; ++block) {
    const InnerSphereTree::Contents& contents = tree.contents[block];
    const InnerSphereTree::Sums& sums = tree.sums[block];
    for (std::size_t k = 0; k < kArity; ++k) {
      if (!isLength(tree.bounds[block].radius[k]) || !isLength(contents.cellRadius[k]) ||
          !isLength(contents.lowerRadius[k])) {
        return "a radius";
      }
      if (!std::isfinite(contents.depth[k])) return "a depth";
      if (!isLength(sums.volume[k]) || !isLength(sums.lowerVolume[k])) return "a volume";
    }
  }
  return {};
}

std::string_view flawOf(const FacetHierarchy::Arrays& facets, std::uint64_t triangles) {
  const std::size_t blocks = facets.caps.size();
  const std::size_t leaves = facets.corners.size();
  if (facets.links.size() != kArity * blocks) return "its numbers of blocks differ";
  if (facets.slots.size() != leaves || facets.facets.size() != leaves) {
    return "its numbers of leaves differ";
  }
  if (!areFinite(facets.origin) || !isLength(facets.radius)) return "its origin or radius";
  const LinkFindings links = lookAtLinks(
      blocks,
      [&](std::size_t slot) {
        const FacetHierarchy::Caps& caps = facets.caps[slot / kArity];
        const std::size_t k = slot % kArity;
        return presenceOf(caps.x[k], caps.y[k], caps.z[k]);
      },
      [&](std::size_t slot) { return facets.links[slot]; },
      [&](std::size_t slot, std::uint32_t leaf) -> std::string_view {
        if (leaf >= leaves) return "a leaf's link";
        // with as many leaves as links to them, this makes the links different ones
        if (facets.slots[leaf] != static_cast<std::int32_t>(slot)) return "a leaf's place";
        return facets.facets[leaf] < triangles ? "" : "a leaf's triangle";
      });
  if (!links.flaw.empty()) return links.flaw;
  if (links.leaves != leaves) return "its number of leaves";
  if (links.steps > kMostFacetSteps) return "its depth";
  for (const FacetHierarchy::Caps& caps : facets.caps) {
    for (std::size_t k = 0; k < kArity; ++k) {
      if (!isLength(caps.radius[k]) || !isLength(caps.height[k])) return "a radius";
      if (presenceOf(caps.nx[k], caps.ny[k], caps.nz[k]) != Presence::There) return "a normal";
    }
  }
  for (const std::array<float, 9>& corners : facets.corners) {
    if (!std::ranges::all_of(corners, [](float x) { return std::isfinite(x); })) return "a corner";
  }
  return {};
}

std::string_view flawOf(const DistanceField::Arrays& field) {
  // numbers of cubes along a side: twice as many in each grid, so that products fit 64 bits
  constexpr std::int32_t kMostAlong = 1 << DistanceField::kMaxLevels;
  if (field.levelCount == 0 || field.levelCount > DistanceField::kMaxLevels) {
    return "its number of grids";
  }
  if (!areFinite(field.origin)) return "its origin";
  std::uint64_t count = 0;
  for (std::uint32_t l = 0; l < field.levelCount; ++l) {
    const DistanceField::Level& level = field.levels[l];
    if (level.first != count) return "where a grid begins";
    if (!isLength(level.side) || !(level.side > 0.0F) || !isLength(level.unit)) {
      return "the size of a cube";
    }
    std::uint64_t cubes = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t along = level.size[k];
      // every cube has a parent, and the first grid is one cube
      const std::int32_t above = l == 0 ? 1 : 2 * field.levels[l - 1].size[k];
      if (along < 1 || along > above || along > kMostAlong) return "the size of a grid";
      cubes *= static_cast<std::uint64_t>(along);
    }
    count += cubes;
    // gathered by 32-bit numbers
    if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      return "the size of a grid";
    }
  }
  return field.values.size() == count + DistanceField::kBehind ? "" : "its number of values";
}

std::string_view flawOf(const DepthField::Arrays& field) {
  if (!areFinite(field.origin)) return "its origin";
  if (!isLength(field.side) || !(field.side > 0.0F) || !isLength(field.unit)) {
    return "the size of a cube";
  }
  std::uint64_t corners = 1;
  for (const std::int32_t along : field.size) {
    if (along < 2 || along > DepthField::kMaxAlong) return "the size of the grid";
    corners *= static_cast<std::uint64_t>(along);
  }
  return field.values.size() == corners ? "" : "its number of values";
}

std::string_view flawOf(const NormalCones::Arrays& cones, const InnerSphereTree::Arrays& tree) {
  if (cones.cones.size() != tree.bounds.size()) return "its number of blocks";
  for (const NormalCones::Four& four : cones.cones) {
    for (const std::uint32_t packed : four.packed) {
      if ((packed & 0xFFFU) > NormalCones::kLast || (packed >> 12U & 0xFFFU) > NormalCones::kLast)
        return "an axis";
    }
  }
  return {};
}

std::string_view flawOf(const Voxmap::Arrays& map) {
  if (map.places.empty() && map.values.empty()) return {};  // an object without one
  if (!areFinite(map.origin)) return "its origin";
  if (!isLength(map.voxel) || !(map.voxel > 0.0F) || !isLength(map.unit)) {
    return "the size of a voxel";
  }
  // more than the lattice can need: the largest distance is a diagonal of less than 2^20 voxels
  if (map.coarseUnits < 0 || map.coarseUnits > 1 << 24) return "the unit of the coarse cells";
  std::uint64_t places = 1;
  for (const std::int32_t along : map.size) {
    if (along < 1 || along > kMostPlacesAlong ||
        static_cast<std::uint64_t>(along) > Voxmap::kMostBytes / (8 * places)) {
      return "the size of the grid";
    }
    places *= static_cast<std::uint64_t>(along);
  }
  if (map.places.size() != 2 * places) return "its number of places";
  const std::size_t corners = map.corners();
  // gathered by 32-bit numbers
  if (map.values.size_bytes() > Voxmap::kMostBytes || map.values.size() < corners ||
      (map.values.size() - corners) % Voxmap::kValues != 0) {
    return "its number of values";
  }
  std::int64_t bricks = 0;
  for (std::size_t place = 0; place < places; ++place) {
    const std::int32_t brick = map.places[2 * place];
    // bricks stand in the order of their places
    if (brick != Voxmap::kNoBrick && brick != bricks++) return "a brick's number";
    const std::int32_t offset = map.places[2 * place + 1];
    if (offset < -Voxmap::kMostOffset || offset > Voxmap::kMostOffset) return "a brick's offset";
    if (brick == Voxmap::kNoBrick && offset != 0) return "the offset of a place without a brick";
  }
  if (static_cast<std::uint64_t>(bricks) != map.bricks()) return "its number of bricks";
  for (const double error :
       {map.error.nearMost, map.error.nearRms, map.error.anywhereMost, map.error.anywhereRms}) {
    if (!isLength(error)) return "its error";
  }
  return {};
}

namespace {

template <typename T>
bool areAllFinite(const T& sixteen) {
  return std::ranges::all_of(sixteen, [](float x) { return std::isfinite(x); });
}

/// Of one level, whose blocks and groups are in range.
std::string_view flawOf(const Pointshell::Arrays& shell, const Pointshell::Level& level) {
  if (!isLength(level.spacing) || !(level.spacing > 0.0F)) return "a spacing";
  const std::uint32_t blocks = Pointshell::blocksOf(level);
  for (const Pointshell::Block& b : shell.blocks.subspan(level.firstBlock, blocks)) {
    for (const auto* numbers : {&b.x, &b.y, &b.z, &b.nx, &b.ny, &b.nz, &b.area}) {
      if (!areAllFinite(*numbers)) return "a point that is not finite";
    }
    // the last one's rounding may have been carried below nothing
    const auto largest = static_cast<double>(shell.radius) * 1.001;
    for (std::size_t k = 0; k < Pointshell::kWidth; ++k) {
      if (!(std::max({std::fabs(b.x[k]), std::fabs(b.y[k]), std::fabs(b.z[k])}) <= largest)) {
        return "a point out of its radius";
      }
    }
  }
  const Pointshell::TreeShape shape = Pointshell::treeShapeOf(blocks);
  std::size_t group = level.firstGroup;
  for (std::size_t t = 0; t < shape.levels; ++t) {
    const std::size_t below = t + 1 < shape.levels ? shape.groups[t + 1] : blocks;
    for (std::size_t g = 0; g < shape.groups[t]; ++g, ++group) {
      const Pointshell::Balls& balls = shell.balls[group];
      const Pointshell::Sums& sums = shell.sums[group];
      const Pointshell::Cones& cones = shell.cones[group];
      for (const auto* numbers :
           {&balls.x, &balls.y, &balls.z, &sums.nx, &sums.ny, &sums.nz, &sums.mx, &sums.my,
            &sums.mz, &sums.area, &cones.x, &cones.y, &cones.z, &cones.cosine}) {
        if (!areAllFinite(*numbers)) return "a node that is not finite";
      }
      for (std::size_t k = 0; k < Pointshell::kWidth; ++k) {
        const bool isThere = Pointshell::kWidth * g + k < below;
        const float radius = balls.radius[k];
        // a child that is not there would be looked for behind the array
        if (isThere ? !isLength(radius) : radius != Pointshell::kMissing) return "a radius";
      }
    }
  }
  return {};
}

}  // namespace

std::string_view flawOf(const Pointshell::Arrays& shell) {
  if (!areFinite(shell.origin) || !isLength(shell.area) || !isLength(shell.radius) ||
      !isLength(shell.spacing.least) || !isLength(shell.spacing.mean) ||
      !isLength(shell.spacing.lattice)) {
    return "its origin, area, radius or spacing";
  }
  if (shell.levels.size() > Pointshell::kMostLevels) return "its number of levels";
  std::uint64_t blocks = 0;
  std::uint64_t groups = 0;
  for (const Pointshell::Level& level : shell.levels) {
    // numbers of points and blocks are counted by 32 bits with a sign
    constexpr std::uint32_t kMost = std::numeric_limits<std::int32_t>::max() - 32U;
    if (level.points == 0 || level.points > kMost) return "a level's number of points";
    if (level.firstBlock != blocks || level.firstGroup != groups) return "where a level begins";
    blocks += Pointshell::blocksOf(level);
    groups += Pointshell::treeShapeOf(Pointshell::blocksOf(level)).allGroups();
  }
  if (shell.blocks.size() != blocks) return "its number of blocks";
  if (shell.balls.size() != groups || shell.sums.size() != groups || shell.cones.size() != groups) {
    return "its numbers of nodes";
  }
  for (const Pointshell::Level& level : shell.levels) {
    const std::string_view flaw = flawOf(shell, level);
    if (!flaw.empty()) return flaw;
  }
  const std::size_t points = shell.levels.empty() ? 0 : shell.levels.front().points;
  if (shell.order.size() != points) return "its order";
  std::vector<bool> isNamed(points, false);
  for (const std::uint32_t point : shell.order) {
    if (point >= points || isNamed[point]) return "its order";
    isNamed[point] = true;
  }
  return {};
}

std::string_view flawOf(const SolidMesh& solid) {
  const auto areAllFinite = [](const std::vector<Eigen::Vector3f>& vectors) {
    return std::ranges::all_of(
        vectors, [](const Eigen::Vector3f& v) { return areFinite(v.cast<double>()); });
  };
  const std::size_t positions = solid.mesh.positions.size();
  if (!areFinite(solid.mesh.origin) || !areAllFinite(solid.mesh.positions)) {
    return "a position that is not finite";
  }
  for (const models::Triangle& triangle : solid.mesh.triangles) {
    if (std::ranges::any_of(triangle, [&](std::uint32_t corner) { return corner >= positions; })) {
      return "a triangle's corner";
    }
  }
  if (!solid.remainders.empty() && solid.remainders.size() != positions) {
    return "its number of remainders";
  }
  return areAllFinite(solid.remainders) ? "" : "a remainder that is not finite";
}

std::string_view flawOf(const PackedBalls& packing) {
  const auto areBalls = [](const std::vector<PackedSphere>& spheres) {
    return std::ranges::all_of(spheres, [](const PackedSphere& sphere) {
      return areFinite(sphere.centre.cast<double>()) && isLength(sphere.radius);
    });
  };
  if (!areFinite(packing.origin)) return "its origin";
  return areBalls(packing.spheres) && areBalls(packing.medialAxis) ? "" : "a sphere";
}

}  // namespace tactus::collision
