#include "collision/tree/posed_balls.hpp"

namespace tactus::collision {
namespace {

// A position in A's coordinates takes ten roundings of half of 1.2e-7.
constexpr double kRounding = 1e-6;

}  // namespace

PosedBalls::PosedBalls(const InnerSphereTree& ofA, const InnerSphereTree& ofB,
                       const Eigen::Isometry3d& aFromB) noexcept
    : a(&ofA.arrays()),
      b(&ofB.arrays()),
      rotation{},
      offset{},
      exactRotation(aFromB.linear()),
      exactOffset(aFromB * ofB.origin() - ofA.origin()) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      rotation[3 * i + j] = static_cast<float>(exactRotation(row, static_cast<Eigen::Index>(j)));
    offset[i] = static_cast<float>(exactOffset[row]);
  }
  const double size = static_cast<double>(ofA.bounds()[0].radius[0]) +
                      static_cast<double>(ofB.bounds()[0].radius[0]) + exactOffset.norm();
  slack = static_cast<float>(kRounding * size);
}

}  // namespace tactus::collision
