#include "response/coupling/quasi_static_tool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "response/coupling/tool_step.hpp"

namespace tactus::response {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

// A step that gains this share of what was promised may be followed by one four times as long; one
// that gains less than a tenth, by half of one. Between the shares that are usual with trust
// regions; the margins of stability do not depend on them.
constexpr double kGoodShare = 0.4, kPoorShare = 0.1;
constexpr double kLonger = 4.0, kShorter = 0.5;
// The least of a step uphill that is tried next: where energy jumps, the parabola says nothing.
constexpr double kLeastShare = 0.05;
// What stops a tool counts as at most so many times stiffer than its coupling: the eigenvalues of
// what else is there keep ten digits.
constexpr double kStiffestStop = 1e6;
// Energies of contacts are sums of floats over cubes: a difference of less than this share of one
// says nothing. Where energies cannot tell, pushes do; where neither is less, that was
// rounding, and says nothing about how far the parabola can be trusted: a region made small by it
// lets the hand pull for two ticks before the tool follows.
constexpr double kRounding = 1e-5;

StiffnessInSeries seriesAt(const LoadedTool& tool) {
  return {std::max(tool.coupling.secant, kLeastSecant),
          std::max(tool.coupling.turnSecant, kLeastTurnSecant), tool.contactAtPivot};
}

/// What the model says can be gained at most [J].
double mostGain(const StiffnessInSeries& series, const Vector6& push) {
  return 0.5 * push.dot(series.solve(push));
}

double ratioWithoutFriction(const StiffnessInSeries& series, const LoadedTool& tool,
                            const ToolShape& shape) {
  if (tool.contact.friction.isZero(0.0)) return series.ratio();
  LoadedTool smooth = tool;
  const Eigen::Vector3d arm = tool.sceneFromTool.linear() * shape.pivotInTool;
  smooth.contactAtPivot -=
      collision::turnedAbout(tool.contact.friction, Eigen::Vector3d::Zero(), -arm);
  return seriesAt(smooth).ratio();
}

/// D^1/2 felt D^1/2 v, D = damping / stiffness.
Vector6 dampingWrench(const CouplingGains& gains, const collision::Stiffness& felt,
                      const HandMotion& hand) {
  const double shift = gains.stiffness > 0.0 ? std::sqrt(gains.damping / gains.stiffness) : 0.0;
  const double turn =
      gains.turnStiffness > 0.0 ? std::sqrt(gains.turnDamping / gains.turnStiffness) : 0.0;
  Vector6 root;
  root << shift, shift, shift, turn, turn, turn;
  Vector6 velocity;
  velocity << hand.velocity, hand.spin;
  return root.cwiseProduct(felt * root.cwiseProduct(velocity));
}

}  // namespace

void QuasiStaticTool::placeAt(const Eigen::Isometry3d& sceneFromTool) noexcept {
  sceneFromTool_ = sceneFromTool;
  turn_.setZero();
  hasLoad_ = false;
  region_ = std::numeric_limits<double>::infinity();
}

CoupledTool QuasiStaticTool::tick(const HandMotion& hand, const CouplingGains& gains,
                                  const ToolShape& shape, const ContactQuery& contact,
                                  const Settings& settings, const ClearWay& way) noexcept {
  CoupledTool result;
  result.sceneFromTool = sceneFromTool_;
  const auto loadedAt = [&](const Eigen::Isometry3d& pose, const ContactLoad& load) {
    return loadedTool(hand, gains, shape, pose, load, turn_);
  };
  const bool isReused = settings.reusesLastLoad && hasLoad_;
  if (!isReused) {
    const double before = load_.energy - load_.lost;
    load_ = contact(sceneFromTool_);
    ++result.queries;
    if (hasLoad_) result.broughtEnergy = load_.energy - load_.lost - before;
  }
  LoadedTool best = loadedAt(sceneFromTool_, load_);
  bool isFinite = best.isFinite();
  LoadedTool base = best;  // from where the next step goes: the best, or uphill behind it
  bool isBase = true;      // the best is
  double longest = region_;
  // so that a tool that is let go moves again within a few steps
  const double shortest = std::sqrt(settings.tolerance);
  double promise = 0.0;  // of the last step from the best
  // What it is that stopped the last step from the best; nothing if that gained.
  collision::Stiffness stop = collision::Stiffness::Zero();
  std::optional<StiffnessInSeries> seriesOfBest;
  for (std::uint32_t step = 0; step < settings.mostSteps && isFinite; ++step) {
    const StiffnessInSeries series = seriesAt(base);
    if (isBase) seriesOfBest = series;
    isFinite = series.isFinite();
    if (!isFinite || (isBase && mostGain(series, base.push) < settings.tolerance)) break;
    Vector6 change = series.solveWithin(base.push, longest);
    change *= trusted(shape, change);
    Eigen::Isometry3d pose = moved(base.sceneFromTool, shape.pivotInTool, change);
    const double clear = way(base.sceneFromTool, pose, shape.pivotInTool);
    collision::Stiffness core = collision::Stiffness::Zero();
    if (clear < 1.0) {
      core = series.along(change, kStiffestStop);
      change *= clear;
      if (isBase && series.lengthOf(change) < shortest) {
        stop = core;
        break;
      }
      pose = moved(base.sceneFromTool, shape.pivotInTool, change);
    }
    const LoadedTool now = loadedAt(pose, contact(pose));
    ++result.queries;
    isFinite = now.isFinite();
    if (!isFinite) break;
    if (isBase) promise = series.gainOf(base.push, change);
    const double length = series.lengthOf(change);
    const double gain = best.energy - now.energy;
    const double rounding = kRounding * std::abs(best.contact.energy);
    const auto isLess = [&] {
      return gain >= 0.0 ||
             (isBase && gain > -rounding && mostGain(seriesAt(now), now.push) < promise);
    };
    // a load of another tick says nothing about the energies of this one
    const bool isFirstAnswer = isReused && step == 0;
    if (isFirstAnswer || isLess()) {
      if (gain > kGoodShare * promise) {
        region_ = std::max(region_, kLonger * (isBase ? length : longest));
      } else if (isBase && !isFirstAnswer && promise >= rounding && gain < kPoorShare * promise) {
        region_ = std::max(kShorter * length, shortest);
      }
      best = base = now;
      seriesOfBest.reset();
      isBase = true;
      longest = region_;
      stop = core;
    } else if (isBase && promise < rounding) {
      break;
    } else if (isBase) {
      const double slope = base.push.dot(change);
      stop =
          series.along(change, std::min(2.0 * (promise - gain) / (length * length), kStiffestStop));
      const double least = std::clamp(0.5 * slope / (slope - gain), kLeastShare, kShorter);
      region_ = std::max(least * length, shortest);
      isBase = !(now.energy - mostGain(seriesAt(now), now.push) < best.energy);
      if (!isBase) base = now;
      longest = isBase ? region_ : length;
    } else {
      base = best;
      isBase = true;
      longest = region_;
    }
  }
  const StiffnessInSeries series = seriesOfBest ? *seriesOfBest : seriesAt(best);
  if (!isFinite || !series.isFinite()) {
    result.isFinite = false;
    result.broughtEnergy = 0.0;
    hasLoad_ = false;
    return result;
  }
  sceneFromTool_ = best.sceneFromTool;
  turn_ = best.coupling.turn;
  load_ = best.contact;
  hasLoad_ = true;

  result.sceneFromTool = sceneFromTool_;
  result.coupling = best.coupling;
  result.contact = load_;
  result.storedEnergy = best.energy - best.contact.lost;
  result.stiffnessRatio = ratioWithoutFriction(series, best, shape);
  if (stop.isZero(0.0)) {
    result.felt = series.felt();
  } else {
    LoadedTool stopped = best;
    stopped.contactAtPivot += stop;
    result.felt = seriesAt(stopped).felt();
  }
  const double lever = std::max(shape.reach, 1e-6);
  result.imbalance = best.push.head<3>().norm() + best.push.tail<3>().norm() / lever;
  const Vector6 damping = dampingWrench(gains, result.felt, hand);
  result.onHand = {-best.coupling.onTool.force - damping.head<3>(),
                   -best.coupling.onTool.torque - damping.tail<3>()};
  if (!result.onHand.force.allFinite() || !result.onHand.torque.allFinite()) {
    result.onHand = {};
    result.isFinite = false;
  }
  return result;
}

}  // namespace tactus::response
