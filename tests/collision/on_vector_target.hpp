#pragma once
#include <gtest/gtest.h>

#include <string>

#include "models/lanes/vector_target.hpp"

namespace tactus::tests {

/// A case for each vector target of this machine, which the case chooses when it has made what it
/// needs; the best one is back afterwards. In a test file:
///
///   using ProximityOn = tests::OnVectorTarget;
///   INSTANTIATE_TEST_SUITE_P(Targets, ProximityOn, tests::eachTarget(), tests::targetName);
///   TEST_P(ProximityOn, SameBytesEverywhere) { expectScalarBytes(hash); }
class OnVectorTarget : public testing::TestWithParam<models::VectorTarget> {
 protected:
  void TearDown() override { ASSERT_TRUE(models::useTarget(models::bestTarget())); }

  /// That hash() is the same by the case's target and by the scalar twin.
  template <typename Hash>
  void expectScalarBytes(const Hash& hash) {
    ASSERT_TRUE(models::useTarget(GetParam()));
    const auto here = hash();
    ASSERT_TRUE(models::useTarget(models::VectorTarget::Scalar));
    EXPECT_EQ(here, hash());
  }
};

inline auto eachTarget() {
  return testing::ValuesIn(models::supportedTargets());
}

inline std::string targetName(const testing::TestParamInfo<models::VectorTarget>& target) {
  return std::string(nameOf(target.param));
}

}  // namespace tactus::tests
