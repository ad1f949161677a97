// What stands behind `--device`: every form of the contract, and a sentence for every mistake.
#include "haptics/devices/device_spec.hpp"

#include <gtest/gtest.h>

namespace tactus::haptics {
namespace {

TEST(DeviceSpec, EveryFormOfTheContractParsesAndPrintsBack) {
  struct Case {
    const char* text;
    DeviceSpec spec;
  };
  const Case cases[] = {
      {"openhaptics", {DeviceKind::OpenHaptics, "", ""}},
      {"openhaptics:Left Device", {DeviceKind::OpenHaptics, "Left Device", ""}},
      {"dhd", {DeviceKind::Dhd, "", ""}},
      {"dhd:12345", {DeviceKind::Dhd, "12345", ""}},
      {"chai3d:0", {DeviceKind::Chai3d, "0", ""}},
      {"spacemouse", {DeviceKind::SpaceMouse, "", ""}},
      {"mouse", {DeviceKind::Mouse, "", ""}},
      {"sim:sigma7", {DeviceKind::Simulated, "sigma7", ""}},
      {"sim:./my.toml,hand=a,b=c.toml", {DeviceKind::Simulated, "./my.toml", "a,b=c.toml"}},
      {"replay:a:b.tactus-rec", {DeviceKind::Replay, "a:b.tactus-rec", ""}},
      {"none", {DeviceKind::None, "", ""}},
  };
  for (const Case& c : cases) {
    const models::Result<DeviceSpec> parsed = parseDeviceSpec(c.text);
    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.error().sentence;
    EXPECT_EQ(parsed.value(), c.spec) << c.text;
    EXPECT_EQ(toText(parsed.value()), c.text);
  }
}

TEST(DeviceSpec, AMistakeIsNamedWithTheNearestThatIsKnown) {
  struct Case {
    const char* text;
    const char* says;
  };
  const Case cases[] = {
      {"openhaptic", "did you mean 'openhaptics'"},
      {"dhp:1", "did you mean 'dhd'"},
      {"spacemose", "did you mean 'spacemouse'"},
      {"Mouse", "did you mean 'mouse'"},
      {"", "there are openhaptics, dhd"},
      {"qwertyuiop", "there are openhaptics, dhd"},
      {"dhd:", "needs a serial number"},
      {"dhd:left", "is no whole number"},
      {"dhd:-1", "no whole number"},
      {"dhd:99999999999", "no whole number"},
      {"mouse:1", "nothing behind a colon"},
      {"none:", "nothing behind a colon"},
      {"sim", "needs a profile"},
      {"sim:", "needs a profile"},
      {"sim:,hand=x", "needs a profile"},
      {"sim:touch,", "may have ',hand=FILE'"},
      {"sim:touch,hand=", "may have ',hand=FILE'"},
      {"sim:touch,foot=x", "may have ',hand=FILE'"},
      {"replay", "needs a recording"},
      {"sim\n:x", "\\x0A"},
  };
  for (const Case& c : cases) {
    const models::Result<DeviceSpec> parsed = parseDeviceSpec(c.text);
    ASSERT_FALSE(parsed.ok()) << c.text;
    EXPECT_NE(parsed.error().sentence.find(c.says), std::string::npos)
        << c.text << ": " << parsed.error().sentence;
    EXPECT_EQ(parsed.error().sentence.find('\n'), std::string::npos) << c.text;
  }
}

TEST(DeviceSpec, AHandHoldsOneDeviceAndADeviceIsInOneHand) {
  const auto two = parseHandSpecs({"left=dhd:1", "right=dhd:2"});
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two.value()[0].hand, Hand::Left);
  EXPECT_EQ(two.value()[1].device.name, "2");
  EXPECT_TRUE(parseHandSpecs({"left=sim:touch", "right=sim:touch"}).ok());
  EXPECT_TRUE(parseHandSpecs({"left=dhd", "right=dhd"}).ok()) << "the first and the second found";
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"left=dhd:1", "left=dhd:2"},
                                             {"left=dhd:1", "right=dhd:1"},
                                             {"middle=mouse"},
                                             {"mouse"},
                                             {"left="},
                                             {"=mouse"},
                                             {""}}) {
    EXPECT_FALSE(parseHandSpecs(wrong).ok()) << wrong.front();
  }
  EXPECT_NE(parseHandSpec("rihgt=mouse").error().sentence.find("'right'"), std::string::npos);
  EXPECT_NE(parseHandSpec("mouse").error().sentence.find("right=mouse"), std::string::npos);
}

}  // namespace
}  // namespace tactus::haptics
