#include "collision/pointshell/point_shares.hpp"

#include <cstdint>
#include <limits>

#include "collision/pointshell/point_tree.hpp"

namespace tactus::collision {
namespace {

constexpr std::size_t kBlock = 4096;  // pieces

// The grid is searched this many spacings around; of evenly spread points one is there nearly
// always. Else the tree is asked: further out a grid has ever more cells, most of them empty.
constexpr float kReach = 0.85F;

}  // namespace

std::vector<PointShare> sharesOf(std::span<const SurfaceSpot> points,
                                 std::span<const SurfacePiece> pieces, double spacing,
                                 unsigned threads, const models::GoesOn& goesOn) {
  std::vector<PointShare> shares(points.size());
  if (points.empty()) return shares;
  const auto bend = static_cast<float>(spacing * spacing);
  const float reach = kReach * static_cast<float>(spacing);
  const PointGrid grid(points.size(), reach, [&](std::size_t i) { return points[i].place; });
  const PointTree tree(points);
  std::vector<std::uint32_t> owners(pieces.size());
  const auto findOwners = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t owner = 0;
      float least = std::numeric_limits<float>::max();
      grid.near(pieces[i].spot.place, reach, [&](std::uint32_t k) {
        const std::uint32_t point = grid.order()[k];
        const float apart = apartness(pieces[i].spot, points[point], bend);
        if (apart < least || (apart == least && point < owner)) {
          least = apart;
          owner = point;
        }
      });
      // what is further away than the best one is apart cannot be better
      owners[i] = least <= reach * reach ? owner : tree.nearest(pieces[i].spot, bend).point;
    }
  };
  if (!models::parallelWhile(pieces.size(), kBlock, threads, goesOn, findOwners)) return {};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    PointShare& share = shares[owners[i]];
    const auto area = static_cast<double>(pieces[i].area);
    share.area += area;
    share.middle += area * pieces[i].spot.place.cast<double>();
    share.normalArea +=
        static_cast<double>(pieces[i].flatArea) * pieces[i].spot.normal.cast<double>();
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    PointShare& share = shares[p];
    if (share.area > 0.0) {
      share.middle /= share.area;
    } else {
      share.middle = points[p].place.cast<double>();
    }
  }
  return shares;
}

}  // namespace tactus::collision
