#include "collision/pointshell/pointshell.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "collision/balls/enclosing_ball.hpp"
#include "collision/pointshell/nested_samples.hpp"
#include "collision/pointshell/point_shares.hpp"
#include "collision/pointshell/surface_pieces.hpp"
#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/mesh/split_mix.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using models::SplitMix;

constexpr std::uint32_t kWidth = Pointshell::kWidth;

// A share is made of so many pieces that its area is right to some percent of itself; what one
// point lacks its neighbours have.
constexpr std::size_t kPiecesPerPoint = 12;

// Spots to choose from. With four a point the least distance comes to 0.7 of the lattice's.
constexpr std::size_t kSpotsPerPoint = 4;

// Each level has a fourth of the points of the one before.
constexpr std::size_t kCoarser = 4;
constexpr std::size_t kFewestPoints = 64;

// Rounding of a ball's numbers to floats, as a share of the largest coordinate.
constexpr double kRoundUp = 4e-7;

double shareOfOne(std::uint64_t seed, std::uint64_t number) {
  return SplitMix::shareOf(SplitMix::scrambled(seed * SplitMix::kStep + number));
}

/// Spots for the points: one piece out of each stretch of the summed area, at random.
std::vector<SurfaceSpot> spotsOf(const SurfacePieces& surface, std::size_t count,
                                 std::uint64_t seed) {
  std::vector<SurfaceSpot> spots;
  spots.reserve(count);
  double total = 0.0;
  for (const SurfacePiece& piece : surface.pieces)
    total += static_cast<double>(piece.area);
  const double stretch = total / static_cast<double>(count);
  double below = 0.0;
  std::size_t next = 0;
  double at = stretch * shareOfOne(seed, 0);
  for (const SurfacePiece& piece : surface.pieces) {
    below += static_cast<double>(piece.area);
    bool isTaken = false;
    while (next < count && at < below) {
      isTaken = true;  // once, however large the piece is
      ++next;
      at = stretch * (static_cast<double>(next) + shareOfOne(seed, next));
    }
    if (isTaken) spots.push_back(piece.spot);
  }
  return spots;
}

SurfaceSpot spotOf(const PointShare& share) {
  const double length = share.normalArea.norm();
  const Vector3d normal = length > 0.0 ? Vector3d(share.normalArea / length) : Vector3d::Zero();
  return {share.middle.cast<float>(), normal.cast<float>()};
}

/// Rounds numbers to floats so that their sum is right to the rounding of one of them: what one
/// lacks the next one gets.
class CarriedRounding {
 public:
  float operator()(double value) {
    const auto rounded = static_cast<float>(value + carry_);
    carry_ += value - static_cast<double>(rounded);
    return rounded;
  }

 private:
  double carry_ = 0.0;
};

/// Orders points so that each run of 16, of 256 and so on, counted from the first, is near itself.
class Halving {
 public:
  explicit Halving(const std::vector<PointShare>& points) : points_(points), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  std::vector<std::uint32_t> run(unsigned threads) {
    // the upper halves one after the other, what is below them side by side
    std::vector<std::pair<std::size_t, std::size_t>> parts{{0, order_.size()}};
    while (!parts.empty() && parts.size() < 64 && threads != 1) {
      std::vector<std::pair<std::size_t, std::size_t>> halves;
      for (const auto& [begin, end] : parts) {
        if (end - begin <= 4096) {
          halves.emplace_back(begin, end);
          continue;
        }
        const std::size_t middle = halve(begin, end);
        halves.emplace_back(begin, middle);
        halves.emplace_back(middle, end);
      }
      if (halves.size() == parts.size()) break;
      parts = std::move(halves);
    }
    models::parallelFor(parts.size(), 1, threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        sort(parts[i].first, parts[i].second);
    });
    return std::move(order_);
  }

 private:
  void sort(std::size_t begin, std::size_t end) {
    if (end - begin <= kWidth) {
      std::sort(at(begin), at(end));
      return;
    }
    const std::size_t middle = halve(begin, end);
    sort(begin, middle);
    sort(middle, end);
  }

  /// Into a full lower half and the rest: so blocks and nodes are full but for the last ones.
  std::size_t halve(std::size_t begin, std::size_t end) {
    Vector3d lower = points_[order_[begin]].middle;
    Vector3d upper = lower;
    for (std::size_t i = begin; i < end; ++i) {
      lower = lower.cwiseMin(points_[order_[i]].middle);
      upper = upper.cwiseMax(points_[order_[i]].middle);
    }
    Eigen::Index axis = 0;
    (upper - lower).maxCoeff(&axis);
    const std::size_t lowerHalf = std::bit_ceil(end - begin) / 2;
    const std::size_t middle = begin + std::max<std::size_t>(kWidth, lowerHalf);
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      const double xa = points_[a].middle[axis];
      const double xb = points_[b].middle[axis];
      return xa != xb ? xa < xb : a < b;
    });
    return middle;
  }

  [[nodiscard]] std::vector<std::uint32_t>::iterator at(std::size_t i) {
    return order_.begin() + static_cast<std::ptrdiff_t>(i);
  }

  const std::vector<PointShare>& points_;
  std::vector<std::uint32_t> order_;
};

/// What the spans of a shell show.
struct Owned {
  std::vector<Pointshell::Level> levels;
  std::vector<Pointshell::Block> blocks;
  std::vector<Pointshell::Balls> balls;
  std::vector<Pointshell::Sums> sums;
  std::vector<Pointshell::Cones> cones;
  std::vector<std::uint32_t> order;
};

/// What a node of the tree knows of the points below it.
struct NodeContents {
  Ball ball;
  Vector3d normal = Vector3d::Zero(), moment = Vector3d::Zero();
  double area = 0.0;
  Vector3d axis = Vector3d::UnitZ();
  double cosine = 1.0;  ///< of the cone's half angle
};

/// A cone around cones: the mean axis, and as wide as the widest one needs.
void setCone(std::span<const NodeContents> parts, NodeContents& node) {
  Vector3d axis = Vector3d::Zero();
  for (const NodeContents& part : parts)
    axis += part.axis;
  const double length = axis.norm();
  node.cosine = -1.0;
  if (!(length > 0.0)) return;
  node.axis = axis / length;
  double least = 1.0;
  for (const NodeContents& part : parts) {
    if (part.cosine < 0.0) return;
    const double c = std::clamp(node.axis.dot(part.axis), -1.0, 1.0);
    // cosine of the sum of both angles
    least = std::min(
        least, c * part.cosine - std::sqrt((1.0 - c * c) * (1.0 - part.cosine * part.cosine)));
    if (c < 0.0) return;
  }
  constexpr double kRounding = 1e-6;
  if (least > 0.0) node.cosine = std::max(0.0, least - kRounding);
}

NodeContents joined(std::span<const NodeContents> parts) {
  NodeContents node;
  std::array<Ball, kWidth> balls;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    balls[k] = parts[k].ball;
    node.normal += parts[k].normal;
    node.moment += parts[k].moment;
    node.area += parts[k].area;
  }
  node.ball = enclosingBall(std::span<const Ball>(balls.data(), parts.size()));
  setCone(parts, node);
  return node;
}

NodeContents contentsOf(const Pointshell::Block& block, std::size_t count) {
  std::array<NodeContents, kWidth> points;
  for (std::size_t k = 0; k < count; ++k) {
    NodeContents& p = points[k];
    p.ball.centre = Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>();
    p.normal = Vector3f(block.nx[k], block.ny[k], block.nz[k]).cast<double>();
    p.moment = p.ball.centre.cross(p.normal);
    p.area = static_cast<double>(block.area[k]);
    const double length = p.normal.norm();
    p.cosine = length > 0.0 ? 1.0 : -1.0;
    if (length > 0.0) p.axis = p.normal / length;
  }
  return joined({points.data(), count});
}

/// Puts one level into the arrays. Returns where each point has come to.
std::vector<std::uint32_t> addLevel(const std::vector<PointShare>& points, double area,
                                    unsigned threads, Owned& all) {
  const std::vector<std::uint32_t> order = Halving(points).run(threads);
  const auto count = static_cast<std::uint32_t>(points.size());
  Pointshell::Level level;
  level.points = count;
  level.firstBlock = static_cast<std::uint32_t>(all.blocks.size());
  level.firstGroup = static_cast<std::uint32_t>(all.balls.size());
  level.spacing = static_cast<float>(latticeSpacing(area, count));
  const std::uint32_t blocks = Pointshell::blocksOf(level);
  all.blocks.resize(level.firstBlock + blocks);
  Pointshell::Block* const first = all.blocks.data() + level.firstBlock;
  std::vector<std::uint32_t> placeOf(count);
  CarriedRounding roundArea, roundX, roundY, roundZ;
  for (std::size_t i = 0; i < std::size_t{blocks} * kWidth; ++i) {
    Pointshell::Block& block = first[i / kWidth];
    const std::size_t k = i % kWidth;
    const bool isThere = i < count;
    const PointShare& share = points[order[isThere ? i : count - 1]];
    block.x[k] = static_cast<float>(share.middle.x());
    block.y[k] = static_cast<float>(share.middle.y());
    block.z[k] = static_cast<float>(share.middle.z());
    block.nx[k] = isThere ? roundX(-share.normalArea.x()) : 0.0F;
    block.ny[k] = isThere ? roundY(-share.normalArea.y()) : 0.0F;
    block.nz[k] = isThere ? roundZ(-share.normalArea.z()) : 0.0F;
    block.area[k] = isThere ? roundArea(share.area) : 0.0F;
    if (isThere) placeOf[order[i]] = static_cast<std::uint32_t>(i);
  }

  std::vector<NodeContents> nodes(blocks);
  double reach = 0.0;
  constexpr std::size_t kBlocksAtOnce = 64;
  models::parallelFor(blocks, kBlocksAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      nodes[b] = contentsOf(first[b], std::min<std::size_t>(kWidth, count - b * kWidth));
  });
  for (const NodeContents& node : nodes)
    reach = std::max(reach, node.ball.centre.norm() + node.ball.radius);
  const Pointshell::TreeShape shape = Pointshell::treeShapeOf(blocks);
  const std::uint32_t groups = shape.allGroups();
  all.balls.resize(level.firstGroup + groups);
  all.sums.resize(level.firstGroup + groups);
  all.cones.resize(level.firstGroup + groups);
  std::size_t end = level.firstGroup + groups;
  for (std::size_t t = shape.levels; t-- > 0;) {
    end -= shape.groups[t];
    std::vector<NodeContents> above(shape.groups[t]);
    for (std::size_t g = 0; g < above.size(); ++g) {
      Pointshell::Balls& balls = all.balls[end + g];
      Pointshell::Sums& sums = all.sums[end + g];
      Pointshell::Cones& cones = all.cones[end + g];
      const std::size_t here = std::min<std::size_t>(kWidth, nodes.size() - g * kWidth);
      for (std::size_t k = 0; k < kWidth; ++k) {
        const bool isThere = k < here;
        const NodeContents& node = nodes[g * kWidth + (isThere ? k : 0)];
        balls.x[k] = static_cast<float>(node.ball.centre.x());
        balls.y[k] = static_cast<float>(node.ball.centre.y());
        balls.z[k] = static_cast<float>(node.ball.centre.z());
        balls.radius[k] = isThere ? static_cast<float>(node.ball.radius + kRoundUp * reach)
                                  : Pointshell::kMissing;
        const NodeContents none;
        const NodeContents& summed = isThere ? node : none;
        sums.nx[k] = static_cast<float>(summed.normal.x());
        sums.ny[k] = static_cast<float>(summed.normal.y());
        sums.nz[k] = static_cast<float>(summed.normal.z());
        sums.mx[k] = static_cast<float>(summed.moment.x());
        sums.my[k] = static_cast<float>(summed.moment.y());
        sums.mz[k] = static_cast<float>(summed.moment.z());
        sums.area[k] = static_cast<float>(summed.area);
        cones.x[k] = static_cast<float>(summed.axis.x());
        cones.y[k] = static_cast<float>(summed.axis.y());
        cones.z[k] = static_cast<float>(summed.axis.z());
        cones.cosine[k] = static_cast<float>(summed.cosine);
      }
      above[g] = joined({nodes.data() + g * kWidth, here});
    }
    nodes = std::move(above);
  }
  all.levels.push_back(level);
  return placeOf;
}

/// Between neighbours that look the same way.
PointSpacing spacingOf(const std::vector<PointShare>& points, double lattice, unsigned threads) {
  PointSpacing spacing;
  spacing.lattice = lattice;
  if (points.size() < 2) return spacing;
  std::vector<SurfaceSpot> spots;
  spots.reserve(points.size());
  for (const PointShare& share : points)
    spots.push_back(spotOf(share));
  const auto reach = static_cast<float>(2.0 * lattice);
  const PointGrid grid(spots.size(), reach, [&](std::size_t i) { return spots[i].place; });
  std::vector<float> nearest(spots.size());
  models::parallelFor(spots.size(), 1024, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      float least = reach * reach;
      grid.near(spots[i].place, reach, [&](std::uint32_t k) {
        const std::uint32_t other = grid.order()[k];
        if (other == i || spots[other].normal.dot(spots[i].normal) < 0.5F) return;
        least = std::min(least, (spots[other].place - spots[i].place).squaredNorm());
      });
      nearest[i] = std::sqrt(least);
    }
  });
  spacing.least = static_cast<double>(*std::min_element(nearest.begin(), nearest.end()));
  for (const float d : nearest)
    spacing.mean += static_cast<double>(d) / static_cast<double>(nearest.size());
  return spacing;
}

}  // namespace

std::uint32_t Pointshell::TreeShape::allGroups() const noexcept {
  return std::accumulate(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(levels), 0U);
}

Pointshell::TreeShape Pointshell::treeShapeOf(std::uint32_t blocks) noexcept {
  TreeShape shape;
  if (blocks == 0) return shape;
  std::uint32_t count = blocks;
  do {
    count = (count + kWidth - 1) / kWidth;
    shape.groups[shape.levels++] = count;
  } while (count > 1);
  std::reverse(shape.groups.begin(),
               shape.groups.begin() + static_cast<std::ptrdiff_t>(shape.levels));
  return shape;
}

Pointshell::Pointshell(const models::Mesh& mesh, const PointshellSettings& settings) {
  // shares of the time, of 100,000 points
  constexpr double kCut = 0.1;
  constexpr double kChosen = 0.5;
  const models::GoesOn& goesOn = settings.goesOn;
  SurfacePieces surface = cutSurface(
      settings.offset == 0.0 ? mesh : offsetSurface(mesh, settings.offset),
      kPiecesPerPoint * settings.points, settings.threads, models::partOf(goesOn, 0.0, kCut));
  all_.origin = surface.origin;
  all_.area = surface.area;
  if (surface.pieces.empty()) return;

  const std::vector<SurfaceSpot> spots =
      spotsOf(surface, kSpotsPerPoint * settings.points, settings.seed);
  std::vector<SurfaceSpot> points;  // in the nested order
  for (const std::uint32_t spot :
       nestedSamples(spots, settings.points, surface.area, settings.threads,
                     models::partOf(goesOn, kCut, kChosen))) {
    points.push_back(spots[spot]);
  }
  if (points.empty()) return;

  const auto owned = std::make_shared<Owned>();
  // the pieces of a level are the points two levels finer, or the surface's
  std::vector<SurfacePiece> pieces = std::move(surface.pieces);
  std::vector<SurfacePiece> finer;
  double from = kChosen;
  for (std::size_t count = points.size();; count = (count + kCoarser - 1) / kCoarser) {
    const double lattice = latticeSpacing(surface.area, count);
    const double to = 1.0 - (1.0 - from) / static_cast<double>(kCoarser);
    const std::vector<PointShare> shares =
        sharesOf({points.data(), count}, pieces, lattice, settings.threads,
                 models::partOf(goesOn, std::exchange(from, to), to));
    if (shares.empty() || (goesOn && !goesOn(to))) return;
    const std::vector<std::uint32_t> placeOf =
        addLevel(shares, surface.area, settings.threads, *owned);
    if (owned->levels.size() == 1) {
      owned->order = placeOf;
      all_.spacing = spacingOf(shares, lattice, settings.threads);
      for (const PointShare& share : shares)
        all_.radius = std::max(all_.radius, share.middle.norm());
    }
    if (count <= kCoarser * kFewestPoints || owned->levels.size() == kMostLevels) break;
    if (!finer.empty()) pieces = std::move(finer);
    finer.clear();
    for (const PointShare& share : shares) {
      finer.push_back({spotOf(share), static_cast<float>(share.area),
                       static_cast<float>(share.normalArea.norm())});
    }
  }
  all_.radius *= 1.0 + kRoundUp;
  all_.levels = owned->levels;
  all_.blocks = owned->blocks;
  all_.balls = owned->balls;
  all_.sums = owned->sums;
  all_.cones = owned->cones;
  all_.order = owned->order;
  keeper_ = owned;
}

models::Mesh offsetSurface(const models::Mesh& mesh, double offset) {
  // vertices at one place are one
  std::map<std::tuple<float, float, float>, std::size_t> places;
  std::vector<std::size_t> placeOf(mesh.positions.size());
  for (std::size_t v = 0; v < placeOf.size(); ++v) {
    const Vector3f& p = mesh.positions[v];
    placeOf[v] = places.try_emplace({p.x(), p.y(), p.z()}, places.size()).first->second;
  }
  // The move m of a vertex should be m . n = offset for each face at it. The mean normal, by angle,
  // is the direction; how far, the mean of those faces' cosines decides.
  std::vector<Vector3d> normals(places.size(), Vector3d::Zero());
  std::vector<double> weights(places.size(), 0.0);
  for (const models::Triangle& t : mesh.triangles) {
    std::array<Vector3d, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = mesh.positions[t[k]].cast<double>();
    const Vector3d across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double twiceArea = across.norm();
    if (!(twiceArea > 0.0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d next = corners[(k + 1) % 3] - corners[k];
      const Vector3d last = corners[(k + 2) % 3] - corners[k];
      const double angle = models::elementary::atan2(twiceArea, next.dot(last));
      normals[placeOf[t[k]]] += angle / twiceArea * across;
      weights[placeOf[t[k]]] += angle;
    }
  }
  models::Mesh moved = mesh;
  for (std::size_t v = 0; v < placeOf.size(); ++v) {
    const double length = normals[placeOf[v]].norm();
    if (!(length > 0.0)) continue;
    constexpr double kMostStretch = 2.0;
    const double stretch = std::min(kMostStretch, weights[placeOf[v]] / length);
    moved.positions[v] += (offset * stretch / length * normals[placeOf[v]]).cast<float>();
  }
  return moved;
}

}  // namespace tactus::collision
