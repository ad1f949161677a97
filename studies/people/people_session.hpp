#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "studies/people/session_screen.hpp"
#include "studies/runner/session_progress.hpp"

namespace tactus::studies {

/// What the journal has of a session.
struct SessionPast {
  std::vector<JournalTrial> trials;
  std::vector<JournalAnswer> answers;
  std::vector<JournalFact> facts;
  std::vector<JournalEvent> events;
};
/// All of a study's journal that is about this session.
[[nodiscard]] models::Result<SessionPast> pastOf(StudyJournal& journal,
                                                 const PlannedSession& session);

struct SessionTerms {
  double timeScale = 1.0;          ///< of time limits and breaks
  bool acceptsBadTiming = false;   ///< data are collected all the same; trials are flagged
  std::vector<std::string> notes;  ///< what else is special, for the journal: "override: ..."
};

/// A trial that is to be run now.
struct TrialTicket {
  const PlannedTrial* trial = nullptr;
  std::uint32_t attempt = 1;
  double comparison = 0.0;  ///< of two presses [N/m]
};

/// A session of one or two people, from consent to the last question, without window or clock: what
/// is to be shown, what may be pressed, what the journal gets.
///
/// Method: where it stands follows from what is done (facts, answers, trials), not from a counter;
/// so a session that was broken off goes on at the same place. Whoever shows it calls choose(),
/// write() and press() for what people do, pass() for time, runs the trial of ticket() while the
/// stage is Trial or Paused, gives back what it came to, and brings takeEntries() to the journal
/// after each call.
class PeopleSession {
 public:
  PeopleSession(const StudyProtocol& protocol, const PlannedSession& session, SessionPast past,
                SessionTerms terms);
  PeopleSession(const PeopleSession&) = delete;
  PeopleSession& operator=(const PeopleSession&) = delete;

  [[nodiscard]] const SessionScreen& screen() const noexcept { return screen_; }
  /// With what the inventory says of its players' hands.
  [[nodiscard]] const PlannedSession& plan() const noexcept { return session_; }

  /// An option of a question of the screen, in place of another one.
  void choose(std::size_t question, std::size_t option);
  void write(std::size_t question, const std::string& text);
  /// False if it cannot be pressed now.
  bool press(SessionAct act);
  /// So much time has gone by: of a break.
  void pass(double seconds);

  /// Why data should not be collected now; empty: nothing speaks against it.
  void setTiming(const std::string& objection) { objection_ = objection; }

  /// Of the trial that runs, or runs next.
  [[nodiscard]] TrialTicket ticket() const;
  /// Somebody has pressed Stop: forces are to fade, and the trial is to end.
  [[nodiscard]] bool isStopping() const noexcept { return isStopping_; }
  /// `recording`: within the study's folder. Of a trial that was broken off nothing is kept but
  /// that it was.
  void trialHasEnded(const TrialResult& result, const std::string& recording);
  /// What could not be run, and why: as if somebody had stopped it.
  void trialHasFailed(const std::string& why);

  // By the experimenter, at any time.
  void note(const std::string& text);
  /// A parameter that was locked has another value from now on, for a reason.
  void changeParameter(const std::string& name, double before, double after,
                       const std::string& reason);

  /// What the journal does not have yet.
  [[nodiscard]] JournalEntries takeEntries();

 private:
  struct Asked {
    std::size_t player = 0;
    ItemTime when = ItemTime::Period;
    std::uint32_t period = 0;
  };
  void proceed();
  bool asksFacts();
  bool asksItems(ItemTime when, std::uint32_t period);
  void show(SessionStage stage, const std::string& heading);
  void showConsent(std::size_t player);
  void showComfort(std::size_t player);
  void showAboutYou(std::size_t player);
  void showItems(const Asked& asked);
  void showInstructions();
  void showReady();
  void showTrial(bool isPaused);
  void showBreak();
  void refreshButtons();
  void keepFact(const std::string& name, const std::string& value);
  void keepAboutYou();
  void keepItems(bool isSkipped);
  void keepTrial();
  void answerChoice(bool isFirst);
  void log(const std::string& kind, const std::string& text = {});
  void leave(const std::string& kind, const std::string& text);
  [[nodiscard]] bool isFactKnown(const std::string& participant, const std::string& name) const;
  [[nodiscard]] std::string who(std::size_t player) const;
  [[nodiscard]] std::uint32_t periodNow() const;

  const StudyProtocol& protocol_;
  PlannedSession session_;
  SessionTerms terms_;
  SessionProgress progress_;
  SessionScreen screen_;
  std::map<std::pair<std::string, std::string>, std::string> facts_;  // participant, name
  std::set<std::pair<std::string, std::string>> answered_;            // participant, item@period
  JournalEntries entries_;
  Asked asked_;
  std::size_t player_ = 0;  // whose consent, comfort, facts
  std::string objection_;
  JournalTrial pending_;  // that waits for a choice, or to be kept
  double breakLeft_ = 0.0, breakTook_ = 0.0;
  std::uint64_t instructed_ = 0;  // period and block, in this sitting
  bool isStopping_ = false, hasChanged_ = false, isDone_ = false;
};

}  // namespace tactus::studies
