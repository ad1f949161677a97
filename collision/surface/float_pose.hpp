#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>

namespace tactus::collision {

/// A matrix as the vector code reads it.
[[nodiscard]] inline std::array<float, 9> rowByRow(const Eigen::Matrix3d& m) noexcept {
  std::array<float, 9> rows{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      rows[3 * i + j] =
          static_cast<float>(m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    }
  }
  return rows;
}

/// A pose as floats for vector code: of one thing's coordinates, relative to its origin, in those
/// of another, relative to that one's. What is posed inherits it.
struct FloatPose {
  FloatPose(const Eigen::Matrix3d& turn, const Eigen::Vector3d& apart) noexcept
      : rotation(rowByRow(turn)),
        offset{static_cast<float>(apart.x()), static_cast<float>(apart.y()),
               static_cast<float>(apart.z())} {}

  std::array<float, 9> rotation;  ///< row by row
  std::array<float, 3> offset;    ///< from one origin to the other
};

}  // namespace tactus::collision
