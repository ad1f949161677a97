// The window of `tactus run` with real input events on a virtual display: the mouse presses a tool
// onto a plate, keys and sliders change what it feels, and what was recorded replays to the bit.
//
// Nothing here waits for a time: each step waits for what the recording shows of the one before.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/window_program.hpp"

namespace tactus::tests {
namespace {

using haptics::HandRecord;
using Json = nlohmann::json;

constexpr const char* kScene = R"(
title = "Plate"
[camera]
eye_m = [0.0, 0.15, 0.5]
target_m = [0.0, 0.03, 0.0]
[[body]]
name = "plate"
model = "builtin:box@1000"
fit_m = 0.3
spheres = 500
points = 500
position_m = [0.0, -0.05, 0.0]
[[body]]
name = "tool"
model = "builtin:sphere@1000"
kind = "tool"
fit_m = 0.05
spheres = 500
points = 500
position_m = [0.0, 0.06, 0.0]
[[hand]]
name = "right"
tool = "tool"
pose = [{ at_s = 0.0 }, { at_s = 1.0 }]
)";

class SceneWindowTest : public WindowProgram {
 protected:
  void SetUp() override {
    WindowProgram::SetUp();
    scene_ = folder_.write("plate.toml", kScene);
  }
  void run(const std::string& words) { start("run '" + scene_ + "' " + words); }

  std::string scene_;
};

TEST_F(SceneWindowTest, MousePressesAndThePanelChangesWhatIsFelt) {
  run("--device right=mouse --record '" + recording() + "' --json");
  ASSERT_TRUE(waitFor([&] { return isForceUp(); })) << "no force comes up";

  // Left drag moves the hand: down, onto the plate and into it.
  ASSERT_TRUE(hasDrawn(400, 200, 20, 0, 6));
  constexpr double kFelt = 1.0;  // [N]
  ASSERT_TRUE(waitFor([&] {
    const std::vector<HandRecord> records = hand();
    return !records.empty() && forceOf(records.back()) > kFelt;
  })) << "nothing is felt";

  // A key changes the method, while it runs.
  ASSERT_TRUE(hasSent({"key", "v"}));
  ASSERT_TRUE(waitFor([&] { return changed("law").has_value(); }));
  EXPECT_EQ(changed("law"), static_cast<double>(response::ContactLaw::PointDepth));

  // The slider of the coupling's stiffness, drawn to twice and more: where the first slider of the
  // panel stands in a window of this size.
  const double before = forceOf(hand().back());
  // A picture has to see the button go down before the mouse moves on: slower each time.
  bool isDrawn = false;
  for (int attempt = 1; !isDrawn && attempt <= 5; ++attempt) {
    const std::string pause = std::to_string(attempt);
    ASSERT_TRUE(hasSent({"mousemove", "920", "454", "sleep", pause, "mousedown", "1", "sleep",
                         pause, "mousemove", "990", "454", "sleep", pause, "mouseup", "1"}));
    isDrawn = waitFor([&] { return changed("right.stiffness").value_or(0.0) > 2000.0; },
                      std::chrono::seconds(5 + 4 * attempt));
  }
  ASSERT_TRUE(isDrawn) << "the slider was not moved";
  EXPECT_TRUE(waitFor([&] { return forceOf(hand().back()) > 1.3 * before; }))
      << before << " N before, now " << forceOf(hand().back());

  ASSERT_TRUE(hasSent({"key", "Escape"}));
  EXPECT_EQ(closed(), 0);
  const Json json = Json::parse(contentOf(out()));
  EXPECT_GT(json["render"]["frames"], 10);
  EXPECT_GT(json["render"]["fps"], 0.0);
  EXPECT_FALSE(json["render"]["quality"].get<std::string>().empty());
  EXPECT_GT(json["servo"]["ticks"], 1000);
  EXPECT_EQ(json["recorder"]["dropped"], 0);

  const Ended replayed = tactus({"replay", recording()});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

TEST_F(SceneWindowTest, EndsAfterItsSecondsAndLeavesNoForce) {
  run("--device right=sim:sigma7 --seconds 1 --record '" + recording() + "' --json");
  EXPECT_EQ(closed(), 0);
  const Json json = Json::parse(contentOf(out()));
  EXPECT_EQ(json["servo"]["ticks"].get<int>() + json["servo"]["skipped"].get<int>(), 1000);
  EXPECT_EQ(json["hands"][0]["spec"], "sim:sigma7");
}

TEST_F(SceneWindowTest, InterruptedItClosesItsRecording) {
  run("--device right=sim:sigma7 --record '" + recording() + "' --json");
  ASSERT_TRUE(waitFor([&] { return hand().size() > 100; }));
  // to the program itself: sh has become it
  ASSERT_EQ(::kill(program_, SIGINT), 0);
  EXPECT_EQ(closed(), 0);
  const Json info = Json::parse(tactus({"info", recording(), "--json"}).out);
  EXPECT_EQ(info["dropped"], 0);
  EXPECT_GT(info["ticks"], 100);
}

TEST_F(SceneWindowTest, AModelThatIsNoneIsOneSentence) {
  scene_ = folder_.write("bad.toml", "[[body]]\nname = \"a\"\nmodel = \"none.obj\"\n");
  const Ended ended = tactus({"run", scene_}, {});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
}

}  // namespace
}  // namespace tactus::tests
