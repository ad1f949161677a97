#include "collision/tree/inner_sphere_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/tree/ball_hierarchy.hpp"

namespace tactus::collision {
namespace {

// Where missing children are: every comparison with them is false.
constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

float roundedUp(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) >= x
             ? nearest
             : std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

float roundedDown(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) <= x ? nearest : std::nextafter(nearest, 0.0F);
}

double volumeOfBall(double radius) noexcept {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// What the spans of a tree that was built here show.
struct Memory {
  std::vector<InnerSphereTree::Bounds> bounds;
  std::vector<InnerSphereTree::Contents> contents;
  std::vector<InnerSphereTree::Sums> sums;
  std::vector<std::uint32_t> spheres;
};

}  // namespace

InnerSphereTree::InnerSphereTree(std::span<const InnerSphere> spheres, unsigned threads) {
  std::vector<Ball> cells;
  cells.reserve(spheres.size());
  for (const InnerSphere& sphere : spheres)
    cells.push_back({sphere.centre, sphere.cellRadius});
  const BallHierarchy hierarchy = buildBallHierarchy(cells, threads);
  if (hierarchy.nodes.empty()) return;
  all_.origin = hierarchy.nodes.front().bounds.centre;
  all_.leafCount = spheres.size();
  all_.depth = hierarchy.depth;

  // from the last node to the root: children stand after their parents
  struct Total {
    double volume = 0.0, lowerVolume = 0.0, depth = 0.0;
  };
  std::vector<Total> totals(hierarchy.nodes.size());
  for (std::size_t n = hierarchy.nodes.size(); n-- > 0;) {
    const BallHierarchy::Node& node = hierarchy.nodes[n];
    if (node.childCount == 0) {
      const InnerSphere& sphere = spheres[hierarchy.leafOrder[node.firstLeaf]];
      const double volume = volumeOfBall(sphere.cellRadius);
      totals[n] = {volume, volumeOfBall(sphere.lowerRadius), volume * sphere.depth};
    }
    for (std::uint32_t c = node.firstChild; c < node.firstChild + node.childCount; ++c) {
      totals[n].volume += totals[c].volume;
      totals[n].lowerVolume += totals[c].lowerVolume;
      totals[n].depth += totals[c].depth;
    }
  }
  all_.volume = totals.front().volume;

  // blocks in the order of their nodes, so that a level stands together
  std::vector<std::int32_t> blockOf(hierarchy.nodes.size(), -1);
  std::int32_t blocks = 1;
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    if (hierarchy.nodes[n].childCount != 0) blockOf[n] = blocks++;
  }
  const auto count = static_cast<std::size_t>(blocks) + 1;
  Bounds empty{};
  empty.x.fill(kNowhere);
  empty.y.fill(kNowhere);
  empty.z.fill(kNowhere);
  const auto memory = std::make_shared<Memory>();
  memory->bounds.assign(count, empty);
  Contents nothing{};
  nothing.link.fill(blocks);
  memory->contents.assign(count, nothing);
  memory->sums.assign(count, {});
  memory->spheres.assign(kArity * count, kNoSphere);

  // Positions are rounded, so each radius must hold what it held around the rounded place.
  const auto setChild = [&](std::size_t block, std::size_t k, std::size_t n) {
    const BallHierarchy::Node& node = hierarchy.nodes[n];
    const Eigen::Vector3d place = node.bounds.centre - all_.origin;
    const Eigen::Vector3f rounded = place.cast<float>();
    const double moved = (rounded.cast<double>() - place).norm();
    memory->bounds[block].x[k] = rounded.x();
    memory->bounds[block].y[k] = rounded.y();
    memory->bounds[block].z[k] = rounded.z();
    memory->bounds[block].radius[k] = roundedUp(node.bounds.radius + moved);
    Contents& contents = memory->contents[block];
    const Total& total = totals[n];
    contents.depth[k] = static_cast<float>(total.volume > 0.0 ? total.depth / total.volume : 0.0);
    memory->sums[block].volume[k] = static_cast<float>(total.volume);
    memory->sums[block].lowerVolume[k] = static_cast<float>(total.lowerVolume);
    if (node.childCount != 0) {
      contents.link[k] = blockOf[n];
      return;
    }
    const std::size_t slot = kArity * block + k;
    contents.link[k] = ~static_cast<std::int32_t>(slot);
    memory->spheres[slot] = hierarchy.leafOrder[node.firstLeaf];
    const InnerSphere& sphere = spheres[memory->spheres[slot]];
    contents.cellRadius[k] = static_cast<float>(sphere.cellRadius);
    contents.lowerRadius[k] = roundedDown(std::max(0.0, sphere.lowerRadius - moved));
  };
  setChild(0, 0, 0);
  for (std::size_t n = 0; n < hierarchy.nodes.size(); ++n) {
    const BallHierarchy::Node& node = hierarchy.nodes[n];
    for (std::uint32_t k = 0; k < node.childCount; ++k)
      setChild(static_cast<std::size_t>(blockOf[n]), k, node.firstChild + k);
  }
  all_.bounds = memory->bounds;
  all_.contents = memory->contents;
  all_.sums = memory->sums;
  all_.sphereOfSlot = memory->spheres;
  keeper_ = memory;
}

}  // namespace tactus::collision
