#include "models/parametric/round_solids.hpp"

namespace tactus::models {
namespace {

constexpr Turn kDown{-1, 4};
constexpr Turn kOutward{0, 1};
constexpr Turn kUp{1, 4};
constexpr Turn kInward{1, 2};

}  // namespace

Profile sphereProfile() {
  const Eigen::Vector2d centre(0.0, 0.0);
  return {ProfilePiece::arc(centre, kSphereRadius, kDown, kOutward),
          ProfilePiece::arc(centre, kSphereRadius, kOutward, kUp)};
}

Profile cylinderProfile() {
  const Eigen::Vector2d bottom(kCylinderRadius, -0.5 * kCylinderHeight);
  const Eigen::Vector2d top(kCylinderRadius, 0.5 * kCylinderHeight);
  return {ProfilePiece::line({0.0, bottom.y()}, bottom), ProfilePiece::line(bottom, top),
          ProfilePiece::line(top, {0.0, top.y()})};
}

Profile coneProfile() {
  const Eigen::Vector2d rim(kConeRadius, -0.5 * kConeHeight);
  return {ProfilePiece::line({0.0, rim.y()}, rim),
          ProfilePiece::line(rim, {0.0, 0.5 * kConeHeight})};
}

Profile torusProfile() {
  const Eigen::Vector2d centre(kTorusRadius, 0.0);
  return {ProfilePiece::arc(centre, kTorusTube, kOutward, kUp),
          ProfilePiece::arc(centre, kTorusTube, kUp, kInward),
          ProfilePiece::arc(centre, kTorusTube, kInward, Turn{3, 4}),
          ProfilePiece::arc(centre, kTorusTube, Turn{3, 4}, Turn{1, 1})};
}

Mesh makeSphere(std::size_t triangles) {
  return revolve(sphereProfile(), triangles);
}
Mesh makeCylinder(std::size_t triangles) {
  return revolve(cylinderProfile(), triangles);
}
Mesh makeCone(std::size_t triangles) {
  return revolve(coneProfile(), triangles);
}
Mesh makeTorus(std::size_t triangles) {
  return revolve(torusProfile(), triangles);
}

}  // namespace tactus::models
