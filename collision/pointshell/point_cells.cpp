#include "collision/pointshell/point_cells.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tactus::collision {

using Eigen::Vector3d;

void cellsOfPoints(const VoxmapPointshell& query, const PointForce& found, bool hasEnergy,
                   std::span<PointContact> room, ContactCells& cells) noexcept {
  const std::size_t count = query.contacts(room);
  ContactStream stream;
  double side = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    stream.box.extend(room[i].point);
    side = std::max(side, std::sqrt(room[i].area));
  }
  if (count == 0 || !(side > 0.0)) {
    // the budget left no contacts: all of it is at the deepest point
    stream.box.extend(found.nearest);
    side = std::max(std::sqrt(found.area), 1e-6);
  }
  stream.side = side;
  stream.origin = stream.anchor = stream.box.center();
  stream.box = Eigen::AlignedBox3d(stream.box.min() - Vector3d::Constant(side),
                                   stream.box.max() + Vector3d::Constant(side));
  cells.begin(stream);
  const auto put = [&](std::size_t at, const Vector3d& point, const Vector3d& force, double energy,
                       double reach) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      cells.elements(kElementX)[k * ContactCells::kStride + at] =
          static_cast<float>(point[axis] - stream.origin[axis]);
      cells.elements(kElementFx)[k * ContactCells::kStride + at] = static_cast<float>(force[axis]);
    }
    cells.elements(kElementEnergy)[at] = static_cast<float>(energy);
    cells.elements(kElementVolume)[at] = 0.0F;
    cells.elements(kElementReach)[at] = static_cast<float>(reach);
  };
  if (count == 0) {
    put(0, found.nearest, found.force, hasEnergy ? found.energy : 0.0, side);
    cells.add(1);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const PointContact& contact = room[i];
    // of depth, half of it is the mean along the way
    const double energy = hasEnergy ? 0.5 * contact.force.norm() * contact.depth : 0.0;
    put(i, contact.point, contact.force, energy, 0.6 * std::sqrt(contact.area));
  }
  cells.add(count);
}

}  // namespace tactus::collision
