// Result: a value or the reason why there is none.
#include "models/mesh/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace tactus::models {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) {
    return Error{Reason::BadValue, number, "7 is odd, so it has no half; give an even number."};
  }
  return number / 2;
}

TEST(Result, HoldsTheValue) {
  Result<int> result = half(8);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 4);
  result.value() = 5;
  EXPECT_EQ(std::as_const(result).value(), 5);
}

TEST(Result, HoldsTheErrorWithReasonPlaceAndSentence) {
  const Result<int> result = half(7);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().reason, Reason::BadValue);
  EXPECT_EQ(result.error().index, 7);
  EXPECT_EQ(result.error().sentence.substr(0, 8), "7 is odd");
}

TEST(Result, RefusesTheOtherSide) {
  EXPECT_THROW(static_cast<void>(half(7).value()), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(half(8).error()), std::bad_variant_access);
}

TEST(Result, MovesTheValueOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(result).value();
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, OfNothingStillTellsSuccessFromFailure) {
  const Result<Done> done = Done{};
  EXPECT_TRUE(done.ok());
  const Result<Done> failed = Error{};
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().index, -1);
}

}  // namespace
}  // namespace tactus::models
