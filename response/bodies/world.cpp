#include "response/bodies/world.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/surface/separation_list.hpp"
#include "collision/tree/contact_energy.hpp"
#include "response/rotation_vector.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Patches with friction a contact, on average: most have one, and there are few contacts with many.
constexpr std::size_t kPatchesOfContact = 6;

// A distance takes as long as some ten times the law of a pair that is just apart. So it pays if
// the pair is then left alone for as many steps; otherwise it is not asked for a while, since the
// law alone says whether they touch.
constexpr double kStepsThatPay = 10.0;
constexpr std::uint8_t kPatience = 60;

// One in a step: it takes as long as the law of a pair in contact, and whoever has to wait for it
// is told by the law meanwhile that they are apart.
constexpr std::uint32_t kDistancesOfStep = 1;

// Of that one: 500 pairs of nodes are usual between meshes of 100,000 triangles, and 14 us. What is
// cut here is asked again soon, and starts from the closest triangles that it has found.
constexpr std::uint32_t kMostNodePairs = 8192;

// Cores that are larger by this share of their inset tell whether a pair is well apart: then it is
// left alone until its bodies have moved by twice that.
constexpr double kWider = 0.5;

// Points for cores are no further apart than this share of the inset, if there are so many: the
// core of a plate is two insets thick, and has no room between them. All of 100,000 points on a
// plate of 3 cm take 0.2 ms a sweep at rest on a core, and 0.6 ms as they land; of a level, a
// quarter.
constexpr double kSpacingOfCore = 1.0;

// What lands flat by its points is stopped where it would turn on, too, until a plate can turn
// about none of its edges.
constexpr std::size_t kMostStops = 4;

// Points stop so many voxels before they would be in a core: sweptContact() tells them to touch a
// twentieth of a voxel early, and those which are stopped already are not to be told again.
constexpr double kShortBy = 0.1;

// A contact that is carried on has changed by this share at most. The push of rounded bodies grows
// with the square of their depth: then it is off by less than a fiftieth, and for one step.
constexpr double kMostChange = 0.25;

// Steps that a contact may be carried on. Of two the error would be four times as large, and half
// of the work is saved by one already.
constexpr std::uint32_t kOldest = 1;

// A contact pushes to one side if the lengths of all its forces are not much more than that of the
// sum: a peg in a hole is held from all sides, and its wrench may change its sign.
constexpr double kOneSided = 1.2;

Vector6 stacked(const Vector3d& first, const Vector3d& second) noexcept {
  Vector6 both;
  both << first, second;
  return both;
}

/// In the world's axes, about another point.
Matrix6 turnedAndMoved(const collision::Stiffness& stiffness, const Matrix3d& turn,
                       const Vector3d& arm) noexcept {
  Matrix6 change = Matrix6::Zero();
  // twist about the new point -> twist about the old one, in A's axes
  change.topLeftCorner<3, 3>() = turn.transpose();
  change.bottomRightCorner<3, 3>() = turn.transpose();
  change.topRightCorner<3, 3>() = -turn.transpose() * collision::crossing(arm);
  return change.transpose() * stiffness * change;
}

/// Some tangents; which ones is of no matter.
Matrix3d axesOf(const Vector3d& normal) noexcept {
  const Vector3d size = normal.cwiseAbs();
  Vector3d other = Vector3d::UnitX();
  if (size.y() <= size.x() && size.y() <= size.z()) other = Vector3d::UnitY();
  if (size.z() <= size.x() && size.z() < size.y()) other = Vector3d::UnitZ();
  Matrix3d axes;
  axes.col(0) = (other - other.dot(normal) * normal).normalized();
  axes.col(1) = normal.cross(axes.col(0));
  axes.col(2) = normal;
  return axes;
}

/// By which a turned frame has turned, for small turns: sine times axis.
Vector3d turnBetween(const Matrix3d& from, const Matrix3d& to) noexcept {
  const Matrix3d by = to * from.transpose();
  return 0.5 * Vector3d(by(2, 1) - by(1, 2), by(0, 2) - by(2, 0), by(1, 0) - by(0, 1));
}

/// Half of the radius of the largest ball inside the solid; negative without a tree.
double usualInset(const ContactSolid& solid) noexcept {
  float largest = 0.0F;
  for (const collision::InnerSphereTree::Contents& block : solid.body.spheres.contents()) {
    for (const float radius : block.lowerRadius)
      largest = std::max(largest, radius);
  }
  return largest > 0.0F ? 0.5 * static_cast<double>(largest) : -1.0;
}

std::vector<ContactSolid> solidsOf(std::span<const BodyDescription> bodies) {
  std::vector<ContactSolid> solids;
  solids.reserve(bodies.size());
  for (const BodyDescription& body : bodies)
    solids.push_back(body.solid);
  return solids;
}

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t body) noexcept {
  while (parent[body] != body) {
    parent[body] = parent[parent[body]];
    body = parent[body];
  }
  return body;
}

double volumeOf(const collision::ContactPatches& patches) {
  double volume = 0.0;
  for (const collision::ContactPatch& patch : patches.all())
    volume += patch.volume;
  return volume;
}

}  // namespace

World::Body::Body(const BodyDescription& given)
    : solid(given.solid),
      mass(given.mass),
      inertia(given.mass),
      material(given.material),
      kind(given.kind),
      wasPlaced(true),
      coreInset(given.coreInset) {
  if (solid.body.spheres.leafCount() == 0) coreInset = -1.0;
  if (coreInset < 0.0) coreInset = usualInset(solid);
  motion.turn = Eigen::Quaterniond(given.pose.linear()).normalized();
  motion.centre = given.pose * given.mass.centre;
  pose = poseOf(motion, mass);
}

World::World(std::span<const BodyDescription> bodies, const WorldSettings& settings)
    : settings_(settings),
      schedule_(bodies.size()),
      coreSchedule_(bodies.size()),
      pairs_(bodies.size() * bodies.size()),
      moving_(bodies.size()),
      parent_(bodies.size()),
      isAwakeIsland_(bodies.size()),
      scratch_(solidsOf(bodies)) {
  bodies_.reserve(bodies.size());
  double sum = 0.0;
  for (const BodyDescription& given : bodies) {
    bodies_.emplace_back(given);
    sum += given.mass.radius;
  }
  if (!bodies.empty()) length_ = sum / static_cast<double>(bodies.size());
  const std::size_t all = bodies.size() * bodies.size() / 2;
  const std::size_t places = std::min(settings.mostContacts, all);
  contacts_.resize(places);
  places_.reserve(places);
  for (std::size_t k = places; k-- > 0;)
    places_.push_back(static_cast<std::uint32_t>(k));
  touching_.reserve(places);
  waiting_.reserve(places);
  active_.reserve(bodies.size());
  pairBlocks_.reserve(places);
  patchBlocks_.reserve(kPatchesOfContact * places + Bristles::kMost);
  coreBlocks_.reserve(kMostStops * places);
  corePairs_.reserve(places);
}

std::size_t World::pairOf(std::size_t i, std::size_t j) const noexcept {
  return std::min(i, j) * bodies_.size() + std::max(i, j);
}

bool World::isMovable(const Body& body) const noexcept {
  return (body.kind == BodyKind::Dynamic || body.kind == BodyKind::Tool) && !body.isAsleep;
}

bool World::isActive(const Body& body) const noexcept {
  if (isMovable(body) || body.wasPlaced) return true;
  return body.kind == BodyKind::Kinematic &&
         !(body.motion.velocity.isZero(0.0) && body.givenTurn.isZero(0.0));
}

void World::setInterest(std::size_t i, std::size_t j, bool isOfInterest) noexcept {
  Pair& pair = pairs_[pairOf(i, j)];
  pair.isOfInterest = isOfInterest;
  if (isOfInterest) return;
  wake(i);
  wake(j);
  release(pair);
}

void World::setMaterial(std::size_t body, const Material& material) noexcept {
  bodies_[body].material = material;
  wake(body);
  askAgain(body);
}

void World::setStiffnessFactor(std::size_t body, double factor) noexcept {
  if (bodies_[body].stiffnessFactor == factor) return;
  bodies_[body].stiffnessFactor = factor;
  askAgain(body);
}

/// Its contacts are no longer what they were: none is carried on.
void World::askAgain(std::size_t body) noexcept {
  for (std::size_t other = 0; other < bodies_.size(); ++other) {
    const Pair& pair = pairs_[pairOf(body, other)];
    if (other != body && pair.touches) contacts_[pair.contact].age = kOldest;
  }
}

void World::setExternal(std::size_t body, const ExternalWrench& external) noexcept {
  Body& of = bodies_[body];
  const bool isFinite =
      external.wrench.allFinite() && external.stiffness.allFinite() && external.damping.allFinite();
  of.external = isFinite ? external : ExternalWrench{};
  of.hasExternal = !of.external.stiffness.isZero(0.0) || !of.external.damping.isZero(0.0);
  if (!of.external.wrench.isZero(0.0) || of.hasExternal) wake(body);
}

void World::setTwist(std::size_t body, const Vector3d& velocity,
                     const Vector3d& angularVelocity) noexcept {
  bodies_[body].motion.velocity = velocity;
  bodies_[body].givenTurn = angularVelocity;
}

void World::setKind(std::size_t body, BodyKind kind) noexcept {
  Body& of = bodies_[body];
  if (of.kind == kind || (kind != BodyKind::Kinematic && kind != BodyKind::Tool)) return;
  if (of.kind != BodyKind::Kinematic && of.kind != BodyKind::Tool) return;
  // it goes on as it moves
  const Vector3d turning = twist(body).tail<3>();
  of.kind = kind;
  if (kind == BodyKind::Kinematic) {
    of.givenTurn = turning;
    of.external = {};
    of.hasExternal = false;
  } else {
    of.motion.spin = of.inertia.at(of.motion.turn) * turning;
  }
  wake(body);
}

void World::place(std::size_t body, const BodyMotion& motion) noexcept {
  Body& of = bodies_[body];
  of.motion = motion;
  of.pose = poseOf(motion, of.mass);
  of.wasPlaced = true;
  wake(body);
  schedule_.forget(body);
  coreSchedule_.forget(body);
  for (std::size_t other = 0; other < bodies_.size(); ++other) {
    Pair& pair = pairs_[pairOf(body, other)];
    if (other == body || !pair.touches) continue;
    wake(other);
    release(pair);
  }
}

void World::wake(std::size_t body) noexcept {
  bodies_[body].isAsleep = false;
  bodies_[body].quiet = 0.0;
}

Isometry3d World::pose(std::size_t body) const noexcept {
  return bodies_[body].pose;
}

Vector6 World::twist(std::size_t body) const noexcept {
  const Body& of = bodies_[body];
  if (of.kind == BodyKind::Fixed) return Vector6::Zero();
  if (of.kind == BodyKind::Kinematic) return stacked(of.motion.velocity, of.givenTurn);
  return stacked(of.motion.velocity, of.inertia.velocityAt(of.motion.turn, of.motion.spin));
}

World::ContactSum World::contactsOn(std::size_t body) const noexcept {
  ContactSum sum;
  for (std::size_t k = 0; k < contactCount(); ++k) {
    const PairContact& pair = contact(k);
    if (pair.a != body && pair.b != body) continue;
    // as it was then: bodies have moved since
    const Isometry3d worldFromB = pair.worldFromA * pair.aFromB;
    const Matrix3d turn = pair.worldFromA.linear();
    const Vector3d originOfB = worldFromB.translation();
    const Vector3d centre = body == pair.a ? pair.worldFromA * bodies_[pair.a].mass.centre
                                           : worldFromB * bodies_[pair.b].mass.centre;
    const Wrench about =
        aboutPoint({turn * pair.force.onB.force, turn * pair.force.onB.torque}, originOfB, centre);
    const double sign = body == pair.b ? 1.0 : -1.0;
    sum.wrench += sign * stacked(about.force, about.torque);
    sum.stiffness += turnedAndMoved(pair.force.stiffness, turn, pair.point - centre);
    sum.energy += pair.force.energy;
  }
  return sum;
}

double World::kineticEnergy() const noexcept {
  double energy = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Body& body = bodies_[i];
    if (body.kind != BodyKind::Dynamic && body.kind != BodyKind::Tool) continue;
    const Vector3d turning = body.inertia.velocityAt(body.motion.turn, body.motion.spin);
    energy += 0.5 * body.mass.mass * body.motion.velocity.squaredNorm() +
              0.5 * turning.dot(body.motion.spin);
  }
  return energy;
}

Vector6 World::momentum() const noexcept {
  Vector6 sum = Vector6::Zero();
  for (const Body& body : bodies_) {
    if (body.kind != BodyKind::Dynamic && body.kind != BodyKind::Tool) continue;
    const Vector3d linear = body.mass.mass * body.motion.velocity;
    sum += stacked(linear, body.motion.spin + body.motion.centre.cross(linear));
  }
  return sum;
}

void World::step(double dt) noexcept {
  if (!(dt > 0.0)) return;
  ++stepNumber_;
  counters_ = {.loads = loads_, .cut = cutLoads_};
  loads_ = cutLoads_ = 0;
  findContacts();
  setFree(dt);
  makeBlocks(dt);
  makeCores(dt);
  solveContacts(moving_, pairBlocks_, patchBlocks_, coreBlocks_,
                {.dt = dt, .implicitness = settings_.implicitness, .rounds = settings_.rounds});
  takeResults(dt);
  move(dt);
  letSleep(dt);
}

void World::findContacts() noexcept {
  touching_.clear();
  active_.clear();
  corePairs_.clear();
  waiting_.clear();
  testsOfWaiting_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (isActive(bodies_[i])) active_.push_back(static_cast<std::uint32_t>(i));
  }
  // grows by what is woken on the way
  for (std::size_t k = 0; k < active_.size(); ++k)
    compareWithAll(active_[k]);
  askWaiting();
  std::sort(touching_.begin(), touching_.end());
  std::sort(corePairs_.begin(), corePairs_.end());
  counters_.touching = static_cast<std::uint32_t>(touching_.size());
  for (Body& body : bodies_)
    body.wasPlaced = false;
}

void World::compareWithAll(std::size_t body) noexcept {
  for (std::size_t other = 0; other < size(); ++other) {
    if (other == body || !schedule_.isDueWithin(body, other, ahead(body, other))) continue;
    Pair& pair = pairs_[pairOf(body, other)];
    if (!pair.isOfInterest || pair.askedIn == stepNumber_) continue;
    pair.askedIn = stepNumber_;
    const bool canMove = isMovable(bodies_[body]) || bodies_[body].isAsleep ||
                         isMovable(bodies_[other]) || bodies_[other].isAsleep;
    if (!canMove) continue;
    compare(std::min(body, other), std::max(body, other));
    // what touches what is active is active, too
    if (!pair.touches || !bodies_[other].isAsleep) continue;
    wake(other);
    active_.push_back(static_cast<std::uint32_t>(other));
  }
}

void World::compare(std::size_t i, std::size_t j) noexcept {
  ++counters_.due;
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  Pair& pair = pairs_[pairOf(i, j)];
  const double gap = (a.motion.centre - b.motion.centre).norm() - (a.mass.radius + b.mass.radius);
  if (gap > 0.0) {
    schedule_.apartBy(i, j, gap);
    release(pair);
  } else if (!waits(i, j, pair)) {
    askContact(i, j, pair);
  }
  if (!(gap > ahead(i, j)) && mayMeetCores(i, j) && corePairs_.size() < corePairs_.capacity())
    corePairs_.push_back(static_cast<std::uint32_t>(pairOf(i, j)));
}

/// No less than two bodies can come nearer in a step that is not much unlike the last one [m].
double World::ahead(std::size_t i, std::size_t j) const noexcept {
  constexpr double kFaster = 1.5;
  return kFaster * (bodies_[i].lastPath + bodies_[j].lastPath);
}

bool World::mayMeetCores(std::size_t i, std::size_t j) const noexcept {
  if (!settings_.hasCores) return false;
  double inset = std::min(bodies_[i].coreInset, bodies_[j].coreInset);
  if (inset < 0.0) {
    if (!hasPointsForCore(i, j)) return false;
    inset = std::max(bodies_[i].coreInset, bodies_[j].coreInset);
  }
  return pairs_[pairOf(i, j)].touches || ahead(i, j) > inset;
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

void World::askContact(std::size_t i, std::size_t j, Pair& pair) noexcept {
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  const Isometry3d aFromB = a.pose.inverse(Eigen::Isometry) * b.pose;
  pair.law.request(settings_.law);
  pair.law.update(pair.touches);
  const Material material = materialOf(a, b);
  ++counters_.queried;
  const ContactForce force =
      contactForce(a.solid, b.solid, aFromB, material,
                   {.law = pair.law.inForce(), .budget = settings_.budgetOfPair, .length = length_},
                   scratch_, &patches_);
  if (force.isCut) ++counters_.cut;
  counters_.tests += force.tests;
  if (pair.touches && contacts_[pair.contact].age != 0) testsOfWaiting_ += force.tests;
  if (!force.touches) {
    release(pair);
    askDistance(i, j, aFromB, pair);
    return;
  }
  if (!pair.touches) {
    if (places_.empty()) {
      ++counters_.dropped;
      return;
    }
    pair.touches = true;
    pair.contact = places_.back();
    places_.pop_back();
    contacts_[pair.contact].bristles.count = 0;
    contacts_[pair.contact].isNew = true;
  }
  PairContact& contact = contacts_[pair.contact];
  contact.a = static_cast<std::uint32_t>(i);
  contact.b = static_cast<std::uint32_t>(j);
  contact.law = pair.law.inForce();
  contact.force = force;
  contact.patches = patches_;
  contact.material = material;
  contact.age = 0;
  if (contact.isNew) contact.aFromB = aFromB;
  follow(contact, aFromB);
}

/// Takes the bristles along, and tells that they touch.
void World::follow(PairContact& contact, const Isometry3d& aFromB) noexcept {
  const Body& b = bodies_[contact.b];
  followPatches(contact.patches, turnBetween(contact.aFromB.linear(), aFromB.linear()),
                collision::farthestMove(contact.aFromB, aFromB, b.mass.centre, b.mass.radius),
                contact.bristles);
  contact.aFromB = aFromB;
  contact.worldFromA = bodies_[contact.a].pose;
  touching_.push_back(static_cast<std::uint32_t>(pairOf(contact.a, contact.b)));
}

CarriedContact World::carried(const PairContact& contact) const noexcept {
  const Isometry3d aFromB =
      bodies_[contact.a].pose.inverse(Eigen::Isometry) * bodies_[contact.b].pose;
  return carriedContact(contact.force, contact.aFromB, aFromB, length_);
}

/// Lets a pair wait for its turn, if it may be carried on.
bool World::waits(std::size_t i, std::size_t j, const Pair& pair) noexcept {
  if (!pair.touches) return false;
  const PairContact& contact = contacts_[pair.contact];
  if (contact.isNew || contact.age >= kOldest) return false;
  for (const Body* body : {&bodies_[i], &bodies_[j]}) {
    // hands feel what is; what sleeps is not looked at but to wake it
    if (body->kind == BodyKind::Tool || body->kind == BodyKind::Kinematic || body->isAsleep)
      return false;
  }
  const double change = carried(contact).change;
  if (!(change <= kMostChange)) return false;
  waiting_.push_back({change, static_cast<std::uint32_t>(pairOf(i, j))});
  return true;
}

/// Whose turn it is: by tests as near to half of what waited and waits as whole pairs come, and
/// more while the step has tests left. Those come first that have changed most.
void World::askWaiting() noexcept {
  std::uint32_t wait = 0;
  for (const WaitingPair& waiting : waiting_)
    wait += contacts_[pairs_[waiting.pair].contact].force.tests;
  const std::uint32_t half = (testsOfWaiting_ + wait) / 2;
  std::sort(waiting_.begin(), waiting_.end(), [](const WaitingPair& a, const WaitingPair& b) {
    return a.change != b.change ? a.change > b.change : a.pair < b.pair;
  });
  std::uint32_t asked = testsOfWaiting_;
  for (const WaitingPair& waiting : waiting_) {
    Pair& pair = pairs_[waiting.pair];
    const std::uint32_t own = contacts_[pair.contact].force.tests;
    if (asked + own / 2 >= half && counters_.tests >= settings_.testsOfStep) {
      carryOn(pair);
      continue;
    }
    const std::uint32_t before = counters_.tests;
    askContact(waiting.pair / size(), waiting.pair % size(), pair);
    asked += counters_.tests - before;
  }
}

void World::carryOn(Pair& pair) noexcept {
  PairContact& contact = contacts_[pair.contact];
  const CarriedContact carriedOn = carried(contact);
  contact.force = carriedOn.force;
  scalePatches(carriedOn.scale, contact.patches);
  ++contact.age;
  ++counters_.carried;
  follow(contact, bodies_[contact.a].pose.inverse(Eigen::Isometry) * bodies_[contact.b].pose);
}

Material World::materialOf(const Body& a, const Body& b) const noexcept {
  Material pair = pairedWith(a.material, b.material);
  const double factor = a.stiffnessFactor * b.stiffnessFactor;
  pair.stiffness *= factor;
  pair.pressure *= factor;
  pair.layerStiffness *= factor;
  return pair;
}

ContactLoad World::loadOn(std::size_t body, const Isometry3d& pose) noexcept {
  ContactLoad load;
  const Body& of = bodies_[body];
  const Vector3d centre = pose * of.mass.centre;
  for (std::size_t other = 0; other < size(); ++other) {
    Pair& pair = pairs_[pairOf(body, other)];
    if (other == body || !pair.isOfInterest) continue;
    const Body& beside = bodies_[other];
    const double reach = of.mass.radius + beside.mass.radius;
    pair.law.request(settings_.law);
    pair.law.update(pair.touches || pair.isLoaded);
    pair.isLoaded = false;
    if (!((centre - beside.motion.centre).norm() <= reach)) continue;
    // in the order of a contact of step(), so that a pair pushes the same whoever asks
    const bool isFirst = body < other;
    const Isometry3d& worldFromA = isFirst ? pose : beside.pose;
    const Isometry3d& worldFromB = isFirst ? beside.pose : pose;
    const ContactForce force = contactForce(
        isFirst ? of.solid : beside.solid, isFirst ? beside.solid : of.solid,
        worldFromA.inverse(Eigen::Isometry) * worldFromB,
        isFirst ? materialOf(of, beside) : materialOf(beside, of),
        {.law = pair.law.inForce(), .budget = settings_.budgetOfPair, .length = length_}, scratch_,
        &patches_);
    ++loads_;
    if (force.isCut) ++cutLoads_;
    if (!force.touches) continue;
    pair.isLoaded = true;
    pair.loadedIn = stepNumber_;
    const Matrix3d turn = worldFromA.linear();
    const Wrench& push = isFirst ? force.onA : force.onB;
    const Vector3d pushed = turn * push.force;
    load.energy += force.energy;
    load.volume += volumeOf(patches_);
    load.wrench.force += pushed;
    load.wrench.torque += turn * push.torque;
    // about the middle of pressure, where it has no negative eigenvalues, and from there about the
    // origin without the turned force: so it keeps none
    load.stiffness +=
        turnedAndMoved(force.stiffness, turn, worldFromA * force.point - pose.translation());
  }
  return load;
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
    const bool hasCores = of.coreInset > 0.0 && beside.coreInset > 0.0;
    const bool hasPoints = other != body && hasPointsForCore(other, body);
    if (other == body || !pair.isOfInterest || !(hasCores || hasPoints)) continue;
    const double gap = (from * of.mass.centre - beside.motion.centre).norm() -
                       (of.mass.radius + beside.mass.radius);
    // where not even the shells have touched, cores are two insets apart
    const bool haveTouched = stepNumber_ - pair.loadedIn <= 1;
    const double inset = hasCores ? std::min(of.coreInset, beside.coreInset)
                                  : std::max(of.coreInset, beside.coreInset);
    if (gap > path || (!haveTouched && path < inset)) continue;
    const Isometry3d toOther = beside.pose.inverse(Eigen::Isometry);
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
    if (!hasCores || areCoresApart(other, body, motion, path, before)) continue;
    const collision::TimeOfImpact impact =
        collision::timeOfImpactOfCores(beside.solid.body.spheres, of.solid.body.spheres, inset,
                                       motion, {.mostNodePairs = settings_.pairsOfImpact}, impact_);
    if (impact.status == collision::ImpactStatus::Hit ||
        impact.status == collision::ImpactStatus::Unfinished)
      share = std::min(share, impact.time);
  }
  return share;
}

void World::askDistance(std::size_t i, std::size_t j, const Isometry3d& aFromB,
                        Pair& pair) noexcept {
  if (pair.patience > 0) {
    --pair.patience;
    return;
  }
  const Body& a = bodies_[i];
  const Body& b = bodies_[j];
  if (a.solid.body.facets.empty() || b.solid.body.facets.empty()) return;
  if (counters_.distances == kDistancesOfStep) return;
  ++counters_.distances;
  distance_.remember(a.solid.body.facets, b.solid.body.facets, pair.nearA, pair.nearB);
  const collision::FacetDistance found = collision::facetDistance(
      a.solid.body.facets, b.solid.body.facets, aFromB, distance_, kMostNodePairs);
  const double distance = found.isCut ? found.least : found.distance;
  pair.nearA = distance_.lastA;
  pair.nearB = distance_.lastB;
  // floats of the facets are off by so much of the bodies' size
  constexpr double kLost = 4e-6;
  const double gap = distance - kLost * (a.mass.radius + b.mass.radius);
  schedule_.apartBy(i, j, gap);
  if (!(gap > kStepsThatPay * (a.lastPath + b.lastPath))) pair.patience = kPatience;
}

void World::release(Pair& pair) noexcept {
  if (!pair.touches) return;
  places_.push_back(pair.contact);
  pair.touches = false;
}

/// Twists at the end of the step without contacts.
void World::setFree(double dt) noexcept {
  const double theta = settings_.implicitness;
  for (std::size_t i = 0; i < size(); ++i) {
    const Body& body = bodies_[i];
    MovingBody& moving = moving_[i];
    moving.start = moving.free = twist(i);
    moving.centre = body.motion.centre + (1.0 - theta) * dt * body.motion.velocity;
    moving.mobility.setZero();
    if (!isMovable(body)) continue;
    Vector6 wrench = body.external.wrench;
    if (body.kind == BodyKind::Dynamic) wrench.head<3>() += body.mass.mass * settings_.gravity;
    if (body.hasExternal) {
      const Matrix6 gain = theta * dt * body.external.stiffness + body.external.damping;
      Matrix6 system = theta * dt * gain;
      system.topLeftCorner<3, 3>() += body.mass.mass * Matrix3d::Identity();
      system.bottomRightCorner<3, 3>() += body.inertia.at(body.motion.turn);
      moving.mobility = Eigen::PartialPivLU<Matrix6>(system).inverse();
      wrench -= gain * moving.start;
    } else {
      moving.mobility.topLeftCorner<3, 3>() = Matrix3d::Identity() / body.mass.mass;
      moving.mobility.bottomRightCorner<3, 3>() = body.inertia.inverseAt(body.motion.turn);
    }
    moving.free += dt * moving.mobility * wrench;
  }
}

void World::makeBlocks(double dt) noexcept {
  pairBlocks_.clear();
  patchBlocks_.clear();
  for (std::size_t k = 0; k < contactCount(); ++k) {
    PairContact& contact = contacts_[pairs_[touching_[k]].contact];
    const Body& a = bodies_[contact.a];
    const Matrix3d turn = a.pose.linear();
    const Vector3d originOfB = bodies_[contact.b].pose.translation();

    // about the middle of pressure, so that forces and torques have their own scales
    const Vector3d point = a.pose * contact.force.point;
    double pressure = 0.0;
    for (const collision::ContactPatch& patch : contact.patches.all())
      pressure += patch.pressure;

    PairBlock block;
    block.a = contact.a;
    block.b = contact.b;
    block.point = point;
    block.length = length_;
    const Wrench given = aboutPoint(
        {turn * contact.force.onB.force, turn * contact.force.onB.torque}, originOfB, point);
    block.given = stacked(given.force, given.torque);
    block.pushesOnly = pressure <= kOneSided * given.force.norm();
    const MovingBody& movingA = moving_[contact.a];
    const MovingBody& movingB = moving_[contact.b];
    const Vector6 relative =
        relativeTwist(movingA.start, movingA.centre, movingB.start, movingB.centre, point);
    const double beta = contact.material.damping;
    // dE/dt = -given . twist; where the factor is negative the contact would pull
    if (1.0 - beta * block.given.dot(relative) > 0.0) {
      block.gain = (settings_.implicitness * dt + contact.material.relaxation) *
                       turnedAndMoved(contact.force.stiffness, turn, Vector3d::Zero()) +
                   beta * block.given * block.given.transpose();
    } else {
      block.given.setZero();
    }
    block.wrench = block.given;
    if (!contact.isNew) {
      const Wrench moved =
          aboutPoint({contact.guess.head<3>(), contact.guess.tail<3>()}, contact.point, point);
      block.wrench = stacked(moved.force, moved.torque);
    }
    contact.point = point;
    pairBlocks_.push_back(block);
    addPatches(contact);
  }
}

void World::addPatches(PairContact& contact) noexcept {
  const double stiffness = contact.material.bristleStiffness;
  if (!(stiffness > 0.0) || !(contact.material.staticFriction > 0.0)) {
    contact.bristles.count = 0;
    return;
  }
  const Isometry3d& a = bodies_[contact.a].pose;
  for (const Bristle& bristle : contact.bristles.all()) {
    if (patchBlocks_.size() == patchBlocks_.capacity()) {
      ++counters_.frictionless;
      continue;
    }
    PatchBlock block;
    block.a = contact.a;
    block.b = contact.b;
    block.pair = static_cast<std::uint32_t>(pairBlocks_.size() - 1);
    block.point = a * bristle.centre;
    block.axes = axesOf(a.linear() * bristle.normal);
    block.spinRadius = bristle.spinRadius;
    block.stiffness = stiffness;
    block.damping = stiffness * contact.material.bristleDamping;
    block.limit = frictionAt(contact.material, bristle.slipSpeed) * bristle.normalForce;
    const Vector3d bend = a.linear() * bristle.bend;
    block.state = {block.axes.col(0).dot(bend), block.axes.col(1).dot(bend), bristle.twist};
    block.state = bentBy(block.state, Vector3d::Zero(), block.limit / stiffness);
    block.force = -stiffness * block.state;
    patchBlocks_.push_back(block);
  }
}

void World::takeResults(double dt) noexcept {
  std::size_t next = 0;
  for (std::size_t k = 0; k < contactCount(); ++k) {
    PairContact& contact = contacts_[pairs_[touching_[k]].contact];
    const PairBlock& block = pairBlocks_[k];
    contact.guess = block.wrench;
    contact.isNew = false;
    contact.onB = {block.wrench.head<3>(), block.wrench.tail<3>()};
    contact.frictionOnB.setZero();
    const Matrix3d inverse = bodies_[contact.a].pose.linear().transpose();
    const MovingBody& a = moving_[contact.a];
    const MovingBody& b = moving_[contact.b];
    const double theta = settings_.implicitness;
    for (Bristle& bristle : contact.bristles.all()) {
      if (next == patchBlocks_.size()) break;
      const PatchBlock& patch = patchBlocks_[next++];
      const Vector3d force = patch.axes.leftCols<2>() * patch.force.head<2>();
      const Vector3d torque = patch.axes.col(2) * (patch.spinRadius * patch.force[2]);
      contact.frictionOnB += force;
      const Wrench about = aboutPoint({force, torque}, patch.point, contact.point);
      contact.onB.force += about.force;
      contact.onB.torque += about.torque;
      const Vector6 mean =
          relativeTwist(theta * a.end + (1.0 - theta) * a.start, a.centre,
                        theta * b.end + (1.0 - theta) * b.start, b.centre, patch.point);
      const Vector3d slide = slideOf(patch, mean, dt);
      const Vector3d bent =
          bentBy(patch.state, slide, limitOf(patch, pairBlocks_) / patch.stiffness);
      bristle.slipSpeed = (patch.state + slide - bent).norm() / dt;
      bristle.bend = inverse * (patch.axes.leftCols<2>() * bent.head<2>());
      bristle.twist = bent[2];
    }
  }
}

void World::move(double dt) noexcept {
  const double theta = settings_.implicitness;
  for (std::size_t i = 0; i < size(); ++i) {
    Body& body = bodies_[i];
    body.lastPath = 0.0;
    if (!isActive(body)) continue;
    const Isometry3d before = body.pose;
    BodyMotion& motion = body.motion;
    if (body.kind == BodyKind::Kinematic) {
      motion.centre += dt * motion.velocity;
      motion.turn = turnedBy(dt * body.givenTurn, motion.turn);
    } else {
      const MovingBody& moving = moving_[i];
      const double share = body.freeShare;
      const Vector3d velocity = moving.end.head<3>();
      motion.centre += share * dt * (theta * velocity + (1.0 - theta) * motion.velocity);
      motion.velocity = share * velocity;
      Vector3d spin = motion.spin;
      if (body.hasExternal) {
        spin += body.inertia.at(motion.turn) * (moving.end - moving.start).tail<3>();
      } else {
        spin += dt * (moving.wrench.tail<3>() + body.external.wrench.tail<3>());
      }
      const Vector3d mean = theta * spin + (1.0 - theta) * motion.spin;
      motion.turn = turnedFreely(body.inertia, motion.turn, mean, share * dt);
      motion.spin = share * spin;
    }
    body.pose = poseOf(motion, body.mass);
    body.lastPath = collision::farthestMove(before, body.pose, body.mass.centre, body.mass.radius);
    schedule_.travelled(i, body.lastPath);
    coreSchedule_.travelled(i, body.lastPath);
  }
}

/// Islands are bodies that hang together by touching; what is fixed or kinematic joins nobody.
void World::letSleep(double dt) noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    parent_[i] = static_cast<std::uint32_t>(i);
    isAwakeIsland_[i] = 0;
    Body& body = bodies_[i];
    if (!isMovable(body)) continue;
    const Vector6 now = twist(i);
    const double speed = now.head<3>().norm() + now.tail<3>().norm() * body.mass.radius;
    body.quiet = speed < settings_.sleepSpeed ? body.quiet + dt : 0.0;
  }
  for (std::size_t k = 0; k < contactCount(); ++k) {
    const PairContact& pair = contact(k);
    if (!isMovable(bodies_[pair.a]) || !isMovable(bodies_[pair.b])) continue;
    const std::uint32_t a = rootOf(parent_, pair.a);
    const std::uint32_t b = rootOf(parent_, pair.b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  const auto keepAwake = [&](std::size_t i) {
    isAwakeIsland_[rootOf(parent_, static_cast<std::uint32_t>(i))] = 1;
  };
  for (std::size_t i = 0; i < size(); ++i) {
    const Body& body = bodies_[i];
    const bool isTired = settings_.mayAllSleep && body.kind == BodyKind::Dynamic &&
                         !body.hasExternal && body.quiet >= settings_.sleepTime;
    if (isMovable(body) && !isTired) keepAwake(i);
  }
  for (std::size_t k = 0; k < contactCount(); ++k) {
    const PairContact& pair = contact(k);
    for (const std::uint32_t one : {pair.a, pair.b}) {
      const std::uint32_t other = one == pair.a ? pair.b : pair.a;
      if (bodies_[one].kind == BodyKind::Kinematic && isActive(bodies_[one])) keepAwake(other);
    }
  }
  for (std::size_t i = 0; i < size(); ++i) {
    Body& body = bodies_[i];
    if (isMovable(body) && isAwakeIsland_[rootOf(parent_, static_cast<std::uint32_t>(i))] == 0) {
      body.isAsleep = true;
      body.motion.velocity.setZero();
      body.motion.spin.setZero();
    }
    if (body.isAsleep) ++counters_.asleep;
  }
}

}  // namespace tactus::response
