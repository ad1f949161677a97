#pragma once
#include <Eigen/Core>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/parametric/surface_builder.hpp"

namespace tactus::models {

/// Corners of a polygon in the xy plane, or a part of them.
using Outline = std::vector<Eigen::Vector2d>;

/// Appends points from `from` to `to`, the last one left out. Each half starts from its own end, so
/// that a line and its mirror image have the same points, and a coordinate that both ends share
/// stays.
void appendLine(Outline& outline, const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                int segments);

/// A triangulated part of the plane.
struct PlanarFace {
  Outline points;
  std::vector<Triangle> triangles;  ///< counter-clockwise
};

/// A face that is symmetric about y = 0, from the boundary of its upper half, which runs
/// counter-clockwise. Points with y = 0 lie on both halves. Edges are about `edge` long.
[[nodiscard]] PlanarFace mirroredFace(const Outline& half, double edge);

/// The parts as one face. Points that are equal to the last bit are one point.
[[nodiscard]] PlanarFace joinedFace(const std::vector<PlanarFace>& parts);

/// The outline's points at a height, as a closed chain.
[[nodiscard]] Chain raise(SurfaceBuilder& builder, const Outline& outline, double z);

enum class Facing : bool { Outward, Inward };

/// The wall over a closed outline, which runs counter-clockwise, between two chains that raise()
/// made. A hole's wall faces inward.
void addWall(SurfaceBuilder& builder, const Outline& outline, const Chain& lower,
             const Chain& upper, Facing facing, const Fineness& fineness);

/// A chain that raise() made of an outline, to which a face is to be joined.
struct Rim {
  const Outline& outline;
  const Chain& chain;
};

enum class Side : bool { Above, Below };

/// The face at a height, seen from above or from below. Its points that are equal to points of a
/// rim become that rim's vertices.
void addFace(SurfaceBuilder& builder, const PlanarFace& face, double z,
             const std::vector<Rim>& rims, Side seenFrom);

}  // namespace tactus::models
