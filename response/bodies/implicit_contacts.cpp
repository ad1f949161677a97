#include "response/bodies/implicit_contacts.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "collision/tree/contact_energy.hpp"

namespace tactus::response {
namespace {

using collision::crossing;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix63 = Eigen::Matrix<double, 6, 3>;

/// Twist at a point from that of the centre, `arm` leading from the centre to the point. Its
/// transpose takes a wrench at the point to the centre.
Matrix6 atPoint(const Vector3d& arm) noexcept {
  Matrix6 map = Matrix6::Identity();
  map.topRightCorner<3, 3>() = -crossing(arm);
  return map;
}

Vector6 twistAt(const Vector6& twist, const Vector3d& arm) noexcept {
  Vector6 there = twist;
  const Vector3d turn = twist.tail<3>();
  there.head<3>() += turn.cross(arm);
  return there;
}

/// A wrench at a point, about the centre.
Vector6 wrenchFrom(const Vector6& wrench, const Vector3d& arm) noexcept {
  Vector6 about = wrench;
  const Vector3d force = wrench.head<3>();
  about.tail<3>() += arm.cross(force);
  return about;
}

/// Wrenches at the patch's point, of a force along each tangent and of a torque by rho.
Matrix63 wrenchesOf(const PatchBlock& patch) noexcept {
  Matrix63 all = Matrix63::Zero();
  all.block<3, 1>(0, 0) = patch.axes.col(0);
  all.block<3, 1>(0, 1) = patch.axes.col(1);
  all.block<3, 1>(3, 2) = patch.spinRadius * patch.axes.col(2);
  return all;
}

Vector6 wrenchOf(const PatchBlock& patch, const Vector3d& force) noexcept {
  Vector6 all;
  all.head<3>() = patch.axes.col(0) * force[0] + patch.axes.col(1) * force[1];
  all.tail<3>() = patch.axes.col(2) * (patch.spinRadius * force[2]);
  return all;
}

bool pulls(const PairBlock& pair, const Vector6& wrench) noexcept {
  const double along = pair.given.head<3>().dot(wrench.head<3>());
  const double around = pair.given.tail<3>().dot(wrench.tail<3>());
  return along + around / (pair.length * pair.length) < 0.0;
}

void prepare(const std::span<MovingBody> bodies, const ImplicitSettings& settings,
             PairBlock& pair) noexcept {
  const MovingBody& a = bodies[pair.a];
  const MovingBody& b = bodies[pair.b];
  const Matrix6 toA = atPoint(pair.point - a.centre);
  const Matrix6 toB = atPoint(pair.point - b.centre);
  pair.byA = settings.dt * a.mobility * toA.transpose();
  pair.byB = settings.dt * b.mobility * toB.transpose();
  pair.own = settings.implicitness * (toA * pair.byA + toB * pair.byB);
  // p = given - G (u + own (p - p_before)), for p
  const Matrix6 system = Matrix6::Identity() + pair.gain * pair.own;
  const Matrix6 inverse = Eigen::PartialPivLU<Matrix6>(system).inverse();
  pair.fixed = inverse * pair.given;
  pair.slope = inverse * pair.gain;
}

void prepare(const std::span<MovingBody> bodies, const ImplicitSettings& settings,
             PatchBlock& patch) noexcept {
  const MovingBody& a = bodies[patch.a];
  const MovingBody& b = bodies[patch.b];
  const Matrix63 wrenches = wrenchesOf(patch);
  const Matrix63 aboutA = atPoint(patch.point - a.centre).transpose() * wrenches;
  const Matrix63 aboutB = atPoint(patch.point - b.centre).transpose() * wrenches;
  patch.byA = settings.dt * a.mobility * aboutA;
  patch.byB = settings.dt * b.mobility * aboutB;
  patch.own = settings.implicitness * settings.dt *
              (aboutA.transpose() * patch.byA + aboutB.transpose() * patch.byB);
  patch.perSlide = patch.stiffness + patch.damping / settings.dt;
  const Matrix3d system = Matrix3d::Identity() + patch.perSlide * patch.own;
  patch.inverse = system.inverse();
}

void prepare(const std::span<MovingBody> bodies, const ImplicitSettings& settings,
             CoreBlock& core) noexcept {
  const MovingBody& a = bodies[core.a];
  const MovingBody& b = bodies[core.b];
  Vector6 push = Vector6::Zero();
  push.head<3>() = core.normal;
  const Vector6 aboutA = wrenchFrom(push, core.point - a.centre);
  const Vector6 aboutB = wrenchFrom(push, core.point - b.centre);
  core.byA = settings.dt * a.mobility * aboutA;
  core.byB = settings.dt * b.mobility * aboutB;
  core.own = settings.implicitness * (aboutA.dot(core.byA) + aboutB.dot(core.byB));
}

/// Mean twist of B against A in the step, at a point.
Vector6 meanTwist(const MovingBody& a, const MovingBody& b, const Vector3d& point,
                  double theta) noexcept {
  const Vector6 ofA = theta * a.end + (1.0 - theta) * a.start;
  const Vector6 ofB = theta * b.end + (1.0 - theta) * b.start;
  return relativeTwist(ofA, a.centre, ofB, b.centre, point);
}

void relax(const std::span<MovingBody> bodies, const ImplicitSettings& settings,
           PairBlock& pair) noexcept {
  MovingBody& a = bodies[pair.a];
  MovingBody& b = bodies[pair.b];
  const Vector6 mean = meanTwist(a, b, pair.point, settings.implicitness);
  Vector6 wrench = pair.fixed - pair.slope * (mean - pair.own * pair.wrench);
  if (pair.pushesOnly && pulls(pair, wrench)) wrench.setZero();
  const Vector6 change = wrench - pair.wrench;
  a.end -= pair.byA * change;
  b.end += pair.byB * change;
  pair.wrench = wrench;
}

void relax(const std::span<MovingBody> bodies, const std::span<const PairBlock> pairs,
           const ImplicitSettings& settings, PatchBlock& patch) noexcept {
  MovingBody& a = bodies[patch.a];
  MovingBody& b = bodies[patch.b];
  const Vector6 mean = meanTwist(a, b, patch.point, settings.implicitness);
  const Vector3d slide = slideOf(patch, mean, settings.dt) - patch.own * patch.force;
  Vector3d force = patch.inverse * (-patch.stiffness * patch.state - patch.perSlide * slide);
  const double length = force.norm();
  const double limit = limitOf(patch, pairs);
  if (length > limit) force *= limit / length;
  const Vector3d change = force - patch.force;
  a.end -= patch.byA * change;
  b.end += patch.byB * change;
  patch.force = force;
}

void relax(const std::span<MovingBody> bodies, const ImplicitSettings& settings,
           CoreBlock& core) noexcept {
  if (!(core.own > 0.0)) return;
  MovingBody& a = bodies[core.a];
  MovingBody& b = bodies[core.b];
  const Vector6 mean = meanTwist(a, b, core.point, settings.implicitness);
  const double away = core.normal.dot(mean.head<3>());
  const double force = std::max(0.0, core.force - (away + core.gap / settings.dt) / core.own);
  const double change = force - core.force;
  a.end -= change * core.byA;
  b.end += change * core.byB;
  core.force = force;
}

void addWrench(const Vector6& onB, const Vector3d& point, MovingBody& a, MovingBody& b) noexcept {
  a.wrench -= wrenchFrom(onB, point - a.centre);
  b.wrench += wrenchFrom(onB, point - b.centre);
}

}  // namespace

Matrix6 turnedAndMoved(const collision::Stiffness& stiffness, const Matrix3d& turn,
                       const Vector3d& arm) noexcept {
  Matrix6 change = Matrix6::Zero();
  // twist about the new point -> twist about the old one, in A's axes
  change.topLeftCorner<3, 3>() = turn.transpose();
  change.bottomRightCorner<3, 3>() = turn.transpose();
  change.topRightCorner<3, 3>() = -turn.transpose() * collision::crossing(arm);
  return change.transpose() * stiffness * change;
}

Vector6 relativeTwist(const Vector6& ofA, const Vector3d& centreA, const Vector6& ofB,
                      const Vector3d& centreB, const Vector3d& point) noexcept {
  return twistAt(ofB, point - centreB) - twistAt(ofA, point - centreA);
}

Vector3d slideOf(const PatchBlock& patch, const Vector6& relative, double dt) noexcept {
  const Vector3d shift = relative.head<3>();
  const Vector3d turn = relative.tail<3>();
  return dt * Vector3d(patch.axes.col(0).dot(shift), patch.axes.col(1).dot(shift),
                       patch.spinRadius * patch.axes.col(2).dot(turn));
}

double limitOf(const PatchBlock& patch, std::span<const PairBlock> pairs) noexcept {
  if (patch.pair >= pairs.size() || !pairs[patch.pair].pushesOnly) return patch.limit;
  const PairBlock& pair = pairs[patch.pair];
  const double square = pair.given.head<3>().squaredNorm();
  if (!(square > 0.0)) return 0.0;
  return patch.limit * std::max(pair.given.head<3>().dot(pair.wrench.head<3>()) / square, 0.0);
}

void solveContacts(std::span<MovingBody> bodies, std::span<PairBlock> pairs,
                   std::span<PatchBlock> patches, std::span<CoreBlock> cores,
                   const ImplicitSettings& settings) noexcept {
  for (MovingBody& body : bodies) {
    body.end = body.free;
    body.wrench.setZero();
  }
  for (PairBlock& pair : pairs) {
    prepare(bodies, settings, pair);
    bodies[pair.a].end -= pair.byA * pair.wrench;
    bodies[pair.b].end += pair.byB * pair.wrench;
  }
  for (PatchBlock& patch : patches) {
    prepare(bodies, settings, patch);
    bodies[patch.a].end -= patch.byA * patch.force;
    bodies[patch.b].end += patch.byB * patch.force;
  }
  for (CoreBlock& core : cores) {
    prepare(bodies, settings, core);
    core.force = 0.0;
  }
  for (std::uint32_t round = 0; round < settings.rounds; ++round) {
    for (PairBlock& pair : pairs)
      relax(bodies, settings, pair);
    for (PatchBlock& patch : patches)
      relax(bodies, pairs, settings, patch);
    for (CoreBlock& core : cores)
      relax(bodies, settings, core);
  }
  // once more from the wrenches alone: what rounds have added and taken away again leaves rounding
  for (const PairBlock& pair : pairs)
    addWrench(pair.wrench, pair.point, bodies[pair.a], bodies[pair.b]);
  for (const PatchBlock& patch : patches)
    addWrench(wrenchOf(patch, patch.force), patch.point, bodies[patch.a], bodies[patch.b]);
  for (const CoreBlock& core : cores) {
    Vector6 push = Vector6::Zero();
    push.head<3>() = core.force * core.normal;
    addWrench(push, core.point, bodies[core.a], bodies[core.b]);
  }
  for (MovingBody& body : bodies)
    body.end = body.free + settings.dt * body.mobility * body.wrench;
}

}  // namespace tactus::response
