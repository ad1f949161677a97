#include "collision/tree/neural_gas.hpp"

#include <algorithm>
#include <cmath>

#include "models/lanes/elementary.hpp"

namespace tactus::collision {
namespace {

// Weller and Cottrell et al. let lambda fall geometrically between these.
constexpr double kFirstLambda = 0.5 * kClusters;
constexpr double kLastLambda = 0.01;

// Three times as many changed the summed surface of a tree of 100,000 balls by 0.4 %, for three
// times the time.
constexpr int kRounds = 16;

// Weller's stop: prototypes move by less than this part of the cloud.
constexpr double kStandsStill = 1e-5;

using Prototypes = std::array<Eigen::Vector3d, kClusters>;

// Where the points are dense and far from each other: the first is where most is missed by the
// mean, each next one where most is missed by those before.
Prototypes firstPrototypes(const WeightedPoints& points, std::span<const std::uint32_t> indices,
                           double& spread) {
  double total = 0.0;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const std::uint32_t i : indices) {
    total += points.weights[i];
    mean += points.weights[i] * points.places[i];
  }
  if (total > 0.0) mean /= total;
  double variance = 0.0;
  for (const std::uint32_t i : indices)
    variance += points.weights[i] * (points.places[i] - mean).squaredNorm();
  spread = total > 0.0 ? std::sqrt(variance / total) : 0.0;

  Prototypes prototypes;
  prototypes.fill(mean);
  for (std::size_t k = 0; k < kClusters; ++k) {
    double most = -1.0;
    std::uint32_t chosen = 0;
    for (const std::uint32_t i : indices) {
      double nearest = (points.places[i] - prototypes[0]).squaredNorm();
      for (std::size_t j = 1; j < k; ++j)
        nearest = std::min(nearest, (points.places[i] - prototypes[j]).squaredNorm());
      const double missed = points.weights[i] * nearest;
      if (missed > most) {
        most = missed;
        chosen = i;
      }
    }
    prototypes[k] = points.places[chosen];
  }
  return prototypes;
}

std::array<double, kClusters> distances(const Prototypes& prototypes,
                                        const Eigen::Vector3d& place) {
  std::array<double, kClusters> d2{};
  for (std::size_t k = 0; k < kClusters; ++k)
    d2[k] = (prototypes[k] - place).squaredNorm();
  return d2;
}

}  // namespace

void neuralGas(const WeightedPoints& points, std::span<const std::uint32_t> indices,
               std::span<std::uint8_t> cluster) {
  double spread = 0.0;
  Prototypes prototypes = firstPrototypes(points, indices, spread);
  for (int round = 0; round < kRounds; ++round) {
    const double fallen = static_cast<double>(round) / (kRounds - 1);
    const double lambda =
        kFirstLambda *
        models::elementary::exp(fallen * models::elementary::log(kLastLambda / kFirstLambda));
    std::array<double, kClusters> share{};
    for (std::size_t rank = 0; rank < kClusters; ++rank)
      share[rank] = models::elementary::exp(-static_cast<double>(rank) / lambda);

    Prototypes sum;
    std::array<double, kClusters> weight{};
    sum.fill(Eigen::Vector3d::Zero());
    for (const std::uint32_t i : indices) {
      const std::array<double, kClusters> d2 = distances(prototypes, points.places[i]);
      for (std::size_t k = 0; k < kClusters; ++k) {
        std::size_t rank = 0;
        for (std::size_t other = 0; other < kClusters; ++other)
          rank += d2[other] < d2[k] ? 1U : 0U;
        const double w = share[rank] * points.weights[i];
        sum[k] += w * points.places[i];
        weight[k] += w;
      }
    }
    double moved = 0.0;
    for (std::size_t k = 0; k < kClusters; ++k) {
      if (!(weight[k] > 0.0)) continue;  // nobody's: stays where it is
      const Eigen::Vector3d there = sum[k] / weight[k];
      moved = std::max(moved, (there - prototypes[k]).norm());
      prototypes[k] = there;
    }
    if (moved <= kStandsStill * spread) break;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::array<double, kClusters> d2 = distances(prototypes, points.places[indices[i]]);
    cluster[i] = static_cast<std::uint8_t>(std::min_element(d2.begin(), d2.end()) - d2.begin());
  }
}

}  // namespace tactus::collision
