// Balance is counted, not believed: places, and who follows whom.
#include "studies/plan/williams_orders.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tactus::studies {
namespace {

TEST(WilliamsOrders, EachConditionIsInEachPlaceAndAfterEachOtherEquallyOften) {
  for (std::size_t n = 1; n <= 9; ++n) {
    SCOPED_TRACE(n);
    const std::vector<std::vector<std::size_t>> orders = williamsOrders(n);
    EXPECT_EQ(orders.size(), n % 2 == 0 || n == 1 ? n : 2 * n);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places, followers;
    for (const std::vector<std::size_t>& order : orders) {
      EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), n);
      for (std::size_t k = 0; k < n; ++k) {
        ++places[{order[k], k}];
        if (k > 0) ++followers[{order[k - 1], order[k]}];
      }
    }
    EXPECT_EQ(places.size(), n * n);
    for (const auto& [place, count] : places)
      EXPECT_EQ(count, orders.size() / n);
    EXPECT_EQ(followers.size(), n * (n - 1));
    for (const auto& [pair, count] : followers)
      EXPECT_EQ(count, orders.size() / n);
  }
}

}  // namespace
}  // namespace tactus::studies
