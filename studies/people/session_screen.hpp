#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::studies {

/// Where a session with people is; each is one screen.
enum class SessionStage : std::uint8_t {
  Resume,   ///< it was begun before: go on?
  Consent,  ///< of one player, as are the next three
  Comfort,
  AboutYou,   ///< handedness, and whether such devices are known
  Questions,  ///< the protocol's items
  Instructions,
  Ready,   ///< a trial may begin
  Timing,  ///< no data can be collected as the loop keeps its time now
  Trial,
  Paused,  ///< a trial is
  Choice,  ///< of two presses: which was stiffer?
  Break,
  Stopped,   ///< a trial was broken off
  Finished,  ///< all is done
  Left,      ///< ended before that
};

/// What can be pressed. Which of them when, the screen says.
enum class SessionAct : std::uint8_t {
  Next,
  Skip,  ///< leave questions out
  Decline,
  Pause,
  GoOn,
  Stop,
  Again,
  End,  ///< the session, for now
  First,
  Second,
  CutBreak,  ///< before its time; by the experimenter
};

/// One question; its answer is one of the options, or what is written.
struct ScreenQuestion {
  std::string text;
  std::vector<std::string> options;   ///< from left to right; none: free text
  std::string leastLabel, mostLabel;  ///< at the ends, if the options have no words
  std::optional<std::size_t> chosen;
  std::string written;
};

struct ScreenButton {
  SessionAct act = SessionAct::Next;
  std::string label;
  bool isEnabled = true;
};

/// What is to be shown, in words.
struct SessionScreen {
  SessionStage stage = SessionStage::Ready;
  std::string who;  ///< "P01, near side, condition A"; empty: both, or nobody in particular
  std::string heading;
  std::vector<std::string> paragraphs;
  std::vector<ScreenQuestion> questions;
  std::vector<ScreenButton> buttons;
  double secondsLeft = 0.0;           ///< of a break
  std::size_t trial = 0, trials = 0;  ///< from 1, of the session
};

}  // namespace tactus::studies
