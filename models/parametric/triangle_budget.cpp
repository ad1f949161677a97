#include "models/parametric/triangle_budget.hpp"

#include <cmath>
#include <utility>

namespace tactus::models {
namespace {

// Good enough to stop looking, and good enough not to begin the search over the grid.
constexpr double kGood = 0.003;
constexpr double kAcceptable = 0.01;

// The staircase settles in two or three steps; more would go round in circles.
constexpr int kSteps = 5;

}  // namespace

Mesh fitToTriangles(std::size_t triangles, double area,
                    const std::function<Mesh(const Fineness&)>& make) {
  const auto wanted = static_cast<double>(triangles);
  Mesh best;
  double bestMiss = -1.0;
  double bestEdge = 0.0;
  const auto attempt = [&](const Fineness& fineness) {
    Mesh mesh = make(fineness);
    const auto made = static_cast<double>(mesh.triangles.size());
    const double miss = std::abs(made / wanted - 1.0);
    if (bestMiss < 0.0 || miss < bestMiss) {
      best = std::move(mesh);
      bestMiss = miss;
      bestEdge = fineness.edge;
    }
    return made;
  };

  // An equilateral triangle of edge e has the area e^2 sqrt(3) / 4.
  double edge = std::sqrt(area / wanted * 4.0 / std::sqrt(3.0));
  for (int step = 0; step < kSteps && (bestMiss < 0.0 || bestMiss > kGood); ++step) {
    edge *= std::sqrt(attempt({edge, 1.0}) / wanted);
  }
  const double centre = bestEdge;
  for (const double rowShare : {1.0, 0.95, 1.05, 0.9, 1.1, 0.85, 1.15}) {
    for (int step = 1; step <= 24 && bestMiss > kAcceptable; ++step) {
      // Alternates between finer and coarser, further and further from where the steps came to.
      const double shift = 0.005 * (step % 2 == 0 ? step : -(step + 1));
      attempt({centre * (1.0 + shift), rowShare});
    }
  }
  return best;
}

}  // namespace tactus::models
