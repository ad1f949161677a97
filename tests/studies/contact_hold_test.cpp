// A hold against what theory says of it: the discrete system's eigenvalues where it is linear, and
// textbook cases far on either side.
#include "studies/contact_hold.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <span>

#include "haptics/profiles/hand_defaults.hpp"
#include "studies/stability_benchmark.hpp"

namespace tactus::studies {
namespace {

using haptics::Grasp;

/// A mass with a damper, with nothing else that a device has; it cannot turn.
HoldCase massAndDamper(double mass, double damping, double delay) {
  HoldCase how;
  how.profile = haptics::findProfile("falcon").value();
  how.profile.mass = mass;
  how.profile.damping = damping;
  how.profile.delay = delay;
  how.profile.friction = how.profile.positionStep = 0.0;
  how.parameters = haptics::defaultParametersFor(how.profile);
  how.parameters.isPassivityOn = false;
  how.parameters.damping = 0.0;
  // the contact stays as it begins: seven times stiffer than the coupling
  how.parameters.contactRatioLow = 1.0;
  how.parameters.contactRatioHigh = 40.0;
  how.grasp = Grasp::Bias;
  return how;
}

/// What the hand feels of a face under a handle that is 1 cm beside its middle: coupling of shift
/// and turn, and the contact of 25 points over 3 cm, in a row.
double feltStiffness(double stiffness, double turnStiffness) {
  const double contact = 7.0 * stiffness;
  const double lever = 0.01;
  const double spread = 0.015 * 0.015 * 0.5;  // mean square of -1, -1/2, 0, 1/2, 1 is 1/2
  Eigen::Matrix2d ofContact;
  ofContact << 1.0, -lever, -lever, lever * lever + spread;
  ofContact *= contact;
  Eigen::Matrix2d ofCoupling = Eigen::Vector2d(stiffness, turnStiffness).asDiagonal();
  const Eigen::Matrix2d compliance = ofCoupling.inverse() + ofContact.inverse();
  return compliance.inverse()(0, 0);
}

/// Largest eigenvalue of mass and damper with a zero-order hold, pulled back by K of the position
/// that was measured `delay` ticks and a hold ago.
double spectralRadius(double mass, double damping, double stiffness, int delay) {
  constexpr double kTick = 1e-3;
  const double decay = std::exp(-damping * kTick / mass);
  // x, v, and the forces under way, the oldest first
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(2 + delay, 2 + delay);
  system(0, 0) = 1.0;
  system(0, 1) = mass / damping * (1.0 - decay);
  system(1, 1) = decay;
  const double toSpeed = (1.0 - decay) / damping;
  const double toPlace = (kTick - mass / damping * (1.0 - decay)) / damping;
  if (delay == 0) {
    system(0, 0) -= toPlace * stiffness;
    system(1, 0) -= toSpeed * stiffness;
  } else {
    system(0, 2) = toPlace;
    system(1, 2) = toSpeed;
    for (int k = 0; k + 1 < delay; ++k)
      system(2 + k, 3 + k) = 1.0;
    system(1 + delay, 0) = -stiffness;
  }
  return system.eigenvalues().cwiseAbs().maxCoeff();
}

template <typename IsUnstable>
double border(double low, double high, int halvings, const IsUnstable& isUnstable) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (isUnstable(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

// Without damping in the wall, and with so much in the device that what does not grow is soon
// gone: the simulated border is that of the eigenvalues. By its rms alone; the hand gets more than
// a millijoule long before.
TEST(ContactHold, TheBorderIsWhereTheEigenvaluesSay) {
  struct Linear {
    double mass, damping;
    int delay;
  };
  for (const Linear& linear : {Linear{0.05, 5.0, 2}, Linear{0.08, 8.0, 4}, Linear{0.03, 2.5, 1}}) {
    HoldCase how = massAndDamper(linear.mass, linear.damping, 1e-3 * linear.delay);
    const double theory = border(100.0, 5000.0, 40, [&](double stiffness) {
      const double felt = feltStiffness(stiffness, how.parameters.turnStiffness);
      return spectralRadius(linear.mass, linear.damping, felt, linear.delay) > 1.0;
    });
    ASSERT_GT(theory, 500.0);
    ASSERT_LT(theory, 4800.0);
    const double simulated = border(0.7 * theory, 1.3 * theory, 7, [&](double stiffness) {
      how.parameters.stiffness = stiffness;
      const HoldFigures figures = hold(how, nullptr, nullptr);
      return figures.isInterrupted || figures.rms > limitsOf(how, figures).excessRms;
    });
    EXPECT_NEAR(simulated, theory, 0.04 * theory) << linear.mass;
  }
}

// Ten times above K = 2 b / T a wall rattles; a fifth of it is calm, and as silent as the ideal.
TEST(ContactHold, FindsTextbookCases) {
  HoldCase how = massAndDamper(0.2, 0.1, 0.0);
  how.parameters.stiffness = 10.0 * 2.0 * 0.1 / 1e-3;
  const HoldFigures rattling = hold(how, nullptr, nullptr);
  EXPECT_TRUE(rattling.isInterrupted || rattling.rms > 10.0 * limitsOf(how, rattling).excessRms);
  EXPECT_TRUE(rattling.isInterrupted || rattling.work > 1e-3);

  how = massAndDamper(0.2, 5.0, 0.0);
  how.parameters.stiffness = 0.2 * 2.0 * 5.0 / 1e-3;
  const HoldFigures calm = hold(how, nullptr, nullptr);
  EXPECT_FALSE(calm.isInterrupted);
  EXPECT_LT(calm.rms, 0.1 * limitsOf(how, calm).excessRms);
  EXPECT_LT(calm.work, 1e-3);
  EXPECT_NEAR(calm.meanForce, 0.5, 1e-3);  // what pushes
  EXPECT_EQ(calm.heldShare, 1.0);
  how.isIdeal = true;
  EXPECT_LT(hold(how, nullptr, nullptr).rms, 1e-3);
}

TEST(ContactHold, LimitsAreTheDefinitions) {
  HoldCase how = massAndDamper(0.2, 1.0, 0.0);
  how.parameters.stiffness = 1000.0;
  HoldFigures figures;
  figures.meanForce = 2.0;
  EXPECT_DOUBLE_EQ(limitsOf(how, figures).excessRms, 0.03);
  figures.meanForce = 5.0;
  EXPECT_DOUBLE_EQ(limitsOf(how, figures).excessRms, 0.05);
  how.profile.positionStep = 6e-5;
  EXPECT_DOUBLE_EQ(limitsOf(how, figures).excessRms, 0.12);
  EXPECT_DOUBLE_EQ(limitsOf(how, figures).work, 1e-3);
}

// A hand with a spring presses, holds, lets go: from free space to free space the device has taken
// energy, and the seed decides where.
// The devices with the least friction, on the contact that is hardest for a tool to settle in, with
// twice the stiffness they ship with and no controller that helps.
TEST(ContactHold, LightDevicesHoldAPairOfRhinosAtTwiceTheirDefaults) {
  const models::Result<RhinoPair> pair = makeRhinoPair(2000, 2);
  ASSERT_TRUE(pair.ok());
  response::ContactScratch scratch(std::span<const response::ContactSolid>(&pair.value().solid, 1));
  for (const char* const name : {"touch-x", "premium-6dof", "inverse3"}) {
    HoldCase how;
    how.profile = haptics::findProfile(name).value();
    how.parameters = multiplied(haptics::defaultParametersFor(how.profile), 2.0);
    how.parameters.isPassivityOn = false;
    how.shape = HeldShape::RhinoPair;
    how.grasp = Grasp::Bias;
    how.extraDelayTicks = 1;
    const HoldFigures figures = hold(how, &pair.value(), &scratch);
    const HoldLimits limits = limitsOf(how, figures);
    EXPECT_FALSE(figures.isInterrupted) << name;
    EXPECT_LE(figures.rms, limits.excessRms) << name;
    EXPECT_LE(figures.work, limits.work) << name;
    EXPECT_GT(figures.meanForce, 0.3) << name;
    EXPECT_EQ(figures.heldShare, 1.0) << name;
  }
}

TEST(ContactHold, ASeedIsARunOfItsOwn) {
  HoldCase how;
  how.profile = haptics::findProfile("sigma7").value();
  how.parameters = haptics::defaultParametersFor(how.profile);
  for (const HeldShape shape : {HeldShape::Plane, HeldShape::Edge, HeldShape::Peg}) {
    how.shape = shape;
    how.seed = 1;
    const HoldFigures first = hold(how, nullptr, nullptr);
    EXPECT_FALSE(first.isInterrupted);
    EXPECT_GT(first.meanForce, 1.0) << nameOf(shape);
    EXPECT_LT(first.work, 0.0) << nameOf(shape);
    EXPECT_GT(first.contactTicks, 6000U) << nameOf(shape);
    EXPECT_LT(first.contactTicks, first.ticks) << nameOf(shape);
    const HoldFigures again = hold(how, nullptr, nullptr);
    EXPECT_EQ(again.rms, first.rms);
    EXPECT_EQ(again.work, first.work);
    how.seed = 2;
    EXPECT_NE(hold(how, nullptr, nullptr).work, first.work) << nameOf(shape);
  }
}

}  // namespace
}  // namespace tactus::studies
