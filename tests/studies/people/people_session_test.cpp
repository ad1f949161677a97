// The state machine of a session: walked through with answers and made-up trials, broken off after
// each step and gone on with, and never pressed where nothing may be pressed.
#include "studies/people/people_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "studies/people/handedness_inventory.hpp"
#include "studies/people/recent_timing.hpp"
#include "studies/people/session_texts.hpp"
#include "studies/runner/press_counter.hpp"

namespace tactus::studies {
namespace {

StudyProtocol shipped(const char* name) {
  models::Result<StudyProtocol> protocol = findProtocol(name);
  EXPECT_TRUE(protocol.ok()) << protocol.error().sentence;
  return std::move(protocol).value();
}

/// What an obliging person would do at a screen; trials succeed at once.
class Walker {
 public:
  Walker(const StudyProtocol& protocol, const PlannedSession& session, SessionTerms terms = {})
      : protocol_(protocol), plan_(session), terms_(std::move(terms)) {
    restart();
  }

  PeopleSession& session() { return *session_; }
  const SessionPast& past() const { return past_; }
  SessionStage stage() const { return session_->screen().stage; }

  /// As if the program had been killed: only what the journal has is known.
  void restart() {
    keep();
    session_ = std::make_unique<PeopleSession>(protocol_, plan_, past_, terms_);
    keep();
  }
  void keep() {
    if (session_ == nullptr) return;
    JournalEntries entries = session_->takeEntries();
    const auto move = [](auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
    move(entries.trials, past_.trials);
    move(entries.answers, past_.answers);
    move(entries.facts, past_.facts);
    move(entries.events, past_.events);
  }
  TrialResult success() const {
    TrialResult result;
    result.players.resize(plan_.players.size());
    for (PlayerResult& player : result.players)
      player.measures["success"] = 1.0;
    result.isSuccess = true;
    return result;
  }
  /// One screen on.
  void step() {
    const SessionScreen screen = session_->screen();
    seen_.push_back(screen.stage);
    switch (screen.stage) {
      case SessionStage::Trial:
        session_->trialHasEnded(success(), "recordings/x.tacr");
        break;
      case SessionStage::Choice:
        ASSERT_TRUE(session_->press(SessionAct::First));
        break;
      case SessionStage::Break:
        EXPECT_FALSE(session_->press(SessionAct::Next)) << "a break lasts its time";
        session_->pass(screen.secondsLeft);
        ASSERT_TRUE(session_->press(SessionAct::Next));
        break;
      default:
        for (std::size_t k = 0; k < screen.questions.size(); ++k) {
          if (screen.questions[k].options.empty()) {
            session_->write(k, "well");
          } else {
            session_->choose(k, 0);
          }
        }
        ASSERT_TRUE(session_->press(SessionAct::Next)) << static_cast<int>(screen.stage);
    }
    keep();
  }
  void walkUntil(const std::function<bool()>& holds) {
    for (int k = 0; k < 2000 && !holds(); ++k)
      ASSERT_NO_FATAL_FAILURE(step());
    ASSERT_TRUE(holds());
  }
  void walkTo(SessionStage stage) {
    walkUntil([&] { return session_->screen().stage == stage; });
  }
  std::size_t happened(const char* kind) const {
    return static_cast<std::size_t>(std::ranges::count(past_.events, kind, &JournalEvent::kind));
  }
  const std::vector<SessionStage>& seen() const { return seen_; }

 private:
  const StudyProtocol& protocol_;
  const PlannedSession& plan_;
  SessionTerms terms_;
  SessionPast past_;
  std::unique_ptr<PeopleSession> session_;
  std::vector<SessionStage> seen_;
};

/// Each trial once, each question of each player once.
void expectWhole(const StudyProtocol& protocol, const PlannedSession& session,
                 const SessionPast& past) {
  ASSERT_EQ(past.trials.size(), session.trials.size());
  for (std::size_t k = 0; k < past.trials.size(); ++k) {
    EXPECT_EQ(past.trials[k].number, k + 1);
    EXPECT_TRUE(past.trials[k].isLast);
  }
  const std::uint32_t periods = session.trials.back().period;
  std::size_t items = 0;
  for (const ProtocolItem& item : protocol.items)
    items += item.when == ItemTime::Period ? periods : 1;
  EXPECT_EQ(past.answers.size(), items * session.players.size());
  for (const PlannedPlayer& player : session.players) {
    for (const char* name : {"consent", "comfort", "handedness", "experience"}) {
      EXPECT_EQ(std::ranges::count_if(past.facts,
                                      [&](const JournalFact& fact) {
                                        return fact.participant == player.code && fact.name == name;
                                      }),
                1)
          << player.code << ' ' << name;
    }
  }
}

TEST(PeopleSessionTest, EveryShippedProtocolIsWalkedThroughFromConsentToThanks) {
  for (const models::ShippedText& text : shippedProtocols()) {
    SCOPED_TRACE(text.name);
    const StudyProtocol protocol = shipped(std::string(text.name).c_str());
    const StudyPlan plan = planOf(protocol, 2);
    Walker walker(protocol, plan.sessions.front());
    EXPECT_EQ(walker.stage(), SessionStage::Consent);
    walker.walkTo(SessionStage::Finished);
    expectWhole(protocol, plan.sessions.front(), walker.past());
    EXPECT_EQ(walker.happened("session_begun"), 1U);
    EXPECT_EQ(walker.happened("session_done"), 1U);
    const auto seen = [&](SessionStage stage) {
      return std::ranges::count(walker.seen(), stage) > 0;
    };
    EXPECT_TRUE(seen(SessionStage::Instructions));
    EXPECT_TRUE(seen(SessionStage::Break));
    EXPECT_EQ(seen(SessionStage::Choice), protocol.task.kind == TaskKind::Press);
    EXPECT_TRUE(walker.session().press(SessionAct::End));
    EXPECT_EQ(walker.stage(), SessionStage::Left);
  }
}

TEST(PeopleSessionTest, BrokenOffAtEveryScreenItGoesOnWhereItWas) {
  for (const char* name : {"peg-in-hole", "dof-game", "stiffness-jnd"}) {
    SCOPED_TRACE(name);
    const StudyProtocol protocol = shipped(name);
    const StudyPlan plan = planOf(protocol, 2);
    Walker walker(protocol, plan.sessions.front());
    for (int k = 0; k < 1000 && walker.stage() != SessionStage::Finished; ++k) {
      ASSERT_NO_FATAL_FAILURE(walker.step());
      if (walker.stage() == SessionStage::Finished) break;
      const std::size_t trials = walker.past().trials.size();
      const std::size_t answers = walker.past().answers.size();
      walker.restart();
      ASSERT_EQ(walker.stage(), SessionStage::Resume) << "it goes on by explicit choice alone";
      ASSERT_TRUE(walker.session().press(SessionAct::Next));
      walker.keep();
      // not one trial or answer is asked for again, and none is skipped
      EXPECT_EQ(walker.past().trials.size(), trials);
      EXPECT_EQ(walker.past().answers.size(), answers);
      // the way back to the trial
      if (walker.stage() == SessionStage::Instructions) walker.step();
      if (walker.stage() == SessionStage::Ready) walker.step();
      if (walker.stage() == SessionStage::Trial) walker.step();
    }
    expectWhole(protocol, plan.sessions.front(), walker.past());
    walker.restart();
    EXPECT_EQ(walker.stage(), SessionStage::Resume);
    EXPECT_FALSE(walker.session().press(SessionAct::Next)) << "what is done is not done again";
  }
}

TEST(PeopleSessionTest, WithoutConsentNothingIsCollected) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  PeopleSession& session = walker.session();
  EXPECT_FALSE(session.press(SessionAct::Next)) << "nothing is agreed to by default";
  session.choose(0, 1);
  EXPECT_FALSE(session.press(SessionAct::Next));
  ASSERT_TRUE(session.press(SessionAct::Decline));
  walker.keep();
  EXPECT_EQ(walker.stage(), SessionStage::Left);
  EXPECT_TRUE(walker.past().trials.empty());
  ASSERT_EQ(walker.past().facts.size(), 1U);
  EXPECT_EQ(walker.past().facts[0].value, "declined");
  // who thinks again is asked again
  walker.restart();
  ASSERT_TRUE(walker.session().press(SessionAct::Next));
  EXPECT_EQ(walker.stage(), SessionStage::Consent);
}

TEST(PeopleSessionTest, DiscomfortHoldsTheSession) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  walker.walkTo(SessionStage::Comfort);
  PeopleSession& session = walker.session();
  for (std::size_t k = 0; k < session.screen().questions.size(); ++k)
    session.choose(k, k == 1 ? 1 : 0);
  EXPECT_FALSE(session.press(SessionAct::Next));
  EXPECT_FALSE(session.screen().paragraphs.empty()) << "it says what to do";
  session.choose(1, 0);
  EXPECT_TRUE(session.press(SessionAct::Next));
}

TEST(PeopleSessionTest, StoppedTrialsDoNotCountAndAreLogged) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  walker.walkTo(SessionStage::Trial);
  PeopleSession& session = walker.session();
  ASSERT_TRUE(session.press(SessionAct::Pause));
  EXPECT_EQ(walker.stage(), SessionStage::Paused);
  EXPECT_FALSE(session.press(SessionAct::Pause));
  ASSERT_TRUE(session.press(SessionAct::GoOn));
  ASSERT_TRUE(session.press(SessionAct::Stop));
  EXPECT_FALSE(session.press(SessionAct::Stop)) << "it is stopping";
  TrialResult result = walker.success();
  result.wasAborted = true;
  session.trialHasEnded(result, "recordings/x.tacr");
  EXPECT_EQ(walker.stage(), SessionStage::Stopped);
  ASSERT_TRUE(session.press(SessionAct::Again));
  EXPECT_EQ(walker.stage(), SessionStage::Ready);
  EXPECT_EQ(session.ticket().attempt, 1U);
  walker.walkTo(SessionStage::Finished);
  expectWhole(protocol, plan.sessions.front(), walker.past());
  EXPECT_EQ(walker.happened("trial_stopped"), 1U);
  EXPECT_EQ(walker.happened("pause"), 1U);
}

TEST(PeopleSessionTest, PracticeIsRepeatedUntilItSucceeds) {
  const StudyProtocol protocol = shipped("peg-in-hole");  // most_attempts = 3
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  TrialResult failed = walker.success();
  failed.isSuccess = false;
  for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
    walker.walkTo(SessionStage::Trial);
    EXPECT_EQ(walker.session().ticket().attempt, attempt);
    EXPECT_EQ(walker.session().ticket().trial->number, 1U);
    walker.session().trialHasEnded(failed, "recordings/x.tacr");
    walker.keep();
    EXPECT_EQ(walker.past().trials.back().isLast, attempt == 3);
  }
  walker.walkTo(SessionStage::Trial);
  EXPECT_EQ(walker.session().ticket().trial->number, 2U);
}

TEST(PeopleSessionTest, BadTimingStopsDataUnlessItIsAcceptedAndMarked) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker strict(protocol, plan.sessions.front());
  strict.walkTo(SessionStage::Ready);
  strict.session().setTiming("many ticks were late");
  ASSERT_TRUE(strict.session().press(SessionAct::Next));
  EXPECT_EQ(strict.stage(), SessionStage::Timing);
  strict.session().setTiming("");
  ASSERT_TRUE(strict.session().press(SessionAct::Again));
  EXPECT_EQ(strict.stage(), SessionStage::Ready);
  strict.keep();
  EXPECT_EQ(strict.happened("timing_refused"), 1U);

  Walker lenient(protocol, plan.sessions.front(),
                 {.timeScale = 1.0, .acceptsBadTiming = true, .notes = {"bad timing is accepted"}});
  EXPECT_EQ(lenient.happened("override"), 1U);
  lenient.walkTo(SessionStage::Ready);
  lenient.session().setTiming("many ticks were late");
  ASSERT_TRUE(lenient.session().press(SessionAct::Next));
  ASSERT_EQ(lenient.stage(), SessionStage::Trial);
  lenient.session().trialHasEnded(lenient.success(), "recordings/x.tacr");
  lenient.keep();
  EXPECT_TRUE(lenient.past().trials.back().flags.contains("timing"));
  EXPECT_EQ(lenient.happened("timing_accepted"), 1U);
}

TEST(PeopleSessionTest, NotesAndChangedParametersAreLogged) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  walker.walkTo(SessionStage::Trial);
  walker.session().note("the telephone rang");
  walker.session().changeParameter("right.stiffness", 1000.0, 750.5, "too stiff for a small hand");
  walker.session().trialHasEnded(walker.success(), "recordings/x.tacr");
  walker.keep();
  EXPECT_EQ(walker.happened("note"), 1U);
  const auto changed =
      std::ranges::find(walker.past().events, "parameter_changed", &JournalEvent::kind);
  ASSERT_NE(changed, walker.past().events.end());
  EXPECT_EQ(changed->text, "right.stiffness from 1000 to 750.5: too stiff for a small hand");
  EXPECT_EQ(changed->trial, 1U);
  EXPECT_TRUE(walker.past().trials.back().flags.contains("parameters changed"));
}

TEST(PeopleSessionTest, AChoiceOfTwoPressesIsKeptWithItsTrial) {
  const StudyProtocol protocol = shipped("stiffness-jnd");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  const double reference = protocol.psychophysics ? protocol.psychophysics->reference : 0.0;
  for (int k = 0; k < 10; ++k) {
    walker.walkTo(SessionStage::Choice);
    const TrialTicket done = walker.session().ticket();
    const std::size_t before = walker.past().trials.size();
    EXPECT_EQ(before + 1, done.trial->number) << "not before it is answered";
    walker.step();  // "the first one"
    const JournalTrial& trial = walker.past().trials.back();
    const double difference = done.comparison - reference;
    const bool isFirstStiffer = done.trial->isReferenceFirst ? difference < 0.0 : difference > 0.0;
    EXPECT_EQ(trial.wasRight, isFirstStiffer);
    EXPECT_EQ(trial.players[0].measures.at("difference"), difference);
    EXPECT_EQ(trial.players[0].measures.at("chose_comparison"),
              done.trial->isReferenceFirst ? 0.0 : 1.0);
  }
}

TEST(PeopleSessionTest, WhatIsLeftOutIsNotThere) {
  const StudyProtocol protocol = shipped("peg-in-hole");
  const StudyPlan plan = planOf(protocol, 1);
  Walker walker(protocol, plan.sessions.front());
  walker.walkTo(SessionStage::Questions);
  PeopleSession& session = walker.session();
  EXPECT_EQ(session.screen().questions.size(), 6U);
  EXPECT_EQ(session.screen().questions[0].options.size(), 21U);
  session.choose(0, 20);
  session.choose(2, 4);
  session.choose(2, 4);  // twice is once
  EXPECT_FALSE(session.press(SessionAct::Next));
  ASSERT_TRUE(session.press(SessionAct::Skip));
  walker.keep();
  ASSERT_EQ(walker.past().answers.size(), 6U);
  EXPECT_EQ(walker.past().answers[0].value, 100.0);
  EXPECT_EQ(walker.past().answers[1].value, std::nullopt);
  EXPECT_EQ(walker.past().answers[2].value, 20.0);
  EXPECT_EQ(walker.happened("answers_left_out"), 1U);
}

TEST(PeopleSessionTest, ParticipantsReadCodesAndLettersOnly) {
  const StudyProtocol protocol = shipped("dof-game");
  const StudyPlan plan = planOf(protocol, 2);
  const PlannedSession& session = plan.sessions.front();
  const std::string label = playerLabel(protocol, session, 0, 1);
  EXPECT_EQ(label.find("6in6out"), std::string::npos);
  EXPECT_NE(label.find(session.players[0].code), std::string::npos);
  EXPECT_NE(label.find("condition " + session.players[0].periods[0].letter), std::string::npos);
}

TEST(PeopleSessionTest, AProtocolsOwnWordsAreRead) {
  const std::string text =
      "consent = [\"First.\", \"Second, which is longer.\"]\ninstructions = "
      "[\"Do this.\"]\n" +
      shipped("peg-in-hole").text;
  const models::Result<StudyProtocol> protocol = parseProtocol(text, "own.toml");
  ASSERT_TRUE(protocol.ok()) << protocol.error().sentence;
  const StudyPlan plan = planOf(protocol.value(), 1);
  Walker walker(protocol.value(), plan.sessions.front());
  const std::vector<std::string> consent = {"First.", "Second, which is longer."};
  EXPECT_EQ(walker.session().screen().paragraphs, consent);
  walker.walkTo(SessionStage::Instructions);
  EXPECT_EQ(walker.session().screen().paragraphs.front(), "Do this.");
}

TEST(HandednessInventoryTest, QuotientIsTheMeanOfWhatIsAnswered) {
  // Veale (2014): always 100, usually 50, both 0
  EXPECT_EQ(handednessQuotient(std::array<std::size_t, 4>{4, 4, 4, 4}), 100.0);
  EXPECT_EQ(handednessQuotient(std::array<std::size_t, 4>{0, 0, 0, 0}), -100.0);
  EXPECT_EQ(handednessQuotient(std::array<std::size_t, 4>{4, 3, 2, 1}), 25.0);
  EXPECT_EQ(handednessName(61.0), "right");
  EXPECT_EQ(handednessName(60.0), "mixed");
  EXPECT_EQ(handednessName(-60.5), "left");
}

TEST(RecentTimingTest, ForgetsWhatIsOlderThanAMinute) {
  RecentTiming timing;
  EXPECT_EQ(timing.objection(), "") << "nothing is known";
  timing.add(1.0, {1000, 500, 0});
  EXPECT_NE(timing.objection(), "");
  for (int second = 2; second <= 61; ++second)
    timing.add(second, {1000, 0, 0});
  EXPECT_EQ(timing.sum().late, 500U) << "a minute ago";
  timing.add(62.0, {1000, 0, 0});
  EXPECT_EQ(timing.sum().late, 0U);
  EXPECT_EQ(timing.sum().ticks, 61'000U);
  EXPECT_EQ(timing.objection(), "");
  timing.add(63.0, {990, 0, 10});
  EXPECT_NE(timing.objection().find("10 were skipped"), std::string::npos);
}

TEST(PressCounterTest, BouncesAreOnePress) {
  PressCounter counter(1e-3);
  const auto add = [&counter](int ticks, float force) {
    ContactRecord contact;
    contact.force[1] = force;
    contact.touches = force > 0.0F ? 1 : 0;
    for (int k = 0; k < ticks; ++k)
      counter.add(contact);
  };
  add(500, 0.0F);
  add(100, 0.2F);  // too light to be one
  add(500, 0.0F);
  EXPECT_EQ(counter.presses(), 0);
  add(300, 2.0F);
  add(100, 0.0F);  // bounces
  add(200, 2.0F);
  EXPECT_EQ(counter.presses(), 0);
  add(149, 0.0F);
  EXPECT_EQ(counter.presses(), 0);
  add(1, 0.0F);
  EXPECT_EQ(counter.presses(), 1);
  add(300, 2.0F);
  add(400, 0.0F);
  EXPECT_EQ(counter.presses(), 2);
}

}  // namespace
}  // namespace tactus::studies
