#include "collision/contact/contact_set.hpp"

#include <algorithm>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

Vector3d directionAlong(const Vector3d& v) noexcept {
  const double length = v.norm();
  return length > 0.0 ? Vector3d(v / length) : Vector3d(Vector3d::Zero());
}

}  // namespace

void contactSet(const ContactCells& cells, const Eigen::Isometry3d& aFromB,
                std::span<const std::uint8_t> patchOfCell, ContactSetScratch& scratch,
                ContactSet& result) noexcept {
  const std::span<const ContactCells::Cell> all = cells.cells();
  const ContactStream& stream = cells.stream();
  const double sign = stream.movesA ? -1.0 : 1.0;
  result.count = std::min(all.size(), ContactSet::kMost);
  result.leftOut = static_cast<std::uint32_t>(all.size() - result.count);
  result.elements = cells.elementCount();
  result.volume = result.energy = 0.0;
  Vector3d force = Vector3d::Zero();
  Vector3d torque = Vector3d::Zero();
  const std::span order = std::span(scratch.order).first(all.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    order[c] = static_cast<std::uint32_t>(c);
    const Vector3d cellForce = all[c].three(kCellForce);
    force += cellForce;
    torque += all[c].three(kCellTorque) + (cells.middleOf(c) - stream.origin).cross(cellForce);
    result.volume += all[c][kCellVolume];
    result.energy += all[c][kCellEnergy];
  }
  const Eigen::Matrix3d turn = stream.aFromFrame.linear();
  result.force = turn * (sign * force);
  result.torque = turn * (sign * torque) +
                  (stream.aFromFrame * stream.origin - aFromB.translation()).cross(result.force);

  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(result.count),
                    order.end(), [&all](std::uint32_t a, std::uint32_t b) {
                      const float first = all[a].sums[kCellVolume];
                      const float second = all[b].sums[kCellVolume];
                      return first != second ? first > second : a < b;
                    });
  for (std::size_t n = 0; n < result.count; ++n) {
    const std::size_t c = order[n];
    const ContactCells::Cell& cell = all[c];
    Contact& contact = result.contacts[n];
    contact.volume = cell[kCellVolume];
    contact.energy = cell[kCellEnergy];
    const double pressure = cell[kCellPressure];
    Vector3d place = cells.middleOf(c);
    if (pressure > 0.0) place += cell.three(kCellFirst) / pressure;
    contact.point = stream.aFromFrame * place;
    contact.force = turn * (sign * cell.three(kCellForce));
    contact.directionOfB = directionAlong(contact.force);
    contact.directionOfA = cells.wantsLinks()
                               ? directionAlong(turn * cells.counterforceOf(c).cast<double>())
                               : Vector3d(-contact.directionOfB);
    contact.patch = patchOfCell[c];
  }
}

}  // namespace tactus::collision
