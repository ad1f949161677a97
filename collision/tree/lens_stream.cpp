#include "collision/tree/lens_stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "models/lanes/elementary.hpp"

namespace tactus::collision {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Isometry3d;
using Eigen::Vector3d;

// Steps below the root whose balls are put into a box: 64 balls, as good a box as any.
constexpr int kBoxSteps = 3;
constexpr std::size_t kMostBalls = 64;

// Cells, in mean distances of leaves: lenses of neighbours are then in neighbouring cells.
constexpr double kCellPerLeaf = 2.0;

/// Around the balls of a tree, in the frame that the pose leads to.
AlignedBox3d boxOf(const InnerSphereTree& tree, const Isometry3d& pose) noexcept {
  constexpr std::size_t kArity = InnerSphereTree::kArity;
  AlignedBox3d box;
  std::array<std::size_t, kMostBalls> blocks{};
  std::array<std::size_t, kMostBalls> next{};
  std::size_t count = 1;
  for (int step = 0; step <= kBoxSteps; ++step) {
    std::size_t found = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const InnerSphereTree::Bounds& bounds = tree.bounds()[blocks[n]];
      for (std::size_t k = 0; k < kArity; ++k) {
        if (!std::isfinite(bounds.x[k])) continue;
        const std::int32_t link = tree.contents()[blocks[n]].link[k];
        if (step < kBoxSteps && link >= 0 && found < kMostBalls) {
          next[found++] = static_cast<std::size_t>(link);
          continue;
        }
        const Vector3d place = pose * (tree.origin() + Vector3d(static_cast<double>(bounds.x[k]),
                                                                static_cast<double>(bounds.y[k]),
                                                                static_cast<double>(bounds.z[k])));
        const Vector3d radius = Vector3d::Constant(static_cast<double>(bounds.radius[k]));
        box.extend(place - radius);
        box.extend(place + radius);
      }
    }
    blocks = next;
    count = found;
  }
  return box;
}

double leafDistance(const InnerSphereTree& tree) noexcept {
  return models::elementary::cbrt(tree.arrays().volume / static_cast<double>(tree.leafCount()));
}

}  // namespace

ContactStream lensStream(const InnerSphereTree& a, const InnerSphereTree& b,
                         const Isometry3d& aFromB) noexcept {
  ContactStream stream;
  stream.origin = aFromB * b.origin();
  stream.anchor = a.origin();
  stream.box = boxOf(a, Isometry3d::Identity()).intersection(boxOf(b, aFromB));
  stream.side = kCellPerLeaf * std::max(leafDistance(a), leafDistance(b));
  return stream;
}

void addVolume(ContactCells& cells, const std::array<float, 3>& place, float reach,
               float volume) noexcept {
  const auto set = [&cells](std::size_t array, float number) {
    cells.elements(static_cast<ElementArray>(array))[0] = number;
  };
  for (std::size_t k = 0; k < place.size(); ++k) {
    set(kElementX + k, place[k]);
    set(kElementFx + k, 0.0F);
  }
  set(kElementEnergy, volume);
  set(kElementVolume, volume);
  set(kElementReach, reach);
  cells.add(1);
}

}  // namespace tactus::collision
