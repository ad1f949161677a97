#include "studies/export/pseudonyms.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tactus::studies {
namespace {

TEST(Pseudonyms, AreOnesOwnAndDependOnTheKey) {
  const StudyPlan plan = planOf(findProtocol("dof-game").value(), 24);
  const Pseudonyms one = pseudonymsFor(plan, 1);
  std::set<std::string> codes;
  for (const auto& [code, pseudonym] : one)
    EXPECT_TRUE(codes.insert(pseudonym).second) << code;
  EXPECT_EQ(one.size(), 24U + 12U + 12U);
  EXPECT_EQ(pseudonymsFor(plan, 1), one);
  EXPECT_NE(pseudonymsFor(plan, 2), one);
}

TEST(Pseudonyms, NothingOfTheOldCodesAndTextsIsLeft) {
  const StudyProtocol protocol = findProtocol("dof-game").value();
  const StudyPlan plan = planOf(protocol, 2);
  TrialTable table;
  table.facts = factsOf(protocol, 2, plan.seed, true, "1");
  table.trials.emplace_back();
  table.trials[0].participant = "P01";
  table.trials[0].session = "S01";
  table.trials[0].pair = "R01";
  table.trials[0].recording = "recordings/S01-T001-1.tacr";
  table.answers.push_back({.participant = "P01",
                           .period = 0,
                           .conditions = {},
                           .item = "comment",
                           .kind = AnswerKind::Text,
                           .value = {},
                           .text = "my name is Ada"});
  table.participants.emplace_back();
  table.participants[0].participant = "P02";
  const TrialTable shown = pseudonymised(table, pseudonymsFor(plan, 3));
  EXPECT_TRUE(shown.answers.empty());
  EXPECT_EQ(shown.trials[0].participant.front(), 'X');
  EXPECT_EQ(shown.trials[0].pair.front(), 'Y');
  EXPECT_EQ(shown.trials[0].session.front(), 'Z');
  EXPECT_TRUE(shown.trials[0].recording.empty());
  EXPECT_EQ(shown.participants[0].participant.front(), 'X');
}

}  // namespace
}  // namespace tactus::studies
