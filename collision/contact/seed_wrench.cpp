#include "collision/contact/seed_wrench.hpp"

namespace tactus::collision {

using Eigen::Vector3d;

SeedWrench seedWrench(const ConedTree& a, const ConedTree& b, const Eigen::Isometry3d& aFromB,
                      PenetrationScratch& scratch, ContactCells& cells) noexcept {
  SeedWrench result;
  cells.clear();
  if (a.cones.empty() || b.cones.empty()) return result;
  const PenetrationVolume found =
      penetrationVolume(a.spheres, b.spheres, aFromB, scratch,
                        {.contacts = &cells, .cones = {.ofA = &a.cones, .ofB = &b.cones}});
  result.volume = found.volume;
  result.queueWasFull = found.queueWasFull;
  result.counters = found.counters;
  // the stream is in A's frame
  const Vector3d& origin = cells.stream().origin;
  result.forceOnA = cells.counterforce();
  result.torqueOnA = cells.countertorque() + origin.cross(result.forceOnA);
  Vector3d torque = Vector3d::Zero();
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    const Vector3d force = cells.cells()[c].three(kCellForce);
    result.forceOnB += force;
    torque += cells.cells()[c].three(kCellTorque) + (cells.middleOf(c) - origin).cross(force);
  }
  result.torqueOnB = torque + (origin - aFromB.translation()).cross(result.forceOnB);
  return result;
}

}  // namespace tactus::collision
