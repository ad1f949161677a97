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
/// with the lower number. Spots get lighter only, so the heap learns of it when they are on top.
class Crowd {
 public:
  explicit Crowd(std::vector<float> weights)
      : weights_(std::move(weights)), isGone_(weights_.size(), 0) {
    heap_.reserve(weights_.size());
    for (std::uint32_t spot = 0; spot < weights_.size(); ++spot)
      heap_.push_back({weights_[spot], spot});
    for (std::size_t i = heap_.size() / 2; i-- > 0;)
      sink(i);
  }

  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  [[nodiscard]] bool has(std::uint32_t spot) const noexcept { return isGone_[spot] == 0; }

  std::uint32_t takeMostCrowded() {
    while (heap_.front().weight != weights_[heap_.front().spot]) {
      heap_.front().weight = weights_[heap_.front().spot];
      sink(0);
    }
    const std::uint32_t top = heap_.front().spot;
    isGone_[top] = 1;
    heap_.front() = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0);
    return top;
  }

  void lighten(std::uint32_t spot, float weight) { weights_[spot] -= weight; }

 private:
  struct Entry {
    float weight;
    std::uint32_t spot;
  };

  [[nodiscard]] static bool isBefore(const Entry& a, const Entry& b) noexcept {
    return a.weight != b.weight ? a.weight > b.weight : a.spot < b.spot;
  }
  void sink(std::size_t at) {
    const Entry entry = heap_[at];
    while (true) {
      std::size_t child = 2 * at + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && isBefore(heap_[child + 1], heap_[child])) ++child;
      if (!isBefore(heap_[child], entry)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = entry;
  }

  std::vector<float> weights_;
  std::vector<std::uint8_t> isGone_;
  std::vector<Entry> heap_;
};

/// One round: takes spots out of `kept` until `target` are left, and returns those in the order in
/// which they went.
std::vector<std::uint32_t> thin(std::span<const SurfaceSpot> spots,
                                std::vector<std::uint32_t>& kept, std::size_t target, double area,
                                unsigned threads) {
  const auto reach = static_cast<float>(latticeSpacing(area, target));
  const PointGrid grid(kept.size(), reach, [&](std::size_t i) { return spots[kept[i]].place; });
  std::vector<SurfaceSpot> here(
      kept.size());  // as the grid has them: neighbours are near in memory
  for (std::size_t k = 0; k < here.size(); ++k)
    here[k] = spots[kept[grid.order()[k]]];

  const double share = static_cast<double>(target) / static_cast<double>(kept.size());
  const auto least =
      static_cast<float>(static_cast<double>(reach) * kBeta * (1.0 - share * std::sqrt(share)));
  const auto weightOf = [&](std::uint32_t k, std::uint32_t other) {
    const float squared = apartness(here[k], here[other], reach * reach);
    if (squared >= reach * reach) return 0.0F;
    return eighthPower(1.0F - std::max(std::sqrt(squared), least) / reach);
  };
  std::vector<float> weights(here.size());
  // the neighbours of each block's spots, one list a block
  std::vector<std::vector<std::uint32_t>> neighbours((here.size() + kBlock - 1) / kBlock);
  std::vector<std::uint32_t> ends(here.size());
  models::parallelFor(here.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t>& list = neighbours[begin / kBlock];
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<std::uint32_t>(i);
      double weight = 0.0;
      grid.near(here[i].place, reach, [&](std::uint32_t other) {
        const float w = other == k ? 0.0F : weightOf(k, other);
        if (w == 0.0F) return;
        weight += static_cast<double>(w);
        list.push_back(other);
      });
      weights[i] = static_cast<float>(weight);
      ends[i] = static_cast<std::uint32_t>(list.size());
    }
  });
  Crowd crowd(std::move(weights));
  std::vector<std::uint32_t> gone;
  gone.reserve(here.size() - target);
  while (crowd.size() > target) {
    const std::uint32_t k = crowd.takeMostCrowded();
    gone.push_back(kept[grid.order()[k]]);
    const std::vector<std::uint32_t>& list = neighbours[k / kBlock];
    for (std::size_t i = k % kBlock == 0 ? 0 : ends[k - 1]; i < ends[k]; ++i) {
      if (crowd.has(list[i])) crowd.lighten(list[i], weightOf(k, list[i]));
    }
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
