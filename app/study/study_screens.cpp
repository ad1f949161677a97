#include "app/study/study_screens.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tactus::app {
namespace {

using studies::ScreenButton;
using studies::ScreenQuestion;
using studies::SessionAct;
using studies::SessionScreen;
using studies::SessionStage;
using studies::TrialView;

// Of the large font: headings, what is read at arm's length, the clock.
constexpr float kHeading = 1.0F, kBody = 0.66F, kClock = 1.5F, kTitle = 2.0F, kCount = 3.5F;

const ImVec4 kFaint(0.36F, 0.40F, 0.45F, 1.0F);
const ImVec4 kChosen(0.16F, 0.44F, 0.68F, 1.0F);
const ImVec4 kOnChosen(1.0F, 1.0F, 1.0F, 1.0F);
const ImVec4 kStop(0.75F, 0.22F, 0.17F, 1.0F);

/// The large font for as long as it lives.
class Large {
 public:
  explicit Large(float share) {
    ImGui::PushFont(ImGui::GetIO().Fonts->Fonts.back());
    ImGui::SetWindowFontScale(share);
  }
  Large(const Large&) = delete;
  Large& operator=(const Large&) = delete;
  ~Large() {
    ImGui::SetWindowFontScale(1.0F);
    ImGui::PopFont();
  }
};

/// A button in two colours while it lives.
class Coloured {
 public:
  Coloured(const ImVec4& face, const ImVec4& text, bool isOn) : isOn_(isOn) {
    if (!isOn_) return;
    ImGui::PushStyleColor(ImGuiCol_Button, face);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, face);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, face);
    ImGui::PushStyleColor(ImGuiCol_Text, text);
  }
  Coloured(const Coloured&) = delete;
  Coloured& operator=(const Coloured&) = delete;
  ~Coloured() {
    if (isOn_) ImGui::PopStyleColor(4);
  }

 private:
  bool isOn_;
};

float unit() {
  return ImGui::GetIO().Fonts->Fonts.front()->FontSize * ImGui::GetIO().FontGlobalScale;
}

constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

void centred(const std::string& text) {
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(std::max(0.0F, 0.5F * (ImGui::GetWindowWidth() - width)));
  ImGui::TextUnformatted(text.c_str());
}

std::string clockText(const TrialView& trial) {
  constexpr std::uint64_t kTicksPerSecond = 1000;
  const std::uint64_t left = trial.limitTicks > trial.ticks ? trial.limitTicks - trial.ticks : 0;
  const std::uint64_t seconds = (left + kTicksPerSecond - 1) / kTicksPerSecond;
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

/// "P01, near": whose score it is.
std::string ownerOf(const studies::PeopleSession& session, const studies::StudyProtocol& protocol,
                    std::size_t side) {
  const std::string& name = protocol.task.sides[side].name;
  const studies::PlannedTrial* trial = session.ticket().trial;
  if (trial == nullptr) return name;
  for (const studies::PlannedPlayer& player : session.plan().players) {
    if (player.periods[trial->period - 1].side == side)
      return fmt::format("{}, {}", player.code, name);
  }
  return name;
}

bool isAct(const ScreenButton& button, std::initializer_list<SessionAct> acts) {
  return std::ranges::find(acts, button.act) != acts.end();
}

/// True when it was pressed.
bool wideButton(const ScreenButton& button, const ImVec2& size) {
  const bool isMain = isAct(button, {SessionAct::Next, SessionAct::GoOn, SessionAct::Again,
                                     SessionAct::First, SessionAct::Second});
  const bool isStop = button.act == SessionAct::Stop;
  ImGui::BeginDisabled(!button.isEnabled);
  bool isPressed = false;
  {
    const Coloured colours(isStop ? kStop : kChosen, kOnChosen,
                           (isMain && button.isEnabled) || isStop);
    isPressed = ImGui::Button(button.label.c_str(), size);
  }
  ImGui::EndDisabled();
  return isPressed;
}

}  // namespace

void StudyScreens::draw(studies::PeopleSession& session, const StudyHud& hud) {
  // pressing changes what the session shows: the rest of this picture is of the old one
  const SessionScreen screen = session.screen();
  if (screen.stage == SessionStage::Trial || screen.stage == SessionStage::Paused) {
    drawTrial(session, screen, hud);
  } else {
    drawPage(session, screen);
  }
  if (hud.progress.empty()) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * size.x, size.y - unit()}, ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::SetNextWindowSize({0.5F * size.x, 0.0F});
  ImGui::Begin("progress", nullptr, kStill & ~ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::TextUnformatted("Making the scene ready");
  ImGui::ProgressBar(static_cast<float>(hud.share));
  ImGui::TextWrapped("%s", hud.progress.c_str());
  ImGui::End();
}

/// The head-up display: nothing in the middle but what is to be read there.
void StudyScreens::drawTrial(studies::PeopleSession& session, const SessionScreen& screen,
                             const StudyHud& hud) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.0F, 0.0F});
  ImGui::SetNextWindowSize({size.x, 5.0F * unit()});
  ImGui::Begin("hud", nullptr, kStill);
  {
    const Large large(kBody);
    ImGui::TextUnformatted(screen.who.c_str());
    ImGui::TextUnformatted(fmt::format("round {} of {}", screen.trial, screen.trials).c_str());
  }
  if (hud.trial) {
    const Large large(kClock);
    ImGui::SetCursorPosY(0.8F * unit());
    centred(clockText(*hud.trial));
  }
  const ImVec2 button(8.0F * unit(), 3.0F * unit());
  float x = size.x - 1.0F * unit();
  for (auto one = screen.buttons.rbegin(); one != screen.buttons.rend(); ++one) {
    const Large large(kBody);
    x -= button.x + 0.5F * unit();
    ImGui::SetCursorPos({x, unit()});
    if (wideButton(*one, button)) session.press(one->act);
  }
  ImGui::End();

  if (hud.trial && hud.protocol->task.kind == studies::TaskKind::Pocket) {
    ImGui::SetNextWindowPos({0.5F * size.x, 5.5F * unit()}, ImGuiCond_Always, {0.5F, 0.0F});
    ImGui::Begin("score", nullptr, kStill | ImGuiWindowFlags_AlwaysAutoResize);
    {
      const Large large(kHeading);
      for (std::size_t side = 0; side < std::min<std::size_t>(hud.protocol->task.sides.size(), 2);
           ++side) {
        if (side > 0) ImGui::SameLine(0.0F, 3.0F * unit());
        ImGui::TextUnformatted(
            fmt::format("{}  {}", ownerOf(session, *hud.protocol, side), hud.trial->scores[side])
                .c_str());
      }
    }
    ImGui::End();
  }

  std::string word, small;
  constexpr std::uint64_t kGoTicks = 800;
  if (screen.stage == SessionStage::Paused) {
    word = screen.heading;
    small = screen.paragraphs.empty() ? std::string() : screen.paragraphs.front();
  } else if (!screen.heading.empty()) {
    word = screen.heading;
  } else if (!hud.trial || hud.trial->isHeld ||
             (!hud.trial->hasStarted && hud.trial->countIn == 0)) {
    word = "Ready?";
    small = hud.waiting;
  } else if (!hud.trial->hasStarted) {
    word = fmt::format("{}", 1 + hud.trial->countIn / 700);
  } else if (hud.trial->ticks < kGoTicks) {
    word = "Go!";
  } else if (hud.protocol->task.kind == studies::TaskKind::Press) {
    small = hud.trial->presses == 0 ? "first press" : "second press";
  }
  if (word.empty() && small.empty()) return;
  ImGui::SetNextWindowPos({0.5F * size.x, 0.42F * size.y}, ImGuiCond_Always, {0.5F, 0.5F});
  // "Ready?" is the longest of the large words
  ImGui::SetNextWindowSize({small.empty() ? 30.0F * unit() : 0.7F * size.x, 0.0F});
  ImGui::SetNextWindowBgAlpha(0.8F);
  ImGui::Begin("word", nullptr, kStill | ImGuiWindowFlags_NoInputs);
  if (!word.empty()) {
    const Large large(small.empty() ? kCount : kTitle);
    centred(word);
  }
  if (!small.empty()) {
    const Large large(kBody);
    centred(small);
  }
  ImGui::End();
}

void StudyScreens::drawPage(studies::PeopleSession& session, const SessionScreen& screen) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float width = std::min(0.94F * size.x, 60.0F * unit());
  const float height = 0.94F * size.y;
  ImGui::SetNextWindowPos({0.5F * size.x, 0.5F * size.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowBgAlpha(1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {2.0F * unit(), 1.5F * unit()});
  ImGui::Begin("page", nullptr, kStill);
  {
    const Large large(kBody);
    ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
    ImGui::TextUnformatted(screen.who.c_str());
    const bool isBetween = screen.stage == SessionStage::Break ||
                           screen.stage == SessionStage::Finished ||
                           screen.stage == SessionStage::Left;
    if (screen.stage >= SessionStage::Instructions && !isBetween && screen.trials > 0) {
      const std::string where = fmt::format("round {} of {}", screen.trial, screen.trials);
      ImGui::SameLine(width - 2.0F * unit() - ImGui::CalcTextSize(where.c_str()).x);
      ImGui::TextUnformatted(where.c_str());
    }
    ImGui::PopStyleColor();
  }
  ImGui::Dummy({0.0F, 0.5F * unit()});
  {
    const Large large(kHeading);
    ImGui::TextUnformatted(screen.heading.c_str());
  }
  ImGui::Dummy({0.0F, 0.5F * unit()});
  const float bar = 4.5F * unit();
  // above large answers it ends, for what lies over a button takes its clicks
  ImGui::BeginChild("body", {0.0F, screen.stage == SessionStage::Choice ? 7.0F * unit() : -bar},
                    false);
  {
    const Large large(kBody);
    for (const std::string& paragraph : screen.paragraphs) {
      ImGui::TextWrapped("%s", paragraph.c_str());
      ImGui::Dummy({0.0F, 0.5F * unit()});
    }
    if (screen.stage == SessionStage::Break) {
      const Large clock(2.0F);
      const auto left = static_cast<long>(std::ceil(screen.secondsLeft));
      ImGui::TextUnformatted(fmt::format("{}:{:02}", left / 60, left % 60).c_str());
    }
    for (std::size_t k = 0; k < screen.questions.size(); ++k)
      drawQuestion(session, screen.questions[k], k, screen.questions.size());
  }
  ImGui::EndChild();
  drawButtons(session, screen);
  ImGui::End();
  ImGui::PopStyleVar();
}

void StudyScreens::drawQuestion(studies::PeopleSession& session, const ScreenQuestion& question,
                                std::size_t number, std::size_t count) {
  ImGui::PushID(static_cast<int>(number));
  ImGui::TextWrapped("%s", question.text.c_str());
  const float room = ImGui::GetContentRegionAvail().x;
  const float gap = 0.25F * unit();
  if (question.options.empty()) {
    std::array<char, 2000> text{};
    question.written.copy(text.data(), text.size() - 1);
    if (ImGui::InputTextMultiline("##text", text.data(), text.size(),
                                  {room, (count > 1 ? 3.0F : 6.0F) * unit()}))
      session.write(number, text.data());
    std::string typed = text.data();
    const std::string before = typed;
    drawKeyboard(typed);
    if (typed != before) session.write(number, typed);
  } else {
    const auto options = static_cast<float>(question.options.size());
    // two words do not need the whole line
    const float share =
        question.options.size() < 4 ? 0.22F * room : (room - gap * options) / options;
    const bool isPlain = question.options.front().empty();
    // six with words at their ends are a page of 800 pixels
    const float height = isPlain ? 1.5F : count > 5 ? 1.8F : 2.2F;
    const ImVec2 box(share, height * unit());
    for (std::size_t k = 0; k < question.options.size(); ++k) {
      if (k > 0) ImGui::SameLine(0.0F, gap);
      ImGui::PushID(static_cast<int>(k));
      {
        const Coloured colours(kChosen, kOnChosen, question.chosen == k);
        if (ImGui::Button(question.options[k].c_str(), box)) session.choose(number, k);
      }
      ImGui::PopID();
    }
    if (!question.leastLabel.empty() || !question.mostLabel.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
      ImGui::TextUnformatted(question.leastLabel.c_str());
      ImGui::SameLine(room - ImGui::CalcTextSize(question.mostLabel.c_str()).x);
      ImGui::TextUnformatted(question.mostLabel.c_str());
      ImGui::PopStyleColor();
    }
  }
  ImGui::Dummy({0.0F, (count > 5 ? 0.2F : 0.35F) * unit()});
  ImGui::PopID();
}

/// For who has nothing but the mouse.
void StudyScreens::drawKeyboard(std::string& text) {
  static constexpr std::array<const char*, 4> kRows = {"1234567890", "qwertyuiop", "asdfghjkl'",
                                                       "zxcvbnm,.?"};
  const float gap = 0.25F * unit();
  const ImVec2 key((ImGui::GetContentRegionAvail().x - 12.0F * gap) / 12.0F, 2.0F * unit());
  for (const char* row : kRows) {
    for (const char* letter = row; *letter != '\0'; ++letter) {
      if (letter != row) ImGui::SameLine(0.0F, gap);
      const bool isLetter = *letter >= 'a' && *letter <= 'z';
      const char shown = isUpper_ && isLetter ? static_cast<char>(*letter - 'a' + 'A') : *letter;
      const std::array<char, 2> label = {shown, '\0'};
      if (!ImGui::Button(label.data(), key)) continue;
      text += shown;
      isUpper_ = false;
    }
    if (row == kRows[1]) {
      ImGui::SameLine(0.0F, gap);
      if (ImGui::Button("Delete", {2.0F * key.x + gap, key.y}) && !text.empty()) text.pop_back();
    }
    if (row == kRows[2]) {
      ImGui::SameLine(0.0F, gap);
      if (ImGui::Button("Shift", {2.0F * key.x + gap, key.y})) isUpper_ = !isUpper_;
    }
    if (row == kRows[3]) {
      ImGui::SameLine(0.0F, gap);
      if (ImGui::Button("Space", {2.0F * key.x + gap, key.y})) text += ' ';
    }
  }
}

void StudyScreens::drawButtons(studies::PeopleSession& session, const SessionScreen& screen) {
  // an answer is in the middle of the page, and large: it is given after every round
  const bool isAnswer = screen.stage == SessionStage::Choice;
  const ImVec2 size((isAnswer ? 20.0F : 16.0F) * unit(), (isAnswer ? 7.0F : 3.0F) * unit());
  const float gap = (isAnswer ? 3.0F : 1.0F) * unit();
  const auto count = static_cast<float>(screen.buttons.size());
  const float whole = count * size.x + (count - 1.0F) * gap;
  const float height = ImGui::GetWindowHeight();
  ImGui::SetCursorPos({0.5F * (ImGui::GetWindowWidth() - whole),
                       isAnswer ? 0.45F * (height - size.y) : height - 1.5F * unit() - size.y});
  for (std::size_t k = 0; k < screen.buttons.size(); ++k) {
    if (k > 0) ImGui::SameLine(0.0F, gap);
    const Large large(kBody);
    if (wideButton(screen.buttons[k], size)) {
      session.press(screen.buttons[k].act);
      isUpper_ = true;
    }
  }
}

ExperimenterWish StudyScreens::drawExperimenter(const ExperimenterView& view) {
  ExperimenterWish wish;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x - 0.5F * unit(), size.y - 0.5F * unit()}, ImGuiCond_Always,
                          {1.0F, 1.0F});
  ImGui::SetNextWindowSize({isOpen_ ? 32.0F * unit() : 0.0F, 0.0F});
  ImGui::Begin(
      "experimenter", nullptr,
      (kStill & ~ImGuiWindowFlags_NoBringToFrontOnFocus) | ImGuiWindowFlags_AlwaysAutoResize);
  if (!view.message.empty()) ImGui::TextColored(kStop, "%s", view.message.c_str());
  if (ImGui::SmallButton(isOpen_ ? "Experimenter: close" : "Experimenter")) isOpen_ = !isOpen_;
  if (isOpen_) {
    ImGui::PushTextWrapPos(31.0F * unit());
    ImGui::TextUnformatted(view.session.c_str());
    if (view.isRehearsal)
      ImGui::TextColored(kStop, "A rehearsal: what is collected is marked and is of nobody.");
    ImGui::TextUnformatted(view.devices.c_str());
    ImGui::TextUnformatted(view.policy.c_str());
    if (view.timing.empty()) {
      ImGui::TextUnformatted("Timing of the last minute: good");
    } else {
      ImGui::TextColored(kStop, "Timing: %s", view.timing.c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::Separator();
    ImGui::InputTextMultiline("##note", note_.data(), note_.size(),
                              {30.0F * unit(), 4.0F * unit()});
    ImGui::BeginDisabled(note_.front() == '\0');
    if (ImGui::Button("Keep the note")) {
      wish.note = note_.data();
      note_.fill('\0');
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::TextDisabled("stays in this study's folder");
    ImGui::Separator();
    if (!asks_) {
      ImGui::TextUnformatted("Parameters are locked.");
      ImGui::SameLine();
      if (!view.parameters.empty() && ImGui::SmallButton("Change one...")) {
        asks_ = true;
        parameter_ = 0;
        value_ = view.values.front();
      }
    } else {
      const auto chosen = static_cast<std::size_t>(parameter_);
      if (ImGui::BeginCombo("##which", view.parameters[chosen].c_str())) {
        for (std::size_t k = 0; k < view.parameters.size(); ++k) {
          if (!ImGui::Selectable(view.parameters[k].c_str(), k == chosen)) continue;
          parameter_ = static_cast<int>(k);
          value_ = view.values[k];
        }
        ImGui::EndCombo();
      }
      ImGui::InputDouble("is to be", &value_, 0.0, 0.0, "%.6g");
      ImGui::InputTextWithHint("##why", "why, for the journal", reason_.data(), reason_.size());
      ImGui::BeginDisabled(reason_.front() == '\0');
      if (ImGui::Button("Change it, and mark the data from now on")) {
        wish.parameter = chosen;
        wish.value = value_;
        wish.reason = reason_.data();
        reason_.fill('\0');
        asks_ = false;
      }
      ImGui::EndDisabled();
      ImGui::SameLine();
      if (ImGui::Button("Leave it")) asks_ = false;
    }
  }
  ImGui::End();
  return wish;
}

}  // namespace tactus::app
