#include "haptics/tick/tick_parameters.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::haptics {
namespace {

TickParameters anyParameters() {
  tests::SeededBits random(3);
  TickParameters parameters;
  for (std::size_t index = 0; index < parameterCount(); ++index)
    setParameter(parameters, index, random.between(0.0, 2.0));
  return parameters;
}

TEST(TickParameters, EachHasANameOfItsOwnThatFindsIt) {
  std::set<std::string> names;
  for (std::size_t index = 0; index < parameterCount(); ++index) {
    const std::string name = parameterName(index).data();
    EXPECT_LT(name.size(), 31U) << name;  // none was cut off
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(parameterNamed(name), index);
  }
  EXPECT_EQ(names.count("right.stiffness"), 1U);
  EXPECT_EQ(names.count("left2.is_passivity_on"), 1U);
  EXPECT_EQ(names.count("gravity.y"), 1U);
  EXPECT_EQ(parameterNamed("right.stifness"), parameterCount());
}

TEST(TickParameters, EachSetsOneNumberAndNoOther) {
  const TickParameters before = anyParameters();
  for (std::size_t index = 0; index < parameterCount(); ++index) {
    TickParameters after = before;
    const double other = parameterAt(before, index) == 1.0 ? 0.0 : 1.0;
    setParameter(after, index, other);
    EXPECT_EQ(parameterAt(after, index), other) << parameterName(index).data();
    for (std::size_t k = 0; k < parameterCount(); ++k) {
      if (k == index) continue;
      EXPECT_EQ(parameterAt(after, k), parameterAt(before, k));
    }
  }
}

TEST(TickParameters, TextReadsBackToTheBit) {
  const TickParameters written = anyParameters();
  TickParameters read;
  ASSERT_TRUE(readParameters(parametersText(written), read));
  for (std::size_t index = 0; index < parameterCount(); ++index)
    EXPECT_EQ(parameterAt(read, index), parameterAt(written, index));
}

TEST(TickParameters, WhatIsNoneIsRefused) {
  TickParameters parameters;
  EXPECT_FALSE(readParameters("right.stifness 3\n", parameters));
  EXPECT_FALSE(readParameters("right.stiffness\n", parameters));
  EXPECT_FALSE(readParameters("right.stiffness 3N\n", parameters));
  setParameter(parameters, parameterNamed("law"), 77.0);
  EXPECT_EQ(parameters.law, response::ContactLaw::Depth);
}

}  // namespace
}  // namespace tactus::haptics
