// A whole study with simulated participants: measured again from its raw data it is the same to the
// bit, and broken off and gone on with it is the same as in one go.
#include "studies/runner/study_runner.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "studies/measures/recorded_trial.hpp"
#include "tests/studies/runner/built_objects.hpp"
#include "tests/studies/runner/small_study.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class StudyRunnerTest : public testing::Test {
 protected:
  StudyRunnerTest()
      : folder_(fs::temp_directory_path() / ("tactus-study-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "scene.toml") << tests::kSmallScene;
    std::ofstream(folder_ / "study.toml")
        << "scene = \"" << (folder_ / "scene.toml").string() << "\"\n"
        << tests::kSmallProtocol;
  }
  ~StudyRunnerTest() override { fs::remove_all(folder_); }

  StudyFolder made(const char* name) {
    const models::Result<StudyProtocol> protocol = findProtocol((folder_ / "study.toml").string());
    EXPECT_TRUE(protocol.ok()) << protocol.error().sentence;
    return makeStudy(protocol.value(), 2, folder_ / name, false).value();
  }
  static StudyRunFigures run(const StudyFolder& study, SimulatedStudyRequest request = {}) {
    const auto journal = StudyJournal::open(study.path / kJournalFile);
    EXPECT_TRUE(journal.ok());
    request.objects = tests::builtObject;
    request.version = "test";
    const models::Result<StudyRunFigures> figures = simulateStudy(study, *journal.value(), request);
    EXPECT_TRUE(figures.ok()) << figures.error().sentence;
    return figures.value();
  }

  fs::path folder_;
};

TEST_F(StudyRunnerTest, MeasuresOfRawDataAreThoseTakenOnLine) {
  const StudyFolder study = made("whole");
  const StudyRunFigures figures = run(study);
  EXPECT_EQ(figures.dropped, 0U);
  EXPECT_GE(figures.trials, 16U);
  const auto journal = StudyJournal::open(study.path / kJournalFile);
  std::size_t successes = 0;
  const std::vector<JournalTrial> trials = journal.value()->trials().value();
  for (const JournalTrial& done : trials) {
    const auto session =
        std::ranges::find(study.plan.sessions, done.session, &PlannedSession::code);
    const models::Result<std::vector<PlayerResult>> again = measureRecording(
        study.protocol, *session, session->trials[done.number - 1], study.path / done.recording);
    ASSERT_TRUE(again.ok()) << again.error().sentence;
    ASSERT_EQ(again.value().size(), done.players.size());
    EXPECT_EQ(again.value()[0].measures, done.players[0].measures);
    EXPECT_EQ(again.value()[0].censored, done.players[0].censored);
    EXPECT_GT(done.players[0].measures.at("path_dominant"), 0.0);
    successes += done.isSuccess ? 1U : 0U;
  }
  EXPECT_GT(successes, 0U) << "somebody sets a box onto the block";
  const auto status = studyStatus(study, *journal.value()).value();
  ASSERT_EQ(status.size(), 2U);
  for (const ParticipantStatus& one : status) {
    EXPECT_EQ(one.state, "done");
    EXPECT_EQ(one.done, one.planned);
  }
  ASSERT_TRUE(keepStudyTable(study, *journal.value(), "test").ok());
  const TrialTable table = readTrialTable(study.path / kTrialsFolder).value();
  EXPECT_TRUE(table.facts.isSimulated);
  EXPECT_EQ(table, studyTable(study, *journal.value(), "test").value());
  EXPECT_EQ(table.answers.size(), 2U * 2U + 2U) << "one item a period, one at the end";
}

TEST_F(StudyRunnerTest, BrokenOffAndGoneOnWithItIsTheSame) {
  const StudyFolder whole = made("whole"), broken = made("broken");
  run(whole);
  // one participant, then a trial of which the journal knows nothing, then the rest
  SimulatedStudyRequest first;
  first.participant = "P02";
  first.threads = 1;
  const StudyRunFigures half = run(broken, first);
  const PlannedSession& session = broken.plan.sessions.front();
  std::ofstream(broken.path / recordingName(session, session.trials.front(), 1)) << "cut off";
  std::ofstream(broken.path / (recordingName(session, session.trials[1], 1) + ".part")) << "cut";
  const StudyRunFigures rest = run(broken);
  EXPECT_EQ(rest.trialsBefore, session.trials.size());
  EXPECT_EQ(run(broken).trials, 0U) << "nothing is done twice";
  EXPECT_GT(half.trials, 0U);
  std::size_t compared = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(whole.path / kRecordingsFolder)) {
    EXPECT_EQ(bytesOf(file.path()),
              bytesOf(broken.path / kRecordingsFolder / file.path().filename()))
        << file.path().filename();
    ++compared;
  }
  EXPECT_EQ(compared, half.trials + rest.trials);
  const auto one = StudyJournal::open(whole.path / kJournalFile);
  const auto other = StudyJournal::open(broken.path / kJournalFile);
  EXPECT_EQ(studyTable(whole, *one.value(), "").value(),
            studyTable(broken, *other.value(), "").value());
}

TEST_F(StudyRunnerTest, AStudyThatWasChangedIsNotOpened) {
  const StudyFolder study = made("study");
  ASSERT_TRUE(openStudy(study.path).ok()) << openStudy(study.path).error().sentence;
  std::ofstream(study.path / kProtocolFile, std::ios::app) << "\n# changed\n";
  const models::Result<StudyFolder> changed = openStudy(study.path);
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().sentence.find("changed"), std::string::npos);
  EXPECT_FALSE(makeStudy(study.protocol, 2, study.path, false).ok()) << "nothing is overwritten";
  fs::create_directories(folder_ / "other" / "things");
  EXPECT_FALSE(makeStudy(study.protocol, 2, folder_ / "other", true).ok());
  EXPECT_TRUE(fs::exists(folder_ / "other" / "things"));
}

}  // namespace
}  // namespace tactus::studies
