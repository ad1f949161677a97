// What is written reads back to the bit, whatever the locale says; what could not is refused.
#include "studies/trials/trial_table.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;

class TrialTableFiles : public testing::Test {
 protected:
  TrialTableFiles()
      : folder_(fs::path(testing::TempDir()) /
                (std::string("trial_table_") +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
  }
  ~TrialTableFiles() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string content(const char* file) const {
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }
  void replace(const char* file, const std::string& what, const std::string& by) const {
    std::string text = content(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, what.size(), by);
    std::ofstream(folder_ / file) << text;
  }

  fs::path folder_;
};

TrialTable someTable() {
  TrialTable table;
  table.facts = {
      .protocol = "dof-game",
      .title = "Three or six, \"a game\"",
      .protocolHash = "0123456789abcdef",
      .softwareVersion = "0.1.0",
      .seed = 0xfedcba9876543210U,
      .isSimulated = true,
      .isPlayedInPairs = true,
      .alpha = 0.05,
      .participantsPlanned = 24,
      .factors = {{.name = "dof",
                   .label = "degrees of freedom",
                   .levels = {{"3in+buttons", "A", "three"}, {"6in6out", "B", "six"}},
                   .isWithin = true},
                  {.name = "experience", .label = "before", .levels = {}, .isWithin = false}},
      .measures = {{"path.dominant", "m", "path of the dominant hand"},
                   {"training", "s", "time to learn"}},
      .items = {{.name = "natural",
                 .kind = AnswerKind::Likert,
                 .question = "How natural, über alles?",
                 .least = 1.0,
                 .most = 5.0,
                 .leastLabel = "not",
                 .mostLabel = "perfectly"},
                {.name = "remarks",
                 .kind = AnswerKind::Text,
                 .question = "Else?",
                 .leastLabel = "",
                 .mostLabel = ""}},
      .outcomes = {{.name = "path.dominant",
                    .label = "path",
                    .source = OutcomeSource::Measure,
                    .scale = OutcomeScale::Interval,
                    .factor = "dof",
                    .family = "motion",
                    .isPrimary = true,
                    .isOfPractice = false,
                    .equivalence = EquivalenceBounds{-0.1, 1.0 / 3.0}},
                   {.name = "animals",
                    .label = "pocketed",
                    .source = OutcomeSource::Counts,
                    .scale = OutcomeScale::Kinds,
                    .factor = "dof",
                    .family = "",
                    .equivalence = std::nullopt}},
      .exclusionRules = {"timing was bad", "left early"},
      .procedure = {"training, 3 min", "game, \"3 min\""}};
  TrialRow row{.study = "dof-game",
               .participant = "P01",
               .pair = "Q1",
               .session = "1",
               .seat = "north",
               .side = "left, \"far\"\nside",
               .period = 1,
               .sequence = "AB",
               .block = 2,
               .trial = 3,
               .isPractice = true,
               .exclusionReason = "",
               .flags = {"paused", "timing bad"},
               .recording = "raw/P01.tacr",
               .conditions = {{"dof", "6in6out"}},
               .measures = {{"path.dominant", 1.0 / 3.0}, {"training", 180.0}},
               .censored = {"training"},
               .counts = {{"bear", 0}, {"rhino", 18446744073709551615U}}};
  table.trials.push_back(row);
  row.participant = "P02";
  row.isPractice = false;
  row.isFiller = row.isExcluded = true;
  row.exclusionReason = "filler";
  row.flags.clear();
  row.measures = {{"path.dominant", -5e-324}};
  row.censored.clear();
  row.counts = {{"duck", 2}};
  row.conditions.clear();
  table.trials.push_back(row);
  table.answers = {{.participant = "P01",
                    .period = 1,
                    .conditions = {{"dof", "6in6out"}},
                    .item = "natural",
                    .kind = AnswerKind::Likert,
                    .value = 4.0,
                    .text = ""},
                   {.participant = "P01",
                    .period = 2,
                    .conditions = {},
                    .item = "natural",
                    .kind = AnswerKind::Likert,
                    .value = std::nullopt,
                    .text = ""},
                   {.participant = "P02",
                    .period = 0,
                    .conditions = {},
                    .item = "remarks",
                    .kind = AnswerKind::Text,
                    .value = std::nullopt,
                    .text = "fine, \"really\"\r\nso"}};
  table.participants = {{.participant = "P01",
                         .pair = "Q1",
                         .sequence = "AB",
                         .exclusionReason = "",
                         .facts = {{"experience", "yes"}, {"handedness", "left"}}},
                        {.participant = "P02",
                         .pair = "Q1",
                         .sequence = "BA",
                         .isFiller = true,
                         .isExcluded = true,
                         .exclusionReason = "only a partner, left",
                         .facts = {}}};
  return table;
}

TEST_F(TrialTableFiles, WhatIsWrittenReadsBackToTheBit) {
  const TrialTable table = someTable();
  ASSERT_TRUE(writeTrialTable(table, folder_, false));
  const auto read = readTrialTable(folder_);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read.value(), table);
}

TEST_F(TrialTableFiles, AnEmptyTableIsOneToo) {
  ASSERT_TRUE(writeTrialTable({}, folder_, false));
  const auto read = readTrialTable(folder_);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read.value(), TrialTable());
}

TEST_F(TrialTableFiles, TheLocaleChangesNothing) {
  ASSERT_TRUE(writeTrialTable(someTable(), folder_, false));
  const std::string plain = content(kTrialsFile);
  EXPECT_NE(plain.find("0.3333333333333333"), std::string::npos);
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before == nullptr ? "C" : before;
  // any with a decimal comma; where none is installed the numbers are compared all the same
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_TRUE(writeTrialTable(someTable(), folder_, true));
  const auto read = readTrialTable(folder_);
  std::setlocale(LC_ALL, kept.c_str());
  EXPECT_EQ(content(kTrialsFile), plain);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read.value(), someTable());
}

TEST_F(TrialTableFiles, NothingIsOverwrittenUnasked) {
  ASSERT_TRUE(writeTrialTable(someTable(), folder_, false));
  const auto again = writeTrialTable(someTable(), folder_, false);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().reason, models::Reason::AlreadyExists);
  EXPECT_TRUE(writeTrialTable(someTable(), folder_, true));
}

TEST_F(TrialTableFiles, WhatCouldNotBeReadBackIsRefused) {
  TrialTable table = someTable();
  table.trials[0].measures["training"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.trials[0].measures["unheard of"] = 1.0;
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.trials[0].conditions["unheard of"] = "A";
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.trials[0].conditions["dof"] = "";
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.trials[0].flags.insert("a;b");
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.trials[1].censored.insert("training");
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  table = someTable();
  table.answers[0].value = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(writeTrialTable(table, folder_, false));
  EXPECT_FALSE(fs::exists(folder_)) << "something was written before the mistake was found";
}

TEST_F(TrialTableFiles, MistakesInFilesAreNamedWithFileAndLine) {
  const auto missing = readTrialTable(folder_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason, models::Reason::FileMissing);

  struct Spoilt {
    const char* file;
    std::string what, by;
    std::int64_t line;
  };
  for (const Spoilt& spoilt :
       {Spoilt{kTrialsFile, "0.3333333333333333", "0,3", 2},
        Spoilt{kTrialsFile, "0.3333333333333333", "inf", 2},
        Spoilt{kTrialsFile, "0.3333333333333333", "0.3 m", 2},
        Spoilt{kTrialsFile, "measure.training", "mesure.training", 1},
        Spoilt{kTrialsFile, "seat", "sofa", 1}, Spoilt{kAnswersFile, "likert", "licked", 2},
        Spoilt{kParticipantsFile, ",1,1,", ",1,2,", 3},
        Spoilt{kDictionaryFile, "interval", "nterval", -1},
        Spoilt{kDictionaryFile, "\"seed\"", "\"sead\"", -1}}) {
    ASSERT_TRUE(writeTrialTable(someTable(), folder_, true));
    replace(spoilt.file, spoilt.what, spoilt.by);
    const auto read = readTrialTable(folder_);
    ASSERT_FALSE(read) << spoilt.by;
    EXPECT_EQ(read.error().index, spoilt.line) << read.error().sentence;
    EXPECT_NE(read.error().sentence.find(spoilt.file), std::string::npos) << read.error().sentence;
  }
}

}  // namespace
}  // namespace tactus::studies
