#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

struct WindingSettings {
  /// A group of triangles is taken as one when the point is further from its centre than this many
  /// times its radius. Below 1 the series need not converge; 1 is the least that is used.
  double accuracy = 2.3;
  /// Long slivers in pieces, see cutSlivers(): of fans and extruded curves a query takes a third of
  /// the time. Numbers are off by 1e-6 more, and on the surface itself may be those of one side.
  bool cutsSlivers = false;
};

/// Generalised winding number of a triangle soup: how many times the surface goes around a point.
///
/// 1 inside and 0 outside a closed outward surface, 2 where two bodies overlap, -1 inside an
/// inverted one; where holes are it passes smoothly from one to the other, so 0.5 is the best guess
/// of where the missing surface was. Duplicates, flipped parts and self-intersections shift it by
/// what they really add, and need no mending first.
///
/// Source: Jacobson, Kavan and Sorkine-Hornung, "Robust Inside-Outside Segmentation using
/// Generalized Winding Numbers", 2013; Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding
/// Numbers for Soups and Clouds", 2018; solid angle of a triangle after Van Oosterom and Strackee,
/// "The Solid Angle of a Plane Triangle", 1983.
/// How ours differs: the moments of a group are integrated over its triangles rather than sampled
/// at their centres, and stored without the traces that a harmonic function cannot see: 3 + 5 + 7
/// numbers instead of 3 + 9 + 27. The angles of near triangles are multiplied up as complex numbers
/// whose turns are counted, so a query takes one arc tangent in all.
///
/// Method:
/// - a binary tree, halved at the median of the triangles' centres along the longer axis
/// - far groups: dipole and the next two terms of its Taylor series about the centre of area
/// - near leaves: exact solid angle of every triangle
///
/// Deviation: a far group of area A and radius r at distance R is wrong by at most
/// A / (4 pi R^2) sum_{k>=3} (k + 1) (r / R)^k, which at R = 2.3 r is 0.7 A / (4 pi R^2). What is
/// left over a whole mesh, once the groups' signs have cancelled, is asserted in
/// tests/models/repair: below 0.02 at accuracy 2.3 and 0.001 at 4. The worst seen are 0.012 and
/// 0.0003, in the middle of a hollow ball, where all groups err alike; elsewhere 0.005. So any
/// accuracy from 1.5 up tells inside from outside of a closed surface.
class WindingNumber {
 public:
  /// Keeps a copy of the triangles' corners. The same bytes for any `threads` (0: one a core).
  /// Precondition: finite positions, indices in range.
  explicit WindingNumber(const Mesh& mesh, const WindingSettings& settings = {},
                         unsigned threads = 0);

  /// At a point in the mesh's coordinates [m]. On the surface itself the mean of both sides, as far
  /// as rounding lets a point be on it. 0 for a point that is not finite.
  [[nodiscard]] double at(const Eigen::Vector3d& point) const noexcept;

  [[nodiscard]] bool contains(const Eigen::Vector3d& point) const noexcept {
    return at(point) >= 0.5;
  }

  /// at() of every point, on `threads` threads.
  [[nodiscard]] std::vector<double> at(std::span<const Eigen::Vector3d> points,
                                       unsigned threads = 0) const;

  /// Memory of the arrays in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return nodes_.size() * sizeof(Node) + corners_.size() * sizeof(Corners);
  }

 private:
  using Corners = std::array<Eigen::Vector3f, 3>;

  /// A group of triangles. The nodes stand in depth-first order: the first child follows its
  /// parent, and `nodeCount` later comes what follows the whole group.
  ///
  /// With e = radius / R and u the unit vector to `centre`, the far field is
  /// e^2 (first . u + e second . P2(u) + e^2 third . P3(u)), P2 and P3 the harmonic polynomials
  /// named below.
  struct Node {
    Eigen::Vector3f centre = Eigen::Vector3f::Zero();  ///< of area, relative to the mesh's origin
    float radius = 0.0F;            ///< of the ball about `centre` that holds all corners [m]
    std::array<float, 3> first{};   ///< of x, y, z
    std::array<float, 5> second{};  ///< of xx - zz, yy - zz, xy, xz, yz
    std::array<float, 7> third{};   ///< of xxx - 3 xzz, 3 xyy - 3 xzz, 3 xxy - 3 yzz, yyy - 3 yzz,
                                    ///< 3 xxz - zzz, 3 yyz - zzz, xyz
    std::uint32_t nodeCount = 1;    ///< of the group, itself included; 1: a leaf
    std::uint32_t firstTriangle = 0;
    std::uint32_t triangleCount = 0;
  };

  struct Moments;
  class Builder;

  [[nodiscard]] static double farField(const Node& node, const Eigen::Vector3d& towards,
                                       double squaredDistance) noexcept;

  Eigen::Vector3d origin_;
  double squaredAccuracy_ = 0.0;
  std::vector<Node> nodes_;
  std::vector<Corners> corners_;  ///< in the order of the leaves
};

}  // namespace tactus::models
