// Drives the real window with real input events on a virtual display.
#include "render/window.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/render/shapes.hpp"
#include "tests/render/virtual_display.hpp"

#ifdef TACTUS_SANITIZED
// Mesa's GLX unloads its driver at the end and leaves 5 kB behind, which the leak checker can then
// blame on no library, so that they cannot be suppressed by name. The same drawing code is checked
// for leaks by render_picture_test. Visible, or the checker in its shared library does not find it.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() {
  return 1;
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

namespace tactus::render {
namespace {

class WindowOnVirtualDisplay : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(display_.name().empty()) << "Xvfb does not start; install the package xvfb";
    ::setenv("DISPLAY", display_.name().c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    settings_.width = 320;
    settings_.height = 240;
    settings_.quality = Quality::Coarse;
    view_.meshes.emplace_back().mesh = shapes::shared(shapes::sphere(0.05, 12));
    view_.meshes[0].colour = paletteColour(Paint::Orange);
    view_.camera.distance = 0.4;
  }
  void TearDown() override {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
  /// Sends events to the window; they arrive some frames later.
  static void send(std::vector<std::string> words) {
    ASSERT_TRUE(tests::sendEvents(std::move(words))) << "install the package xdotool";
  }

  tests::VirtualDisplay display_;
  WindowSettings settings_;
  SceneView view_;
};

// Enough for events to arrive on a machine that is busy with other things.
constexpr std::uint64_t kMostFrames = 1000;

TEST_F(WindowOnVirtualDisplay, MouseMovesTheCameraAndEscapeCloses) {
  enum class Step { Settle, Orbit, Pan, Zoom, Reset, OverWidget, Close };
  Step step = Step::Settle;
  const OrbitCamera home = view_.camera;
  OrbitCamera before = home;
  std::uint64_t stepBegan = 0;
  bool widgetPressed = false;
  const auto next = [&](Step to, const Frame& frame, std::vector<std::string> events) {
    step = to;
    stepBegan = frame.number;
    before = frame.view.camera;
    send(std::move(events));
  };
  const auto eachFrame = [&](Frame& frame) {
    const OrbitCamera& camera = frame.view.camera;
    if (step == Step::Settle && frame.number == 3) {
      next(
          Step::Orbit, frame,
          {"mousemove", "150", "150", "mousedown", "1", "mousemove", "190", "150", "mouseup", "1"});
    } else if (step == Step::Orbit && camera.yaw < before.yaw) {
      EXPECT_EQ(camera.target, before.target);
      next(
          Step::Pan, frame,
          {"mousemove", "150", "150", "mousedown", "3", "mousemove", "150", "180", "mouseup", "3"});
    } else if (step == Step::Pan && camera.target != before.target) {
      EXPECT_EQ(camera.distance, before.distance);
      next(Step::Zoom, frame, {"click", "4"});
    } else if (step == Step::Zoom && camera.distance < before.distance) {
      next(Step::Reset, frame, {"key", "Home"});
    } else if (step == Step::Reset && camera.target == home.target) {
      EXPECT_EQ(camera.yaw, home.yaw);
      EXPECT_EQ(camera.distance, home.distance);
      // First to where the widget is, so that it notices; then a drag that begins on it.
      next(Step::OverWidget, frame,
           {"mousemove", "40", "40", "sleep", "0.3", "mousedown", "1", "sleep", "0.3", "mousemove",
            "90", "60", "mouseup", "1", "key", "Escape"});
    }
    if (step != Step::Close && frame.number >= kMostFrames) {
      ADD_FAILURE() << "stuck at step " << static_cast<int>(step);
      frame.close = true;
    }
  };
  const auto overlay = [&] {
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize({100.0F, 100.0F});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::Button("press", {80.0F, 80.0F});
    widgetPressed = widgetPressed || ImGui::IsItemActive();
    ImGui::End();
  };
  OrbitCamera end;
  const auto watch = [&](Frame& frame) {
    eachFrame(frame);
    end = frame.view.camera;
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, watch, overlay);
  ASSERT_TRUE(report) << report.error().sentence;
  EXPECT_EQ(step, Step::OverWidget) << "closed too early";
  EXPECT_TRUE(widgetPressed);
  EXPECT_EQ(end.yaw, home.yaw) << "a drag on a widget turned the camera";
  EXPECT_LT(report.value().frames, kMostFrames) << "Escape did not close the window";
  EXPECT_GE(report.value().frames, 10U);
}

TEST_F(WindowOnVirtualDisplay, DrawsTheSceneAndTheWidgets) {
  std::optional<Image> picture;
  const auto eachFrame = [&](Frame& frame) {
    if (frame.number == 2) frame.capture = true;
    if (frame.captured) {
      picture = std::move(frame.captured);
      frame.close = true;
    }
    if (frame.number > 100) frame.close = true;
    EXPECT_EQ(frame.quality, Quality::Coarse);
  };
  const auto overlay = [] {
    ImGui::GetForegroundDrawList()->AddRectFilled({0.0F, 0.0F}, {20.0F, 20.0F},
                                                  IM_COL32(255, 0, 255, 255));
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, eachFrame, overlay);
  ASSERT_TRUE(report) << report.error().sentence;
  ASSERT_TRUE(picture.has_value());
  const Image shown = picture.value_or(Image{});
  ASSERT_EQ(shown.width, 320);
  ASSERT_EQ(shown.height, 240);
  const auto ball = shown.pixel(160, 120);
  EXPECT_GT(ball[0], ball[2] + 30) << "no orange ball in the middle";
  EXPECT_EQ(shown.pixel(10, 10), (std::array<std::uint8_t, 3>{255, 0, 255}));
  EXPECT_EQ(report.value().quality, Quality::Coarse);
  EXPECT_FALSE(report.value().device.empty());
}

TEST_F(WindowOnVirtualDisplay, KeysReachTheApplicationAndQCloses) {
  std::string keys;
  const auto eachFrame = [&](Frame& frame) {
    keys += frame.keysPressed;
    if (frame.number == 3) send({"mousemove", "150", "150", "key", "w", "key", "q"});
    if (frame.number >= kMostFrames) frame.close = true;
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, eachFrame);
  ASSERT_TRUE(report) << report.error().sentence;
  EXPECT_LT(report.value().frames, kMostFrames);
  EXPECT_EQ(keys.substr(0, 1), "W");
}

// The limiter only ever waits: no frame may come earlier than the last by less than a frame, on
// average. How late frames are depends on the machine and is no matter for a test.
TEST_F(WindowOnVirtualDisplay, IsNotFasterThanAskedFor) {
  settings_.framesPerSecond = 50.0;
  double seconds = 0.0;
  const auto eachFrame = [&](Frame& frame) {
    seconds = frame.seconds;
    frame.close = frame.number == 25;
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, eachFrame);
  ASSERT_TRUE(report) << report.error().sentence;
  EXPECT_EQ(report.value().frames, 26U);
  EXPECT_GE(seconds, 25 * 0.9 / 50.0);
}

TEST(Window, WithoutDisplayTheErrorSaysWhatToDo) {
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  const models::Result<WindowReport> report = runWindow({}, SceneView{});
  ASSERT_FALSE(report);
  const std::string& sentence = report.error().sentence;
  EXPECT_NE(sentence.find("DISPLAY"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("--screenshot"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  EXPECT_EQ(sentence.back(), '.') << sentence;
}

TEST(Window, ADisplayThatDoesNotAnswerIsNamed) {
  ::unsetenv("WAYLAND_DISPLAY");
  ::setenv("DISPLAY", ":4711", 1);
  const models::Result<WindowReport> report = runWindow({}, SceneView{});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().sentence.find("4711"), std::string::npos) << report.error().sentence;
}

}  // namespace
}  // namespace tactus::render
