#include "studies/plan/study_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tactus::studies {
namespace {

StudyProtocol shipped(const char* name) {
  models::Result<StudyProtocol> protocol = findProtocol(name);
  EXPECT_TRUE(protocol.ok()) << protocol.error().sentence;
  return protocol.value();
}

TEST(StudyPlan, OfPairsBalancesWhoBeginsWithWhatOnWhichSide) {
  const StudyProtocol protocol = shipped("dof-game");
  const StudyPlan plan = planOf(protocol, 24);
  ASSERT_EQ(plan.sessions.size(), 12U);
  std::map<std::pair<std::string, std::size_t>, int> combinations;
  for (const PlannedSession& session : plan.sessions) {
    ASSERT_EQ(session.players.size(), 2U);
    for (std::size_t period = 0; period < 2; ++period) {
      const PlannedSeat& one = session.players[0].periods[period];
      const PlannedSeat& other = session.players[1].periods[period];
      EXPECT_NE(one.conditions.at("dof"), other.conditions.at("dof")) << "opposed";
      EXPECT_NE(one.side, other.side);
      EXPECT_NE(one.seat, other.seat);
    }
    for (const PlannedPlayer& player : session.players) {
      EXPECT_NE(player.periods[0].letter, player.periods[1].letter) << "meets both";
      EXPECT_NE(player.periods[0].side, player.periods[1].side) << "seats are swapped";
    }
    ++combinations[{session.players[0].sequence, session.players[0].periods[0].side}];
  }
  ASSERT_EQ(combinations.size(), 4U);
  for (const auto& [combination, count] : combinations)
    EXPECT_EQ(count, 3);
}

TEST(StudyPlan, AnOddParticipantPlaysWithAFlaggedFiller) {
  const StudyPlan plan = planOf(shipped("dof-game"), 5);
  int fillers = 0;
  std::set<std::string> codes;
  for (const PlannedSession& session : plan.sessions) {
    for (const PlannedPlayer& player : session.players) {
      fillers += player.isFiller ? 1 : 0;
      EXPECT_TRUE(codes.insert(player.code).second) << "each code once";
    }
  }
  EXPECT_EQ(fillers, 1);
  EXPECT_EQ(codes.size(), 6U);
  EXPECT_TRUE(plan.sessions.back().players.back().isFiller);
}

TEST(StudyPlan, OfThreeConditionsUsesAllSixOrdersEquallyOften) {
  const StudyPlan plan = planOf(shipped("peg-in-hole"), 12);
  std::map<std::string, int> orders;
  for (const PlannedSession& session : plan.sessions)
    ++orders[session.players.front().sequence];
  ASSERT_EQ(orders.size(), 6U);
  for (const auto& [order, count] : orders)
    EXPECT_EQ(count, 2) << order;
}

TEST(StudyPlan, TheFactorHandSaysWhichHandHoldsTheHandle) {
  PlannedSession session;
  session.players.emplace_back().code = "P01";
  PlannedSeat dominant, other, neither;
  dominant.conditions["hand"] = kDominantHand;
  other.conditions["hand"] = kOtherHand;
  for (const bool isRight : {true, false}) {
    takeHandedness(session, "P01", isRight ? "0" : "-38");
    const PlannedPlayer& who = session.players.front();
    for (const models::HandName name : {models::HandName::Left, models::HandName::Right}) {
      EXPECT_EQ(isInRightHand(who, dominant, name), isRight);
      EXPECT_EQ(isInRightHand(who, other, name), !isRight);
      EXPECT_EQ(isInRightHand(who, neither, name), name == models::HandName::Right);
    }
  }
}

TEST(StudyPlan, ConstantStimuliAreEachPresentedSoOften) {
  const StudyProtocol protocol = shipped("stiffness-jnd");
  const StudyPlan plan = planOf(protocol, 2);
  const ProtocolPsychophysics asked = protocol.psychophysics.value_or(ProtocolPsychophysics{});
  std::map<double, std::uint32_t> often;
  for (const PlannedTrial& trial : plan.sessions.front().trials) {
    if (trial.period == 1 && !protocol.blocks[trial.block - 1].isPractice)
      ++often[trial.comparison];
  }
  ASSERT_EQ(often.size(), asked.comparisons.size());
  for (const auto& [comparison, count] : often)
    EXPECT_EQ(count, asked.repeats) << comparison;
}

TEST(StudyPlan, FollowsFromProtocolAndNumberAlone) {
  StudyProtocol protocol = shipped("docking");
  const std::string plan = planJson(protocol, planOf(protocol, 7));
  EXPECT_EQ(planJson(protocol, planOf(protocol, 7)), plan);
  ++protocol.seed;
  EXPECT_NE(planJson(protocol, planOf(protocol, 7)), plan);
}

}  // namespace
}  // namespace tactus::studies
