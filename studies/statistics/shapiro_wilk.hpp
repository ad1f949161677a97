#pragma once
#include <optional>
#include <span>

namespace tactus::studies {

struct ShapiroWilkTest {
  double w = 1.0;
  double p = 1.0;
};

/// Can values be of a normal distribution? Of 3 to 5000 values that are not all the same.
///
/// Source: S. Shapiro and M. Wilk, "An analysis of variance test for normality (complete samples)",
/// 1965; weights and p value after P. Royston, "Remark AS R94: a remark on algorithm AS 181: the
/// W-test for normality", 1995. How ours differs: normal quantiles to full accuracy, as in R.
[[nodiscard]] std::optional<ShapiroWilkTest> shapiroWilk(std::span<const double> values);

}  // namespace tactus::studies
