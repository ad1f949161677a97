// Ways and turns whose lengths are known in closed form, with jitter on top that must not count.
#include "studies/measures/hand_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

constexpr double kDt = 1e-3;
constexpr std::size_t kTicks = 4000;
constexpr double kRadius = 0.1;

/// Once around in the time of the trial, turning with it about y; `jitter` of an encoder.
HandMeasures oneRound(double jitter, std::size_t contactTicks) {
  HandMeasures measures(1, kTicks, kDt);
  RandomStream random(5);
  for (std::size_t k = 0; k < kTicks; ++k) {
    // at rest at both ends, as people are: what begins at full speed would lose some milliseconds
    const double u = static_cast<double>(k) / static_cast<double>(kTicks - 1);
    const double angle = 2.0 * std::numbers::pi * u * u * u * (10.0 + u * (6.0 * u - 15.0));
    haptics::HandRecord record;
    for (double* place : {record.position, record.toolPosition}) {
      place[0] = kRadius * std::cos(angle) + jitter * random.aroundZero();
      place[1] = jitter * random.aroundZero();
      place[2] = kRadius * std::sin(angle) + jitter * random.aroundZero();
    }
    record.toolOrientation[0] = std::cos(angle / 2.0);
    record.toolOrientation[1] = 0.0;
    record.toolOrientation[2] = 0.0;
    record.toolOrientation[3] = std::sin(angle / 2.0);
    record.force[1] = k < contactTicks ? 2.0 : 0.0;
    ContactRecord contact;
    contact.stage = 1;
    contact.touches = k < contactTicks ? 1 : 0;
    contact.volume = contact.touches != 0 ? 3e-7F : 0.0F;
    measures.add(0, record, contact);
  }
  return measures;
}

TEST(HandMeasures, WayAndTurnOfACircle) {
  const auto of = oneRound(0.0, 0).of(std::nullopt, 0, true);
  EXPECT_NEAR(of.at("path_dominant"), 2.0 * std::numbers::pi * kRadius, 1e-3);
  EXPECT_NEAR(of.at("path_right"), of.at("path_dominant"), 0.0);
  EXPECT_NEAR(of.at("turn_dominant"), 2.0 * std::numbers::pi, 0.02);
  EXPECT_NEAR(of.at("euler_dominant"), 2.0 * std::numbers::pi, 0.02) << "about one axis alike";
  EXPECT_EQ(of.at("contact_time"), 0.0);
  EXPECT_FALSE(of.contains("force_mean")) << "nothing was touched";
  EXPECT_FALSE(of.contains("coordination")) << "one hand";
}

TEST(HandMeasures, JitterOfEncodersIsNoWay) {
  const double jitter = 1e-5;
  const auto of = oneRound(jitter, 0).of(std::nullopt, 0, true);
  EXPECT_NEAR(of.at("path_dominant"), 2.0 * std::numbers::pi * kRadius, 5e-3);
  // unfiltered it would be some 10 micrometres a tick
  EXPECT_GT(0.8 * jitter * static_cast<double>(kTicks), 5.0 * 5e-3);
}

TEST(HandMeasures, ContactForceAndVolumeAreThoseOfTouch) {
  const auto of = oneRound(0.0, 1000).of(0, std::nullopt, true);
  EXPECT_NEAR(of.at("contact_time"), 1.0, 1e-9);
  EXPECT_EQ(of.at("contacts"), 1.0);
  EXPECT_NEAR(of.at("force_mean"), 2.0, 1e-12);
  EXPECT_NEAR(of.at("force_peak"), 2.0, 1e-12);
  EXPECT_NEAR(of.at("penetration_peak"), 3e-7, 1e-13);
  EXPECT_TRUE(of.contains("path_left"));
}

TEST(HandMeasures, DisplayedStiffnessIsTheSlope) {
  HandMeasures measures(1, 1000, kDt);
  for (std::size_t k = 0; k < 500; ++k) {
    haptics::HandRecord record;
    record.toolOrientation[0] = 1.0;
    const double depth = 0.01 * static_cast<double>(k) / 500.0;
    record.position[1] = 0.02 - depth;
    record.force[1] = 640.0 * depth;
    ContactRecord contact;
    contact.stage = k < 250 ? 1 : 2;
    measures.add(0, record, contact);
  }
  EXPECT_NEAR(measures.displayedStiffness(0, 1).value_or(0.0), 640.0, 1e-6);
  EXPECT_NEAR(measures.displayedStiffness(0, 2).value_or(0.0), 640.0, 1e-6);
  EXPECT_FALSE(measures.displayedStiffness(0, 3).has_value());
}

}  // namespace
}  // namespace tactus::studies
