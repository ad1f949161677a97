#pragma once
#include <cstddef>
#include <vector>

namespace tactus::studies {

/// Orders of n conditions in which each stands equally often in each place and follows each other
/// equally often: n orders for even n, 2 n for odd.
///
/// Source: E. Williams, "Experimental designs balanced for the estimation of residual effects of
/// treatments", 1949. How ours differs: not at all. The first order is 0, 1, n-1, 2, n-2, ...; the
/// others add 1 to each; for odd n their mirror images follow.
[[nodiscard]] std::vector<std::vector<std::size_t>> williamsOrders(std::size_t conditions);

}  // namespace tactus::studies
