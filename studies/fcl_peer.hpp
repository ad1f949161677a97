#pragma once
#include <Eigen/Geometry>
#include <memory>

#include "models/mesh/mesh.hpp"

namespace tactus::studies {

/// Distance of two surfaces as FCL computes it, for comparison: J. Pan, S. Chitta and D. Manocha,
/// "FCL: A General Purpose Library for Collision and Proximity Queries", 2012.
///
/// Its best structure for distances, trees of oriented boxes with sphere-swept rectangles (OBBRSS),
/// in doubles, with nearest points asked for; built once, nothing carried from query to query.
class FclPeer {
 public:
  /// Whether this build has FCL in it.
  [[nodiscard]] static bool isThere() noexcept;

  explicit FclPeer(const models::Mesh& mesh);
  FclPeer(FclPeer&&) noexcept;
  FclPeer& operator=(FclPeer&&) noexcept;
  ~FclPeer();

  struct Nearest {
    double distance = 0.0;  ///< [m]
    Eigen::Vector3d onA = Eigen::Vector3d::Zero(), onB = Eigen::Vector3d::Zero();
  };
  /// Of surfaces that are apart; without FCL nothing is found.
  [[nodiscard]] Nearest distance(const FclPeer& b, const Eigen::Isometry3d& aFromB) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace tactus::studies
