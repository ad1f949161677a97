#include "haptics/profiles/hand_defaults.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::haptics {
namespace {

using response::InteractionLevel;
using response::VelocityMethod;

TEST(HandDefaults, AreWhatTheProfileSays) {
  const DeviceProfile touch = findProfile("touch").value();
  const response::ForceParameters parameters = defaultParametersFor(touch);
  EXPECT_EQ(parameters.level, InteractionLevel::SixInThreeOut);
  EXPECT_EQ(parameters.velocity, VelocityMethod::LowPass);
  EXPECT_EQ(parameters.cutoffHertz, touch.velocityCutoff);
  EXPECT_EQ(parameters.mostForce, touch.capabilities.peakForce);
  EXPECT_EQ(parameters.stiffness, 400.0);  // its maker's
  EXPECT_NEAR(parameters.damping, 0.4 * response::ForceParameters{}.damping, 1e-12);
  EXPECT_EQ(defaultParametersFor(findProfile("falcon").value()).level,
            InteractionLevel::ThreeInThreeOut);
  EXPECT_EQ(defaultParametersFor(findProfile("omega6").value()).velocity, VelocityMethod::Vendor);

  const response::HandSetup setup = handSetupFor(touch);
  EXPECT_EQ(setup.device.delayTicks, 1U);  // half a millisecond
  EXPECT_EQ(setup.device.peak.force, touch.capabilities.peakForce);
  EXPECT_EQ(setup.device.peak.torque, 0.0);
  EXPECT_NEAR(setup.velocity.positionNoise, std::sqrt(3.0) * touch.positionStep, 1e-12);
  EXPECT_EQ(setup.shifts.delay, touch.delay);
  EXPECT_EQ(handSetupFor(touch, 1e-4).device.delayTicks, 5U);
}

TEST(HandDefaults, OfEveryShippedProfileAreInTheirRanges) {
  for (const models::ShippedText& shipped : shippedProfiles()) {
    const DeviceProfile profile = findProfile(shipped.name).value();
    const response::ForceParameters parameters = defaultParametersFor(profile);
    const response::ForceParameters within = response::withinRanges(parameters, {});
    for (const response::ParameterRange& range : response::kForceParameterRanges)
      EXPECT_EQ(parameters.*range.value, within.*range.value) << shipped.name << range.name;
    EXPECT_LE(parameters.stiffness, profile.capabilities.mostStiffness) << shipped.name;
    EXPECT_GT(handSetupFor(profile).workspace.edgeRadius, 0.02) << shipped.name;
  }
}

}  // namespace
}  // namespace tactus::haptics
