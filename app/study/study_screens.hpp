#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "haptics/loop/haptic_loop.hpp"
#include "studies/people/people_session.hpp"
#include "studies/runner/trial_watch.hpp"

namespace tactus::app {

/// What the screen of a running trial shows.
struct StudyHud {
  const studies::StudyProtocol* protocol = nullptr;
  std::optional<studies::TrialView> trial;  ///< none: it has not begun to run
  std::string waiting;                      ///< why force does not come up; empty: it does
  std::string progress;                     ///< of models that are read or built; empty: all there
  double share = 0.0;                       ///< of them
};

/// What the experimenter sees.
struct ExperimenterView {
  std::string session, devices, policy, timing;
  bool isRehearsal = false;
  std::vector<std::string> parameters;  ///< names that can be changed
  std::vector<double> values;           ///< of them, now
  std::string message;                  ///< what went wrong last
};

/// What the experimenter wants.
struct ExperimenterWish {
  std::string note;
  std::optional<std::size_t> parameter;  ///< is to have another value
  double value = 0.0;
  std::string reason;
};

/// The screens of a session with people, with Dear ImGui. Everything can be reached by the mouse
/// alone.
class StudyScreens {
 public:
  void draw(studies::PeopleSession& session, const StudyHud& hud);
  [[nodiscard]] ExperimenterWish drawExperimenter(const ExperimenterView& view);

 private:
  void drawTrial(studies::PeopleSession& session, const studies::SessionScreen& screen,
                 const StudyHud& hud);
  void drawPage(studies::PeopleSession& session, const studies::SessionScreen& screen);
  void drawQuestion(studies::PeopleSession& session, const studies::ScreenQuestion& question,
                    std::size_t number, std::size_t count);
  void drawKeyboard(std::string& text);
  void drawButtons(studies::PeopleSession& session, const studies::SessionScreen& screen);

  bool isOpen_ = false, asks_ = false, isUpper_ = true;
  int parameter_ = 0;
  double value_ = 0.0;
  std::array<char, 1000> note_{}, reason_{};
};

}  // namespace tactus::app
