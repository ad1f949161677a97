// The simulated device against closed forms: what a mass does under a constant force, what dry
// friction holds and how far it lets slide, what an encoder shows, when a delayed force arrives.
#include "haptics/simulated/simulated_device.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;

/// A plain mass: no damping, no friction, no steps, no delay, forces up to 100 N.
DeviceProfile plainMass(double mass = 0.1) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.mass = mass;
  profile.inertia = 1e-3;
  profile.damping = profile.friction = profile.delay = 0.0;
  profile.rotationalDamping = profile.rotationalFriction = 0.0;
  profile.positionStep = profile.rotationStep = profile.gripperStep = 0.0;
  profile.capabilities.peakForce = 100.0;
  profile.capabilities.peakTorque = 10.0;
  profile.capabilities.workspaceExtent = Vector3d::Constant(4.0);
  return profile;
}

DeviceCommand pushing(const Vector3d& force, const Vector3d& torque = Vector3d::Zero()) {
  DeviceCommand command;
  command.wrench = {force, torque};
  return command;
}

/// Ticks on with this command; the last status.
DeviceStatus push(SimulatedDevice& device, const DeviceCommand& command, int ticks) {
  DeviceStatus status;
  for (int i = 0; i < ticks; ++i) {
    DeviceSample sample;
    (void)device.read(0, sample);
    status = device.write(command);
  }
  return status;
}

DeviceSample sampleOf(SimulatedDevice& device) {
  DeviceSample sample;
  EXPECT_TRUE(device.read(0, sample).good());
  return sample;
}

TEST(SimulatedDevice, AMassUnderAConstantForceFallsLikeOne) {
  for (const double mass : {0.045, 0.3, 2.0}) {
    SimulatedDevice device(plainMass(mass), noHand(), {});
    const Vector3d force(0.2, -0.3, 0.1);
    push(device, pushing(force), 500);
    // exact but for 8000 roundings
    const Vector3d fallen = 0.5 * 0.25 / mass * force;
    EXPECT_LT((device.truth().position - fallen).norm(), 1e-11 * fallen.norm()) << mass;
    EXPECT_LT((device.truth().velocity - 0.5 / mass * force).norm(), 1e-11) << mass;
    // the motors' work is what the mass now has
    const double kinetic = 0.5 * mass * device.truth().velocity.squaredNorm();
    EXPECT_NEAR(device.truth().workOnHand, kinetic, 1e-10 * kinetic) << mass;
  }
}

TEST(SimulatedDevice, DampingSlowsAsTheExponentialSays) {
  DeviceProfile profile = plainMass(0.1);
  profile.damping = 2.0;  // a time constant of 50 ms
  SimulatedDevice device(profile, noHand(), {});
  const double force = 1.5;
  for (int n = 1; n <= 300; ++n) {
    push(device, pushing(Vector3d(force, 0.0, 0.0)), 1);
    const double t = 1e-3 * n;
    const double decayed = std::exp(-profile.damping / profile.mass * t);
    const double speed = force / profile.damping * (1.0 - decayed);
    // (h b/m)^2 / 12 of a sub-step of 1/16 ms, relative
    ASSERT_NEAR(device.truth().velocity.x(), speed, 1e-6 * force / profile.damping) << n;
  }
}

TEST(SimulatedDevice, FrictionHoldsUpToItsForceAndNoFurther) {
  DeviceProfile profile = plainMass(0.2);
  profile.friction = 0.3;
  SimulatedDevice held(profile, noHand(), {});
  push(held, pushing(Vector3d(0.18, -0.239, 0.0)), 1000);
  EXPECT_EQ(held.truth().position, Vector3d::Zero()) << "0.2992 N against 0.3 N";
  EXPECT_EQ(held.truth().velocity, Vector3d::Zero());

  SimulatedDevice slides(profile, noHand(), {});
  push(slides, pushing(Vector3d(0.18, -0.24, 0.0) * (0.5 / 0.3)), 400);
  const double way = 0.5 * (0.5 - 0.3) / profile.mass * 0.16;
  EXPECT_NEAR(slides.truth().position.norm(), way, 1e-10);

  // let go: it slides v^2 m / (2 f) and rests for good
  const Vector3d from = slides.truth().position;
  const double speed = slides.truth().velocity.norm();
  push(slides, {}, 1000);
  const double slid = (slides.truth().position - from).norm();
  const double expected = speed * speed * profile.mass / (2.0 * profile.friction);
  // it comes to rest within one sub-step, on whose mean velocity the error is
  EXPECT_NEAR(slid, expected, 1e-4 * expected);
  EXPECT_EQ(slides.truth().velocity, Vector3d::Zero());
}

TEST(SimulatedDevice, TheEncoderShowsSteps) {
  DeviceProfile profile = plainMass(0.1);
  profile.positionStep = 5.5e-5;
  SimulatedDevice device(profile, noHand(), {});
  int changes = 0;
  double last = 0.0;
  for (int n = 0; n < 300; ++n) {
    push(device, pushing(Vector3d(0.05, 0.0, -0.02)), 1);
    const DeviceSample sample = sampleOf(device);
    for (int axis = 0; axis < 3; ++axis) {
      const double steps = sample.position[axis] / profile.positionStep;
      ASSERT_NEAR(steps, std::round(steps), 1e-9);
      ASSERT_LE(std::abs(sample.position[axis] - device.truth().position[axis]),
                0.5 * profile.positionStep * (1.0 + 1e-12));
    }
    changes += sample.position.x() != last ? 1 : 0;
    last = sample.position.x();
  }
  EXPECT_GT(changes, 100);
  EXPECT_LT(changes, 300) << "it must also stand still between two steps";
}

TEST(SimulatedDevice, ADelayedForceArrivesInItsSubStep) {
  for (const double delay : {0.0, 0.25e-3, 1e-3, 3.5e-3}) {
    for (const std::uint32_t extra : {0U, 1U}) {
      DeviceProfile profile = plainMass(0.1);
      profile.delay = delay;
      SimulatedSettings settings;
      settings.extraDelayTicks = extra;
      SimulatedDevice device(profile, noHand(), settings);
      push(device, {}, 10);  // the force begins at 10 ms
      push(device, pushing(Vector3d(1.0, 0.0, 0.0)), 20);
      const double late = delay + 1e-3 * extra;
      const double since = 0.02 - late;
      EXPECT_NEAR(device.truth().position.x(), 5.0 * since * since, 1e-12) << late;
      // and is held as long after it has ended
      push(device, {}, 20);
      EXPECT_NEAR(device.truth().velocity.x(), 10.0 * 0.02, 1e-12) << late;
    }
  }
}

TEST(SimulatedDevice, TheHoldIsOfOrderZero) {
  SimulatedDevice device(plainMass(0.1), noHand(), {});
  push(device, pushing(Vector3d(1.0, 0.0, 0.0)), 1);
  push(device, {}, 9);
  // one tick of force: v = F T / m, then straight on
  EXPECT_NEAR(device.truth().velocity.x(), 0.01, 1e-15);
  EXPECT_NEAR(device.truth().position.x(), 0.5 * 0.01 * 1e-3 + 0.01 * 9e-3, 1e-15);
}

TEST(SimulatedDevice, ForcesEndAtThePeakWithoutTurning) {
  DeviceProfile profile = plainMass(0.1);
  profile.capabilities.peakForce = 12.0;
  SimulatedDevice device(profile, noHand(), {});
  EXPECT_TRUE(push(device, pushing(Vector3d(60.0, -80.0, 0.0)), 1).has(DeviceFlag::Saturated));
  EXPECT_TRUE(device.truth().appliedForce.isApprox(Vector3d(7.2, -9.6, 0.0)));
  EXPECT_TRUE(push(device, pushing(Vector3d(12.0, 0.0, 0.0)), 1).good());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const DeviceStatus status = push(device, pushing(Vector3d(1.0, bad, 0.0)), 1);
    EXPECT_TRUE(status.has(DeviceFlag::NotFinite));
    EXPECT_EQ(device.truth().appliedForce, Vector3d::Zero());
  }
  EXPECT_EQ(device.counters().saturated, 1U);
  EXPECT_EQ(device.counters().notFinite, 2U);
}

TEST(SimulatedDevice, ATorqueTurnsAsFarAsItShould) {
  SimulatedDevice device(plainMass(), noHand(), {});
  const Vector3d axis = Vector3d(1.0, 2.0, -2.0) / 3.0;
  push(device, pushing(Vector3d::Zero(), 0.01 * axis), 300);
  const double angle = 0.5 * 0.01 / 1e-3 * 0.09;
  const Eigen::AngleAxisd turned(device.truth().orientation);
  EXPECT_NEAR(turned.angle(), angle, 1e-6);
  EXPECT_NEAR(turned.axis().dot(axis), 1.0, 1e-12);
  EXPECT_NEAR(device.truth().orientation.norm(), 1.0, 1e-14);
}

TEST(SimulatedDevice, EncodersOfTheWristRoundWithinTheirStep) {
  DeviceProfile profile = plainMass();
  profile.rotationStep = 1e-3;
  SimulatedDevice device(profile, noHand(), {});
  for (int n = 0; n < 400; ++n) {
    push(device, pushing(Vector3d::Zero(), Vector3d(0.02, -0.01, 0.015)), 1);
    const DeviceSample sample = sampleOf(device);
    ASSERT_NEAR(sample.orientation.norm(), 1.0, 1e-12);
    // three axes, half a step each; beyond 90 degrees the quaternion's scale stretches it
    ASSERT_LT(sample.orientation.angularDistance(device.truth().orientation), 2e-3) << n;
  }
}

TEST(SimulatedDevice, WithoutSensorsThereIsNoTurn) {
  DeviceProfile profile = findProfile("falcon").value();
  SimulatedDevice device(profile, noHand(), {});
  push(device, pushing(Vector3d::Zero(), Vector3d(1.0, 0.0, 0.0)), 100);
  EXPECT_EQ(sampleOf(device).orientation.coeffs(), Eigen::Quaterniond::Identity().coeffs());
}

TEST(SimulatedDevice, StopsTakeTheSpeedAtTheEndOfTheWorkspace) {
  DeviceProfile profile = plainMass(0.1);
  profile.capabilities.workspaceExtent = Vector3d(0.1, 0.2, 0.3);
  profile.capabilities.workspaceCentre = Vector3d(0.0, 0.1, 0.0);
  SimulatedDevice device(profile, noHand(), {});
  push(device, pushing(Vector3d(5.0, 0.0, 0.0)), 1000);
  EXPECT_EQ(device.truth().position.x(), 0.05);
  EXPECT_EQ(device.truth().velocity.x(), 0.0);
  EXPECT_EQ(device.truth().position.y(), 0.1);
  // the wall is not pushed away, so no work goes into it
  const double work = device.truth().workOnHand;
  EXPECT_NEAR(work, 5.0 * 0.05, 1e-12);
}

TEST(SimulatedDevice, FrictionAndDampingOnlyTakeEnergy) {
  DeviceProfile profile = findProfile("falcon").value();
  profile.capabilities.workspaceExtent = Vector3d::Constant(4.0);
  SimulatedDevice device(profile, noHand(), {});
  std::uint64_t state = 7;
  for (int n = 0; n < 3000; ++n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double force = static_cast<double>(state >> 40U) / (1U << 23U) - 1.0;
    push(device, pushing(Vector3d(5.0 * force, -3.0 * force, force)), 1);
    const double kinetic = 0.5 * profile.mass * device.truth().velocity.squaredNorm();
    ASSERT_LE(kinetic, device.truth().workOnHand + 1e-12) << n;
  }
}

TEST(SimulatedDevice, TheMirrorImageMovesLikeTheMirrorImage) {
  const DeviceProfile profile = findProfile("sigma7").value();
  SimulatedDevice one(profile, noHand(), {});
  SimulatedDevice other(profile, noHand(), {});
  for (int n = 0; n < 500; ++n) {
    const Vector3d force(0.7 + 1e-3 * n, -0.2, 0.4);
    push(one, pushing(force, Vector3d(0.01, 0.0, 0.02)), 1);
    push(other, pushing(-force, Vector3d(-0.01, 0.0, -0.02)), 1);
    ASSERT_EQ(one.truth().position, -other.truth().position);
    ASSERT_EQ(one.truth().orientation.vec(), -other.truth().orientation.vec());
  }
}

TEST(SimulatedDevice, FaultsComeAndGoWhenTheyShould) {
  SimulatedSettings settings;
  settings.calibrationSeconds = 0.01;
  settings.faults.lostFrom = 100;
  settings.faults.lostUntil = 150;
  settings.faults.notFiniteAt = 200;
  settings.faults.staleFrom = 220;
  settings.faults.staleUntil = 225;
  settings.faults.forcesOffFrom = 240;
  settings.faults.forcesOffUntil = 250;
  SimulatedDevice device(plainMass(), noHand(), settings);
  for (std::uint64_t n = 0; n < 300; ++n) {
    DeviceSample sample;
    const DeviceStatus status = device.read(0, sample);
    const bool lost = n >= 100 && n < 150;
    const bool stale = lost || (n >= 220 && n < 225);
    ASSERT_EQ(status.has(DeviceFlag::Lost), lost) << n;
    ASSERT_EQ(status.has(DeviceFlag::Rejoined), n == 150) << n;
    ASSERT_EQ(status.has(DeviceFlag::Stale), stale) << n;
    ASSERT_EQ(status.has(DeviceFlag::NotReady), lost || n < 10) << n;
    ASSERT_EQ(status.has(DeviceFlag::NotFinite), n == 200) << n;
    ASSERT_EQ(isFinite(sample), n != 200) << n;
    ASSERT_EQ(sample.ageTicks, stale ? n + 1 - (lost ? 100 : 220) : 0) << n;
    (void)device.write(pushing(Vector3d(0.1, 0.0, 0.0)));
    const bool off = lost || n < 10 || (n >= 240 && n < 250);
    ASSERT_EQ(device.truth().appliedForce.x(), off ? 0.0 : 0.1) << n;
  }
  EXPECT_EQ(device.counters().losses, 1U);
  EXPECT_EQ(device.counters().rejoins, 1U);
  EXPECT_EQ(device.counters().stale, 55U);
  EXPECT_EQ(device.counters().oldestAgeTicks, 50U);
}

/// FNV-1a over everything that a run has shown. All numbers are this test's own.
std::uint64_t hashOfRun(double mass, double friction, Grasp grasp, std::uint64_t seed) {
  DeviceProfile profile = plainMass(mass);
  profile.friction = friction;
  profile.damping = 0.05;
  profile.inertia = 3e-4;
  profile.rotationalDamping = 2e-4;
  profile.rotationalFriction = 1e-3;
  profile.gripperRange = 0.5;
  profile.positionStep = 1e-5;
  profile.rotationStep = 2e-4;
  profile.gripperStep = 1e-4;
  profile.positionNoise = 1e-5;
  profile.delay = 0.7e-3;
  profile.velocity = VelocityEstimator::Vendor;
  profile.velocityCutoff = 100.0;
  HandPath path = defaultHandPath();
  path.grasp = grasp;
  path.keys.back().orientation = Eigen::Quaterniond(0.8, 0.0, 0.6, 0.0);
  SimulatedSettings settings;
  settings.seed = seed;
  SimulatedDevice device(profile, path, settings);
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
  };
  for (int n = 0; n < 6000; ++n) {
    DeviceSample sample;
    (void)device.read(0, sample);
    for (const double x : sample.position)
      add(x);
    for (const double x : sample.orientation.coeffs())
      add(x);
    add(sample.gripperAngle);
    add(sample.velocity.x());
    // a wall at 1 cm, so that forces depend on what was measured
    const double deep = std::max(0.0, sample.position.x() - 0.01);
    (void)device.write(pushing(Vector3d(-800.0 * deep, 0.0, 0.0), Vector3d(0.0, -deep, 0.0)));
    add(device.truth().workOnHand);
  }
  return hash;
}

TEST(SimulatedDevice, TheSameBytesAsWhenThisWasWritten) {
  EXPECT_EQ(hashOfRun(0.3, 0.3, Grasp::Normal, 1), hashOfRun(0.3, 0.3, Grasp::Normal, 1));
  EXPECT_NE(hashOfRun(0.3, 0.3, Grasp::Normal, 1), hashOfRun(0.3, 0.3, Grasp::Normal, 2));
  EXPECT_EQ(hashOfRun(0.3, 0.3, Grasp::Normal, 1), 15010618547217630120U);
  EXPECT_EQ(hashOfRun(0.045, 0.26, Grasp::Loose, 1), 12149097309912856927U);
  EXPECT_EQ(hashOfRun(0.4, 0.5, Grasp::Firm, 1), 14936754772048254524U);
}

TEST(SimulatedDevice, NoiseHasTheDeviationThatWasAskedFor) {
  DeviceProfile profile = plainMass();
  profile.positionNoise = 2e-5;
  SimulatedDevice device(profile, noHand(), {});
  double squares = 0.0;
  double sum = 0.0;
  constexpr int kCount = 3000;
  for (int n = 0; n < kCount; ++n) {
    const double x = sampleOf(device).position.x();
    sum += x;
    squares += x * x;
  }
  // standard errors: 1.3 % of the deviation, 2 % of it for the mean
  EXPECT_NEAR(std::sqrt(squares / kCount), 2e-5, 0.05 * 2e-5);
  EXPECT_NEAR(sum / kCount, 0.0, 0.08 * 2e-5);
}

}  // namespace
}  // namespace tactus::haptics
