#include "studies/plan/williams_orders.hpp"

#include <algorithm>

namespace tactus::studies {

std::vector<std::vector<std::size_t>> williamsOrders(std::size_t conditions) {
  std::vector<std::size_t> first;
  first.reserve(conditions);
  for (std::size_t k = 0; k < conditions; ++k)
    first.push_back(k % 2 == 1 ? (k + 1) / 2 : (conditions - k / 2) % conditions);
  std::vector<std::vector<std::size_t>> orders;
  for (std::size_t shift = 0; shift < conditions; ++shift) {
    std::vector<std::size_t> order = first;
    for (std::size_t& condition : order)
      condition = (condition + shift) % conditions;
    orders.push_back(std::move(order));
  }
  if (conditions % 2 == 1 && conditions > 1) {
    for (std::size_t k = 0; k < conditions; ++k) {
      orders.push_back(orders[k]);
      std::ranges::reverse(orders.back());
    }
  }
  return orders;
}

}  // namespace tactus::studies
