// Drives the real window with real input events on a virtual display.
#include "render/window.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
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

/// Pixels in which two pictures differ; but for the one that a window marks its pictures in.
std::size_t differingPixels(const Image& a, const Image& b) {
  std::size_t found = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      const bool isMark = x == 0 && y == a.height - 1;
      if (!isMark && a.pixel(x, y) != b.pixel(x, y)) ++found;
    }
  }
  return found;
}

// Where a processor draws, a window keeps its picture and only what moves is drawn. After some
// motion the picture must be the one that is drawn anew as a whole, to the bit: with shadows, a
// ghost, signs, and a widget that lets the scene shine through.
class KeptPicture : public WindowOnVirtualDisplay, public testing::WithParamInterface<Quality> {};

TEST_P(KeptPicture, IsTheOneDrawnAnew) {
  view_.meshes.emplace_back().mesh = shapes::shared(shapes::box({0.3, 0.02, 0.3}));
  view_.meshes[1].worldFromMesh.translation() = Eigen::Vector3d(0, -0.06, 0);
  DrawMesh ghost = view_.meshes[0];
  ghost.opacity = 0.4F;
  ghost.castsShadow = false;
  view_.meshes.push_back(ghost);
  view_.arrows.push_back({.shaftRadius = 0.003});
  view_.turns.push_back({.centre = Eigen::Vector3d(-0.1, 0.05, 0), .radius = 0.02});
  view_.lines.emplace_back().from.y() = 0.05;
  view_.camera.distance = 0.8;
  static constexpr std::uint64_t kLastMove = 30;  // long enough for the box to count as at rest
  settings_.quality = GetParam();
  std::vector<Image> pictures;
  const auto eachFrame = [&](Frame& frame) {
    SceneView& view = frame.view;
    const double along = 0.003 * static_cast<double>(std::min(frame.number, kLastMove)) - 0.05;
    // High over the box, so that its shadow falls where nothing else moves.
    view.meshes[0].worldFromMesh.translation() = Eigen::Vector3d(along, 0.09, 0.0);
    view.meshes[2].worldFromMesh.translation() = Eigen::Vector3d(along - 0.1, 0.1, 0.0);
    view.arrows[0].from = Eigen::Vector3d(0.12, 0.07, along);
    view.arrows[0].to = Eigen::Vector3d(0.12, 0.12, along);
    view.turns[0].axis = Eigen::Vector3d(along, 0.1, 0.1);
    view.lines[0].to = Eigen::Vector3d(along, 0.1, 0);
    // Another light for one picture: then all of it is drawn anew, and once more.
    if (frame.number == kLastMove + 6) view.light.lamp *= 0.5F;
    if (frame.number == kLastMove + 7) view.light.lamp *= 2.0F;
    frame.capture = frame.number == kLastMove + 3 || frame.number == kLastMove + 6 ||
                    frame.number == kLastMove + 9;
    if (frame.captured) pictures.push_back(std::move(*frame.captured));
    frame.close = pictures.size() == 3;
  };
  std::uint64_t number = 0;
  const auto countFrames = [&](Frame& frame) {
    number = frame.number;
    eachFrame(frame);
  };
  // One widget stays, one moves and changes its text, one goes: their tiles are drawn again alone.
  const auto overlay = [&number] {
    ImDrawList* const list = ImGui::GetForegroundDrawList();
    list->AddRectFilled({60.0F, 60.0F}, {170.0F, 110.0F}, IM_COL32(255, 0, 255, 128));
    const std::uint64_t moved = std::min(number, kLastMove);
    const float x = 100.0F + 3.0F * static_cast<float>(moved);
    list->AddRectFilled({x, 130.0F}, {x + 50.0F, 150.0F}, IM_COL32(0, 255, 0, 90));
    list->AddText({20.0F, 180.0F}, IM_COL32(0, 0, 0, 255), std::to_string(moved).c_str());
    if (number < kLastMove / 2)
      list->AddCircleFilled({250.0F, 60.0F}, 30.0F, IM_COL32(0, 0, 255, 100));
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, countFrames, overlay);
  ASSERT_TRUE(report) << report.error().sentence;
  ASSERT_EQ(pictures.size(), 3U);
  EXPECT_GT(differingPixels(pictures[0], pictures[1]), 10'000U) << "the light did not change";
  EXPECT_EQ(differingPixels(pictures[0], pictures[2]), 0U);
}

INSTANTIATE_TEST_SUITE_P(Qualities, KeptPicture,
                         testing::Values(Quality::Draft, Quality::Plain, Quality::Fast),
                         [](const testing::TestParamInfo<Quality>& of) {
                           return std::string(nameOf(of.param));
                         });

// Where a processor draws, widgets are drawn in few pictures; but in those in which somebody does
// something with them, and each time they are over the scene as it is then.
TEST_F(WindowOnVirtualDisplay, WidgetsWaitUnlessTheyAreUsed) {
  std::uint64_t number = 0;
  std::uint64_t drawn = 0;
  std::uint64_t drawnIn = 0;
  std::uint64_t drawnUnused = 0;
  Eigen::Vector2d before = Eigen::Vector2d::Zero();
  bool wasUsed = false;
  int uses = 0;
  constexpr std::uint64_t kUnused = 40;
  const auto eachFrame = [&](Frame& frame) {
    if (frame.number > 0 && wasUsed) {
      ++uses;
      EXPECT_EQ(drawnIn, number) << "the widgets did not hear of it in picture " << number;
    }
    number = frame.number;
    const Eigen::Vector2d& cursor = frame.input.cursor;
    const bool isOver = cursor.x() < 100.0 && cursor.y() < 100.0;
    wasUsed = !frame.keysPressed.empty() || (isOver && cursor != before && frame.number > 4);
    before = cursor;
    if (frame.number == kUnused) {
      drawnUnused = drawn;
      send({"mousemove", "200", "150",       "key", "w",   "mousemove", "40",  "40",
            "sleep",     "0.1", "mousemove", "50",  "40",  "sleep",     "0.1", "mousemove",
            "60",        "50",  "sleep",     "0.1", "key", "e"});
    }
    frame.close = uses >= 4 || frame.number >= kMostFrames;
  };
  const auto overlay = [&] {
    ++drawn;
    drawnIn = number;
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize({100.0F, 100.0F});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::End();
  };
  const models::Result<WindowReport> report = runWindow(settings_, view_, eachFrame, overlay);
  ASSERT_TRUE(report) << report.error().sentence;
  EXPECT_GE(uses, 4);
  EXPECT_GE(drawnUnused, kUnused / 8);
  if (report.value().isSoftwareRenderer) {
    EXPECT_LE(drawnUnused, kUnused / 2);
  }
}

TEST_F(WindowOnVirtualDisplay, NothingIsDrawnWhileNobodyCanSeeIt) {
  std::uint64_t number = 0;
  std::uint64_t drawnIn = 0;
  enum class Step { Shown, Hidden, ShownAgain };
  Step step = Step::Shown;
  const auto eachFrame = [&](Frame& frame) {
    number = frame.number;
    if (number == 5) send({"search", "--name", "Tactus", "windowunmap"});
    // Widgets are drawn in every fourth picture at least, if there are pictures.
    if (step == Step::Shown && number > drawnIn + 10) {
      step = Step::Hidden;
      send({"search", "--name", "Tactus", "windowmap"});
    } else if (step == Step::Hidden && number <= drawnIn + 1) {
      step = Step::ShownAgain;
    }
    frame.close = step == Step::ShownAgain || number >= kMostFrames;
  };
  const auto overlay = [&] { drawnIn = number; };
  const models::Result<WindowReport> report = runWindow(settings_, view_, eachFrame, overlay);
  ASSERT_TRUE(report) << report.error().sentence;
  EXPECT_EQ(step, Step::ShownAgain);
  EXPECT_LT(report.value().frames, number);
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
