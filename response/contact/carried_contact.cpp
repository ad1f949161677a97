#include "response/contact/carried_contact.hpp"

#include <algorithm>

#include "response/rotation_vector.hpp"

namespace tactus::response {

using Eigen::Isometry3d;
using Eigen::Vector3d;

CarriedContact carriedContact(const ContactForce& force, const Isometry3d& before,
                              const Isometry3d& now, double length) noexcept {
  CarriedContact carried;
  carried.force = force;
  const Vector3d point = now * (before.inverse(Eigen::Isometry) * force.point);
  const Vector3d turn = rotationVector(now.linear() * before.linear().transpose());
  Eigen::Matrix<double, 6, 1> way;
  way << point - force.point, turn;
  const Wrench was = aboutPoint(force.onB, before.translation(), force.point);
  Eigen::Matrix<double, 6, 1> pushed;
  pushed << was.force, was.torque;
  const Eigen::Matrix<double, 6, 1> less = force.stiffness * way;

  const Wrench is = {was.force - less.head<3>(), was.torque - less.tail<3>()};
  carried.force.point = point;
  carried.force.onB = aboutPoint(is, point, now.translation());
  const Wrench onA = aboutPoint(is, point, Vector3d::Zero());
  carried.force.onA = {-onA.force, -onA.torque};
  carried.force.energy = std::max(force.energy - pushed.dot(way) + 0.5 * way.dot(less), 0.0);

  const double push = was.force.norm();
  // of what does not push, nothing is known
  carried.change = 1.0;
  if (!(push > 0.0)) return carried;
  carried.change = std::max(less.head<3>().norm(), less.tail<3>().norm() / length) / push;
  carried.scale = std::max(was.force.dot(is.force) / (push * push), 0.0);
  return carried;
}

void scalePatches(double factor, collision::ContactPatches& patches) noexcept {
  for (std::size_t i = 0; i < patches.count; ++i) {
    collision::ContactPatch& patch = patches.patches[i];
    patch.force *= factor;
    patch.torque *= factor;
    patch.normalForce *= factor;
    patch.pressure *= factor;
  }
}

}  // namespace tactus::response
