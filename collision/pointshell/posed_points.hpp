#pragma once
#include <Eigen/Geometry>

#include "collision/pointshell/pointshell.hpp"
#include "collision/surface/float_pose.hpp"
#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision {

/// A shell and a map, and the shell's pose in the map's coordinates, as floats for vector code.
struct PosedPoints : FloatPose {
  /// Neither is empty.
  PosedPoints(const Pointshell& shell, const Voxmap& map,
              const Eigen::Isometry3d& mapFromShell) noexcept;

  const Pointshell::Arrays& shell;
  const Voxmap::Arrays& map;
  Eigen::Isometry3d mapFromShell;
  /// What an interpolated distance may be off at two places together: as much as was measured when
  /// the map was made, and floats' rounding [m].
  float slack;
};

}  // namespace tactus::collision
