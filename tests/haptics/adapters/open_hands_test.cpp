// From SPEC to devices in hands, what is plugged in, and the doctor in a file system of the test's
// own.
#include "haptics/adapters/open_hands.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "haptics/adapters/device_doctor.hpp"
#include "tests/haptics/adapters/loaded_stand_in.hpp"
#include "tests/haptics/adapters/stand_in.hpp"

namespace tactus::haptics {
namespace {

namespace fs = std::filesystem;
using tests::Chai3dStandIn;
using tests::DhdStandIn;
using tests::HdStandIn;

OpenSettings standIns() {
  OpenSettings settings;
  settings.openHaptics = tests::byHand(TACTUS_HD_STAND_IN);
  settings.dhd = tests::byHand(TACTUS_DHD_STAND_IN);
  settings.chai3d = tests::byHand(TACTUS_CHAI3D_MODULE);
  settings.spaceMouse = tests::byHand(TACTUS_SPNAV_STAND_IN);
  return settings;
}

class OpenHands : public testing::Test {
 protected:
  void SetUp() override {
    hd_.arms[0].name = "Default Device";
    hd_.arms[0].serial = "A1";
    hd_.arms[0].isPlugged = true;
    dhd_.arms[0].serial = 1001;
    dhd_.arms[1].serial = 2002;
    dhd_.arms[1].isLeft = true;
    dhd_.arms[0].isPlugged = dhd_.arms[1].isPlugged = true;
  }
  models::Result<OpenedHands> open(const std::vector<std::string>& texts) {
    return openHands(parseHandSpecs(texts).value(), standIns());
  }
  HdStandIn& hd_ = tests::standIn<HdStandIn>(TACTUS_HD_STAND_IN);
  DhdStandIn& dhd_ = tests::standIn<DhdStandIn>(TACTUS_DHD_STAND_IN);
  Chai3dStandIn& chai3d_ = tests::standIn<Chai3dStandIn>(TACTUS_CHAI3D_STAND_IN);
  tests::SpnavStandIn& spnav_ = tests::standIn<tests::SpnavStandIn>(TACTUS_SPNAV_STAND_IN);
};

TEST_F(OpenHands, EveryKindComesIntoItsHand) {
  const auto opened = open({"left=dhd", "right=openhaptics", "left2=sim:touch", "right2=mouse"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  const std::vector<HandDevice>& hands = opened.value().hands;
  ASSERT_EQ(hands.size(), 4U);
  EXPECT_EQ(hands[0].device->capabilities().model, "sigma.7");
  EXPECT_EQ(hands[0].profile.value_or(DeviceProfile{}).name, "sigma7");
  EXPECT_EQ(hands[1].device->capabilities().serial, "A1");
  EXPECT_EQ(hands[2].device->capabilities().serial, "simulated");
  EXPECT_EQ(hands[3].pointer, hands[3].device.get());
  EXPECT_EQ(opened.value().notes.size(), 2U);
  EXPECT_EQ(open({"left=none"}).value().hands[0].device, nullptr);
}

TEST_F(OpenHands, LeftHandedOnesGoToLeftHandsWhateverTheOrder) {
  for (const bool swapped : {false, true}) {
    const auto opened = swapped ? open({"right=dhd", "left=dhd"}) : open({"left=dhd", "right=dhd"});
    ASSERT_TRUE(opened.ok()) << opened.error().sentence;
    for (const HandDevice& hand : opened.value().hands)
      EXPECT_EQ(hand.device->capabilities().serial, hand.hand == Hand::Left ? "2002" : "1001");
  }
  // two of a kind: the lower serial number to the hand that was named first
  dhd_.arms[0].isLeft = true;
  const auto opened = open({"left=dhd", "right=dhd"});
  EXPECT_EQ(opened.value().hands[0].device->capabilities().serial, "1001");
}

TEST_F(OpenHands, LeftHandedOnesOfChai3dGoToLeftHandsToo) {
  for (tests::Chai3dArm& arm : chai3d_.arms)
    arm.isPlugged = true;
  chai3d_.arms[0].fitsLeft = true;
  chai3d_.arms[0].fitsRight = false;
  for (const bool swapped : {false, true}) {
    const auto opened =
        swapped ? open({"right=chai3d", "left=chai3d"}) : open({"left=chai3d", "right=chai3d"});
    ASSERT_TRUE(opened.ok()) << opened.error().sentence;
    for (const HandDevice& hand : opened.value().hands) {
      EXPECT_EQ(hand.device->capabilities().side,
                hand.hand == Hand::Left ? Side::Left : Side::Right);
    }
  }
  // and a number that another hand has named is not the first free one
  const auto opened = open({"left=chai3d", "right=chai3d:0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_EQ(opened.value().hands[1].device->capabilities().side, Side::Left);
  EXPECT_EQ(opened.value().hands[0].profile.value_or(DeviceProfile{}).name, "sigma7");
}

TEST_F(OpenHands, ADeviceIsNotFoundForTwoHandsByTwoWays) {
  chai3d_.arms[0].isPlugged = true;
  const std::vector<FoundDevice> found = findDevices(standIns());
  const auto left = [&](const std::vector<std::string>& asked) {
    std::string specs;
    for (const FoundDevice& device : withoutSecondWays(found, parseHandSpecs(asked).value()))
      specs += toText(device.spec) + ' ';
    return specs;
  };
  EXPECT_EQ(left({}), "openhaptics dhd:1001 dhd:2002 spacemouse ");
  EXPECT_EQ(left({"left=dhd:2002"}), "openhaptics dhd:1001 spacemouse ");
  EXPECT_EQ(left({"left=chai3d:1"}), "chai3d:0 spacemouse ");
  EXPECT_EQ(left({"left=chai3d:0"}), "spacemouse ");
  hd_.arms[0].isPlugged = dhd_.arms[0].isPlugged = dhd_.arms[1].isPlugged = false;
  const std::vector<FoundDevice> alone = findDevices(standIns());
  ASSERT_EQ(withoutSecondWays(alone, {}).size(), 2U) << "nobody else's: CHAI3D's is taken";
  EXPECT_EQ(toText(alone[0].spec), "chai3d:0");
}

TEST_F(OpenHands, ANamedDeviceIsNotTakenByTheFirstFree) {
  const auto opened = open({"left=dhd", "right=dhd:1001"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_EQ(opened.value().hands[0].device->capabilities().serial, "2002");
  EXPECT_EQ(opened.value().hands[1].device->capabilities().serial, "1001");
}

TEST_F(OpenHands, AllOrNone) {
  EXPECT_FALSE(open({"left=dhd:1001", "right=dhd:77"}).ok());
  EXPECT_FALSE(dhd_.arms[0].isOpen) << "what had been opened is closed again";
  EXPECT_FALSE(open({"left=sim:touche"}).ok());
  EXPECT_FALSE(open({"left=sim:touch,hand=/no/such.toml"}).ok());
  EXPECT_FALSE(open({"left=chai3d:0"}).ok()) << "CHAI3D counts none here";
  EXPECT_FALSE(open({"left=replay:x"}).ok());
  EXPECT_FALSE(open({"left=spacemouse", "right=spacemouse"}).ok());
}

TEST_F(OpenHands, LookingMovesNothingAndLeavesEverythingClosed) {
  dhd_.arms[0].isReset = false;
  const std::vector<FoundDevice> found = findDevices(standIns());
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(toText(found[0].spec), "openhaptics");
  EXPECT_EQ(toText(found[1].spec), "dhd:1001");
  EXPECT_EQ(toText(found[2].spec), "dhd:2002");
  EXPECT_EQ(toText(found[3].spec), "spacemouse");
  EXPECT_FALSE(dhd_.arms[0].isReset) << "it has calibrated, and so moved, a device";
  for (const tests::DhdArm& arm : dhd_.arms) {
    EXPECT_FALSE(arm.isOpen);
    EXPECT_FALSE(arm.forcesOn);
  }
  EXPECT_FALSE(hd_.arms[0].isInitialised);
  EXPECT_FALSE(hd_.isRunning);
  EXPECT_FALSE(spnav_.isOpen);
}

TEST(ProfileOfModel, IsTheLongestNameThatFits) {
  const auto nameFor = [](const char* model) {
    return profileOfModel(model).value_or(DeviceProfile{}).name;
  };
  EXPECT_EQ(nameFor("omega.7"), "omega7");
  EXPECT_EQ(nameFor("Touch X"), "touch-x");
  EXPECT_EQ(nameFor("Touch"), "touch");
  EXPECT_EQ(nameFor("FALCON"), "falcon");
  EXPECT_FALSE(profileOfModel("mouse and keyboard").has_value());
  EXPECT_FALSE(profileOfModel("").has_value());
}

/// A file system with a bus in it.
class Machine {
 public:
  Machine() { fs::create_directories(root_ / "sys/bus/usb/devices"); }
  ~Machine() { fs::remove_all(root_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void plug(const std::string& place, const std::string& vendor, const std::string& product) const {
    const std::string folder = "sys/bus/usb/devices/" + place + "/";
    write(folder + "idVendor", vendor);
    write(folder + "idProduct", product);
    write(folder + "busnum", "1");
    write(folder + "devnum", "12");
    write(folder + "product", "a\ttoy");
  }
  std::string chai3dModule = "libNoSuchModule.so";
  [[nodiscard]] std::vector<Finding> examine() const {
    DoctorSettings settings;
    settings.root = root_;
    settings.open.openHaptics.libraries = {"libNoSuchThing.so"};
    settings.open.dhd.libraries = {TACTUS_HALF_STAND_IN};
    settings.open.chai3d.libraries = {chai3dModule};
    settings.open.spaceMouse.libraries = {TACTUS_SPNAV_STAND_IN};
    return examineMachine(settings);
  }

 private:
  fs::path root_ = fs::path(testing::TempDir()) / ("machine" + std::to_string(::getpid()));
};

const Finding& findingOf(const std::vector<Finding>& findings, const std::string& name) {
  static const Finding kNone;
  for (const Finding& finding : findings) {
    if (finding.name == name) return finding;
  }
  ADD_FAILURE() << "nothing about " << name;
  return kNone;
}

TEST(DeviceDoctor, EveryTroubleComesWithAdvice) {
  const Machine machine;
  for (const Finding& finding : machine.examine()) {
    EXPECT_EQ(finding.verdict == Verdict::Good, finding.advice.empty()) << finding.name;
    EXPECT_FALSE(finding.found.empty()) << finding.name;
  }
}

TEST(DeviceDoctor, TellsLibrariesThatAreAbsentOldAndGood) {
  const Machine machine;
  const std::vector<Finding> findings = machine.examine();
  EXPECT_EQ(findingOf(findings, "OpenHaptics").verdict, Verdict::Missing);
  EXPECT_EQ(findingOf(findings, "Force Dimension").verdict, Verdict::Wrong);
  EXPECT_NE(findingOf(findings, "Force Dimension").found.find("dhdOpenID"), std::string::npos);
  EXPECT_EQ(findingOf(findings, "libspnav").verdict, Verdict::Good);
}

TEST(DeviceDoctor, TellsWhetherTheModuleWithChai3dIsThere) {
  Machine machine;
  const auto chai3d = [&machine] { return findingOf(machine.examine(), "CHAI3D"); };
  EXPECT_EQ(chai3d().verdict, Verdict::Missing);
  EXPECT_NE(chai3d().advice.find("-DTACTUS_CHAI3D=ON"), std::string::npos) << chai3d().advice;
  machine.chai3dModule = TACTUS_HALF_STAND_IN;
  EXPECT_EQ(chai3d().verdict, Verdict::Wrong);
  EXPECT_NE(chai3d().advice.find("together"), std::string::npos) << chai3d().advice;
  machine.chai3dModule = TACTUS_CHAI3D_MODULE;
  EXPECT_EQ(chai3d().verdict, Verdict::Good);
}

TEST(DeviceDoctor, TellsDevicesOnTheBusWithTheirFilesAndRights) {
  const Machine machine;
  EXPECT_EQ(findingOf(machine.examine(), "USB").verdict, Verdict::Missing);
  machine.plug("1-1", "1451", "0402");
  machine.plug("1-2", "046d", "c077");  // a plain mouse
  EXPECT_EQ(findingOf(machine.examine(), "/dev/bus/usb/001/012").verdict, Verdict::Wrong);
  machine.write("dev/bus/usb/001/012", "");
  const std::vector<Finding> findings = machine.examine();
  const Finding& node = findingOf(findings, "/dev/bus/usb/001/012");
  EXPECT_EQ(node.verdict, Verdict::Good);
  EXPECT_NE(node.found.find("Force Dimension, a\\x09toy"), std::string::npos) << node.found;
  // a Touch at the USB shows up as a raw device
  machine.plug("1-3", "2988", "0302");
  machine.write("sys/bus/usb/devices/1-3/1-3:1.0/0003:2988:0302.0001/hidraw/hidraw3/dev", "");
  EXPECT_EQ(findingOf(machine.examine(), "/dev/hidraw3").verdict, Verdict::Wrong);
  machine.write("dev/hidraw3", "");
  EXPECT_EQ(findingOf(machine.examine(), "/dev/hidraw3").verdict, Verdict::Good);
}

TEST(DeviceDoctor, TellsTheDaemonAndTheLimits) {
  const Machine machine;
  EXPECT_EQ(findingOf(machine.examine(), "spacenavd").verdict, Verdict::Missing);
  machine.write("run/spnav.sock", "");
  EXPECT_EQ(findingOf(machine.examine(), "spacenavd").verdict, Verdict::Good);
  machine.write("proc/sys/kernel/sched_rt_runtime_us", "950000");
  EXPECT_NE(findingOf(machine.examine(), "sched_rt_runtime_us").found.find("950000"),
            std::string::npos);
  (void)findingOf(machine.examine(), "SCHED_FIFO");
  (void)findingOf(machine.examine(), "locked memory");
}

}  // namespace
}  // namespace tactus::haptics
