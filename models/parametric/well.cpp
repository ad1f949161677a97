#include "models/parametric/well.hpp"

namespace tactus::models {
namespace {

// The wall leans outward by this share of a full turn (10 degrees): a hand gets in and out easily.
constexpr Turn kLean{1, 36};

// Outer edge between the wall and the ground [m].
constexpr double kFootRounding = 0.010;

}  // namespace

Profile wellProfile() {
  // Unit vectors of the wall: `out` points from the inner to the outer face, `up` along it.
  const Eigen::Vector2d out = unitCircle({-kLean.numerator, kLean.denominator});
  const Eigen::Vector2d up(-out.y(), out.x());

  // The rim is half a circle across the wall, tangent to both faces; its highest point is at
  // kWellHeight because its upward normal lies on the half circle.
  const double rimRadius = 0.5 * kWellWall;
  const Eigen::Vector2d rim(kWellInnerRadius + rimRadius, kWellHeight - rimRadius);

  // A circle of radius r, tangent to a face that passes through `foot` and to the height h, has its
  // centre at height h + r and at the distance r inside the face.
  const auto centreAt = [&](const Eigen::Vector2d& foot, double inside, double height) {
    const Eigen::Vector2d onLine = foot - inside * out;
    return Eigen::Vector2d(onLine.x() + up.x() * ((height - onLine.y()) / up.y()), height);
  };
  const Eigen::Vector2d outerFoot = centreAt(rim + rimRadius * out, kFootRounding, kFootRounding);
  const Eigen::Vector2d fillet =
      centreAt(rim - rimRadius * out, kWellFillet, kWellBottom + kWellFillet);

  const Turn down{-1, 4};
  const Turn upward{1, 4};
  const Turn outward{-kLean.numerator, kLean.denominator};
  const Turn inward{kLean.denominator / 2 - kLean.numerator, kLean.denominator};
  const ProfilePiece foot = ProfilePiece::arc(outerFoot, kFootRounding, down, outward);
  const ProfilePiece lipOutside = ProfilePiece::arc(rim, rimRadius, outward, upward);
  const ProfilePiece lipInside = ProfilePiece::arc(rim, rimRadius, upward, inward);
  const ProfilePiece bend = ProfilePiece::arc(fillet, kWellFillet, outward, down);
  return {
      ProfilePiece::line({0.0, 0.0}, foot.at(0, 1)),
      foot,
      ProfilePiece::line(foot.at(1, 1), lipOutside.at(0, 1)),
      lipOutside,
      lipInside,
      ProfilePiece::line(lipInside.at(1, 1), bend.at(0, 1)),
      bend,
      ProfilePiece::line(bend.at(1, 1), {0.0, kWellBottom}),
  };
}

Mesh makeWell(std::size_t triangles) {
  return revolve(wellProfile(), triangles);
}

}  // namespace tactus::models
