#include "collision/pointshell/point_distance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#define TACTUS_LANES_FILE "collision/pointshell/point_distance.cpp"
#include "models/lanes/lanes.hpp"

#include "collision/pointshell/posed_points_lanes.hpp"

#ifndef TACTUS_COLLISION_POINTSHELL_POINT_DISTANCE_ONCE
#define TACTUS_COLLISION_POINTSHELL_POINT_DISTANCE_ONCE
namespace tactus::collision {

/// What the kernel finds.
struct NearestFound {
  float distance = std::numeric_limits<float>::max();
  std::uint32_t point = 0;
  std::uint32_t nodeTests = 0, pointTests = 0;
  bool isCut = false;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kFar = std::numeric_limits<float>::max();
constexpr float kNever = std::numeric_limits<float>::infinity();

// Keys below this are none: nothing is known.
constexpr float kUnknownBelow = -1e30F;

class NearestWalk {
 public:
  LANES_INLINE NearestWalk(const PosedPoints& posed, std::uint32_t level, PointScratch& scratch,
                           std::uint32_t most, NearestFound& found)
      : p_(posed),
        s_(scratch),
        found_(found),
        most_(most),
        level_(posed.shell.levels[level]),
        levelNumber_(level) {}

  LANES_INLINE void run() {
    const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level_));
    if (s_.front.isUsed()) {
      openedBelow_ = s_.front.openedBelow(PointFront::Walk::Nearest, levelNumber_);
      lastGroups_ = level_.firstGroup + shape.allGroups() - shape.groups[shape.levels - 1];
    }
    if (s_.front.isUsed() && s_.front.nearestBlock(levelNumber_) != PointFront::kNoBlock) {
      lookAtBlock(s_.front.nearestBlock(levelNumber_));
    } else {
      std::size_t first = level_.firstGroup;
      std::size_t child = 0;
      for (std::size_t t = 0; t < shape.levels; ++t) {
        child = nearestChild(first, child);
        first += shape.groups[t];
      }
      lookAtBlock(static_cast<std::int32_t>(child));
    }

    s_.lists[0][0] = 0;
    s_.bounds[0][0] = -kFar;
    std::size_t count = 1;
    std::size_t now = 0;
    std::size_t first = level_.firstGroup;
    std::size_t above = first;
    for (std::size_t t = 0; t < shape.levels; ++t) {
      count =
          s_.front.isUsed() ? openByFront(above, first, now, count) : openGroups(first, now, count);
      above = first;
      first += shape.groups[t];
      now = 1 - now;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (s_.bounds[now][i] <= best_ && mayTest()) lookAtBlock(s_.lists[now][i]);
    }
    finish();
    if (s_.front.isUsed()) {
      s_.front.setOpenedBelow(PointFront::Walk::Nearest, levelNumber_, s_.front.moved() + best_);
      s_.front.setNearestBlock(levelNumber_, found_.point / Pointshell::kWidth);
    }
  }

 private:
  /// Sixteen more.
  [[nodiscard]] bool mayTest() {
    found_.isCut = found_.isCut || found_.nodeTests + found_.pointTests + 16 > most_;
    return !found_.isCut;
  }

  struct Between {
    F32x16 least, most;
  };
  LANES_INLINE Between distancesOf(std::size_t group) {
    found_.nodeTests += 16;
    const Pointshell::Balls& balls = p_.shell.balls[group];
    const F32x16 radius = load(balls.radius.data());
    const Reach16 reach = reachOf(
        p_.map, placed(p_, load(balls.x.data()), load(balls.y.data()), load(balls.z.data())));
    return {select(radius >= 0.0F, reach.least - radius - p_.slack, kNever),
            select(radius >= 0.0F, reach.likely + radius + p_.slack, kFar)};
  }

  [[gnu::noinline]] std::size_t nearestChild(std::size_t first, std::size_t group) {
    const F32x16 least = distancesOf(first + group).least;
    const float smallest = minimum(least);
    const auto bits = bitsOf(least == smallest);
    return 16 * group + static_cast<std::size_t>(std::countr_zero(bits | 0x10000U)) % 16;
  }

  [[gnu::noinline]] std::size_t openGroups(std::size_t first, std::size_t now, std::size_t count) {
    std::size_t kept = 0;
    std::int32_t* const next = s_.lists[1 - now].data();
    float* const bounds = s_.bounds[1 - now].data();
    for (std::size_t i = 0; i < count; ++i) {
      if (s_.bounds[now][i] > best_) continue;
      if (!mayTest()) break;
      const auto group = static_cast<std::size_t>(s_.lists[now][i]);
      const Between between = distancesOf(first + group);
      best_ = std::min(best_, minimum(between.most));
      const auto stays = between.least <= best_;
      const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
      append(between.least, stays, bounds + kept);
      kept += append(children, maskOf<std::int32_t>(stays), next + kept);
    }
    return kept;
  }

  /// The same by what is known; measures only where that may have changed.
  [[gnu::noinline]] std::size_t openByFront(std::size_t above, std::size_t first, std::size_t now,
                                            std::size_t count) {
    const float moved = s_.front.moved();
    std::size_t kept = 0;
    std::int32_t* const next = s_.lists[1 - now].data();
    float* const bounds = s_.bounds[1 - now].data();
    for (std::size_t i = 0; i < count; ++i) {
      if (s_.bounds[now][i] > best_) continue;
      const auto group = static_cast<std::size_t>(s_.lists[now][i]);
      float* const keys = s_.front.keysOf(first + group);
      F32x16 least = load(static_cast<const float*>(keys)) - moved;
      auto stays = least <= best_;
      if (none(stays)) {
        // the group is shut by what was found below it
        if (first != above) {
          float& own = s_.front.keyOf(above, group);
          own = std::max(own, minimum(load(static_cast<const float*>(keys))));
        }
        continue;
      }
      const auto isDueAgain = stays & ((least + moved >= openedBelow_) | (least < kUnknownBelow));
      if (s_.front.wantsLook(countOf(isDueAgain)) && mayTest()) {
        const Between between = distancesOf(first + group);
        best_ = std::min(best_, minimum(between.most));
        least = max(least, between.least);
        stays = least <= best_;
        const F32x16 key = load(static_cast<const float*>(keys));
        store(max(key, between.least + p_.slack + s_.front.keyOffset()), keys);
      }
      const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
      append(least, stays, bounds + kept);
      kept += append(children, maskOf<std::int32_t>(stays), next + kept);
    }
    return kept;
  }

  [[gnu::noinline]] void lookAtBlock(std::int32_t number) {
    found_.pointTests += 16;
    const Pointshell::Block& block =
        p_.shell.blocks[level_.firstBlock + static_cast<std::size_t>(number)];
    const Reach16 reach = reachOf(
        p_.map, placed(p_, load(block.x.data()), load(block.y.data()), load(block.z.data())));
    // of equal ones the lowest number, in whatever order they are looked at
    const auto isLess = (reach.likely < least_) |
                        ((reach.likely == least_) & maskOf<float>(I32x16(number) < leastBlock_));
    least_ = select(isLess, reach.likely, least_);
    leastBlock_ = select(maskOf<std::int32_t>(isLess), I32x16(number), leastBlock_);
    best_ = std::min(best_, minimum(least_));
    if (s_.front.isUsed()) {
      float& key = s_.front.keyOf(lastGroups_, static_cast<std::size_t>(number));
      key = std::max(key, minimum(reach.least) + s_.front.keyOffset());
    }
  }

  LANES_INLINE void finish() {
    found_.distance = minimum(least_);
    const I32x16 numbers = leastBlock_ * 16 + laneNumbers();
    found_.point = static_cast<std::uint32_t>(
        minimum(select(maskOf<std::int32_t>(least_ == found_.distance), numbers,
                       std::numeric_limits<std::int32_t>::max())));
  }

  const PosedPoints& p_;
  PointScratch& s_;
  NearestFound& found_;
  std::uint32_t most_;  ///< tests
  const Pointshell::Level& level_;
  std::uint32_t levelNumber_;
  std::size_t lastGroups_ = 0;  ///< first of those whose children are blocks
  float openedBelow_ = 0.0F;
  float best_ = kFar;
  F32x16 least_ = kFar;
  I32x16 leastBlock_ = 0;
};

void findNearest(const PosedPoints& posed, std::uint32_t level, PointScratch& scratch,
                 std::uint32_t most, NearestFound& found) noexcept {
  NearestWalk(posed, level, scratch, most, found).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

using Eigen::Vector3d;

/// A point of the surface that is near the nearest one: first down the gradient, which may be a
/// coarse cell's, then once more from there.
Vector3d footOf(const Voxmap& map, Vector3d point) {
  for (int step = 0; step < 2; ++step) {
    const Voxmap::Sample sample = map.sample(point);
    const double length = sample.gradient.norm();
    if (length > 0.0) point -= sample.distance / length * sample.gradient;
  }
  return point;
}

/// The least of what the surface's points nearest to the border say, the border being looked at
/// where the way to the last of them enters the grid.
double distanceFromOutside(const Voxmap::Arrays& arrays, const Vector3d& point, double found) {
  constexpr int kSteps = 6;  // each one is a tenth or so of the one before
  const Voxmap map(arrays, nullptr);
  const Vector3d lower = arrays.origin;
  Vector3d upper = lower;
  for (Eigen::Index k = 0; k < 3; ++k) {
    upper[k] += static_cast<double>(arrays.voxel) * Voxmap::kCells *
                arrays.size[static_cast<std::size_t>(k)];
  }
  Vector3d border = point.cwiseMax(lower).cwiseMin(upper);
  if (border == point) return found;
  double least = std::numeric_limits<double>::max();
  for (int step = 0; step < kSteps; ++step) {
    const Vector3d way = footOf(map, border) - point;
    least = std::min(least, way.norm());
    double enters = 0.0;
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double edge = point[k] < lower[k] ? lower[k] : upper[k];
      const bool isOut = point[k] < lower[k] || point[k] > upper[k];
      if (isOut && way[k] != 0.0) enters = std::max(enters, (edge - point[k]) / way[k]);
    }
    border = (point + std::min(enters, 1.0) * way).cwiseMax(lower).cwiseMin(upper);
  }
  return least;
}

}  // namespace

LeastDistance leastDistance(const PosedPoints& posed, std::uint32_t level, PointScratch& scratch,
                            std::uint32_t most) noexcept {
  NearestFound found;
  TACTUS_LANES_CALL(findNearest)(posed, level, scratch, most, found);
  LeastDistance result;
  result.number = found.point;
  const Pointshell::Block& block =
      posed.shell.blocks[posed.shell.levels[level].firstBlock + found.point / Pointshell::kWidth];
  const std::size_t k = found.point % Pointshell::kWidth;
  result.point =
      posed.mapFromShell *
      (Eigen::Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>() + posed.shell.origin);
  result.distance =
      distanceFromOutside(posed.map, result.point, static_cast<double>(found.distance));
  result.nodeTests = found.nodeTests;
  result.pointTests = found.pointTests;
  result.isCut = found.isCut;
  return result;
}

}  // namespace tactus::collision
#endif
