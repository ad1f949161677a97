// Who brought the energy that is in the contacts of a tool: its own hand, or what it touches.
#include <algorithm>

#include "response/bodies/world.hpp"

namespace tactus::response {

using Eigen::Vector3d;

/// What a body's motion in this step does against a wrench about a point.
double World::workOf(std::size_t body, const Wrench& onContact, const Vector3d& point,
                     double dt) const noexcept {
  const MovingBody& moving = moving_[body];
  const double theta = settings_.implicitness;
  const Vector6 twist = theta * moving.end + (1.0 - theta) * moving.start;
  const Vector3d turning = twist.tail<3>();
  const Vector3d velocity = twist.head<3>() + turning.cross(point - moving.centre);
  return bodies_[body].freeShare * dt *
         (onContact.force.dot(velocity) + onContact.torque.dot(turning));
}

/// After takeResults().
void World::bookWork(double dt) noexcept {
  for (std::size_t k = 0; k < contactCount(); ++k) {
    PairContact& contact = contacts_[pairs_[touching_[k]].contact];
    Body& a = bodies_[contact.a];
    Body& b = bodies_[contact.b];
    const bool isToolA = a.kind == BodyKind::Tool;
    const bool isToolB = b.kind == BodyKind::Tool;
    if (!isToolA && !isToolB) continue;
    const Vector3d& point = contact.point;
    const Wrench push{contact.guess.head<3>(), contact.guess.tail<3>()};
    const double pushed = workOf(contact.a, push, point, dt) - workOf(contact.b, push, point, dt);
    const double workOfA = workOf(contact.a, contact.onB, point, dt);
    const double workOfB = -workOf(contact.b, contact.onB, point, dt);
    const double before = contact.energyAfter;
    contact.energyAfter = std::max(0.0, contact.force.energy + pushed);
    if (isToolA && isToolB) {
      const double change = contact.energyAfter - before;
      a.brought += 0.5 * (change + workOfB - workOfA);
      b.brought += 0.5 * (change + workOfA - workOfB);
    } else if (isToolA) {
      a.brought += workOfB;
    } else {
      b.brought += workOfA;
    }
  }
}

/// Of a contact that is no more.
void World::bookEnd(PairContact& contact) noexcept {
  Body& a = bodies_[contact.a];
  Body& b = bodies_[contact.b];
  if (a.kind == BodyKind::Tool && b.kind == BodyKind::Tool) {
    a.brought -= 0.5 * contact.energyAfter;
    b.brought -= 0.5 * contact.energyAfter;
  }
  contact.energyAfter = 0.0;
}

}  // namespace tactus::response
