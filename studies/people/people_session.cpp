#include "studies/people/people_session.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/mesh/wording.hpp"
#include "studies/people/handedness_inventory.hpp"
#include "studies/people/session_texts.hpp"

namespace tactus::studies {
namespace {

using models::say;

// NASA-TLX has twenty steps between its ends (S. Hart and L. Staveland, 1988).
constexpr std::size_t kTlxOptions = 21;

std::string itemAt(const std::string& item, std::uint32_t period) {
  return say(item, "@", period);
}

/// Values of an item's options, from left to right.
std::vector<double> valuesOf(const QuestionItem& item) {
  std::vector<double> values;
  const std::size_t count =
      item.kind == AnswerKind::Tlx
          ? kTlxOptions
          : static_cast<std::size_t>(std::max(1.0, std::floor(item.most - item.least))) + 1;
  values.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(item.least + (item.most - item.least) * static_cast<double>(k) /
                                      static_cast<double>(count - 1));
  }
  return values;
}

ScreenQuestion questionOf(const QuestionItem& item) {
  ScreenQuestion question;
  question.text = item.question;
  if (item.kind == AnswerKind::Text) return question;
  const std::vector<double> values = valuesOf(item);
  question.options.reserve(values.size());
  for (const double value : values) {
    question.options.push_back(item.kind == AnswerKind::Likert ? std::to_string(std::llround(value))
                                                               : std::string());
  }
  question.leastLabel = item.leastLabel;
  question.mostLabel = item.mostLabel;
  return question;
}

ScreenQuestion choiceOf(std::string text, std::vector<std::string> options) {
  ScreenQuestion question;
  question.text = std::move(text);
  question.options = std::move(options);
  return question;
}

bool isAnswered(const ScreenQuestion& question) {
  return question.options.empty() || question.chosen.has_value();
}

/// The shortest that reads back the same.
std::string numberText(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace

models::Result<SessionPast> pastOf(StudyJournal& journal, const PlannedSession& session) {
  models::Result<std::vector<JournalTrial>> trials = journal.trials();
  if (!trials) return trials.error();
  models::Result<std::vector<JournalAnswer>> answers = journal.answers();
  if (!answers) return answers.error();
  models::Result<std::vector<JournalFact>> facts = journal.facts();
  if (!facts) return facts.error();
  models::Result<std::vector<JournalEvent>> events = journal.events();
  if (!events) return events.error();
  const auto isPlayer = [&](const std::string& code) {
    return std::ranges::find(session.players, code, &PlannedPlayer::code) != session.players.end();
  };
  SessionPast past{std::move(trials).value(), std::move(answers).value(), std::move(facts).value(),
                   std::move(events).value()};
  std::erase_if(past.trials, [&](const auto& one) { return one.session != session.code; });
  std::erase_if(past.answers, [&](const auto& one) { return !isPlayer(one.participant); });
  std::erase_if(past.facts, [&](const auto& one) { return !isPlayer(one.participant); });
  std::erase_if(past.events, [&](const auto& one) { return one.session != session.code; });
  return past;
}

PeopleSession::PeopleSession(const StudyProtocol& protocol, const PlannedSession& session,
                             SessionPast past, SessionTerms terms)
    : protocol_(protocol),
      session_(session),
      terms_(std::move(terms)),
      progress_(protocol, session_, past.trials) {
  for (const JournalFact& fact : past.facts)
    facts_[{fact.participant, fact.name}] = fact.value;
  for (const JournalAnswer& answer : past.answers)
    answered_.insert({answer.participant, itemAt(answer.item, answer.period)});
  const auto happened = [&](std::string_view kind) {
    return std::ranges::find(past.events, kind, &JournalEvent::kind) != past.events.end();
  };
  isDone_ = happened("session_done");
  for (const auto& [fact, value] : facts_) {
    if (fact.second == kHandednessFact) takeHandedness(session_, fact.first, value);
  }
  if (happened("session_begun")) {
    show(SessionStage::Resume, isDone_ ? "This session is done" : "Go on with this session?");
    for (const PlannedPlayer& player : session_.players)
      screen_.who += say(screen_.who.empty() ? "" : ", ", player.code);
    screen_.paragraphs = {
        say(progress_.finished(), " of ", session_.trials.size(), " trials are done.")};
    if (progress_.next() != nullptr) {
      screen_.paragraphs.push_back(
          say("It goes on with trial ", progress_.next()->number,
              "; what was not finished of it is done anew, and no other is touched."));
    }
    refreshButtons();
    return;
  }
  log("session_begun", say("instructions ", protocol_.instructionsVersion));
  for (const std::string& special : terms_.notes)
    log("override", special);
  proceed();
}

/// Puts the next screen up: the first thing that is not done yet.
void PeopleSession::proceed() {
  if (asksFacts() || asksItems(ItemTime::Begin, 0)) return;
  const PlannedTrial* next = progress_.next();
  const std::uint32_t periods = session_.trials.empty() ? 0 : session_.trials.back().period;
  const std::uint32_t over = next == nullptr ? periods : next->period - 1;
  for (std::uint32_t period = 1; period <= over; ++period) {
    if (asksItems(ItemTime::Period, period)) return;
  }
  if (next == nullptr) {
    if (asksItems(ItemTime::End, 0)) return;
    if (!isDone_) log("session_done");
    isDone_ = true;
    show(SessionStage::Finished, "That was all. Thank you!");
    screen_.paragraphs = {"Please tell the experimenter that you are done."};
    refreshButtons();
    return;
  }
  if (breakLeft_ > 0.0) {
    showBreak();
  } else if (instructed_ != next->period * 1000ULL + next->block) {
    showInstructions();
  } else {
    showReady();
  }
}

bool PeopleSession::asksFacts() {
  const auto firstWithout = [&](const char* fact) -> std::optional<std::size_t> {
    for (std::size_t k = 0; k < session_.players.size(); ++k) {
      if (!isFactKnown(session_.players[k].code, fact)) return k;
    }
    return std::nullopt;
  };
  if (const auto consent = firstWithout("consent")) {
    showConsent(*consent);
  } else if (const auto comfort = firstWithout("comfort")) {
    showComfort(*comfort);
  } else if (const auto hand = firstWithout("handedness")) {
    showAboutYou(*hand);
  } else {
    return false;
  }
  return true;
}

bool PeopleSession::asksItems(ItemTime when, std::uint32_t period) {
  for (std::size_t k = 0; k < session_.players.size(); ++k) {
    const bool isOpen = std::ranges::any_of(protocol_.items, [&](const ProtocolItem& item) {
      return item.when == when &&
             !answered_.contains({session_.players[k].code, itemAt(item.item.name, period)});
    });
    if (!isOpen) continue;
    showItems({k, when, period});
    return true;
  }
  return false;
}

// Screens.

void PeopleSession::show(SessionStage stage, const std::string& heading) {
  screen_ = SessionScreen();
  screen_.stage = stage;
  screen_.heading = heading;
  screen_.trials = session_.trials.size();
  screen_.trial = std::min(progress_.finished() + 1, session_.trials.size());
}

void PeopleSession::showConsent(std::size_t player) {
  player_ = player;
  show(SessionStage::Consent, "Before we begin");
  screen_.who = session_.players[player].code;
  screen_.paragraphs = consentText(protocol_);
  screen_.questions = {
      choiceOf("I have read this, my questions were answered, and I take part of "
               "my own will.",
               {"I agree", "I do not agree"})};
  refreshButtons();
}

void PeopleSession::showComfort(std::size_t player) {
  player_ = player;
  show(SessionStage::Comfort, "Are you comfortable?");
  screen_.who = session_.players[player].code;
  screen_.questions = {
      choiceOf("I sit well, and I reach the handle without stretching.", {"Yes", "No"}),
      choiceOf("My hands and arms do not hurt, and nothing speaks against moving them.",
               {"Yes", "No"}),
      choiceOf("I see the screen well.", {"Yes", "No"})};
  refreshButtons();
}

void PeopleSession::showAboutYou(std::size_t player) {
  player_ = player;
  show(SessionStage::AboutYou, "Which hand do you use?");
  screen_.who = session_.players[player].code;
  const std::vector<std::string> answers(kHandednessAnswers.begin(), kHandednessAnswers.end());
  screen_.questions.reserve(kHandednessActivities.size() + 1);
  for (const std::string_view activity : kHandednessActivities)
    screen_.questions.push_back(choiceOf(std::string(activity), answers));
  screen_.questions.push_back(
      choiceOf("Have you used a device that pushes your hand before?", {"Yes", "No"}));
  refreshButtons();
}

void PeopleSession::showItems(const Asked& asked) {
  asked_ = asked;
  show(SessionStage::Questions, asked.when == ItemTime::Period  ? "How was this part?"
                                : asked.when == ItemTime::Begin ? "Before you begin"
                                                                : "At the end");
  screen_.who = asked.period > 0 ? playerLabel(protocol_, session_, asked.player, asked.period)
                                 : session_.players[asked.player].code;
  for (const ProtocolItem& item : protocol_.items) {
    if (item.when == asked.when) screen_.questions.push_back(questionOf(item.item));
  }
  refreshButtons();
}

void PeopleSession::showInstructions() {
  const PlannedTrial& next = *progress_.next();
  const ProtocolBlock& block = protocol_.blocks[next.block - 1];
  const bool isNewPeriod = next.period > 1 && instructed_ / 1000 != next.period;
  show(SessionStage::Instructions, block.isPractice ? "Practice" : "What to do");
  if (session_.players.size() == 1) screen_.who = who(0);
  if (isNewPeriod && session_.players.size() > 1)
    screen_.paragraphs.emplace_back("Please swap seats now.");
  const std::vector<std::string> texts = instructionText(protocol_, session_, next);
  screen_.paragraphs.insert(screen_.paragraphs.end(), texts.begin(), texts.end());
  screen_.paragraphs.push_back(say(block.trials == 1
                                       ? std::string("One round of at most ")
                                       : say(block.trials, " rounds, each of at most "),
                                   durationText(block.limitSeconds * terms_.timeScale), "."));
  refreshButtons();
}

void PeopleSession::showReady() {
  const PlannedTrial& next = *progress_.next();
  const ProtocolBlock& block = protocol_.blocks[next.block - 1];
  show(SessionStage::Ready, say(block.isPractice ? "Practice, round " : "Round ", next.within + 1));
  if (progress_.attempt() > 1) screen_.heading += say(", attempt ", progress_.attempt());
  for (std::size_t k = 0; k < session_.players.size(); ++k) {
    if (k > 0) screen_.who += "   ";
    screen_.who += who(k);
  }
  for (const PlannedPlayer& player : session_.players) {
    const std::string hand = handText(player, player.periods[next.period - 1]);
    if (hand.empty()) continue;
    screen_.paragraphs.push_back(session_.players.size() == 1
                                     ? say("This time with your ", hand, " hand.")
                                     : say(player.code, ": this time with your ", hand, " hand."));
  }
  const bool haveMany = std::ranges::any_of(
      protocol_.task.sides, [](const TaskSide& side) { return side.hands.size() > 1; });
  screen_.paragraphs.emplace_back(
      haveMany ? "Take your two handles. Press 'Begin', bring each handle to the middle of its "
                 "reach, and hold it still. The screen counts down; at 'Go!' you begin."
               : "Take the handle. Press 'Begin', bring the handle to the middle of its reach, and "
                 "hold it still. The screen counts down; at 'Go!' you begin.");
  refreshButtons();
}

void PeopleSession::showTrial(bool isPaused) {
  show(isPaused ? SessionStage::Paused : SessionStage::Trial, isPaused ? "Pause" : "");
  for (std::size_t k = 0; k < session_.players.size(); ++k) {
    if (k > 0) screen_.who += "   ";
    screen_.who += who(k);
  }
  if (isPaused)
    screen_.paragraphs = {"Forces are gone and time stands still. You may let go of the handle."};
  refreshButtons();
}

void PeopleSession::showBreak() {
  show(SessionStage::Break, "A break");
  screen_.paragraphs = {"Rest your hands. It goes on when the time is over and you are ready."};
  screen_.secondsLeft = breakLeft_;
  refreshButtons();
}

/// What may be pressed follows from what is chosen.
void PeopleSession::refreshButtons() {
  const std::vector<ScreenQuestion>& questions = screen_.questions;
  const bool isWhole = std::ranges::all_of(questions, isAnswered);
  const bool isAllFirst = std::ranges::all_of(
      questions, [](const ScreenQuestion& question) { return question.chosen == 0U; });
  std::vector<ScreenButton>& buttons = screen_.buttons;
  buttons.clear();
  switch (screen_.stage) {
    case SessionStage::Resume:
      buttons = {{SessionAct::Next, "Go on", !isDone_}, {SessionAct::End, "Not now", true}};
      break;
    case SessionStage::Consent:
      buttons = {{SessionAct::Next, "Continue", isAllFirst},
                 {SessionAct::Decline, "Leave", isWhole && !isAllFirst}};
      break;
    case SessionStage::Comfort:
      buttons = {{SessionAct::Next, "Continue", isAllFirst}};
      screen_.paragraphs.clear();
      if (isWhole && !isAllFirst)
        screen_.paragraphs = {"Please tell the experimenter. It goes on when all is well."};
      break;
    case SessionStage::AboutYou:
      buttons = {{SessionAct::Next, "Continue", isWhole}};
      break;
    case SessionStage::Questions:
      buttons = {{SessionAct::Next, "Continue", isWhole}};
      if (!isWhole) buttons.push_back({SessionAct::Skip, "Leave the rest out", true});
      break;
    case SessionStage::Instructions:
      buttons = {{SessionAct::Next, "I have understood", true}};
      break;
    case SessionStage::Ready:
      buttons = {{SessionAct::Next, "Begin", true}, {SessionAct::End, "End for now", true}};
      break;
    case SessionStage::Timing:
      buttons = {{SessionAct::Again, "Look again", true}, {SessionAct::End, "End for now", true}};
      break;
    case SessionStage::Trial:
      buttons = {{SessionAct::Pause, "Pause", true}, {SessionAct::Stop, "Stop", true}};
      break;
    case SessionStage::Paused:
      buttons = {{SessionAct::GoOn, "Go on", true}, {SessionAct::Stop, "Stop", true}};
      break;
    case SessionStage::Choice:
      buttons = {{SessionAct::First, "The first press", true},
                 {SessionAct::Second, "The second press", true}};
      break;
    case SessionStage::Break:
      buttons = {{SessionAct::Next, "Go on", breakLeft_ <= 0.0},
                 {SessionAct::CutBreak, "Cut it short", breakLeft_ > 0.0}};
      break;
    case SessionStage::Stopped:
      buttons = {{SessionAct::Again, "Do this round again", true},
                 {SessionAct::End, "End for now", true}};
      break;
    case SessionStage::Finished:
    case SessionStage::Left:
      buttons = {{SessionAct::End, "Close", true}};
      break;
  }
}

// What people do.

void PeopleSession::choose(std::size_t question, std::size_t option) {
  if (question >= screen_.questions.size()) return;
  ScreenQuestion& one = screen_.questions[question];
  if (option >= one.options.size()) return;
  one.chosen = option;
  refreshButtons();
}

void PeopleSession::write(std::size_t question, const std::string& text) {
  if (question < screen_.questions.size() && screen_.questions[question].options.empty())
    screen_.questions[question].written = text;
}

bool PeopleSession::press(SessionAct act) {
  const auto button = std::ranges::find(screen_.buttons, act, &ScreenButton::act);
  if (button == screen_.buttons.end() || !button->isEnabled) return false;
  switch (screen_.stage) {
    case SessionStage::Resume:
      if (act == SessionAct::End) {
        show(SessionStage::Left, "Nothing was changed");
        refreshButtons();
        return true;
      }
      log("session_resumed");
      for (const std::string& special : terms_.notes)
        log("override", special);
      proceed();
      return true;
    case SessionStage::Consent:
      if (act == SessionAct::Decline) {
        entries_.facts.push_back({session_.players[player_].code, "consent", "declined"});
        leave("declined", session_.players[player_].code);
        return true;
      }
      keepFact("consent", "given");
      break;
    case SessionStage::Comfort:
      keepFact("comfort", "yes");
      break;
    case SessionStage::AboutYou:
      keepAboutYou();
      break;
    case SessionStage::Questions:
      keepItems(act == SessionAct::Skip);
      break;
    case SessionStage::Instructions:
      log("instructions");
      instructed_ = progress_.next()->period * 1000ULL + progress_.next()->block;
      break;
    case SessionStage::Ready:
      if (act == SessionAct::End) {
        leave("session_left", "");
        return true;
      }
      if (!objection_.empty() && !terms_.acceptsBadTiming) {
        show(SessionStage::Timing, "One moment please");
        screen_.paragraphs = {
            "The computer is too busy to measure well. Please tell the experimenter.",
            say("For the experimenter: ", objection_,
                ". Close other programs, wait a minute, and look again. Started with "
                "--accept-bad-timing, data are collected all the same, and marked.")};
        log("timing_refused", objection_);
        refreshButtons();
        return true;
      }
      if (!objection_.empty()) log("timing_accepted", objection_);
      showTrial(false);
      return true;
    case SessionStage::Timing:
      if (act == SessionAct::End) {
        leave("session_left", objection_);
        return true;
      }
      break;
    case SessionStage::Trial:
    case SessionStage::Paused:
      if (act == SessionAct::Stop) {
        // the trial ends when its forces are gone
        isStopping_ = true;
        show(screen_.stage, "Stopping");
        return true;
      }
      log(act == SessionAct::Pause ? "pause" : "go_on");
      showTrial(act == SessionAct::Pause);
      return true;
    case SessionStage::Choice:
      answerChoice(act == SessionAct::First);
      break;
    case SessionStage::Break:
      log("break", say(numberText(std::round(breakTook_)), " s",
                       act == SessionAct::CutBreak ? ", cut short" : ""));
      breakLeft_ = breakTook_ = 0.0;
      break;
    case SessionStage::Stopped:
      if (act == SessionAct::End) {
        leave("session_left", "");
        return true;
      }
      break;
    case SessionStage::Finished:
    case SessionStage::Left:
      show(SessionStage::Left, "");
      return true;
  }
  proceed();
  return true;
}

void PeopleSession::pass(double seconds) {
  if (screen_.stage != SessionStage::Break) return;
  breakTook_ += seconds;
  breakLeft_ = std::max(0.0, breakLeft_ - seconds);
  screen_.secondsLeft = breakLeft_;
  refreshButtons();
}

void PeopleSession::keepFact(const std::string& name, const std::string& value) {
  const std::string& code = session_.players[player_].code;
  facts_[{code, name}] = value;
  entries_.facts.push_back({code, name, value});
}

void PeopleSession::keepAboutYou() {
  std::vector<std::size_t> answers;
  answers.reserve(kHandednessActivities.size());
  for (std::size_t k = 0; k < kHandednessActivities.size(); ++k)
    answers.push_back(screen_.questions[k].chosen.value_or(2));
  const double quotient = handednessQuotient(answers);
  keepFact("experience", screen_.questions.back().chosen == 0U ? "yes" : "no");
  const std::string kept = std::to_string(std::llround(quotient));
  keepFact(kHandednessFact, kept);
  keepFact("handedness", std::string(handednessName(quotient)));
  takeHandedness(session_, session_.players[player_].code, kept);
}

void PeopleSession::keepItems(bool isSkipped) {
  std::size_t question = 0;
  const std::string& code = session_.players[asked_.player].code;
  for (const ProtocolItem& item : protocol_.items) {
    if (item.when != asked_.when) continue;
    const ScreenQuestion& given = screen_.questions[question++];
    JournalAnswer answer;
    answer.participant = code;
    answer.item = item.item.name;
    answer.period = asked_.period;
    answer.text = given.written;
    if (given.chosen) answer.value = valuesOf(item.item)[*given.chosen];
    answered_.insert({code, itemAt(answer.item, answer.period)});
    entries_.answers.push_back(std::move(answer));
  }
  if (isSkipped) log("answers_left_out", code);
}

// Trials.

TrialTicket PeopleSession::ticket() const {
  const PlannedTrial* next = progress_.next();
  if (next == nullptr) return {};
  return {next, progress_.attempt(), progress_.comparison()};
}

void PeopleSession::trialHasEnded(const TrialResult& result, const std::string& recording) {
  if (result.wasAborted) {
    trialHasFailed("stopped");
    return;
  }
  isStopping_ = false;
  const TrialTicket done = ticket();
  pending_ = journalTrialOf(session_, *done.trial, done.attempt, recording, result, progress_);
  if (!objection_.empty()) pending_.flags.insert("timing");
  if (hasChanged_) pending_.flags.insert("parameters changed");
  if (protocol_.task.kind == TaskKind::Press && protocol_.psychophysics && result.isSuccess) {
    show(SessionStage::Choice, "Which of the two presses felt stiffer?");
    screen_.paragraphs = {"If you cannot tell, choose what seems more likely."};
    screen_.who = who(0);
    refreshButtons();
    return;
  }
  keepTrial();
  proceed();
}

void PeopleSession::trialHasFailed(const std::string& why) {
  isStopping_ = false;
  log("trial_stopped", why);
  show(SessionStage::Stopped, "This round was stopped");
  screen_.paragraphs = {"It does not count. Nothing that was done before is lost."};
  if (why != "stopped") screen_.paragraphs.push_back(why);
  refreshButtons();
}

void PeopleSession::answerChoice(bool isFirst) {
  const TrialTicket done = ticket();
  const bool choseComparison = isFirst != done.trial->isReferenceFirst;
  pending_.wasRight =
      noteChoice(pending_.players.front(), protocol_, done.comparison, choseComparison);
  keepTrial();
}

void PeopleSession::keepTrial() {
  const PlannedTrial done = *progress_.next();
  entries_.trials.push_back(pending_);
  progress_.add(pending_);
  const PlannedTrial* next = progress_.next();
  if (next == nullptr || (next->block == done.block && next->period == done.period)) return;
  breakLeft_ = protocol_.blocks[done.block - 1].breakSeconds * terms_.timeScale;
  breakTook_ = 0.0;
}

// The experimenter.

void PeopleSession::note(const std::string& text) {
  log("note", text);
}

void PeopleSession::changeParameter(const std::string& name, double before, double after,
                                    const std::string& reason) {
  hasChanged_ = true;
  log("parameter_changed",
      say(name, " from ", numberText(before), " to ", numberText(after), ": ", reason));
}

JournalEntries PeopleSession::takeEntries() {
  return std::exchange(entries_, {});
}

void PeopleSession::log(const std::string& kind, const std::string& text) {
  const PlannedTrial* next = progress_.next();
  entries_.events.push_back({session_.code, kind, text, next == nullptr ? 0 : next->number, 0});
}

void PeopleSession::leave(const std::string& kind, const std::string& text) {
  log(kind, text);
  show(SessionStage::Left, kind == "declined" ? "Thank you all the same" : "Until next time");
  screen_.paragraphs = {kind == "declined" ? "Nothing of you is recorded."
                                           : "What is done is kept; it can go on later."};
  refreshButtons();
}

bool PeopleSession::isFactKnown(const std::string& participant, const std::string& name) const {
  const auto fact = facts_.find({participant, name});
  return fact != facts_.end() && fact->second != "declined";
}

std::string PeopleSession::who(std::size_t player) const {
  return playerLabel(protocol_, session_, player, periodNow());
}

std::uint32_t PeopleSession::periodNow() const {
  return progress_.next() == nullptr ? session_.trials.back().period : progress_.next()->period;
}

}  // namespace tactus::studies
