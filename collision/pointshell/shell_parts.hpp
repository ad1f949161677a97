#pragma once
#include <Eigen/Core>
#include <cstddef>

#include "collision/pointshell/pointshell.hpp"

namespace tactus::collision {

/// A point of a shell, and what of the surface it stands for.
struct ShellPoint {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();   ///< in the mesh's frame
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< inward; unit, or zero if it has none
  double area = 0.0;                                 ///< [m^2]
};

/// What a node of a shell's tree says of the points below it.
struct ShellNode {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of a ball around them, in the mesh's frame
  double radius = 0.0;                               ///< [m]; negative: there is no such node
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< of a cone around their inward normals
  double cosine = -1.0;  ///< of the cone's half angle; -1 if it is wider than a quarter turn
};

// The nested order and the cones of normals, for programs that use the library. They are in the
// file because who reads it may want what its own queries do without:
//
// - A force is an integral over all of the surface inside, by the divergence theorem also over what
//   looks away from the other body, so that no cone lets a sum pass by a node. Cones tell which
//   parts can face a direction: for culling of one-sided contacts, as in W. McNeely et al. 1999,
//   for contacts of one normal, or for a picture.
// - A budget needs areas that add up on every level, so that levels are shells of their own. Any
//   prefix of the order is an even shell as well, of any number of points, with areas of the whole
//   shell: for a first look, or to draw a tenth of the points.

/// The n-th of the finest level in the nested order. Precondition: n < shell.pointCount().
[[nodiscard]] ShellPoint pointInOrder(const Pointshell& shell, std::size_t n) noexcept;

/// A child, from 0 to 15, of a group of the shell's arrays, as Pointshell::Level counts them.
/// Precondition: there is such a group.
[[nodiscard]] ShellNode nodeOf(const Pointshell& shell, std::size_t group,
                               std::size_t child) noexcept;

}  // namespace tactus::collision
