// Every page and every head-up display of a session is drawn, without a window: Dear ImGui itself
// ends the program where something is opened and not closed.
#include "app/study/study_screens.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <set>
#include <string>
#include <utility>

namespace tactus::app {
namespace {

using studies::PeopleSession;
using studies::SessionAct;
using studies::SessionStage;

class StudyScreensTest : public testing::TestWithParam<const char*> {
 protected:
  StudyScreensTest() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {1280.0F, 800.0F};
    io.IniFilename = nullptr;
    io.Fonts->AddFontDefault();
    io.Fonts->AddFontDefault();
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~StudyScreensTest() override { ImGui::DestroyContext(); }

  /// As long as it takes to settle.
  void draw(PeopleSession& session, const StudyHud& hud) {
    stages_.insert(session.screen().stage);
    for (int frame = 0; frame < 2; ++frame) {
      ImGui::NewFrame();
      screens_.draw(session, hud);
      static_cast<void>(screens_.drawExperimenter({}));
      ImGui::Render();
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
    }
  }
  /// Before, at and after the start signal, and while it is held.
  void drawTrial(PeopleSession& session, const studies::StudyProtocol& protocol) {
    StudyHud hud;
    hud.protocol = &protocol;
    draw(session, hud);
    studies::TrialView view;
    view.limitTicks = 180'000;
    for (const std::uint64_t ticks : {0U, 100U, 5000U}) {
      view.hasStarted = ticks > 0;
      view.countIn = ticks == 0 ? 1500 : 0;
      view.ticks = ticks;
      view.isHeld = !view.isHeld;
      hud.trial = view;
      hud.waiting = view.isHeld ? "Bring the handle to the middle" : "";
      draw(session, hud);
    }
  }
  void agree(PeopleSession& session) {
    for (std::size_t k = 0; k < session.screen().questions.size(); ++k)
      session.choose(k, 0);
    EXPECT_TRUE(session.press(SessionAct::Next));
  }

  StudyScreens screens_;
  std::set<SessionStage> stages_;
};

TEST_P(StudyScreensTest, DrawsEveryPage) {
  const studies::StudyProtocol protocol = studies::findProtocol(GetParam()).value();
  const studies::StudyPlan plan = studies::planOf(protocol, 2);
  PeopleSession session(protocol, plan.sessions.front(), {}, {});
  StudyHud page;
  page.protocol = &protocol;
  bool wasPaused = false, wasStopped = false, wasRefused = false;
  for (int step = 0; step < 20'000 && session.screen().stage != SessionStage::Left; ++step) {
    draw(session, page);
    switch (session.screen().stage) {
      case SessionStage::Ready:
        session.setTiming(wasRefused ? "" : "late");
        agree(session);
        break;
      case SessionStage::Timing:
        wasRefused = true;
        EXPECT_TRUE(session.press(SessionAct::Again));
        break;
      case SessionStage::Trial: {
        if (!std::exchange(wasPaused, true)) {
          EXPECT_TRUE(session.press(SessionAct::Pause));
          break;
        }
        drawTrial(session, protocol);
        studies::TrialResult result;
        result.players.resize(plan.sessions.front().players.size());
        for (studies::PlayerResult& player : result.players)
          player.measures["success"] = 1.0;
        result.isSuccess = true;
        result.wasAborted = !std::exchange(wasStopped, true);
        session.trialHasEnded(result, "recordings/x.tacr");
        break;
      }
      case SessionStage::Paused:
        EXPECT_TRUE(session.press(SessionAct::GoOn));
        break;
      case SessionStage::Stopped:
        EXPECT_TRUE(session.press(SessionAct::Again));
        break;
      case SessionStage::Choice:
        EXPECT_TRUE(session.press(SessionAct::First));
        break;
      case SessionStage::Break:
        EXPECT_TRUE(session.press(SessionAct::CutBreak));
        break;
      case SessionStage::Finished:
        EXPECT_TRUE(session.press(SessionAct::End));
        break;
      default:
        agree(session);
    }
  }
  EXPECT_EQ(session.screen().stage, SessionStage::Left);
  for (const SessionStage stage :
       {SessionStage::Consent, SessionStage::Comfort, SessionStage::AboutYou,
        SessionStage::Instructions, SessionStage::Ready, SessionStage::Timing, SessionStage::Trial,
        SessionStage::Paused, SessionStage::Stopped, SessionStage::Finished})
    EXPECT_TRUE(stages_.contains(stage)) << static_cast<int>(stage);
}

// a game of two with a score; questions about two presses
INSTANTIATE_TEST_SUITE_P(Protocols, StudyScreensTest, testing::Values("dof-game", "stiffness-jnd"));

}  // namespace
}  // namespace tactus::app
