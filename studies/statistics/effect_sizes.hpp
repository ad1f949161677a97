#pragma once
#include <optional>
#include <span>

namespace tactus::studies {

/// How large a mean difference is, in standard deviations.
struct StandardizedDifference {
  double ofDifferences = 0.0;    ///< d_z = mean / sd of the differences
  double corrected = 0.0;        ///< g_z, the same without its bias in small samples
  double low = 0.0, high = 0.0;  ///< confidence interval of d_z
};

/// Source: J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988 (d_z); L.
/// Hedges, "Distribution theory for Glass's estimator of effect size and related estimators", 1981:
/// times Gamma(m/2) / (sqrt(m/2) Gamma((m-1)/2)), m = n - 1. Interval: by the noncentral t
/// distribution; G. Cumming and S. Finch, "A primer on the understanding, use, and calculation of
/// confidence intervals ...", 2001. Nothing as of oneSampleT(), or of fewer than three values.
[[nodiscard]] std::optional<StandardizedDifference> standardizedDifference(
    std::span<const double> differences, double confidence = 0.95);

/// d_av: mean difference over the mean of both standard deviations, which can be compared with
/// studies between groups; D. Lakens, "Calculating and reporting effect sizes ...", 2013. Zero
/// where nothing varies.
[[nodiscard]] double differenceInAverageSd(std::span<const double> under,
                                           std::span<const double> over);

}  // namespace tactus::studies
