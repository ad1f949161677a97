#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/surface/distance_field.hpp"

namespace tactus::collision {

/// What the volume of an overlap certainly is between [m^3].
struct VolumeBounds {
  double lower = 0.0, upper = 0.0;
  std::uint32_t cubes = 0;  ///< that were looked at
  bool isCut = false;       ///< finer cubes would have been more than `most`
};

/// Room of one thread for volumeBounds().
class VolumeBoundsScratch {
 public:
  explicit VolumeBoundsScratch(const DistanceField& field);

  // Everything below is for the query: cubes of one grid and of the next, as their coordinates.
  struct Cubes {
    std::vector<std::int32_t> x, y, z;
  };
  Cubes cubes[2];
};

inline constexpr std::uint32_t kAllCubes = std::numeric_limits<std::uint32_t>::max();

/// Bounds of the volume that two solids share, by the distance fields of both.
///
/// Method: from the coarsest cube of `field` down to the finest. A cube that is outside of one of
/// the solids adds nothing; one that is inside both adds its volume to both bounds; the others are
/// opened. A cube is inside or outside when its centre is further from the surface than its half
/// diagonal; the other field is asked at the nearest of its finest centres, and distance changes by
/// no more than the way from there. Of the finest cubes that stay in doubt, the ball around the
/// centre that reaches to the nearer surface is certain: inside both solids it adds to the lower
/// bound, outside of one it leaves the upper one. That halves what is between the bounds.
///
/// A grid that would bring the cubes above `most` is left out, and what is in doubt adds its volume
/// to the upper bound as it is: wider bounds, as certain.
///
/// Time grows with the area of the surfaces within each other, in finest cubes. `scratch` is of
/// `field`.
[[nodiscard]] VolumeBounds volumeBounds(const DistanceField& field, const DistanceField& other,
                                        const Eigen::Isometry3d& otherFromField,
                                        VolumeBoundsScratch& scratch,
                                        std::uint32_t most = kAllCubes) noexcept;

}  // namespace tactus::collision
