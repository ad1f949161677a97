#include "models/parametric/triangle_budget.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace tactus::models {
namespace {

// Good enough at the first attempt, and later.
constexpr double kGood = 0.005;
constexpr double kAcceptable = 0.01;

// The staircase settles in two or three steps; more would go round in circles.
constexpr int kSteps = 5;

// Where features make more triangles than evenness asks for, these steps can swing to and fro.
// Halving between an edge far too short and one far too long always arrives at a stair; another row
// share moves the stairs. Large shares leave rows out: they make needles, and are for shapes of so
// many features that nothing else comes near a thousand triangles.
constexpr double kBracket = 6.0;
constexpr int kHalvings = 14;
constexpr std::array kRowShares{1.0, 0.97, 1.03, 0.94, 1.06, 0.9, 1.1, 0.85, 1.2, 1.3,
                                1.4, 1.55, 1.7,  1.85, 2.0,  2.2, 2.4, 2.6,  2.8, 3.2};
constexpr double kLargestFairShare = 1.2;
constexpr double kTolerable = 0.025;

}  // namespace

Mesh fitToTriangles(std::size_t triangles, double area,
                    const std::function<Mesh(const Fineness&)>& make) {
  const auto wanted = static_cast<double>(triangles);
  Mesh best;
  double bestMiss = -1.0;
  const auto attempt = [&](const Fineness& fineness) {
    Mesh mesh = make(fineness);
    const auto made = static_cast<double>(mesh.triangles.size());
    const double miss = std::abs(made / wanted - 1.0);
    if (bestMiss < 0.0 || miss < bestMiss) {
      best = std::move(mesh);
      bestMiss = miss;
    }
    return made;
  };

  // An equilateral triangle of edge e has the area e^2 sqrt(3) / 4.
  const double ideal = std::sqrt(area / wanted * 4.0 / std::sqrt(3.0));
  double edge = ideal;
  for (int step = 0; step < kSteps; ++step) {
    edge *= std::sqrt(attempt({edge, 1.0}) / wanted);
    if (bestMiss <= (step == 0 ? kGood : kAcceptable)) return best;
  }
  for (const double rowShare : kRowShares) {
    if (rowShare > kLargestFairShare && bestMiss <= kTolerable) return best;
    double fine = ideal / kBracket;
    double coarse = ideal * kBracket;
    for (int step = 0; step < kHalvings; ++step) {
      const double middle = std::sqrt(fine * coarse);
      (attempt({middle, rowShare}) > wanted ? fine : coarse) = middle;
      if (bestMiss <= kAcceptable) return best;
    }
  }
  return best;
}

}  // namespace tactus::models
