#pragma once
#include <Eigen/Core>
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// Right-angled boxes, centred on the origin: the extents along x, y and z in metres.
inline const Eigen::Vector3d kBoxExtents(0.060, 0.040, 0.020);
inline const Eigen::Vector3d kBlockExtents(0.120, 0.040, 0.060);
inline const Eigen::Vector3d kPlateExtents(0.100, 0.002, 0.100);

/// A box of the given extents whose faces are regular grids; quadrangles are as square as whole
/// numbers allow.
[[nodiscard]] Mesh makeBoxOf(const Eigen::Vector3d& extents, std::size_t triangles);

[[nodiscard]] Mesh makeBox(std::size_t triangles);
[[nodiscard]] Mesh makeBlock(std::size_t triangles);
[[nodiscard]] Mesh makePlate(std::size_t triangles);

}  // namespace tactus::models
