#include "studies/textbook_tree_query.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace tactus::studies {
namespace {

using collision::InnerSphereTree;
using Node = TextbookTree::Node;

constexpr std::size_t kArity = InnerSphereTree::kArity;

struct Sphere {
  float x, y, z, radius;
};

/// What all calls of the recursion share.
class Traversal {
 public:
  Traversal(const TextbookTree& a, const TextbookTree& b, const Eigen::Isometry3d& aFromB)
      : a_(a.nodes().data()), b_(b.nodes().data()) {
    const Eigen::Vector3d offset = aFromB * b.origin() - a.origin();
    Eigen::Map<Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(rotation_.data()) =
        aFromB.linear().cast<float>();
    Eigen::Map<Eigen::Vector3f>(offset_.data()) = offset.cast<float>();
  }

  TextbookVolume run() {
    const Sphere rootOfB = posed(b_[0]);
    found_.pairTests = 1;
    if (overlap(a_[0], rootOfB)) computeVolume(a_[0], b_[0], rootOfB);
    return found_;
  }

 private:
  [[nodiscard]] Sphere posed(const Node& n) const {
    const auto& r = rotation_;
    return {r[0] * n.x + r[1] * n.y + r[2] * n.z + offset_[0],
            r[3] * n.x + r[4] * n.y + r[5] * n.z + offset_[1],
            r[6] * n.x + r[7] * n.y + r[8] * n.z + offset_[2], n.radius};
  }

  static float squaredDistance(const Node& a, const Sphere& b) {
    const float dx = b.x - a.x;
    const float dy = b.y - a.y;
    const float dz = b.z - a.z;
    return dx * dx + dy * dy + dz * dz;
  }

  static bool overlap(const Node& a, const Sphere& b) {
    const float reach = a.radius + b.radius;
    return squaredDistance(a, b) < reach * reach;
  }

  /// Equation 5.13, and the whole smaller ball where it is inside the other one.
  static float overlapVolume(const Node& a, const Sphere& b) {
    constexpr auto kPi = std::numbers::pi_v<float>;
    const float d = std::sqrt(squaredDistance(a, b));
    const float sum = a.radius + b.radius;
    const float difference = a.radius - b.radius;
    if (d <= std::abs(difference)) {
      const float smaller = a.radius < b.radius ? a.radius : b.radius;
      return 4.0F / 3.0F * kPi * smaller * smaller * smaller;
    }
    const float depth = sum - d;
    return kPi * depth * depth * (d * d + 2.0F * d * sum - 3.0F * difference * difference) /
           (12.0F * d);
  }

  /// Algorithm 5.3. `placeOfB` is B's sphere in A's frame. A leaf stands in for its own children
  /// where the other sphere has some.
  void computeVolume(const Node& a, const Node& b, const Sphere& placeOfB) {
    if (a.children == 0 && b.children == 0) {
      ++found_.leafPairs;
      found_.volume += static_cast<double>(overlapVolume(a, placeOfB));
      return;
    }
    const Node* const childrenOfA = a.children == 0 ? &a : a_ + a.firstChild;
    const std::int32_t countOfA = a.children == 0 ? 1 : a.children;
    if (b.children == 0) {
      found_.pairTests += static_cast<std::uint64_t>(countOfA);
      for (std::int32_t i = 0; i < countOfA; ++i) {
        if (overlap(childrenOfA[i], placeOfB)) computeVolume(childrenOfA[i], b, placeOfB);
      }
      return;
    }
    const Node* const childrenOfB = b_ + b.firstChild;
    found_.pairTests += static_cast<std::uint64_t>(countOfA * b.children);
    for (std::int32_t j = 0; j < b.children; ++j) {
      const Sphere place = posed(childrenOfB[j]);
      for (std::int32_t i = 0; i < countOfA; ++i) {
        if (overlap(childrenOfA[i], place)) computeVolume(childrenOfA[i], childrenOfB[j], place);
      }
    }
  }

  const Node* a_;
  const Node* b_;
  std::array<float, 9> rotation_{};  ///< row by row
  std::array<float, 3> offset_{};
  TextbookVolume found_;
};

}  // namespace

TextbookTree::TextbookTree(const InnerSphereTree& tree) : origin_(tree.origin()) {
  if (tree.leafCount() == 0) return;
  // Breadth first, so that siblings stand together and a level does.
  struct Place {
    std::size_t block, child;
  };
  std::vector<Place> places = {{0, 0}};
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto [block, child] = places[n];
    const InnerSphereTree::Bounds& bounds = tree.bounds()[block];
    const InnerSphereTree::Contents& contents = tree.contents()[block];
    Node node{bounds.x[child], bounds.y[child], bounds.z[child], bounds.radius[child], 0, 0};
    const std::int32_t link = contents.link[child];
    if (link < 0) {
      node.radius = contents.cellRadius[child];
    } else {
      node.firstChild = static_cast<std::int32_t>(places.size());
      const auto below = static_cast<std::size_t>(link);
      for (std::size_t k = 0; k < kArity; ++k) {
        if (std::isnan(tree.bounds()[below].x[k])) continue;  // none there
        places.push_back({below, k});
        ++node.children;
      }
    }
    nodes_.push_back(node);
  }
}

TextbookVolume textbookVolume(const TextbookTree& a, const TextbookTree& b,
                              const Eigen::Isometry3d& aFromB) noexcept {
  if (a.nodes().empty() || b.nodes().empty()) return {};
  return Traversal(a, b, aFromB).run();
}

}  // namespace tactus::studies
