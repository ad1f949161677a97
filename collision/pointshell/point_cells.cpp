#include "collision/pointshell/point_cells.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tactus::collision {

using Eigen::Vector3d;

namespace {

// The radius of a disc of a contact's area is 0.56 of the area's root; a little more, so that
// neighbours meet and hang together.
constexpr double kReach = 0.6;

// Where there is a force without an area, as in a soft edge, cells need some size; far below any
// voxel [m].
constexpr double kLeastSide = 1e-6;

// Force grows as depth: of the way in, its mean is half of what it is in the end.
constexpr double kMeanOnTheWay = 0.5;

}  // namespace

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
    // contacts without an area: all of it is at the deepest point
    stream.box.extend(found.nearest);
    side = std::max(std::sqrt(found.area), kLeastSide);
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
    const double energy = hasEnergy ? kMeanOnTheWay * contact.force.norm() * contact.depth : 0.0;
    put(i, contact.point, contact.force, energy, kReach * std::sqrt(contact.area));
  }
  cells.add(count);
}

}  // namespace tactus::collision
