#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// Distances to a sculpture at the points of a regular grid, and the solid that they show: the
/// points below a level. Level 0 is the sculpture itself; a negative level shrinks it, a positive
/// one grows it. The grid is symmetric in x and has an empty border for levels up to
/// `kHighestLevel`.
class SolidGrid {
 public:
  static constexpr double kHighestLevel = 0.5e-3;  // [m]

  SolidGrid(const Sculpture& sculpture, double spacing);

  /// Pieces of the solid whose points are joined along the axes.
  [[nodiscard]] std::size_t solidComponents(double level = 0.0) const;
  /// Pieces of the rest whose points are joined along axes or diagonals: 1 where no void is closed.
  [[nodiscard]] std::size_t emptyComponents(double level = 0.0) const;
  /// Of the solid made of all unit cubes, squares and edges whose corners are solid: pieces minus
  /// handles plus voids, so 1 for what could be kneaded from one ball.
  [[nodiscard]] long eulerCharacteristic(double level = 0.0) const;
  /// Points of the solid with an empty one beside them.
  [[nodiscard]] std::vector<Eigen::Vector3d> boundaryPoints() const;
  [[nodiscard]] Bounds bounds() const;
  [[nodiscard]] Eigen::Vector3d centreOfMass() const;

 private:
  [[nodiscard]] std::size_t index(int x, int y, int z) const;
  [[nodiscard]] Eigen::Vector3d point(int x, int y, int z) const;
  [[nodiscard]] bool isSolid(int x, int y, int z, double level = 0.0) const;
  [[nodiscard]] std::size_t components(double level, bool solid) const;
  template <typename Visit>
  void forEachSolid(double level, Visit visit) const;

  double spacing_ = 0.0;
  Eigen::Vector3d lower_ = Eigen::Vector3d::Zero();
  int width_ = 0, height_ = 0, depth_ = 0;
  std::vector<float> distances_;
};

}  // namespace tactus::models
