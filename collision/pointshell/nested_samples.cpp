#include "collision/pointshell/nested_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactus::collision {
namespace {

// Fewer than these are not ordered any more.
constexpr std::size_t kFew = 16;

constexpr std::size_t kBlock = 1024;  // spots

// With less than this, which one neighbour at 0.82 radii makes, nobody is crowded: what the spots
// weigh then is but rounding. Of the points that a round leaves on an area the nearest ones are 0.7
// radii apart, and weigh sixty times as much.
constexpr float kAlone = 1e-6F;

// Spots that go before the caller is asked again.
constexpr std::size_t kGoAtOnce = 4096;

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

  /// What the most crowded one weighs.
  float most() {
    while (heap_.front().weight != weights_[heap_.front().spot]) {
      heap_.front().weight = weights_[heap_.front().spot];
      sink(0);
    }
    return heap_.front().weight;
  }

  std::uint32_t takeMostCrowded() {
    most();
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

/// Who goes, until so many are left.
struct Thinning {
  std::span<const SurfaceSpot> spots;
  std::size_t target = 0;
  unsigned threads = 0;
  // said, for those who set some members by name: g++ warns of others without one
  models::GoesOn goesOn = {};  // NOLINT(readability-redundant-member-init)
};

/// Takes spots out of `kept` until the target is met, or nobody is crowded within `reach` and it is
/// not the last one. Adds them to `gone` in the order in which they went. False: it was ended.
bool thinBy(float reach, bool isLast, const Thinning& thinning, std::vector<std::uint32_t>& kept,
            std::vector<std::uint32_t>& gone) {
  const std::span<const SurfaceSpot> spots = thinning.spots;
  const std::size_t target = thinning.target;
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
    // of two in one place, with normals that are a little longer than 1, the square is below zero
    return eighthPower(1.0F - std::max(std::sqrt(std::max(squared, 0.0F)), least) / reach);
  };
  std::vector<float> weights(here.size());
  // the neighbours of each block's spots, one list a block
  std::vector<std::vector<std::uint32_t>> neighbours((here.size() + kBlock - 1) / kBlock);
  std::vector<std::uint32_t> ends(here.size());
  const auto weigh = [&](std::size_t begin, std::size_t end) {
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
  };
  if (!models::parallelWhile(here.size(), kBlock, thinning.threads,
                             models::partOf(thinning.goesOn, 0.0, 0.5), weigh)) {
    return false;
  }
  const auto all = static_cast<double>(here.size() - target);
  Crowd crowd(std::move(weights));
  while (crowd.size() > target && (isLast || crowd.most() >= kAlone)) {
    if (crowd.size() % kGoAtOnce == 0 && thinning.goesOn &&
        !thinning.goesOn(1.0 - 0.5 * static_cast<double>(crowd.size() - target) / all)) {
      return false;
    }
    const std::uint32_t k = crowd.takeMostCrowded();
    gone.push_back(kept[grid.order()[k]]);
    const std::vector<std::uint32_t>& list = neighbours[k / kBlock];
    for (std::size_t i = k % kBlock == 0 ? 0 : ends[k - 1]; i < ends[k]; ++i) {
      if (crowd.has(list[i])) crowd.lighten(list[i], weightOf(k, list[i]));
    }
  }
  std::vector<std::uint32_t> left;
  left.reserve(crowd.size());
  for (std::uint32_t k = 0; k < here.size(); ++k) {
    if (crowd.has(k)) left.push_back(kept[grid.order()[k]]);
  }
  kept = std::move(left);
  return true;
}

/// One round: takes spots out of `kept` until the target is met.
bool thin(const Thinning& thinning, double area, std::vector<std::uint32_t>& kept,
          std::vector<std::uint32_t>& gone) {
  Eigen::Vector3f lower = thinning.spots[kept.front()].place;
  Eigen::Vector3f upper = lower;
  for (const std::uint32_t spot : kept) {
    lower = lower.cwiseMin(thinning.spots[spot].place);
    upper = upper.cwiseMax(thinning.spots[spot].place);
  }
  const float everywhere = (upper - lower).norm();
  auto reach = static_cast<float>(latticeSpacing(area, thinning.target));
  for (; kept.size() > thinning.target; reach *= 2.0F) {
    // spots that look away from each other are never near, however far one looks
    if (!thinBy(reach, !(reach < everywhere), thinning, kept, gone)) return false;
  }
  return true;
}

}  // namespace

double latticeSpacing(double area, std::size_t count) noexcept {
  constexpr double kSquared = 1.1547005383792515;  // 2 / sqrt(3)
  return std::sqrt(kSquared * area / static_cast<double>(std::max<std::size_t>(1, count)));
}

std::vector<std::uint32_t> nestedSamples(std::span<const SurfaceSpot> spots, std::size_t count,
                                         double area, unsigned threads,
                                         const models::GoesOn& goesOn) {
  std::vector<std::uint32_t> kept(spots.size());
  std::iota(kept.begin(), kept.end(), 0U);
  std::vector<std::uint32_t> gone;
  // of four spots a point the first round has four fifths of all
  constexpr double kFirstRound = 0.8;
  if (kept.size() > count &&
      !thin({spots, count, threads, models::partOf(goesOn, 0.0, kFirstRound)}, area, kept, gone)) {
    return {};
  }
  std::vector<std::uint32_t> order(kept.size());
  std::size_t end = order.size();
  while (kept.size() > kFew) {
    const double from = 1.0 - (1.0 - kFirstRound) * static_cast<double>(kept.size()) /
                                  static_cast<double>(order.size());
    gone.clear();
    if (!thin({spots, kept.size() / 2, threads, models::partOf(goesOn, from, 0.5 + 0.5 * from)},
              area, kept, gone)) {
      return {};
    }
    for (const std::uint32_t spot : gone)
      order[--end] = spot;
  }
  std::copy(kept.begin(), kept.end(), order.begin());
  return order;
}

}  // namespace tactus::collision
