#include "collision/pointshell/nested_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

// Fewer than these are not ordered any more.
constexpr std::size_t kFew = 16;

constexpr std::size_t kBlock = 1024;  // spots

// Yuksel's limit of weights: neighbours nearer than this share of the radius count as if they were
// there, or pairs that happen to lie close would decide about whole regions.
constexpr double kBeta = 0.65;

float eighthPower(float x) noexcept {
  const float x2 = x * x;
  const float x4 = x2 * x2;
  return x4 * x4;
}

/// The spots of one round in a heap with the most crowded one on top; of equally crowded ones that
/// with the lower number.
class Crowd {
 public:
  explicit Crowd(std::vector<float> weights)
      : weights_(std::move(weights)), heap_(weights_.size()), place_(weights_.size()) {
    std::iota(heap_.begin(), heap_.end(), 0U);
    std::iota(place_.begin(), place_.end(), 0U);
    for (std::size_t i = heap_.size() / 2; i-- > 0;)
      sink(i);
  }

  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  [[nodiscard]] bool has(std::uint32_t spot) const noexcept { return place_[spot] != kGone; }

  std::uint32_t takeMostCrowded() {
    const std::uint32_t top = heap_.front();
    place_[top] = kGone;
    const std::uint32_t last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
      put(0, last);
      sink(0);
    }
    return top;
  }

  void lighten(std::uint32_t spot, float weight) {
    weights_[spot] -= weight;
    sink(place_[spot]);
  }

 private:
  static constexpr std::uint32_t kGone = 0xffffffffU;

  [[nodiscard]] bool isBefore(std::uint32_t a, std::uint32_t b) const noexcept {
    return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
  }
  void put(std::size_t at, std::uint32_t spot) {
    heap_[at] = spot;
    place_[spot] = static_cast<std::uint32_t>(at);
  }
  void sink(std::size_t at) {
    const std::uint32_t spot = heap_[at];
    while (true) {
      std::size_t child = 2 * at + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && isBefore(heap_[child + 1], heap_[child])) ++child;
      if (!isBefore(heap_[child], spot)) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, spot);
  }

  std::vector<float> weights_;
  std::vector<std::uint32_t> heap_, place_;
};

/// One round: takes spots out of `kept` until `target` are left, and returns those in the order in
/// which they went.
std::vector<std::uint32_t> thin(std::span<const SurfaceSpot> spots,
                                std::vector<std::uint32_t>& kept, std::size_t target, double area,
                                unsigned threads) {
  const auto reach = static_cast<float>(latticeSpacing(area, target));
  const PointGrid grid(kept.size(), reach, [&](std::size_t i) { return spots[kept[i]].place; });
  std::vector<SurfaceSpot> here(kept.size());  // as the grid has them: neighbours are near in memory
  for (std::size_t k = 0; k < here.size(); ++k)
    here[k] = spots[kept[grid.order()[k]]];

  const double share = static_cast<double>(target) / static_cast<double>(kept.size());
  const auto least =
      static_cast<float>(static_cast<double>(reach) * kBeta * (1.0 - share * std::sqrt(share)));
  const auto visitNeighbours = [&](std::uint32_t k, const auto& visit) {
    grid.near(here[k].place, reach, [&](std::uint32_t other) {
      if (other == k) return;
      const float squared = apartness(here[k], here[other], reach * reach);
      if (squared >= reach * reach) return;
      visit(other, eighthPower(1.0F - std::max(std::sqrt(squared), least) / reach));
    });
  };
  std::vector<float> weights(here.size());
  models::parallelFor(here.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      double weight = 0.0;
      visitNeighbours(static_cast<std::uint32_t>(k),
                      [&](std::uint32_t, float w) { weight += static_cast<double>(w); });
      weights[k] = static_cast<float>(weight);
    }
  });
  Crowd crowd(std::move(weights));
  std::vector<std::uint32_t> gone;
  gone.reserve(here.size() - target);
  while (crowd.size() > target) {
    const std::uint32_t k = crowd.takeMostCrowded();
    gone.push_back(kept[grid.order()[k]]);
    visitNeighbours(k, [&](std::uint32_t other, float w) {
      if (crowd.has(other)) crowd.lighten(other, w);
    });
  }
  std::vector<std::uint32_t> left;
  left.reserve(target);
  for (std::uint32_t k = 0; k < here.size(); ++k) {
    if (crowd.has(k)) left.push_back(kept[grid.order()[k]]);
  }
  kept = std::move(left);
  return gone;
}

}  // namespace

double latticeSpacing(double area, std::size_t count) noexcept {
  constexpr double kSquared = 1.1547005383792515;  // 2 / sqrt(3)
  return std::sqrt(kSquared * area / static_cast<double>(std::max<std::size_t>(1, count)));
}

std::vector<std::uint32_t> nestedSamples(std::span<const SurfaceSpot> spots, std::size_t count,
                                         double area, unsigned threads) {
  std::vector<std::uint32_t> kept(spots.size());
  std::iota(kept.begin(), kept.end(), 0U);
  if (kept.size() > count) thin(spots, kept, count, area, threads);
  std::vector<std::uint32_t> order(kept.size());
  std::size_t end = order.size();
  while (kept.size() > kFew) {
    for (const std::uint32_t spot : thin(spots, kept, kept.size() / 2, area, threads))
      order[--end] = spot;
  }
  std::copy(kept.begin(), kept.end(), order.begin());
  return order;
}

}  // namespace tactus::collision
