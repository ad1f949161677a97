#include "collision/surface/far_distance.hpp"

#include <limits>

namespace tactus::collision {
namespace {

// Squares end at 3e38. At 1e17 m the rounding of doubles is 16 m.
constexpr double kFar = 1e17;  // [m]

// Surfaces of that size lie about each other, however large the numbers are.
constexpr double kSizesApart = 1e9;

}  // namespace

namespace {

/// Radii of both [m].
double sizesOf(const PosedFacets& posed) noexcept {
  return static_cast<double>(posed.a->caps.front().radius[0]) +
         static_cast<double>(posed.b->caps.front().radius[0]);
}

}  // namespace

bool areFarApart(const PosedFacets& posed) noexcept {
  const double apart = posed.exactOffset.stableNorm();
  return apart > kFar && apart > kSizesApart * sizesOf(posed) &&
         apart <= std::numeric_limits<double>::max();
}

FacetDistance farDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                          const PosedFacets& posed) noexcept {
  FacetDistance result;
  const Corners ofA = posed.cornersOfA(0);
  const Corners ofB = posed.cornersOfB(0);
  result.facetA = a.arrays().facets.front();
  result.facetB = b.arrays().facets.front();
  result.distance = (ofB[0] - ofA[0]).stableNorm();
  result.least = posed.certainOf(result.distance - 2.0 * sizesOf(posed));
  result.onA = ofA[0] + a.origin();
  result.onB = ofB[0] + a.origin();
  return result;
}

}  // namespace tactus::collision
