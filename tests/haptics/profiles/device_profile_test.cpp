// Device profiles: the shipped ones, the way back from numbers to text, and a table of files that
// are wrong in one place each. None may be read, none may crash, each sentence names the line.
#include "haptics/profiles/device_profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace tactus::haptics {
namespace {

std::string shippedText(std::string_view name) {
  for (const models::ShippedText& shipped : shippedProfiles()) {
    if (shipped.name == name) return std::string(shipped.text);
  }
  ADD_FAILURE() << name;
  return {};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(DeviceProfile, TheContractsNamesAreShippedAndSound) {
  const std::set<std::string> names = {"touch",  "touch-x", "premium-6dof", "omega6",
                                       "omega7", "sigma7",  "lambda7",      "virtuose-6d-desktop",
                                       "falcon", "inverse3"};
  std::set<std::string> shipped;
  for (const models::ShippedText& profile : shippedProfiles())
    shipped.emplace(profile.name);
  EXPECT_EQ(shipped, names);
  for (const std::string& name : names) {
    const models::Result<DeviceProfile> found = findProfile(name);
    ASSERT_TRUE(found.ok()) << found.error().sentence;
    const DeviceProfile& profile = found.value();
    EXPECT_EQ(profile.name, name);
    EXPECT_GT(profile.mass, 0.0);
    EXPECT_LE(profile.damping, 0.05) << name << ": damping that nobody has measured";
    EXPECT_GT(profile.positionStep, 0.0);
    EXPECT_LE(profile.capabilities.continuousForce, profile.capabilities.peakForce);
  }
}

TEST(DeviceProfile, EveryNumberOfAShippedOneNamesItsSource) {
  for (const models::ShippedText& profile : shippedProfiles()) {
    std::size_t at = 0;
    const std::string text(profile.text);
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      const std::size_t equals = line.find(" = ");
      if (equals == std::string::npos || line[equals + 3] == '"' || line.front() == '#') continue;
      EXPECT_NE(line.find("  # "), std::string::npos) << profile.name << ": " << line;
    }
  }
}

TEST(DeviceProfile, FreedomsAreWhatTheDevicesHave) {
  struct Case {
    const char* name;
    int sensed, actuated;
  };
  const Case cases[] = {
      {"touch", 6, 3},  {"premium-6dof", 6, 6}, {"omega6", 6, 3},   {"omega7", 7, 4},
      {"sigma7", 7, 7}, {"falcon", 3, 3},       {"inverse3", 6, 3}, {"virtuose-6d-desktop", 6, 6}};
  for (const Case& c : cases) {
    const DeviceCapabilities device = findProfile(c.name).value().capabilities;
    EXPECT_EQ(device.sensedFreedoms(), c.sensed) << c.name;
    EXPECT_EQ(device.actuatedFreedoms(), c.actuated) << c.name;
  }
}

TEST(DeviceProfile, TextAndNumbersAreTheSame) {
  for (const models::ShippedText& shipped : shippedProfiles()) {
    DeviceProfile profile = parseProfile(shipped.text, "a.toml").value();
    profile.mass = 0.1 + 0.2;  // needs all its digits
    profile.maker = "a \"quoted\"\nname \\ \x01";
    const std::array<std::string, 1> origins = {"measured\nnowhere"};
    const std::string text = profileText(profile, origins);
    const models::Result<DeviceProfile> again = parseProfile(text, "a.toml");
    ASSERT_TRUE(again.ok()) << again.error().sentence << "\n" << text;
    EXPECT_EQ(again.value().mass, profile.mass);
    EXPECT_EQ(again.value().maker, profile.maker);
    EXPECT_EQ(profileText(again.value(), origins), text);
  }
}

TEST(DeviceProfile, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_NE(findProfile("sigma77").error().sentence.find("'sigma7'"), std::string::npos);
  EXPECT_NE(findProfile("").error().sentence.find("touch-x"), std::string::npos);
  EXPECT_EQ(findProfile("/no/such/file.toml").error().reason, models::Reason::FileMissing);
  EXPECT_FALSE(findProfile("/tmp/.toml").ok()) << "a folder or nothing is no file";
}

TEST(DeviceProfile, WhateverIsWrongIsSaidWithFileAndLine) {
  const std::string good = shippedText("sigma7");
  ASSERT_TRUE(parseProfile(good, "x.toml").ok());
  struct Case {
    const char* what;
    const char* with;
    const char* says;
  };
  const Case cases[] = {
      {"mass_kg", "mas_kg", "the nearest is 'dynamics.mass_kg'"},
      {"[dynamics]", "[dynamic]", "the nearest is 'dynamics.mass_kg'"},
      {"mass_kg = 0.3", "mass_kg = \"heavy\"", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = nan", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = inf", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = -0.3", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = 0", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = true", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = [0.3]", "must be a number"},
      {"mass_kg = 0.3", "mass_kg = 1979-05-27", "neither a number"},
      {"mass_kg = 0.3", "mass_kg = {a = 1}", "neither a number"},
      {"mass_kg = 0.3", "mass_kg = 0.3\nmass_kg = 0.3", "not TOML"},
      {"mass_kg = 0.3", "mass_kg = 0,3", "not TOML"},
      {"mass_kg = 0.3", "", "'dynamics.mass_kg' is missing"},
      {"mass_kg = 0.3", "mass_kg = 1e999", "x.toml"},
      {"mass_kg = 0.3", "mass_kg = 9223372036854775808", "not TOML"},
      {"buttons = 0", "buttons = 0.5", "whole number"},
      {"buttons = 0", "buttons = 33", "whole number"},
      {"buttons = 0", "buttons = 0\n\"\" = 1", "no key \"device.\""},
      {"side = \"either\"", "side = \"middle\"", "must be one of"},
      {"side = \"either\"", "side = 1", "must be one of"},
      {"senses_rotation = true", "senses_rotation = 1", "true or false"},
      {"senses_rotation = true", "senses_rotation = false", "a torque on nothing"},
      {"senses_gripper = true", "senses_gripper = false", "a force on nothing"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = [150, 150, 150]", "at most 5.0 m"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = [0.15, 0.15]", "three lengths"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = [0.15, nan, 0.15]", "three lengths"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = [0.15, \"x\", 0.15]", "no number"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = [0.15, 0, 0.15]", "must be positive"},
      {"extent_m = [0.15, 0.15, 0.15]", "extent_m = []", "three lengths"},
      {"continuous_force_n = 12.0", "continuous_force_n = 13.0", "larger than"},
      {"peak_force_n = 12.0", "peak_force_n = 0.0", "must be positive"},
      {"model = \"sigma.7\"", "model = \"\"", "between quotation marks"},
      {"model = \"sigma.7\"", "model = \"sigma.7", "not TOML"},
      {"model = \"sigma.7\"", "model = \"\xff\"", "not TOML"},
      {"[device]", "top = 1\n[device]", "no key \"top\""},
      {"[device]", "[[device]]", "x.toml"},
      {"[device]", "[device.deep]\nx = 1\n[device]", "x.toml"},
      {"[limits]", "[workspace]", "not TOML"},
      {"[device]", "[device", "not TOML"},
  };
  for (const Case& c : cases) {
    const models::Result<DeviceProfile> read =
        parseProfile(replaced(good, c.what, c.with), "x.toml");
    // twice the same table is legal in this one way: as an array with one element
    if (std::string_view(c.with) == "[[device]]") continue;
    ASSERT_FALSE(read.ok()) << c.with;
    const std::string& sentence = read.error().sentence;
    EXPECT_NE(sentence.find(c.says), std::string::npos) << c.with << ": " << sentence;
    EXPECT_TRUE(sentence.starts_with("x.toml")) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(".."), std::string::npos) << sentence;
  }
  const std::string sentence =
      parseProfile(replaced(good, "mass_kg", "mas_kg"), "x.toml").error().sentence;
  const auto line =
      1 + std::count(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.find("mass_kg")),
                     '\n');
  EXPECT_NE(sentence.find("line " + std::to_string(line)), std::string::npos) << sentence;
}

TEST(DeviceProfile, HalfAFileAndNoiseAreRefusedAndNeverMore) {
  const std::string good = shippedText("touch");
  for (std::size_t length = 0; length + 40 < good.size(); length += 7)
    EXPECT_FALSE(parseProfile(good.substr(0, length), "x").ok()) << length;
  // bytes changed here and there, from a seed: read or refused, but told apart
  std::uint64_t state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = good;
    for (int k = 0; k < 3; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      damaged[(state >> 33U) % damaged.size()] = static_cast<char>(state >> 25U);
    }
    const models::Result<DeviceProfile> read = parseProfile(damaged, "x");
    if (!read.ok()) {
      EXPECT_FALSE(read.error().sentence.empty());
    }
  }
  EXPECT_FALSE(parseProfile(std::string(std::size_t{2} << 20U, '#'), "x").ok()) << "too large";
  EXPECT_FALSE(parseProfile("a = " + std::string(100'000, '['), "x").ok()) << "too deep";
}

}  // namespace
}  // namespace tactus::haptics
