// A study as its leader calls it: planned, run with simulated participants, killed and gone on
// with, looked at and exported.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/app/started_process.hpp"
#include "tests/studies/runner/small_study.hpp"

namespace tactus::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class StudyTest : public testing::Test {
 protected:
  StudyTest() : environment_{"XDG_CACHE_HOME=" + folder_.file("cache")} {
    folder_.write("scene.toml", kSmallScene);
    protocol_ = folder_.write("study.toml",
                              "scene = \"" + folder_.file("scene.toml") + "\"\n" + kSmallProtocol);
  }
  [[nodiscard]] Ended ask(const std::vector<std::string>& words) const {
    return tactus(words, environment_);
  }
  [[nodiscard]] std::string made(const std::string& name) const {
    const std::string study = folder_.file(name);
    const Ended ended = ask({"study", "new", protocol_, "--participants", "3", "-o", study});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("P03"), std::string::npos) << "the whole plan is printed";
    return study;
  }
  /// Starts a run and kills it after so long.
  void runAndKill(const std::string& study, std::chrono::milliseconds after) const {
    const pid_t child = fork();
    if (child == 0) {
      ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
      ::close(STDERR_FILENO);
      ::close(STDOUT_FILENO);
      ::execl(TACTUS_PROGRAM, TACTUS_PROGRAM, "study", "run", study.c_str(), "--simulate", nullptr);
      ::_exit(127);
    }
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
  }
  [[nodiscard]] static std::map<std::string, std::string> recordingsOf(const std::string& study) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& file : fs::directory_iterator(fs::path(study) / "recordings")) {
      if (file.path().extension() == ".tacr")
        files[file.path().filename().string()] = contentOf(file.path());
    }
    return files;
  }

  Folder folder_;
  std::vector<std::string> environment_;
  std::string protocol_;
};

TEST_F(StudyTest, KilledAndGoneOnWithItHasTheDataOfAnUnbrokenOne) {
  const std::string whole = made("whole"), broken = made("broken");
  const Ended ran = ask({"study", "run", whole, "--simulate", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json figures = Json::parse(ran.out);
  EXPECT_EQ(figures["dropped"], 0);
  EXPECT_EQ(figures["simulated"], true);
  for (const int after : {30, 90, 60, 140})
    runAndKill(broken, std::chrono::milliseconds(after));
  const Ended gone = ask({"study", "run", broken, "--simulate", "--json"});
  ASSERT_EQ(gone.code, 0) << gone.err;
  EXPECT_EQ(recordingsOf(whole), recordingsOf(broken));
  EXPECT_EQ(contentOf(fs::path(whole) / "trials" / "trials.csv"),
            contentOf(fs::path(broken) / "trials" / "trials.csv"));
  const Json again = Json::parse(ask({"study", "run", broken, "--simulate", "--json"}).out);
  EXPECT_EQ(again["trials"], 0) << "nothing is done twice";

  const Json status = Json::parse(ask({"study", "status", broken, "--json"}).out);
  ASSERT_EQ(status["participants"].size(), 3U);
  for (const Json& one : status["participants"]) {
    EXPECT_EQ(one["state"], "done");
    EXPECT_EQ(one["trials_done"], one["trials_planned"]);
    EXPECT_EQ(one["flags"][0], "simulated");
  }
  const std::string recording = (fs::path(whole) / "recordings" / "S01-T002-1.tacr").string();
  const Ended replayed = ask({"replay", recording, "--json"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;

  const std::string csv = folder_.file("csv"), bids = folder_.file("bids");
  EXPECT_EQ(ask({"study", "export", whole, "--csv", csv, "--pseudonymised"}).code, 0);
  for (const char* name : {"trials.csv", "answers.csv", "participants.csv"}) {
    const std::string text = contentOf(fs::path(csv) / name);
    EXPECT_EQ(text.find("P0"), std::string::npos) << name;
    EXPECT_EQ(text.find("S0"), std::string::npos) << name;
  }
  EXPECT_EQ(ask({"study", "export", whole, "--csv", csv}).code, 2) << "nothing is overwritten";
  EXPECT_EQ(ask({"study", "export", whole, "--bids", bids}).code, 0);
  EXPECT_TRUE(fs::exists(fs::path(bids) / "dataset_description.json"));
  EXPECT_TRUE(fs::exists(fs::path(bids) / "sub-P01" / "ses-1" / "motion"));
}

TEST_F(StudyTest, TheFactorHandChangesTheHandThatHolds) {
  std::string text = "scene = \"" + folder_.file("scene.toml") + "\"\n" + kSmallProtocol;
  const std::string levels = "\"6in6out\", \"3in3out\"";
  text.replace(text.find("\"dof\""), 5, "\"hand\"");
  text.replace(text.find(levels), levels.size(), "\"dominant\", \"other\"");
  text.replace(text.find("factor = \"dof\""), 14, "factor = \"hand\"");
  const std::string protocol = folder_.write("hand.toml", text), study = folder_.file("hands");
  ASSERT_EQ(ask({"study", "new", protocol, "--participants", "2", "-o", study}).code, 0);
  const Ended ran = ask({"study", "run", study, "--simulate", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  // of the tree's names: who held it with which hand in which period
  const std::string bids = folder_.file("hands-bids");
  ASSERT_EQ(ask({"study", "export", study, "--bids", bids}).code, 0);
  std::map<std::string, std::map<std::string, std::string>> heldBy;  // participant, level
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(bids)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with("_motion.json")) continue;
    const Json about = Json::parse(contentOf(file.path()));
    const std::string hand = about["TrackingSystemName"];
    std::string& held = heldBy[name.substr(4, 3)][about["Conditions"]["hand"]];
    EXPECT_TRUE(held.empty() || held == hand) << name;
    held = hand;
  }
  ASSERT_EQ(heldBy.size(), 2U);
  for (const auto& [who, held] : heldBy) {
    ASSERT_EQ(held.size(), 2U) << who;
    EXPECT_NE(held.at("dominant"), held.at("other")) << who;
  }
  // the measures are of that hand, too: each row has one of the two
  const std::string table = contentOf(fs::path(study) / "trials" / "trials.csv");
  std::map<std::string, std::size_t> rows;
  std::vector<std::string> heads;
  std::size_t at = 0;
  while (at < table.size()) {
    const std::size_t end = table.find('\n', at);
    std::vector<std::string> cells(1);
    for (const char c : table.substr(at, end - at)) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    at = end + 1;
    if (heads.empty()) {
      heads = cells;
      continue;
    }
    const auto cell = [&](const char* name) {
      return cells[static_cast<std::size_t>(std::ranges::find(heads, name) - heads.begin())];
    };
    const bool isRight = heldBy.at(cell("participant")).at(cell("factor.hand")) == "right";
    EXPECT_EQ(cell("measure.path_right").empty(), !isRight);
    EXPECT_EQ(cell("measure.path_left").empty(), isRight);
    ++rows[cell("factor.hand")];
  }
  EXPECT_GE(rows["dominant"], 6U);
  EXPECT_GE(rows["other"], 6U);
}

TEST_F(StudyTest, MistakesAreOneSentence) {
  const std::string study = made("study");
  const std::string wrong = folder_.write("wrong.toml", "tilte = \"x\"\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"study", "new", "dof-gam", "--participants", "2", "-o", folder_.file("x")}, "'dof-game'"},
      {{"study", "new", wrong, "--participants", "2", "-o", folder_.file("x")}, "line 1"},
      {{"study", "new", protocol_, "--participants", "0", "-o", folder_.file("x")}, "1 to 1000"},
      {{"study", "new", protocol_, "--participants", "2", "-o", study}, "--force"},
      {{"study", "run", study}, "--device right=SPEC"},
      {{"study", "run", study, "--device", "right=sim:sigma77"}, "'sigma7'"},
      {{"study", "run", study, "--device", "left=sim:sigma7"}, "no hand 'left'"},
      {{"study", "run", folder_.file("none"), "--simulate"}, "study new"},
      {{"study", "run", study, "--simulate", "--participant", "P77"}, "P77"},
      {{"study", "run", study, "--simulate", "--scale-time-limits", "0"}, "greater than 0"},
      {{"study", "export", study}, "--csv"},
      {{"study", "statu", study}, "'status'"}};
  for (const auto& [words, answer] : cases) {
    const Ended ended = ask(words);
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(words);
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
    EXPECT_NE(ended.err.find(answer), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace tactus::tests
