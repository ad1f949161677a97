// Hard cores: what never passes through each other, however soft the shell around it is. A body's
// step ends where cores would meet, or points of one body the other one's core.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/tree/contact_energy.hpp"
#include "response/bodies/world.hpp"
#include "response/rotation_vector.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Steps that a pair waits whose cores were not found to be well apart.
constexpr std::uint8_t kPatience = 60;

// Cores that are larger by this share of their inset tell whether a pair is well apart: then it is
// left alone until its bodies have moved by twice that.
constexpr double kWider = 0.5;

// Points for cores are no further apart than this share of the inset, if there are so many: the
// core of a plate is two insets thick, and has no room between them. All of 100,000 points on a
// plate of 3 cm take 0.2 ms a sweep at rest on a core, and 0.6 ms as they land; of a level, a
// quarter.
constexpr double kSpacingOfCore = 1.0;

// Points stop so many voxels before they would be in a core: sweptContact() tells them to touch a
// twentieth of a voxel early, and those which are stopped already are not to be told again.
constexpr double kShortBy = 0.1;

}  // namespace

/// No less than two bodies can come nearer in a step that is not much unlike the last one [m].
double World::ahead(std::size_t i, std::size_t j) const noexcept {
  constexpr double kFaster = 1.5;
  return kFaster * (bodies_[i].lastPath + bodies_[j].lastPath);
}

/// Of a pair that is due. Where both have balls that is all there is to ask, for what is thinner
/// than the cubes or voxels of its contact law does not touch by it.
bool World::mayMeetCores(std::size_t i, std::size_t j) const noexcept {
  if (!settings_.hasCores) return false;
  if (std::min(bodies_[i].coreInset, bodies_[j].coreInset) >= 0.0) return true;
  const double inset = std::max(bodies_[i].coreInset, bodies_[j].coreInset);
  return hasPointsForCore(i, j) && (pairs_[pairOf(i, j)].touches || ahead(i, j) > inset);
}

/// Whether points of the one can be told to enter the core of the other.
bool World::hasPointsForCore(std::size_t i, std::size_t j) const noexcept {
  if (!isOfPoints(pairs_[pairOf(i, j)].law.inForce())) return false;
  const bool areOfA = arePointsOfFirst(bodies_[i], bodies_[j]);
  const Body& points = bodies_[areOfA ? i : j];
  const Body& core = bodies_[areOfA ? j : i];
  return core.coreInset >= 0.0 && !points.solid.pointshell.empty() &&
         !core.solid.body.voxmap.empty();
}

/// Those of what has no core; else those that make the force.
bool World::arePointsOfFirst(const Body& a, const Body& b) noexcept {
  if (a.coreInset < 0.0 || b.coreInset < 0.0) return a.coreInset < 0.0;
  return pointsOf(a.solid, b.solid) == collision::PointsOf::A;
}

World::CoreMeeting World::meetingOfCores(const Body& a, const Body& b,
                                         const collision::RigidMotion& motion) noexcept {
  const collision::TimeOfImpact impact = collision::timeOfImpactOfCores(
      a.solid.body.spheres, b.solid.body.spheres, std::min(a.coreInset, b.coreInset), motion,
      {.mostNodePairs = settings_.pairsOfImpact}, impact_);
  CoreMeeting found;
  found.happens = impact.status != collision::ImpactStatus::NothingHit;
  found.isCut = impact.status == collision::ImpactStatus::Unfinished;
  found.time = impact.time;
  if (impact.status != collision::ImpactStatus::Hit) return found;
  found.point = 0.5 * (impact.onA + impact.onB);
  found.normal = (impact.onB - impact.onA).normalized();
  return found;
}

World::CoreMeeting World::meetingOfPoints(const Body& a, const Body& b,
                                          const collision::RigidMotion& motion) noexcept {
  const bool areOfA = arePointsOfFirst(a, b);
  const Body& core = areOfA ? b : a;
  const Body& points = areOfA ? a : b;
  const double inset =
      points.coreInset < 0.0 ? core.coreInset : std::min(points.coreInset, core.coreInset);
  scratch_.points.rebind({&a.solid.pointshell, &a.solid.body.voxmap},
                         {&b.solid.pointshell, &b.solid.body.voxmap});
  const collision::SweptContact swept =
      scratch_.points.sweep(motion.start, motion.at(motion.duration),
                            areOfA ? collision::PointsOf::A : collision::PointsOf::B,
                            {.touchesAt = -inset,
                             .spacing = kSpacingOfCore * inset,
                             .mostSteps = settings_.stepsOfSweep});
  CoreMeeting found;
  found.happens = swept.touches || swept.isCut;
  found.isCut = swept.isCut;
  if (swept.isCut) found.time = swept.time * motion.duration;
  // of points that are there already, one says nothing about the way out
  if (!(swept.touches && swept.time > 0.0)) return found;
  found.time = swept.time * motion.duration;
  found.shortBy = kShortBy * static_cast<double>(core.solid.body.voxmap.arrays().voxel);
  found.point = swept.point;
  const Isometry3d aFromCore = areOfA ? motion.at(found.time) : Isometry3d::Identity();
  const Vector3d inCore = aFromCore.inverse(Eigen::Isometry) * swept.point;
  const Vector3d outward = aFromCore.linear() * core.solid.body.voxmap.sample(inCore).gradient;
  found.normal = (areOfA ? -outward : outward).normalized();
  return found;
}

void World::makeCores(double dt) noexcept {
  coreBlocks_.clear();
  for (Body& body : bodies_)
    body.freeShare = 1.0;
  for (const std::uint32_t pair : corePairs_)
    addCores(pair / size(), pair % size(), dt);
}

/// Whether a motion of j in i's frame is too short for cores to meet, by how far apart they were.
/// It is `path` long at most, and begins `before` from where the bodies are [m].
bool World::areCoresApart(std::size_t i, std::size_t j, const collision::RigidMotion& motion,
                          double path, double before) noexcept {
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  const double inset = std::min(a.coreInset, b.coreInset);
  if (!(inset > 0.0)) return false;
  if (!coreSchedule_.isDueWithin(i, j, before + path)) return true;
  Pair& pair = pairs_[pairOf(i, j)];
  if (pair.corePatience > 0) {
    --pair.corePatience;
    return false;
  }
  const collision::ImpactSettings settings{.mostNodePairs = settings_.pairsOfImpact};
  const collision::TimeOfImpact impact =
      collision::timeOfImpactOfCores(a.solid.body.spheres, b.solid.body.spheres,
                                     (1.0 - kWider) * inset, motion, settings, impact_);
  const bool areApart = impact.status == collision::ImpactStatus::NothingHit;
  if (areApart) {
    coreSchedule_.apartBy(i, j, 2.0 * kWider * inset - settings.tolerance - before);
  } else {
    pair.corePatience = kPatience;
  }
  return areApart;
}

/// How B moves in A's frame, if nothing but what made these twists acts.
collision::RigidMotion World::motionOf(const Body& a, const Body& b, const MovingBody& movingA,
                                       const MovingBody& movingB, double dt) const noexcept {
  const double theta = settings_.implicitness;
  const Vector6 ofA = theta * movingA.end + (1.0 - theta) * movingA.start;
  const Vector6 ofB = theta * movingB.end + (1.0 - theta) * movingB.start;
  const Vector6 relative = relativeTwist(ofA, movingA.centre, ofB, movingB.centre, b.motion.centre);
  const Matrix3d toA = a.pose.linear().transpose();
  collision::RigidMotion motion;
  motion.start = a.pose.inverse(Eigen::Isometry) * b.pose;
  motion.centre = motion.start * b.mass.centre;
  motion.velocity = toA * relative.head<3>();
  motion.angularVelocity = toA * relative.tail<3>();
  motion.duration = dt;
  return motion;
}

World::CoreMeeting World::firstMeeting(std::size_t i, std::size_t j,
                                       const collision::RigidMotion& motion) noexcept {
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  const double path =
      motion.duration * (motion.velocity.norm() + motion.angularVelocity.norm() * b.mass.radius);
  CoreMeeting meeting;
  if (std::min(a.coreInset, b.coreInset) >= 0.0 && !areCoresApart(i, j, motion, path, 0.0))
    meeting = meetingOfCores(a, b, motion);
  if (hasPointsForCore(i, j)) {
    const CoreMeeting ofPoints = meetingOfPoints(a, b, motion);
    if (ofPoints.happens && !(meeting.happens && meeting.time <= ofPoints.time)) return ofPoints;
  }
  return meeting;
}

void World::addCores(std::size_t i, std::size_t j, double dt) noexcept {
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  std::array<MovingBody, 2> both = {moving_[i], moving_[j]};
  for (MovingBody& one : both)
    one.end = one.free;
  std::array<CoreBlock, kMostStops> stops;
  std::size_t count = 0;
  const std::size_t most = hasPointsForCore(i, j) ? kMostStops : 1;
  while (count < most) {
    const collision::RigidMotion motion = motionOf(a, b, both[0], both[1], dt);
    const CoreMeeting meeting = firstMeeting(i, j, motion);
    if (!meeting.happens) break;
    if (meeting.isCut) {
      // no direction is known that keeps them apart
      for (Body* body : {&bodies_[i], &bodies_[j]})
        body->freeShare = std::min(body->freeShare, meeting.time / dt);
      ++counters_.heldBack;
      break;
    }
    CoreBlock& core = stops[count];
    core.a = 0;
    core.b = 1;
    if (!meeting.normal.isZero(0.0)) {
      core.point = a.pose * meeting.point;
      core.normal = a.pose.linear() * meeting.normal;
    } else {
      // within each other by the tolerance: out by the way that the shell pushes
      const Pair& pair = pairs_[pairOf(i, j)];
      const Vector3d push =
          pair.touches ? contacts_[pair.contact].force.onB.force : Vector3d::Zero();
      if (push.isZero(0.0)) break;
      core.point = contacts_[pair.contact].point;
      core.normal = a.pose.linear() * push.normalized();
    }
    const Vector3d arm = a.pose.inverse(Eigen::Isometry) * core.point - motion.centre;
    const Vector3d there = a.pose.linear() * (motion.velocity + motion.angularVelocity.cross(arm));
    core.gap = std::max(0.0, -core.normal.dot(there) * meeting.time - meeting.shortBy);
    ++count;
    if (meeting.normal.isZero(0.0) || count == most) break;
    solveContacts(both, {}, {}, std::span(stops).first(count),
                  {.dt = dt, .implicitness = settings_.implicitness, .rounds = settings_.rounds});
  }
  if (count > 0) ++counters_.cores;
  for (std::size_t k = 0; k < count && coreBlocks_.size() < coreBlocks_.capacity(); ++k) {
    stops[k].a = static_cast<std::uint32_t>(i);
    stops[k].b = static_cast<std::uint32_t>(j);
    coreBlocks_.push_back(stops[k]);
  }
}

double World::clearShare(std::size_t body, const Isometry3d& from, const Isometry3d& to,
                         const Vector3d& pointInBody) noexcept {
  const Body& of = bodies_[body];
  if (!settings_.hasCores) return 1.0;
  const Vector3d shift = to * pointInBody - from * pointInBody;
  const Vector3d turn = rotationVector(to.linear() * from.linear().transpose());
  const double path =
      shift.norm() + turn.norm() * (of.mass.radius + (of.mass.centre - pointInBody).norm());
  const double before = collision::farthestMove(of.pose, from, of.mass.centre, of.mass.radius);
  double share = 1.0;
  for (std::size_t other = 0; other < size(); ++other) {
    const Pair& pair = pairs_[pairOf(body, other)];
    const Body& beside = bodies_[other];
    const Isometry3d& worldFromOther = beside.seen();
    const bool hasCores = of.coreInset > 0.0 && beside.coreInset > 0.0;
    const bool hasPoints = other != body && hasPointsForCore(other, body);
    if (other == body || !pair.isOfInterest || !(hasCores || hasPoints)) continue;
    const double gap = (from * of.mass.centre - worldFromOther * beside.mass.centre).norm() -
                       (of.mass.radius + beside.mass.radius);
    // where not even the shells have touched, cores are two insets apart
    const bool haveTouched = stepNumber_ - pair.loadedIn <= 1;
    const double inset = hasCores ? std::min(of.coreInset, beside.coreInset)
                                  : std::max(of.coreInset, beside.coreInset);
    if (gap > path || (!haveTouched && path < inset)) continue;
    const Isometry3d toOther = worldFromOther.inverse(Eigen::Isometry);
    const collision::RigidMotion motion =
        collision::motionBetween(toOther * from, toOther * to, pointInBody);
    if (hasPoints) {
      const CoreMeeting meeting = meetingOfPoints(beside, of, motion);
      const Vector3d there =
          motion.velocity + motion.angularVelocity.cross(meeting.point - motion.centre);
      const double approach = -meeting.normal.dot(there);
      if (meeting.isCut) {
        share = std::min(share, meeting.time / motion.duration);
      } else if (meeting.happens && approach > 0.0) {
        share = std::min(share, std::max(0.0, meeting.time - meeting.shortBy / approach));
      }
    }
    double since = before;  // the schedule of cores
    if (beside.isSettled) {
      since += collision::farthestMove(beside.pose, beside.settled, beside.mass.centre,
                                       beside.mass.radius);
    }
    if (!hasCores || areCoresApart(other, body, motion, path, since)) continue;
    const collision::TimeOfImpact impact =
        collision::timeOfImpactOfCores(beside.solid.body.spheres, of.solid.body.spheres, inset,
                                       motion, {.mostNodePairs = settings_.pairsOfImpact}, impact_);
    if (impact.status == collision::ImpactStatus::Hit ||
        impact.status == collision::ImpactStatus::Unfinished)
      share = std::min(share, impact.time);
  }
  return share;
}

}  // namespace tactus::response
