#include "studies/runner/study_runner.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "models/mesh/wording.hpp"
#include "studies/random_stream.hpp"
#include "studies/runner/session_progress.hpp"
#include "studies/runner/trial_run.hpp"

namespace tactus::studies {
namespace {

using models::Done;
using models::Error;
using models::Result;
using models::say;
using SceneKey = std::pair<std::string, std::string>;

/// A scene of a study with one way to find contacts and one law: shared by all sessions, which only
/// read it.
struct StudyScene {
  haptics::LoadedScene loaded;
  response::ContactLaw law = response::ContactLaw::Depth;
};

SceneKey sceneKeyOf(const PlannedSeat& seat) {
  const auto law = seat.conditions.find("law");
  return {methodOf(seat), law == seat.conditions.end() ? std::string() : law->second};
}

/// One for each way to find contacts and law that the plan has. A scene for a pair takes those of
/// its first player: both are in one world.
Result<std::map<SceneKey, StudyScene>> scenesOf(const StudyFolder& study,
                                                const haptics::ObjectSource& objects) {
  std::map<SceneKey, StudyScene> scenes;
  for (const PlannedSession& session : study.plan.sessions) {
    for (const PlannedSeat& seat : session.players.front().periods) {
      const SceneKey key = sceneKeyOf(seat);
      if (scenes.contains(key)) continue;
      Result<models::Scene> scene = sceneOf(study.protocol, seat);
      if (!scene) return scene.error();
      const Result<response::ContactLaw> law = haptics::lawOf(scene.value().contact);
      if (!law) return law.error();
      Result<haptics::LoadedScene> loaded = haptics::loadScene(std::move(scene).value(), objects);
      if (!loaded) return loaded.error();
      scenes[key] = {std::move(loaded).value(), law.value()};
    }
  }
  return scenes;
}

double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Answers that a player gives after this trial: of the period if it was its last trial, of the end
/// if it was the last of all, of the beginning if the first.
std::vector<JournalAnswer> answersAfter(const StudyProtocol& protocol,
                                        const PlannedSession& session, const PlannedTrial& trial) {
  std::vector<JournalAnswer> answers;
  const bool isFirst = trial.number == 1;
  const bool isLast = trial.number == session.trials.size();
  const bool endsPeriod = isLast || session.trials[trial.number].period != trial.period;
  for (const PlannedPlayer& player : session.players) {
    for (std::size_t item = 0; item < protocol.items.size(); ++item) {
      const ItemTime when = protocol.items[item].when;
      if (when == ItemTime::Begin ? !isFirst : when == ItemTime::End ? !isLast : !endsPeriod)
        continue;
      answers.push_back(
          simulatedAnswer(protocol, player, item, when == ItemTime::Period ? trial.period : 0));
    }
  }
  return answers;
}

class Runner {
 public:
  Runner(const StudyFolder& study, StudyJournal& journal, const SimulatedStudyRequest& request,
         const std::map<SceneKey, StudyScene>& scenes)
      : study_(study), journal_(journal), request_(request), scenes_(scenes) {}

  Result<StudyRunFigures> run() {
    Result<std::vector<JournalTrial>> before = journal_.trials();
    if (!before) return before.error();
    for (JournalTrial& trial : before.value())
      done_[trial.session].push_back(std::move(trial));
    for (const PlannedSession& session : study_.plan.sessions) {
      const bool isWanted =
          !request_.participant || std::ranges::find(session.players, *request_.participant,
                                                     &PlannedPlayer::code) != session.players.end();
      if (isWanted) waiting_.push_back(&session);
    }
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count =
        std::min(request_.threads == 0 ? cores : request_.threads, waiting_.size());
    std::vector<std::thread> threads;
    threads.reserve(count);
    for (std::size_t k = 0; k < count; ++k)
      threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads)
      thread.join();
    if (error_) return *error_;
    return figures_;
  }

 private:
  [[nodiscard]] bool isStopped() const {
    return request_.stops != nullptr && request_.stops->load();
  }

  void work() {
    for (;;) {
      const PlannedSession* session = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty() || error_) return;
        session = waiting_.front();
        waiting_.pop_front();
      }
      const double began = threadSeconds();
      const Result<Done> outcome = runSession(*session);
      const std::lock_guard lock(mutex_);
      figures_.coreSeconds += threadSeconds() - began;
      if (!outcome && !error_) error_ = outcome.error();
    }
  }

  Result<Done> runSession(const PlannedSession& session) {
    const StudyProtocol& protocol = study_.protocol;
    std::vector<JournalTrial> done;
    {
      const std::lock_guard lock(mutex_);
      done = done_[session.code];
    }
    SessionProgress progress(protocol, session, done);
    {
      const std::lock_guard lock(mutex_);
      figures_.trialsBefore += progress.finished();
    }
    while (const PlannedTrial* next = progress.next()) {
      if (isStopped()) {
        const std::lock_guard lock(mutex_);
        figures_.wasStopped = true;
        return Done{};
      }
      const PlannedTrial& trial = *next;
      TrialRequest asked;
      asked.protocol = &protocol;
      const PlannedSeat& seat = session.players.front().periods[trial.period - 1];
      const StudyScene& scene = scenes_.at(sceneKeyOf(seat));
      asked.loaded = &scene.loaded;
      asked.law = scene.law;
      asked.method = methodOf(seat);
      asked.session = &session;
      asked.trial = &trial;
      asked.attempt = progress.attempt();
      asked.timeScale = request_.timeScale;
      asked.comparison = progress.comparison();
      asked.version = request_.version;
      const std::string name = recordingName(session, trial, asked.attempt);
      asked.recording = study_.path / (name + kUnfinished);
      Result<TrialResult> result = runSimulatedTrial(asked);
      if (!result) return result.error();
      if (const Result<Done> put = putRecording(asked.recording, study_.path / name); !put)
        return put.error();
      const JournalTrial entry =
          journalTrialOf(session, trial, asked.attempt, name, result.value(), progress);
      progress.add(entry);
      if (const Result<Done> kept =
              journal_.add(entry, entry.isLast ? answersAfter(protocol, session, trial)
                                               : std::vector<JournalAnswer>());
          !kept)
        return kept.error();
      const std::lock_guard lock(mutex_);
      ++figures_.trials;
      figures_.simulatedSeconds += 1e-3 * static_cast<double>(result.value().ticks);
      figures_.dropped += result.value().dropped;
      if (request_.onTrial) {
        request_.onTrial(say(session.code, " trial ", trial.number, " of ", session.trials.size(),
                             ", ", protocol.blocks[trial.block - 1].name));
      }
    }
    return Done{};
  }

  const StudyFolder& study_;
  StudyJournal& journal_;
  const SimulatedStudyRequest& request_;
  const std::map<SceneKey, StudyScene>& scenes_;
  std::mutex mutex_;
  std::map<std::string, std::vector<JournalTrial>> done_;
  std::deque<const PlannedSession*> waiting_;
  StudyRunFigures figures_;
  std::optional<Error> error_;
};

}  // namespace

JournalAnswer simulatedAnswer(const StudyProtocol& protocol, const PlannedPlayer& player,
                              std::size_t item, std::uint32_t period) {
  const QuestionItem& question = protocol.items[item].item;
  JournalAnswer answer;
  answer.participant = player.code;
  answer.item = question.name;
  answer.period = period;
  if (question.kind == AnswerKind::Text) {
    answer.text = "simulated";
    return answer;
  }
  // The first level is liked a little better; a person's habit, and chance.
  RandomStream person(player.seed + item);
  RandomStream chance(player.seed + 1000 * (period + 1) + item);
  const double habit = 0.12 * person.aroundZero();
  double liking = 0.0;
  if (period > 0) liking = player.periods[period - 1].letter == "A" ? 0.1 : -0.07;
  const double share = 0.58 + habit + (question.kind == AnswerKind::Tlx ? -liking : liking) +
                       0.15 * (chance.aroundZero() + chance.aroundZero());
  const double value = question.least + share * (question.most - question.least);
  answer.value = std::clamp(std::round(value), question.least, question.most);
  return answer;
}

Result<StudyRunFigures> simulateStudy(const StudyFolder& study, StudyJournal& journal,
                                      const SimulatedStudyRequest& request) {
  const Result<std::map<SceneKey, StudyScene>> scenes = scenesOf(study, request.objects);
  if (!scenes) return scenes.error();
  return Runner(study, journal, request, scenes.value()).run();
}

}  // namespace tactus::studies
