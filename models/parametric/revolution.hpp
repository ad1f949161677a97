#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <string_view>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/parametric/surface_builder.hpp"

namespace tactus::models {

/// A line or an arc in the half-plane (radius, height) that is turned about the axis.
class ProfilePiece {
 public:
  [[nodiscard]] static ProfilePiece line(const Eigen::Vector2d& from, const Eigen::Vector2d& to);
  /// About `centre`, from one angle to another, measured from the radial direction upward.
  [[nodiscard]] static ProfilePiece arc(const Eigen::Vector2d& centre, double radius, Turn from,
                                        Turn to);

  /// The point at the share `step / steps` of the way.
  [[nodiscard]] Eigen::Vector2d at(int step, int steps) const;
  [[nodiscard]] double length() const noexcept { return length_; }

 private:
  Eigen::Vector2d from_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d to_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d centre_ = Eigen::Vector2d::Zero();
  double radius_ = 0.0;  ///< 0: a line
  Turn fromTurn_, toTurn_;
  double length_ = 0.0;
};

/// Counter-clockwise in the (radius, height) half-plane, the solid on the left. Begins and ends on
/// the axis, or is a loop that stays off it. Ends of pieces become rows of the mesh, so that an
/// edge between two pieces is kept at any fineness.
using Profile = std::vector<ProfilePiece>;

/// Area of the surface that the profile sweeps, and volume of the solid, by Pappus on chords of
/// 1/256 of each piece: exact for lines, 1e-5 for arcs.
[[nodiscard]] double sweptArea(const Profile& profile);
[[nodiscard]] double sweptVolume(const Profile& profile);

/// The solid of revolution about y. Rows of vertices lie at even distances along the profile, and
/// each has as many vertices as its circumference needs, so that triangles are as large near the
/// axis as far from it.
[[nodiscard]] Mesh revolve(const Profile& profile, std::size_t triangles);

}  // namespace tactus::models
