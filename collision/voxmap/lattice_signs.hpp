#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tactus::collision {

/// Distances to a closed surface at the points of a lattice become negative inside.
///
/// The surface does not pass between two points whose distances to it are together more than the
/// step between them. So it is asked once for all points that hang together in this way, at the one
/// that is furthest from the surface, where the answer is least in doubt: some few of 512 near a
/// smooth surface.
///
/// Source: the project's own.
///
/// Keeps its memory: one object a thread.
class LatticeSigns {
 public:
  /// Unsigned distances, x fastest. `isInside` gets the number of a point.
  void apply(std::span<float> distances, const std::array<std::int32_t, 3>& size, double step,
             const std::function<bool(std::size_t)>& isInside);

 private:
  std::vector<std::uint8_t> isSeen_;
  std::vector<std::uint32_t> together_;
};

}  // namespace tactus::collision
