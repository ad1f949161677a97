#include "studies/runner/staircase.hpp"

#include <gtest/gtest.h>

namespace tactus::studies {
namespace {

TEST(Staircase, GoesDownAfterTwoRightAnswersAndUpAfterAWrongOne) {
  StudyProtocol protocol = findProtocol("stiffness-jnd").value();
  ASSERT_FALSE(Staircase(protocol).isUsed()) << "constant stimuli";
  ProtocolPsychophysics& asked = protocol.psychophysics.emplace();
  asked.method = PsychophysicsMethod::OneUpTwoDown;
  asked.reference = 600.0;
  asked.start = 300.0;
  asked.step = 50.0;
  asked.reversals = 2;
  Staircase staircase(protocol);
  ASSERT_TRUE(staircase.isUsed());
  EXPECT_EQ(staircase.comparison(), 900.0);
  staircase.answer(true);
  EXPECT_EQ(staircase.comparison(), 900.0);
  staircase.answer(true);
  EXPECT_EQ(staircase.comparison(), 850.0);
  staircase.answer(false);  // reversal at 250
  EXPECT_EQ(staircase.comparison(), 900.0);
  EXPECT_FALSE(staircase.threshold().has_value());
  staircase.answer(true);
  staircase.answer(true);  // reversal at 300
  EXPECT_EQ(staircase.comparison(), 850.0);
  EXPECT_NEAR(staircase.threshold().value_or(0.0), 275.0, 1e-12);
}

}  // namespace
}  // namespace tactus::studies
