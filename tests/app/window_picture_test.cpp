// What a person sees in the window of `tactus run` while real input events drive it: an animal is
// pushed into a well by the mouse, a slider is drawn, and the recording of it is gone through by
// its bar. Pictures of the screen are held to those in tests/app/pictures, which somebody has
// looked at.
//
// With TACTUS_NEW_PICTURES set in the environment the test writes them anew: look at them then.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/screen_picture.hpp"
#include "tests/app/window_program.hpp"
#include "tests/test_folder.hpp"

namespace tactus::tests {
namespace {

constexpr const char* kScene = R"(
title = "Turtle and well"
[camera]
eye_m = [-0.02, 0.31, 0.17]
target_m = [-0.02, 0.03, 0.0]
[[body]]
name = "platform"
model = "platform.obj"
spheres = 400
points = 400
[[body]]
name = "well"
model = "builtin:well@2000"
scale = 0.5
spheres = 600
points = 400
position_m = [0.06, 0.0, 0.0]
[[body]]
name = "turtle"
model = "builtin:turtle@1000"
kind = "dynamic"
scale = 0.35
spheres = 300
points = 300
position_m = [-0.03, 0.0405, 0.0]
colour = "#2FAA55"
[[body]]
name = "pusher"
model = "pusher.obj"
kind = "tool"
spheres = 300
points = 300
position_m = [-0.09, 0.0545, 0.0]
colour = "#CC79A7"
[[hand]]
name = "right"
tool = "pusher"
pose = [{ at_s = 0.0 }, { at_s = 1.0 }]
)";
constexpr std::size_t kBodies = 4;
constexpr std::size_t kTurtle = 2;

/// A closed box as OBJ.
std::string boxText(double left, double right, double low, double high, double half) {
  std::string text;
  for (int corner = 0; corner < 8; ++corner) {
    text += fmt::format("v {} {} {}\n", (corner & 1) != 0 ? right : left,
                        (corner & 2) != 0 ? high : low, (corner & 4) != 0 ? half : -half);
  }
  return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

// Where things are in a window of 1280 x 800.
constexpr PictureArea kPicture{0, 144, 848, 608};  // above the bar of recordings
constexpr PictureArea kWell{488, 144, 848, 608};
constexpr PictureArea kPlatform{0, 144, 488, 608};
constexpr PictureArea kForces{848, 440, 1280, 616};
constexpr PictureArea kTrack{8, 664, 832, 704};

// As many tiles may be off: of edges, where one picture was drawn in a lower resolution.
constexpr int kMostTiles = 6;

class WindowPictureTest : public WindowProgram {
 protected:
  void SetUp() override {
    WindowProgram::SetUp();
    folder_.write("platform.obj", boxText(-0.145, 0.015, 0.0, 0.04, 0.04));
    folder_.write("pusher.obj", boxText(-0.006, 0.006, -0.012, 0.012, 0.02));
    folder_.write("turtle.toml", kScene);
  }

  [[nodiscard]] ScreenPicture screen() const { return ScreenPicture::ofDisplay(folder_.path()); }
  [[nodiscard]] static std::string reference(const std::string& name) {
    return fmt::format("{}/app/pictures/{}.png", test::kTestFolder, name);
  }

  /// Within ten seconds, for pictures get better while nothing moves.
  void expectLikeReference(const std::string& name, const PictureArea& area) {
    if (std::getenv("TACTUS_NEW_PICTURES") != nullptr && written_.insert(name).second) {
      std::this_thread::sleep_for(std::chrono::seconds(5));
      EXPECT_TRUE(screen().writeTo(reference(name)));
    }
    const ScreenPicture wanted = ScreenPicture::ofFile(reference(name));
    ASSERT_FALSE(wanted.isEmpty()) << reference(name);
    expectLike(wanted, name, area);
  }
  void expectLike(const ScreenPicture& wanted, const std::string& name,
                  const PictureArea& area) const {
    const auto off = [&] { return differentTiles(screen(), wanted, area); };
    EXPECT_TRUE(waitFor([&] { return off() <= kMostTiles; }, std::chrono::seconds(30)))
        << off() << " tiles look otherwise than " << name;
  }
  [[nodiscard]] int greenTiles(const PictureArea& area) const {
    return tilesOfColour(screen(), area, 1, 30);
  }
  /// How much of the bar of a recording has been passed, in tiles.
  [[nodiscard]] int passedTiles() const { return tilesOfColour(screen(), kTrack, 2, 10); }

 private:
  std::set<std::string> written_;
};

TEST_F(WindowPictureTest, TheMousePushesAnAnimalIntoTheWellAndTheRecordingShowsItAgain) {
  start("run turtle.toml --device right=mouse --record session.tacr");
  ASSERT_TRUE(waitFor([&] { return isForceUp(); })) << "no force comes up";
  ASSERT_TRUE(hasSent({"mousemove", "600", "300"}));
  expectLikeReference("start", kPicture);
  EXPECT_GT(greenTiles(kPlatform), 10);
  const int greenOfWell = greenTiles(kWell);

  // To the right, against the animal and on, bit by bit until it falls over the rim; then back.
  const auto isInWell = [&] {
    const std::vector<haptics::BodyRecord> now = bodies(kBodies);
    return !now.empty() && now[kTurtle].position[1] < 0.03 && now[kTurtle].position[0] > 0.02;
  };
  constexpr int kStep = 4;  // [px]
  constexpr int kStepsAPush = 15;
  int pushes = 0;
  while (pushes < 12 && !waitFor(isInWell, std::chrono::seconds(pushes < 4 ? 0 : 1))) {
    ASSERT_TRUE(hasDrawn(200, 300, kStepsAPush, kStep, 0));
    ++pushes;
  }
  ASSERT_TRUE(waitFor(isInWell, std::chrono::seconds(10))) << "the animal is not in the well";
  ASSERT_TRUE(hasDrawn(800, 300, pushes * kStepsAPush, -kStep, 0));
  ASSERT_TRUE(hasSent({"mousemove", "600", "300"}));
  expectLikeReference("in-the-well", kPlatform);
  EXPECT_EQ(greenTiles(kPlatform), 0);
  EXPECT_GT(greenTiles(kWell), greenOfWell);
  // The pictures can tell the two apart.
  EXPECT_GT(differentTiles(screen(), ScreenPicture::ofFile(reference("start")), kPlatform),
            2 * kMostTiles);

  bool isDrawn = false;
  for (int attempt = 1; !isDrawn && attempt <= 5; ++attempt) {
    const std::string pause = std::to_string(0.4 * attempt);
    ASSERT_TRUE(hasSent({"mousemove", "920", "454", "sleep", pause, "mousedown", "1", "sleep",
                         pause, "mousemove", "990", "454", "sleep", pause, "mouseup", "1"}));
    isDrawn = waitFor([&] { return changed("right.stiffness").value_or(0.0) > 2000.0; },
                      std::chrono::seconds(3 + 4 * attempt));
  }
  ASSERT_TRUE(isDrawn) << "the slider was not moved";
  ASSERT_TRUE(hasSent({"mousemove", "600", "300"}));
  expectLikeReference("stiffer", kForces);
  const ScreenPicture last = screen();
  ASSERT_TRUE(hasSent({"key", "Escape"}));
  EXPECT_EQ(closed(), 0);

  // What was recorded is seen again: at its beginning, its end, and its beginning.
  start("replay session.tacr --window --json");
  expectLikeReference("start", kPicture);
  EXPECT_EQ(passedTiles(), 0);
  ASSERT_TRUE(pressUntil(833, 682, [&] { return passedTiles() > 400; }));
  ASSERT_TRUE(hasSent({"mousemove", "600", "300"}));
  expectLike(last, "the end of the run", kPicture);
  ASSERT_TRUE(pressUntil(28, 643, [&] { return passedTiles() == 0; }));
  ASSERT_TRUE(hasSent({"mousemove", "600", "300"}));
  expectLikeReference("start", kPicture);
  ASSERT_TRUE(hasSent({"key", "Escape"}));
  EXPECT_EQ(closed(), 0);
}

TEST_F(WindowPictureTest, PauseStepSlowResetRecordAndLookByMouseAlone) {
  constexpr int kRow = 52;
  start("run turtle.toml --device right=sim:sigma7 --record session.tacr --json");
  ASSERT_TRUE(waitFor([&] { return isForceUp(); })) << "no force comes up";
  EXPECT_TRUE(pressUntil(888, kRow, [&] { return changed("is_paused") == 1.0; }));
  EXPECT_TRUE(pressUntil(949, kRow, [&] { return changed("steps").value_or(0.0) >= 1.0; }));
  EXPECT_TRUE(pressUntil(888, kRow, [&] { return changed("is_paused") == 0.0; }));
  EXPECT_TRUE(pressUntil(994, kRow, [&] { return changed("speed") == 0.25; }));
  // A reset ends the recording, which is whole then: it has no log beside it any more.
  const auto isClosed = [](const std::string& file) {
    return std::filesystem::exists(file) && !std::filesystem::exists(file + "-wal");
  };
  EXPECT_TRUE(pressUntil(1076, kRow, [&] { return isClosed(recording()); }));
  const std::string second = folder_.file("turtle-1.tacr");
  ASSERT_TRUE(pressUntil(1145, kRow, [&] { return std::filesystem::exists(second); }));
  ASSERT_TRUE(pressUntil(1145, kRow, [&] { return isClosed(second); }));
  // The bar is there, and follows the mouse.
  ASSERT_TRUE(pressUntil(1206, kRow, [&] { return tilesOfColour(screen(), kTrack, 0, 15) > 0; }));
  ASSERT_TRUE(pressUntil(833, 682, [&] { return passedTiles() > 400; }));
  ASSERT_TRUE(pressUntil(936, kRow, [&] { return passedTiles() == 0; })) << "still there";
  ASSERT_TRUE(hasSent({"key", "Escape"}));
  EXPECT_EQ(closed(), 0);
  Start again;
  again.arguments = {TACTUS_PROGRAM, "replay", second};
  again.folder = folder_.path();
  const Ended replayed = runToEnd(again);
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

}  // namespace
}  // namespace tactus::tests
