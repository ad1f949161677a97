#include "studies/contact_hold.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "haptics/profiles/hand_defaults.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "response/hand/hand_response.hpp"
#include "studies/band_power.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using haptics::DeviceCommand;
using haptics::DeviceProfile;
using haptics::DeviceSample;
using haptics::Grasp;
using haptics::HandImpedance;
using haptics::HandPath;
using haptics::SimulatedDevice;
using response::ContactQuery;
using response::ForceParameters;
using response::HandInputs;
using response::HandResponse;
using response::HandTick;
using response::SafetyPhase;

constexpr double kPeriod = 1e-3;
constexpr int kIdealFactor = 16;
constexpr double kContactRatio = 7.0;  // middle of 5 and 10 by factors
constexpr double kContinuousShare = 0.6;

// Who feels this is in contact. Not the tool's energy of contact: that is zero while the tool rests
// before a contact too hard for its steps, and the hand feels it all the same [N].
constexpr double kFeltForce = 0.05;

constexpr double kStillSeconds = 0.1, kPressSeconds = 0.3, kRestSeconds = 0.2;
constexpr double kGap = 1e-3;  // above the contact, at first [m]

// What a seed moves.
constexpr double kStartSpread = 1e-3;  // [m]
constexpr double kForceSpread = 0.2;   // of the force
constexpr double kSideSpread = 2e-3;   // [m]
constexpr double kTiltSpread = 0.035;  // sine of the half angle, 2 degrees over all
constexpr double kWholeTurnOfTilt = 0.5;

/// What a seed has chosen.
struct Draw {
  Vector3d start = Vector3d::Zero();  ///< of the device, from its workspace's centre
  Vector3d side = Vector3d::Zero();
  Vector3d tilt = Vector3d::Zero();  ///< vector part of a quaternion
  double force = kHeldForce;
};

Draw drawn(const HoldCase& how) {
  RandomStream random(how.seed);
  Draw draw;
  draw.start.x() = kStartSpread * random.aroundZero();
  draw.start.y() = kStartSpread * random.aroundZero();
  draw.start.z() = kStartSpread * random.aroundZero();
  draw.side.x() = kSideSpread * random.aroundZero();
  draw.side.z() = kSideSpread * random.aroundZero();
  draw.tilt.x() = kWholeTurnOfTilt * kTiltSpread * random.aroundZero();
  draw.tilt.z() = kWholeTurnOfTilt * kTiltSpread * random.aroundZero();
  const double most = kContinuousShare * how.profile.capabilities.continuousForce;
  draw.force = std::min(kHeldForce, most) * (1.0 + kForceSpread * random.aroundZero());
  return draw;
}

/// Keys of the path, seconds after the device's first tick.
struct Schedule {
  double pressed = 0.0, released = 0.0, ended = 0.0;
};

Schedule scheduleOf(Grasp grasp) {
  Schedule when;
  when.pressed = grasp == Grasp::Bias ? 0.0 : kStillSeconds + kPressSeconds;
  when.released = when.pressed + kHoldSeconds;
  when.ended = when.released + (grasp == Grasp::Bias ? 0.0 : kPressSeconds + kRestSeconds);
  return when;
}

HandPath pathOf(const HoldCase& how, const Draw& draw, double depth) {
  const Schedule when = scheduleOf(how.grasp);
  HandPath path;
  path.grasp = how.grasp;
  path.repeats = false;
  const auto add = [&path](double at, const Vector3d& position, const Eigen::Quaterniond& turn) {
    haptics::HandKey key;
    key.at = at;
    key.position = position;
    key.orientation = turn;
    path.keys.push_back(key);
  };
  const Eigen::Quaterniond level = Eigen::Quaterniond::Identity();
  const Vector3d down(0.0, -kGap - depth, 0.0);
  if (how.grasp == Grasp::Bias) {
    add(0.0, draw.start + down, level);
    return path;
  }
  Eigen::Quaterniond tilted;
  tilted.vec() = draw.tilt;
  tilted.w() = std::sqrt(1.0 - draw.tilt.squaredNorm());
  const Vector3d pressed = draw.start + draw.side + down;
  add(0.0, draw.start, level);
  add(kStillSeconds, draw.start, level);
  add(when.pressed, pressed, tilted);
  add(when.released, pressed, tilted);
  add(when.released + kPressSeconds, draw.start, level);
  return path;
}

/// How deep the hand has to want to be, so that it feels this force.
double depthFor(const HoldCase& how, double force) {
  const double felt = how.parameters.stiffness * kContactRatio / (1.0 + kContactRatio);
  const HandImpedance hand = haptics::impedanceOf(how.grasp);
  return force / felt + (hand.stiffness > 0.0 ? force / hand.stiffness : 0.0);
}

DeviceProfile idealOf(DeviceProfile profile) {
  profile.delay = profile.positionNoise = 0.0;
  profile.positionStep = profile.rotationStep = profile.gripperStep = 0.0;
  return profile;
}

/// The response and the contact, ticked together.
class Loop {
 public:
  Loop(const HoldCase& how, double period, double force, const RhinoPair* rhinos,
       response::ContactScratch* scratch)
      : contact_(how.shape, kContactRatio * how.parameters.stiffness, force, rhinos, scratch),
        parameters_(startedQuickly(how.parameters)),
        response_(setupOf(how, period, contact_.tool()), above(contact_.tool()), parameters_),
        period_(period) {}

  const HandTick& tick(const HandInputs& inputs) noexcept {
    contact_.setFactor(last_.contactFactor);
    last_ = response_.tick(inputs, parameters_, ContactQuery(contact_), period_);
    return last_;
  }
  [[nodiscard]] const HandTick& last() const noexcept { return last_; }
  [[nodiscard]] const response::PassivityState& passivity() const noexcept {
    return response_.passivity();
  }

 private:
  /// Nothing moves before the force is there, so nobody needs to wait for it.
  static ForceParameters startedQuickly(ForceParameters parameters) {
    parameters.smallSeconds = 0.01;
    parameters.rampSeconds = 0.1;
    return parameters;
  }
  static response::HandSetup setupOf(const HoldCase& how, double period, const HeldTool& tool) {
    response::HandSetup setup = haptics::handSetupFor(how.profile, period);
    setup.toolFromGrip = tool.toolFromGrip;
    setup.centreInTool = tool.centreInTool;
    setup.reach = tool.reach;
    setup.thinnestPart = tool.thinnestPart;
    return setup;
  }
  static Isometry3d above(const HeldTool& tool) {
    Isometry3d pose = tool.sceneFromTool;
    pose.translation().y() += kGap;
    return pose;
  }

  HeldContact contact_;
  ForceParameters parameters_;
  HandResponse response_;
  double period_;
  HandTick last_;
};

HandInputs inputsOf(const DeviceSample& sample) {
  HandInputs inputs;
  inputs.position = sample.position;
  inputs.orientation = sample.orientation.toRotationMatrix();
  inputs.vendorVelocity = {sample.velocity, sample.angularVelocity};
  return inputs;
}

double rounded(double value, double step) {
  return step > 0.0 ? step * std::floor(value / step + 0.5) : value;
}

Vector3d measured(const DeviceProfile& profile, Vector3d place) {
  for (double& part : place)
    part = rounded(part, profile.positionStep);
  return place;
}

/// Holds the device still until its force has come up; with a bias, moves it into the contact.
bool bringIn(Loop& loop, const DeviceProfile& profile, const Vector3d& from, const Vector3d& to,
             double period) {
  constexpr double kMostSeconds = 1.0;
  const auto most = static_cast<int>(kMostSeconds / period);
  HandInputs inputs;
  inputs.position = measured(profile, from);
  for (int tick = 0; tick < most && loop.last().safe.phase != SafetyPhase::Active; ++tick)
    loop.tick(inputs);
  if (from != to) {
    const auto ticks = static_cast<int>(kPressSeconds / period);
    for (int tick = 1; tick <= ticks; ++tick) {
      const double u = static_cast<double>(tick) / ticks;
      const double course = u * u * (3.0 - 2.0 * u);
      inputs.position = measured(profile, from + course * (to - from));
      loop.tick(inputs);
    }
  }
  return loop.last().safe.phase == SafetyPhase::Active;
}

/// Forces and torques of the two seconds, by axis.
struct Trace {
  std::array<std::vector<double>, 3> force, torque;

  void add(const response::Wrench& wrench) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      force[axis].push_back(wrench.force[static_cast<Eigen::Index>(axis)]);
      torque[axis].push_back(wrench.torque[static_cast<Eigen::Index>(axis)]);
    }
  }
  static double rms(const std::array<std::vector<double>, 3>& axes, double rate) {
    double power = 0.0;
    for (const std::vector<double>& axis : axes) {
      const double one = bandRms(axis, rate, kLowHertz, kHighHertz);
      power += one * one;
    }
    return std::sqrt(power);
  }
  static double mean(const std::array<std::vector<double>, 3>& axes) {
    double square = 0.0;
    for (const std::vector<double>& axis : axes) {
      double sum = 0.0;
      for (const double value : axis)
        sum += value;
      const double of = axis.empty() ? 0.0 : sum / static_cast<double>(axis.size());
      square += of * of;
    }
    return std::sqrt(square);
  }
};

}  // namespace

HoldFigures hold(const HoldCase& how, const RhinoPair* rhinos, response::ContactScratch* scratch) {
  HoldCase run = how;
  if (run.isIdeal) run.profile = idealOf(run.profile);
  const double period = run.isIdeal ? kPeriod / kIdealFactor : kPeriod;
  const Draw draw = drawn(run);
  const double depth = depthFor(run, draw.force);
  const HandPath path = pathOf(run, draw, depth);
  const Schedule when = scheduleOf(run.grasp);
  const Vector3d centre = run.profile.capabilities.workspaceCentre;

  HoldFigures figures;
  Loop loop(run, period, draw.force, rhinos, scratch);
  figures.isInterrupted =
      !bringIn(loop, run.profile, centre + draw.start, centre + path.keys.front().position, period);
  const double storedAtFirst = loop.last().tool.storedEnergy;

  haptics::SimulatedSettings settings;
  settings.tickSeconds = period;
  settings.seed = run.seed;
  settings.extraDelayTicks = run.isIdeal ? 0 : run.extraDelayTicks;
  SimulatedDevice device(run.profile, path, settings);
  const auto ticks = static_cast<std::uint32_t>(std::lround(when.ended / period));
  const auto until = static_cast<std::uint32_t>(std::lround(when.released / period));
  const auto window = static_cast<std::uint32_t>(std::lround(kMeasuredSeconds / period));
  Trace trace;
  std::uint32_t held = 0;
  const std::uint64_t actedAtFirst = loop.passivity().damped + loop.passivity().heldBack;
  std::uint64_t acted = actedAtFirst;
  for (std::uint32_t tick = 0; tick < ticks; ++tick) {
    DeviceSample sample;
    (void)device.read(0, sample);
    const HandTick& now = loop.tick(inputsOf(sample));
    DeviceCommand command;
    command.wrench = now.safe.applied;
    (void)device.write(command);

    const bool isInContact = now.safe.applied.force.norm() > kFeltForce;
    const std::uint64_t actedNow = loop.passivity().damped + loop.passivity().heldBack;
    if (isInContact) {
      ++figures.contactTicks;
      if (actedNow != acted) ++figures.passivityTicks;
    }
    acted = actedNow;
    figures.hasPassivityActed = acted != actedAtFirst;
    if (now.safe.phase != SafetyPhase::Active) {
      // the verdict is clear, and what comes now is calm by force
      figures.isInterrupted = true;
      figures.ticks = tick + 1;
      return figures;
    }
    if (tick >= until - window && tick < until) {
      trace.add(now.safe.applied);
      if (isInContact) ++held;
    }
  }
  figures.ticks = ticks;
  figures.rms = Trace::rms(trace.force, 1.0 / period);
  figures.turnRms = Trace::rms(trace.torque, 1.0 / period);
  figures.meanForce = Trace::mean(trace.force);
  figures.heldShare = static_cast<double>(held) / window;
  figures.work = device.truth().workOnHand;
  if (run.grasp == Grasp::Bias) figures.work += loop.last().tool.storedEnergy - storedAtFirst;
  return figures;
}

HoldLimits limitsOf(const HoldCase& how, const HoldFigures& figures) noexcept {
  // a hundredth of the mean, two steps of the encoder at the displayed stiffness, or what nobody
  // feels
  constexpr double kOfMean = 0.01;
  constexpr double kSteps = 2.0;
  constexpr double kLeast = 0.03;
  HoldLimits limits;
  limits.excessRms =
      std::max({kOfMean * figures.meanForce,
                kSteps * how.parameters.stiffness * how.profile.positionStep, kLeast});
  return limits;
}

}  // namespace tactus::studies
