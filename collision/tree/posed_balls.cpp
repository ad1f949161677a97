#include "collision/tree/posed_balls.hpp"

namespace tactus::collision {
namespace {

// A position in A's coordinates takes ten roundings of half of 1.2e-7.
constexpr double kRounding = 1e-6;

}  // namespace

PosedBalls::PosedBalls(const InnerSphereTree& ofA, const InnerSphereTree& ofB,
                       const Eigen::Isometry3d& aFromB) noexcept
    : FloatPose(aFromB.linear(), aFromB * ofB.origin() - ofA.origin()),
      a(&ofA.arrays()),
      b(&ofB.arrays()),
      exactRotation(aFromB.linear()),
      exactOffset(aFromB * ofB.origin() - ofA.origin()) {
  const double size = static_cast<double>(ofA.bounds()[0].radius[0]) +
                      static_cast<double>(ofB.bounds()[0].radius[0]) + exactOffset.norm();
  slack = static_cast<float>(kRounding * size);
}

}  // namespace tactus::collision
