#include "models/report/winding_number.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/report/cut_slivers.hpp"

namespace tactus::models {
namespace {

// 4, 8 and 16 measured on a torus of 1 M triangles (2025-11): a query near the surface takes 5 %
// less with 4 than with 8 and 45 % less than with 16, far from it half of the time of 8; 4 costs 82
// MB where 8 costs 59.
constexpr std::size_t kLeafTriangles = 4;

// The tree is cut into 2^6 subtrees that are built in parallel: enough to share evenly between any
// number of cores that builds one model, and the same cut on every machine.
constexpr int kSubtreeDepth = 6;

// Points a block of a batch: about a millisecond, so that threads end together.
constexpr std::size_t kPointsPerBlock = 256;

// Float radii are rounded up by this, more than the half unit of the last place they may lose.
constexpr double kRoundUp = 1.0 + 0x1p-22;

/// Sum of angles in (-pi, pi), given by a tangent's numerator and denominator.
///
/// The complex numbers den + i num are multiplied; the product has the sum as its angle, but for
/// whole turns. Two angles of the same sign have made a turn when their sum has come out with the
/// other sign, so turns can be counted by signs alone.
class AngleSum {
 public:
  void add(double numerator, double denominator) noexcept {
    // in the plane of the triangle it fills no solid angle, or in the mean of both sides none
    if (numerator == 0.0) return;
    const double unit = 1.0 / (std::fabs(numerator) + std::fabs(denominator));
    const double im = numerator * unit;
    const double re = denominator * unit;
    const double productRe = re_ * re - im_ * im;
    const double productIm = re_ * im + im_ * re;
    if (im_ >= 0.0 && im > 0.0 && productIm < 0.0) ++turns_;
    if (im_ < 0.0 && im < 0.0 && productIm >= 0.0) --turns_;
    re_ = productRe;
    im_ = productIm;
  }

  /// To be called every few hundred angles: each makes the product up to 0.7 times smaller.
  void normalise() noexcept {
    const double unit = 1.0 / (std::fabs(re_) + std::fabs(im_));
    re_ *= unit;
    im_ *= unit;
  }

  [[nodiscard]] double inTurns() const noexcept {
    return turns_ + elementary::atan2(im_, re_) / (2.0 * std::numbers::pi);
  }

 private:
  double re_ = 1.0, im_ = 0.0;
  int turns_ = 0;
};

/// Adds half the solid angle of the triangle, seen from the point.
void addHalfSolidAngle(const std::array<Eigen::Vector3f, 3>& corners, const Eigen::Vector3d& point,
                       AngleSum& sum) noexcept {
  const Eigen::Vector3d a = corners[0].cast<double>() - point;
  const Eigen::Vector3d b = corners[1].cast<double>() - point;
  const Eigen::Vector3d c = corners[2].cast<double>() - point;
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  sum.add(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

Eigen::Matrix3d outer(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a * b.transpose();
}

}  // namespace

/// Integrals over the surface of a group, of offsets s from `centre` and the normal n.
struct WindingNumber::Moments {
  double area = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();               ///< of n
  Eigen::Matrix3d first = Eigen::Matrix3d::Zero();                ///< of s_i n_k
  std::array<Eigen::Matrix3d, 3> second = {first, first, first};  ///< [k]: of s_i s_j n_k

  /// Adds the moments of a part, moved from the part's centre to this one's.
  void add(const Moments& part) {
    const Eigen::Vector3d s = part.centre - centre;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d f = part.first.col(k);
      second[static_cast<std::size_t>(k)] += part.second[static_cast<std::size_t>(k)] +
                                             outer(s, f) + outer(f, s) +
                                             outer(s, s) * part.normal[k];
    }
    first += part.first + outer(s, part.normal);
    normal += part.normal;
  }

  void add(const Corners& corners) {
    const Eigen::Vector3d a = corners[0].cast<double>() - centre;
    const Eigen::Vector3d b = corners[1].cast<double>() - centre;
    const Eigen::Vector3d c = corners[2].cast<double>() - centre;
    const Eigen::Vector3d areaNormal = 0.5 * (b - a).cross(c - a);
    const Eigen::Vector3d sum = a + b + c;
    const Eigen::Matrix3d squares =
        (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) / 12.0;
    for (int k = 0; k < 3; ++k)
      second[static_cast<std::size_t>(k)] += squares * areaNormal[k];
    first += outer(sum / 3.0, areaNormal);
    normal += areaNormal;
  }

  /// Writes the far field's coefficients: the parts of the symmetric moments that have no trace.
  void store(Node& node) const {
    const double r = node.radius;
    if (!(r > 0.0)) return;
    const double perArea = 1.0 / (4.0 * std::numbers::pi * r * r);
    for (std::size_t k = 0; k < 3; ++k) {
      node.first[k] = static_cast<float>(perArea * normal[static_cast<Eigen::Index>(k)]);
    }

    const double two = -3.0 * perArea / r;
    const double third = first.trace() / 3.0;
    node.second = {static_cast<float>(two * (first(0, 0) - third)),
                   static_cast<float>(two * (first(1, 1) - third)),
                   static_cast<float>(two * (first(0, 1) + first(1, 0))),
                   static_cast<float>(two * (first(0, 2) + first(2, 0))),
                   static_cast<float>(two * (first(1, 2) + first(2, 1)))};

    const double three = 7.5 * perArea / (r * r);
    const auto t = [this](int i, int j, int k) {
      return (second[static_cast<std::size_t>(k)](i, j) +
              second[static_cast<std::size_t>(i)](j, k) +
              second[static_cast<std::size_t>(j)](k, i)) /
             3.0;
    };
    const auto fifth = [&t](int k) { return (t(0, 0, k) + t(1, 1, k) + t(2, 2, k)) / 5.0; };
    node.third = {static_cast<float>(three * (t(0, 0, 0) - 3.0 * fifth(0))),
                  static_cast<float>(three * (t(0, 1, 1) - fifth(0))),
                  static_cast<float>(three * (t(0, 0, 1) - fifth(1))),
                  static_cast<float>(three * (t(1, 1, 1) - 3.0 * fifth(1))),
                  static_cast<float>(three * (t(0, 0, 2) - fifth(2))),
                  static_cast<float>(three * (t(1, 1, 2) - fifth(2))),
                  static_cast<float>(three * 6.0 * t(0, 1, 2))};
  }
};

class WindingNumber::Builder {
 public:
  Builder(std::vector<Corners> source, std::vector<Corners>& corners)
      : source_(std::move(source)), items_(source_.size()), corners_(corners) {
    corners_.resize(source_.size());
  }

  [[nodiscard]] std::vector<Node> build(unsigned threads) {
    std::vector<Node> nodes;
    if (items_.empty()) return nodes;
    parallelFor(items_.size(), kTrianglesPerBlock, threads,
                [this](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    const Corners& c = source_[i];
                    items_[i] = {(c[0] + c[1] + c[2]) / 3.0F, static_cast<std::uint32_t>(i)};
                  }
                });
    cut(0, items_.size(), 0);
    parallelFor(subtrees_.size(), 1, threads, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Subtree& tree = subtrees_[i];
        tree.moments = grow(tree.begin, tree.end, tree.nodes);
      }
    });
    join(0, items_.size(), nodes);
    return nodes;
  }

 private:
  static constexpr std::size_t kTrianglesPerBlock = 16'384;

  struct Item {
    Eigen::Vector3f centre;
    std::uint32_t triangle;
  };
  struct Subtree {
    std::size_t begin = 0, end = 0;
    std::vector<Node> nodes;
    Moments moments;
  };

  static std::size_t middle(std::size_t begin, std::size_t end) {
    return begin + (end - begin) / 2;
  }

  /// Brings the lower half along the longest axis to the front.
  void halve(std::size_t begin, std::size_t end) {
    Eigen::Vector3f lower = items_[begin].centre;
    Eigen::Vector3f upper = lower;
    for (std::size_t i = begin + 1; i < end; ++i) {
      lower = lower.cwiseMin(items_[i].centre);
      upper = upper.cwiseMax(items_[i].centre);
    }
    Eigen::Index axis = 0;
    (upper - lower).maxCoeff(&axis);
    const auto at = [this](std::size_t i) {
      return items_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    // the triangle's number decides between equals: without it the halves would be the library's
    std::nth_element(
        at(begin), at(middle(begin, end)), at(end), [axis](const Item& a, const Item& b) {
          return std::pair(a.centre[axis], a.triangle) < std::pair(b.centre[axis], b.triangle);
        });
  }

  void cut(std::size_t begin, std::size_t end, int depth) {
    if (depth == kSubtreeDepth || end - begin <= kLeafTriangles) {
      subtrees_.push_back({begin, end, {}, {}});
      return;
    }
    halve(begin, end);
    cut(begin, middle(begin, end), depth + 1);
    cut(middle(begin, end), end, depth + 1);
  }

  Moments grow(std::size_t begin, std::size_t end, std::vector<Node>& nodes) {
    if (end - begin <= kLeafTriangles) return leaf(begin, end, nodes);
    const std::size_t self = nodes.size();
    nodes.emplace_back();
    halve(begin, end);
    const Moments left = grow(begin, middle(begin, end), nodes);
    const Moments right = grow(middle(begin, end), end, nodes);
    return close(self, begin, end, left, right, nodes);
  }

  /// As grow() for what cut() has halved, down to the subtrees, which are taken over as they are.
  Moments join(std::size_t begin, std::size_t end, std::vector<Node>& nodes) {
    Subtree& tree = subtrees_[nextSubtree_];
    if (tree.begin == begin && tree.end == end) {
      ++nextSubtree_;
      nodes.insert(nodes.end(), tree.nodes.begin(), tree.nodes.end());
      tree.nodes = {};
      return tree.moments;
    }
    const std::size_t self = nodes.size();
    nodes.emplace_back();
    const Moments left = join(begin, middle(begin, end), nodes);
    const Moments right = join(middle(begin, end), end, nodes);
    return close(self, begin, end, left, right, nodes);
  }

  Moments leaf(std::size_t begin, std::size_t end, std::vector<Node>& nodes) {
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin),
              items_.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
    Moments moments;
    Eigen::Vector3d weighted = Eigen::Vector3d::Zero();
    for (std::size_t i = begin; i < end; ++i) {
      const Corners& corners = corners_[i] = source_[items_[i].triangle];
      const Eigen::Vector3d a = corners[0].cast<double>();
      const Eigen::Vector3d b = corners[1].cast<double>();
      const Eigen::Vector3d c = corners[2].cast<double>();
      const double area = 0.5 * (b - a).cross(c - a).norm();
      moments.area += area;
      weighted += area * (a + b + c) / 3.0;
    }
    Node& node = nodes.emplace_back();
    place(weighted, begin, end, moments, node);
    for (std::size_t i = begin; i < end; ++i)
      moments.add(corners_[i]);
    moments.store(node);
    return moments;
  }

  Moments close(std::size_t self, std::size_t begin, std::size_t end, const Moments& left,
                const Moments& right, std::vector<Node>& nodes) {
    Moments moments;
    moments.area = left.area + right.area;
    Node& node = nodes[self];
    node.nodeCount = static_cast<std::uint32_t>(nodes.size() - self);
    place(left.area * left.centre + right.area * right.centre, begin, end, moments, node);
    moments.add(left);
    moments.add(right);
    moments.store(node);
    return moments;
  }

  /// Sets the centre (rounded to what the node holds) and the radius about it.
  void place(const Eigen::Vector3d& weighted, std::size_t begin, std::size_t end, Moments& moments,
             Node& node) const {
    node.centre = moments.area > 0.0 ? Eigen::Vector3f((weighted / moments.area).cast<float>())
                                     : corners_[begin][0];
    moments.centre = node.centre.cast<double>();
    double squaredRadius = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      for (const Eigen::Vector3f& corner : corners_[i]) {
        squaredRadius =
            std::max(squaredRadius, (corner.cast<double>() - moments.centre).squaredNorm());
      }
    }
    node.radius = static_cast<float>(std::sqrt(squaredRadius) * kRoundUp);
    node.firstTriangle = static_cast<std::uint32_t>(begin);
    node.triangleCount = static_cast<std::uint32_t>(end - begin);
  }

  std::vector<Corners> source_;
  std::vector<Item> items_;
  std::vector<Corners>& corners_;
  std::vector<Subtree> subtrees_;
  std::size_t nextSubtree_ = 0;
};

WindingNumber::WindingNumber(const Mesh& mesh, const WindingSettings& settings, unsigned threads)
    : origin_(mesh.origin) {
  const double accuracy = std::max(1.0, settings.accuracy);
  squaredAccuracy_ = accuracy * accuracy;
  nodes_ =
      Builder(settings.cutsSlivers ? cutSlivers(mesh) : cornersOf(mesh), corners_).build(threads);
}

double WindingNumber::farField(const Node& node, const Eigen::Vector3d& towards,
                               double squaredDistance) noexcept {
  const double inverse = 1.0 / std::sqrt(squaredDistance);
  const double e = node.radius * inverse;
  const double x = towards.x() * inverse;
  const double y = towards.y() * inverse;
  const double z = towards.z() * inverse;
  const double xx = x * x;
  const double yy = y * y;
  const double zz = z * z;
  const auto& [nx, ny, nz] = node.first;
  const auto& [mxx, myy, mxy, mxz, myz] = node.second;
  const auto& [txxx, txyy, txxy, tyyy, txxz, tyyz, txyz] = node.third;
  const double first = nx * x + ny * y + nz * z;
  const double second =
      mxx * (xx - zz) + myy * (yy - zz) + mxy * (x * y) + mxz * (x * z) + myz * (y * z);
  const double third = x * (txxx * (xx - 3.0 * zz) + 3.0 * txyy * (yy - zz)) +
                       y * (tyyy * (yy - 3.0 * zz) + 3.0 * txxy * (xx - zz)) +
                       z * (txxz * (3.0 * xx - zz) + tyyz * (3.0 * yy - zz) + txyz * (x * y));
  return e * e * (first + e * (second + e * third));
}

double WindingNumber::at(const Eigen::Vector3d& point) const noexcept {
  if (!point.allFinite()) return 0.0;
  const Eigen::Vector3d local = point - origin_;
  double far = 0.0;
  AngleSum near;
  for (std::size_t n = 0; n < nodes_.size();) {
    const Node& node = nodes_[n];
    const Eigen::Vector3d towards = node.centre.cast<double>() - local;
    const double squaredDistance = towards.squaredNorm();
    const double radius = node.radius;
    if (squaredDistance > squaredAccuracy_ * radius * radius) {
      far += farField(node, towards, squaredDistance);
      n += node.nodeCount;
    } else if (node.nodeCount > 1) {
      ++n;
    } else {
      for (std::uint32_t i = 0; i < node.triangleCount; ++i) {
        addHalfSolidAngle(corners_[node.firstTriangle + i], local, near);
      }
      near.normalise();
      ++n;
    }
  }
  return far + near.inTurns();
}

std::vector<double> WindingNumber::at(std::span<const Eigen::Vector3d> points,
                                      unsigned threads) const {
  std::vector<double> values(points.size());
  parallelFor(points.size(), kPointsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      values[i] = at(points[i]);
  });
  return values;
}

}  // namespace tactus::models
