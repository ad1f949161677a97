#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/solid_mass.hpp"
#include "models/report/triangle_bvh.hpp"
#include "models/report/winding_number.hpp"

namespace tactus::collision {

using models::Solidity;
using models::solidityOf;

/// A mesh made ready for the exact queries, once for all poses.
///
/// `remainders` is what the floats of the mesh lost of each position in its file (empty: nothing).
/// A file in decimals is 1.5e-8 of a coordinate off as floats, which is 5e-7 of an overlap of a
/// thousandth of the object: far more than these queries are off themselves.
///
/// The solid is what the surface winds around: where bodies of one mesh overlap each other it
/// counts as often as they do, in volumes as in gradients. Edges with more than two uses are fine.
struct ExactBody {
  /// Any mesh with finite positions and indices in range; ask `solidity` before trusting a volume.
  /// `threads` 0: one a core.
  explicit ExactBody(models::Mesh solid, std::vector<Eigen::Vector3f> lostByFloats = {},
                     unsigned threads = 0);

  models::Mesh mesh;
  std::vector<Eigen::Vector3f> remainders;  ///< one a position, or none [m]
  models::TriangleBvh hierarchy;
  models::WindingNumber winding;
  std::vector<std::uint32_t> shellVertices;  ///< one vertex of each connected part
  models::Bounds bounds;  ///< of the triangles, without remainders, in the mesh's coordinates [m]
  Solidity solidity = Solidity::Solid;

  /// A position relative to the mesh's origin, with its remainder.
  [[nodiscard]] Eigen::Vector3d localPosition(std::uint32_t vertex) const {
    Eigen::Vector3d stored = mesh.positions[vertex].cast<double>();
    if (remainders.empty()) return stored;
    return stored + remainders[vertex].cast<double>();
  }
};

/// Box in doubles.
struct PosedBox {
  Eigen::Vector3d lower = Eigen::Vector3d::Zero();
  Eigen::Vector3d upper = Eigen::Vector3d::Zero();

  /// Squared distance of two boxes; 0 if they touch [m^2].
  [[nodiscard]] double squaredDistance(const PosedBox& other) const noexcept {
    const Eigen::Vector3d gap =
        (lower - other.upper).cwiseMax(other.lower - upper).cwiseMax(Eigen::Vector3d::Zero());
    return gap.squaredNorm();
  }
};

/// A body's triangles and the boxes of its hierarchy in some other frame.
struct PosedTriangles {
  std::vector<std::array<Eigen::Vector3d, 3>> corners;  ///< in the order of the leaves
  std::vector<PosedBox> boxes;                          ///< of the hierarchy's nodes, tight
};

/// Each position p of the mesh becomes turn * (p - centre): the subtraction comes first, so that
/// bodies far from zero keep their precision.
[[nodiscard]] PosedTriangles posedTriangles(const ExactBody& body, const Eigen::Matrix3d& turn,
                                            const Eigen::Vector3d& centre, unsigned threads = 0);

}  // namespace tactus::collision
