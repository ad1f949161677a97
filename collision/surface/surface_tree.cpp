#include "collision/surface/surface_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>

#include "models/report/triangle_bvh.hpp"

#define TACTUS_LANES_FILE "collision/surface/surface_tree.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_SURFACE_TREE_ONCE
#define TACTUS_COLLISION_SURFACE_SURFACE_TREE_ONCE
namespace tactus::collision {

/// The tree's arrays, for the kernels.
struct SurfaceWalk {
  std::span<const SurfaceTree::Node> nodes;
  std::span<const SurfaceTree::Leaf> leaves;
  double extent;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

// A wide node stands for at least one level of the binary tree, of which there are at most
// kMaxDepth; each takes one entry away and pushes sixteen.
constexpr std::size_t kStackEntries = 1 + (kLanes - 1) * (models::TriangleBvh::kMaxDepth + 1);

// Rounding of the point and of a box's distance to it, as a share of the largest coordinate that
// takes part: each of three differences is off by 1.5 units in the last place (6e-8) at most.
constexpr double kBoxError = 1e-6;

struct Waiting {
  std::uint32_t child;
  float squaredDistance;
};

/// The square of a distance in floats that is certainly beyond `reach`.
LANES_INLINE float floatLimit(double reach, double error) {
  const double limit = (reach + error) * (1.0 + 1e-6);
  return static_cast<float>(std::min(limit * limit * (1.0 + 1e-6) + 1e-37, 1e38));
}

LANES_INLINE F32x16 squaredBoxDistance(const SurfaceTree::Node& node, const float* p) {
  F32x16 sum = 0.0F;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const F32x16 x = p[axis];
    const F32x16 d =
        max(max(load(node.lower[axis].data()) - x, x - load(node.upper[axis].data())), 0.0F);
    sum += d * d;
  }
  return sum;
}

struct Vector {
  F64x16 x, y, z;
};
LANES_INLINE Vector minus(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE F64x16 dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Squared distance of the point `p` before a side's start to the side.
LANES_INLINE F64x16 squaredSideDistance(const Vector& p, const Vector& side, F64x16 along,
                                        F64x16 inverse) {
  const F64x16 t = min(max(along * inverse, 0.0), 1.0);
  const Vector rest = {p.x - t * side.x, p.y - t * side.y, p.z - t * side.z};
  return dot(rest, rest);
}

/// Squared distances of the point to sixteen triangles.
LANES_INLINE F64x16 squaredDistances(const SurfaceTree::Leaf& leaf, const double* point) {
  const auto corner = [&leaf](std::size_t i) { return leaf.corner[i].data(); };
  const Vector a = {toDouble(load(corner(0))), toDouble(load(corner(1))),
                    toDouble(load(corner(2)))};
  const Vector b = {toDouble(load(corner(3))), toDouble(load(corner(4))),
                    toDouble(load(corner(5)))};
  const Vector c = {toDouble(load(corner(6))), toDouble(load(corner(7))),
                    toDouble(load(corner(8)))};
  const Vector p = {point[0], point[1], point[2]};
  const Vector ab = minus(b, a);
  const Vector ac = minus(c, a);
  const Vector bc = minus(c, b);
  const Vector ap = minus(p, a);
  const Vector bp = minus(p, b);
  const F64x16 alongAb = dot(ab, ap);
  const F64x16 alongAc = dot(ac, ap);
  F64x16 best = squaredSideDistance(ap, ab, alongAb, load(leaf.inverseAb.data()));
  best = min(best, squaredSideDistance(ap, ac, alongAc, load(leaf.inverseAc.data())));
  best = min(best, squaredSideDistance(bp, bc, dot(bc, bp), load(leaf.inverseBc.data())));

  // the face counts where the foot of the perpendicular lies within it
  const Vector n = {ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z,
                    ab.x * ac.y - ab.y * ac.x};
  const F64x16 inverseFace = load(leaf.inverseFace.data());
  const F64x16 abab = dot(ab, ab);
  const F64x16 abac = dot(ab, ac);
  const F64x16 acac = dot(ac, ac);
  const F64x16 v = acac * alongAb - abac * alongAc;
  const F64x16 w = abab * alongAc - abac * alongAb;
  const F64x16 whole = abab * acac - abac * abac;
  const F64x16 height = dot(n, ap);
  const auto within = (v >= 0.0) & (w >= 0.0) & (v + w <= whole) & (inverseFace > 0.0);
  return select(within, min(best, height * height * inverseFace), best);
}

/// Calls visit(leaf) for the leaves whose boxes may be closer than the root of `visit.limit`, near
/// ones mostly first. The visitor may lower the limit.
template <typename Visit>
LANES_INLINE void walk(const SurfaceWalk& tree, const double* point, Visit& visit) {
  if (tree.nodes.empty()) return;
  const std::array<float, 3> p = {static_cast<float>(point[0]), static_cast<float>(point[1]),
                                  static_cast<float>(point[2])};
  std::array<Waiting, kStackEntries> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {0, 0.0F};
  while (waiting != 0) {
    const Waiting next = stack[--waiting];
    if (next.squaredDistance > visit.limit) continue;
    if ((next.child & SurfaceTree::kLeafBit) != 0) {
      visit(tree.leaves[next.child & ~SurfaceTree::kLeafBit]);
      continue;
    }
    const SurfaceTree::Node& node = tree.nodes[next.child];
    std::array<float, kLanes> distances;
    store(squaredBoxDistance(node, p.data()), distances.data());
    // insertion keeps the nearest one on top; few of the sixteen pass
    const std::size_t floor = waiting;
    for (std::size_t i = 0; i < node.count; ++i) {
      const float d = distances[i];
      if (d > visit.limit) continue;
      std::size_t at = waiting++;
      for (; at > floor && stack[at - 1].squaredDistance < d; --at)
        stack[at] = stack[at - 1];
      stack[at] = {node.child[i], d};
    }
  }
}

LANES_INLINE double errorAt(const SurfaceWalk& tree, const double* point) {
  const double far = std::max({std::fabs(point[0]), std::fabs(point[1]), std::fabs(point[2])});
  return kBoxError * (far + tree.extent);
}

struct Closest {
  const double* point;
  double error;
  SurfaceTree::Hit best;
  float limit;

  LANES_INLINE void operator()(const SurfaceTree::Leaf& leaf) {
    const F64x16 all = squaredDistances(leaf, point);
    if (none(all <= best.squaredDistance)) return;
    std::array<double, kLanes> squared;
    store(all, squared.data());
    bool closer = false;
    for (std::size_t i = 0; i < leaf.count; ++i) {
      if (squared[i] > best.squaredDistance) continue;
      if (squared[i] < best.squaredDistance || leaf.triangle[i] < best.triangle) {
        closer = true;
        best = {squared[i], leaf.triangle[i]};
      }
    }
    if (closer) limit = floatLimit(std::sqrt(best.squaredDistance), error);
  }
};

void closestTriangle(const SurfaceWalk& tree, const double* point, double reach,
                     SurfaceTree::Hit& result) noexcept {
  const double error = errorAt(tree, point);
  Closest closest{point, error, {reach * reach, kNoTriangle}, floatLimit(reach, error)};
  walk(tree, point, closest);
  result = closest.best;
}

struct Within {
  const double* point;
  double squaredReach;
  std::vector<std::uint32_t>& triangles;
  float limit;

  LANES_INLINE void operator()(const SurfaceTree::Leaf& leaf) {
    std::array<double, kLanes> squared;
    store(squaredDistances(leaf, point), squared.data());
    for (std::size_t i = 0; i < leaf.count; ++i) {
      if (squared[i] <= squaredReach) triangles.push_back(leaf.triangle[i]);
    }
  }
};

void trianglesWithin(const SurfaceWalk& tree, const double* point, double reach,
                     std::vector<std::uint32_t>& triangles) {
  Within within{point, reach * reach, triangles, floatLimit(reach, errorAt(tree, point))};
  walk(tree, point, within);
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

class SurfaceTree::Builder {
 public:
  Builder(const models::Mesh& mesh, const models::TriangleBvh& bvh, std::vector<Node>& nodes,
          std::vector<Leaf>& leaves)
      : mesh_(mesh), bvh_(bvh), counts_(bvh.nodes.size()), nodes_(nodes), leaves_(leaves) {
    // children stand after their parents
    for (std::size_t i = bvh.nodes.size(); i-- > 0;) {
      const models::BvhNode& node = bvh.nodes[i];
      counts_[i] = node.isLeaf() ? node.count : counts_[node.first] + counts_[node.first + 1];
    }
  }

  void build() {
    if (bvh_.nodes.empty()) return;
    if (isLeaf(0)) {  // the walk starts at a node
      nodes_.emplace_back();
      setChildren(0, {0});
    } else {
      open(0);
    }
  }

 private:
  [[nodiscard]] bool isLeaf(std::uint32_t binary) const {
    return counts_[binary] <= kWidth || bvh_.nodes[binary].isLeaf();
  }

  [[nodiscard]] double halfArea(std::uint32_t binary) const {
    const models::BvhNode& node = bvh_.nodes[binary];
    const Eigen::Vector3d size = node.upper.cast<double>() - node.lower.cast<double>();
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
  }

  std::uint32_t open(std::uint32_t binary) {
    const auto self = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    std::vector<std::uint32_t> children = {binary};
    while (children.size() < kWidth) {
      std::size_t largest = children.size();
      double area = -1.0;
      for (std::size_t i = 0; i < children.size(); ++i) {
        if (!isLeaf(children[i]) && halfArea(children[i]) > area) {
          area = halfArea(children[i]);
          largest = i;
        }
      }
      if (largest == children.size()) break;
      const std::uint32_t first = bvh_.nodes[children[largest]].first;
      children[largest] = first;
      children.push_back(first + 1);
    }
    setChildren(self, children);
    return self;
  }

  void setChildren(std::uint32_t self, const std::vector<std::uint32_t>& children) {
    for (std::size_t i = 0; i < kWidth; ++i) {
      const bool exists = i < children.size();
      std::uint32_t child = 0;
      if (exists) child = isLeaf(children[i]) ? makeLeaf(children[i]) : open(children[i]);
      Node& node = nodes_[self];
      node.child[i] = child;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // far away and not infinite: infinity minus infinity is no number
        const auto a = static_cast<Eigen::Index>(axis);
        node.lower[axis][i] = exists ? bvh_.nodes[children[i]].lower[a] : 1e30F;
        node.upper[axis][i] = exists ? bvh_.nodes[children[i]].upper[a] : 1e30F;
      }
    }
    nodes_[self].count = static_cast<std::uint32_t>(children.size());
  }

  void collect(std::uint32_t binary, std::vector<std::uint32_t>& triangles) const {
    const models::BvhNode& node = bvh_.nodes[binary];
    if (!node.isLeaf()) {
      collect(node.first, triangles);
      collect(node.first + 1, triangles);
      return;
    }
    for (std::uint32_t i = 0; i < node.count; ++i)
      triangles.push_back(bvh_.order[node.first + i]);
  }

  std::uint32_t makeLeaf(std::uint32_t binary) {
    std::vector<std::uint32_t> triangles;
    collect(binary, triangles);
    Leaf leaf;
    leaf.count = static_cast<std::uint32_t>(triangles.size());
    const auto inverse = [](double x) { return x > 0.0 ? 1.0 / x : 0.0; };
    for (std::size_t i = 0; i < kWidth; ++i) {
      const std::uint32_t triangle = triangles[std::min(i, triangles.size() - 1)];
      std::array<Eigen::Vector3d, 3> p;
      for (std::size_t k = 0; k < 3; ++k) {
        const Eigen::Vector3f& corner = mesh_.positions[mesh_.triangles[triangle][k]];
        p[k] = corner.cast<double>();
        for (std::size_t axis = 0; axis < 3; ++axis)
          leaf.corner[3 * k + axis][i] = corner[static_cast<Eigen::Index>(axis)];
      }
      const Eigen::Vector3d ab = p[1] - p[0];
      const Eigen::Vector3d ac = p[2] - p[0];
      leaf.inverseAb[i] = inverse(ab.squaredNorm());
      leaf.inverseAc[i] = inverse(ac.squaredNorm());
      leaf.inverseBc[i] = inverse((p[2] - p[1]).squaredNorm());
      const double face = ab.cross(ac).squaredNorm();
      const bool isSliver = !(face > kSliver * ab.squaredNorm() * ac.squaredNorm());
      leaf.inverseFace[i] = isSliver ? 0.0 : inverse(face);
      leaf.triangle[i] = triangle;
    }
    leaves_.push_back(leaf);
    return static_cast<std::uint32_t>(leaves_.size() - 1) | kLeafBit;
  }

  const models::Mesh& mesh_;
  const models::TriangleBvh& bvh_;
  std::vector<std::uint32_t> counts_;  ///< triangles below each binary node
  std::vector<Node>& nodes_;
  std::vector<Leaf>& leaves_;
};

SurfaceTree::SurfaceTree(const models::Mesh& mesh, unsigned threads) {
  Builder(mesh, models::buildTriangleBvh(mesh, threads), nodes_, leaves_).build();
  for (const Eigen::Vector3f& p : mesh.positions)
    extent_ = std::max(extent_, static_cast<double>(p.cwiseAbs().maxCoeff()));
}

SurfaceTree::Hit SurfaceTree::closest(const Eigen::Vector3d& local, double reach) const noexcept {
  // the square of a longer one would overflow a float
  const double held = std::clamp(reach, 0.0, 1e18);
  Hit hit;
  TACTUS_LANES_CALL(closestTriangle)({nodes_, leaves_, extent_}, local.data(), held, hit);
  return hit;
}

void SurfaceTree::within(const Eigen::Vector3d& local, double reach,
                         std::vector<std::uint32_t>& triangles) const {
  TACTUS_LANES_CALL(trianglesWithin)({nodes_, leaves_, extent_}, local.data(), reach, triangles);
}

}  // namespace tactus::collision
#endif
