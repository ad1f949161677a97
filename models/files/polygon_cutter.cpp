#include "models/files/polygon_cutter.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::models {
namespace {

constexpr std::uint32_t kNoCorner = std::numeric_limits<std::uint32_t>::max();

// Bound of the point-in-triangle tests of one polygon, so that no file keeps us busy: 4 us a
// corner. A gear's face with 2000 corners, half of them reflex, stays inside it.
constexpr std::uint64_t kTestsPerCorner = 2000;
constexpr double kBest = 1.0;                // better than any shape, see shapeOf
constexpr std::uint64_t kTestsPerWait = 20;  // what queueing a corner again costs, in tests

}  // namespace

void PolygonCutter::cut(const std::vector<Eigen::Vector3d>& positions, std::span<Triangle> fan) {
  corners_.assign({fan.front()[0], fan.front()[1]});
  for (const Triangle& t : fan)
    corners_.push_back(t[2]);
  if (!project(positions)) return;  // no area: any cut is as good
  if (fan.size() == 2) {
    cutQuad(fan);
  } else {
    cutEars(fan);
  }
}

bool PolygonCutter::project(const std::vector<Eigen::Vector3d>& positions) {
  // Relative to one corner and scaled to 1, nothing below can overflow or lose what matters.
  const Eigen::Vector3d& first = positions[corners_[0]];
  double extent = 0.0;
  for (const Index corner : corners_) {
    extent = std::max(extent, (positions[corner] - first).cwiseAbs().maxCoeff());
  }
  if (!(extent > 0.0)) return false;
  local_.clear();
  for (const Index corner : corners_)
    local_.emplace_back((positions[corner] - first) / extent);

  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < local_.size(); ++i)
    area += local_[i].cross(local_[i + 1]);
  const double size = std::sqrt(area.x() * area.x() + area.y() * area.y() + area.z() * area.z());
  if (!(size > 0.0)) return false;
  normal_ = area / size;

  int axis = 2;
  if (std::abs(area.x()) > std::abs(area[axis])) axis = 0;
  if (std::abs(area.y()) > std::abs(area[axis])) axis = 1;
  int right = (axis + 1) % 3;
  int up = (axis + 2) % 3;
  if (area[axis] < 0.0) std::swap(right, up);  // so that it runs counter-clockwise
  flat_.clear();
  for (const Eigen::Vector3d& p : local_)
    flat_.push_back({p[right], p[up]});
  return true;
}

double PolygonCutter::turn(Index a, Index b, Index c) const {
  return (flat_[b][0] - flat_[a][0]) * (flat_[c][1] - flat_[a][1]) -
         (flat_[b][1] - flat_[a][1]) * (flat_[c][0] - flat_[a][0]);
}

/// Signed area over the squared edge lengths: largest for an equilateral triangle, 0 for a line,
/// negative when turned over.
double PolygonCutter::shapeOf(Index a, Index b, Index c) const {
  const Eigen::Vector3d ab = local_[b] - local_[a];
  const Eigen::Vector3d ac = local_[c] - local_[a];
  const double lengths = ab.squaredNorm() + ac.squaredNorm() + (ac - ab).squaredNorm();
  return lengths > 0.0 ? ab.cross(ac).dot(normal_) / lengths : 0.0;
}

void PolygonCutter::cutQuad(std::span<Triangle> fan) const {
  const double along02 = std::min(shapeOf(0, 1, 2), shapeOf(0, 2, 3));
  const double along13 = std::min(shapeOf(0, 1, 3), shapeOf(1, 2, 3));
  if (along13 <= along02) return;  // the fan is cut along 02
  fan[0] = {corners_[0], corners_[1], corners_[3]};
  fan[1] = {corners_[1], corners_[2], corners_[3]};
}

/// True if the next corner is at the same place: cutting this one off changes nothing but makes its
/// neighbours' angles known.
bool PolygonCutter::isDoubled(Index corner) const {
  return local_[corner] == local_[after_[corner]];
}

bool PolygonCutter::isConvex(Index corner) const {
  return turn(before_[corner], corner, after_[corner]) > 0.0;
}

/// Notes a corner as one that may be cut off, if it may.
void PolygonCutter::offer(Index corner) {
  if (isDoubled(corner)) {
    queue_.push({kBest, corner, version_[corner]});
  } else if (isConvex(corner) || byShapeAlone_) {
    queue_.push({shapeOf(before_[corner], corner, after_[corner]), corner, version_[corner]});
  }
}

/// A reflex corner inside the triangle that would be cut off, or kNoCorner.
PolygonCutter::Index PolygonCutter::blockerOf(Index ear) {
  if (isDoubled(ear)) return kNoCorner;
  const Index a = before_[ear];
  const Index c = after_[ear];
  const auto same = [this](Index i, Index j) { return flat_[i] == flat_[j]; };
  for (std::size_t i = 0; i < reflex_.size();) {
    const Index p = reflex_[i];
    // Cutting neighbours off turns reflex corners into convex ones, never the other way.
    if (version_[p] == 0 || isConvex(p)) {
      reflex_[i] = reflex_.back();
      reflex_.pop_back();
      continue;
    }
    ++i;
    if (testsLeft_ == 0) return kNoCorner;
    --testsLeft_;
    // A bridge to a hole visits its ends twice: a corner at the same place is not in the way.
    if (p == a || p == ear || p == c || same(p, a) || same(p, ear) || same(p, c)) continue;
    if (turn(a, ear, p) >= 0.0 && turn(ear, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return p;
  }
  return kNoCorner;
}

/// Puts a corner aside until `blocker` is out of the way.
void PolygonCutter::wait(Index corner, Index blocker) {
  testsLeft_ -= std::min(testsLeft_, kTestsPerWait);
  Index slot = spare_;
  if (slot == kNoCorner) {
    slot = static_cast<Index>(waiting_.size());
    waiting_.emplace_back();
  } else {
    spare_ = waiting_[slot].next;
  }
  waiting_[slot] = {corner, version_[corner], firstWaiting_[blocker]};
  firstWaiting_[blocker] = slot;
}

/// Offers again what waited for `blocker`, which is cut off or convex now.
void PolygonCutter::wake(Index blocker) {
  while (firstWaiting_[blocker] != kNoCorner) {
    const Index slot = firstWaiting_[blocker];
    firstWaiting_[blocker] = waiting_[slot].next;
    if (version_[waiting_[slot].corner] == waiting_[slot].version) offer(waiting_[slot].corner);
    waiting_[slot].next = spare_;
    spare_ = slot;
  }
}

void PolygonCutter::cutEars(std::span<Triangle> fan) {
  const auto count = static_cast<Index>(corners_.size());
  before_.resize(count);
  after_.resize(count);
  version_.assign(count, 1);
  firstWaiting_.assign(count, kNoCorner);
  reflex_.clear();
  waiting_.clear();
  spare_ = kNoCorner;
  queue_ = {};
  byShapeAlone_ = false;
  testsLeft_ = kTestsPerCorner * count;
  for (Index i = 0; i < count; ++i) {
    before_[i] = i == 0 ? count - 1 : i - 1;
    after_[i] = i + 1 == count ? 0 : i + 1;
  }
  for (Index i = 0; i < count; ++i) {
    if (!isConvex(i)) reflex_.push_back(i);
    offer(i);
  }

  for (std::size_t done = 0; done + 1 < fan.size();) {
    if (queue_.empty()) {
      byShapeAlone_ = true;
      for (Index i = 0; i < count; ++i) {
        if (version_[i] != 0) offer(i);
      }
    }
    const Candidate best = queue_.top();
    queue_.pop();
    const Index ear = best.corner;
    if (version_[ear] != best.version) continue;  // changed or cut off since
    if (!byShapeAlone_) {
      const Index blocker = blockerOf(ear);
      if (blocker != kNoCorner) {
        wait(ear, blocker);
        continue;
      }
    }
    const Index a = before_[ear];
    const Index c = after_[ear];
    fan[done++] = {corners_[a], corners_[ear], corners_[c]};
    version_[ear] = 0;
    after_[a] = c;
    before_[c] = a;
    for (const Index side : {a, c}) {
      ++version_[side];
      if (isConvex(side)) wake(side);
      offer(side);
    }
    wake(ear);
  }
  Index left = 0;
  while (version_[left] == 0)
    ++left;
  const Index a = before_[left];
  const Index c = after_[left];
  fan.back() = {corners_[a], corners_[left], corners_[c]};
}

}  // namespace tactus::models
