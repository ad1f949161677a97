#include "response/bodies/world.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

// A contact pushes to one side if the lengths of all its forces are not much more than that of the
// sum: a peg in a hole is held from all sides, and its wrench may change its sign.
constexpr double kOneSided = 1.2;

// Pairs of a tool without mass and what holds it by friction: four hands with eight bodies each.
constexpr std::size_t kMostHeld = 32;

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

/// With a cube's side around, for in the cubes at the rim depths are taken to go on evenly.
BodyBox boxOf(const collision::DepthField& field) {
  if (field.empty()) return {};
  const collision::DepthField::Arrays& all = field.arrays();
  const Eigen::Vector3d cubes(all.size[0] - 1, all.size[1] - 1, all.size[2] - 1);
  const auto side = static_cast<double>(all.side);
  const Eigen::Vector3d half = 0.5 * side * cubes;
  return {all.origin + half, half + Eigen::Vector3d::Constant(side)};
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
  box = boxOf(solid.body.depths);
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
  held_.resize(kMostHeld);
  std::iota(parent_.begin(), parent_.end(), 0U);
  apart_.resize(kMostApart);
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
  of.isSettled = false;
  letGo(body);
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
  of.isSettled = false;
  wake(body);
  letGo(body);
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
  counters_ = {.loads = loads_, .cut = cutLoads_, .frictionless = frictionlessLoads_};
  loads_ = cutLoads_ = frictionlessLoads_ = 0;
  findContacts();
  setFree(dt);
  makeBlocks(dt);
  makeCores(dt);
  solveContacts(moving_, pairBlocks_, patchBlocks_, coreBlocks_,
                {.dt = dt, .implicitness = settings_.implicitness, .rounds = settings_.rounds});
  takeResults(dt);
  bookWork(dt);
  move(dt);
  letSleep(dt);
  joinKinematic();
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
    body.isSettled = false;
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

/// To the islands of letSleep(), for areJoined(): what is moved pushes whatever sleeps or not.
void World::joinKinematic() noexcept {
  for (std::size_t k = 0; k < contactCount(); ++k) {
    const PairContact& pair = contact(k);
    if (bodies_[pair.a].kind == BodyKind::Fixed || bodies_[pair.b].kind == BodyKind::Fixed)
      continue;
    const std::uint32_t a = rootOf(parent_, pair.a);
    const std::uint32_t b = rootOf(parent_, pair.b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
}

bool World::areJoined(std::size_t i, std::size_t j) const noexcept {
  const auto island = [&](std::size_t body) {
    while (parent_[body] != body)
      body = parent_[body];
    return body;
  };
  // two tools without mass do not meet in a step
  return island(i) == island(j) || pairs_[pairOf(i, j)].isLoaded;
}

}  // namespace tactus::response
