#include "collision/packing/power_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

// Samples along a block's side at the end of the halving: small enough for a short list, large
// enough for the list to be worth its making.
constexpr int kBlockSide = 4;

// Blocks that are handed to threads: enough for both to end together, fixed so that the sums are
// the same for any number of threads.
constexpr std::size_t kTasks = 256;

// Larger than any coordinate.
constexpr double kNothing = 1e300;

// Of one sphere or few, as many samples as of this many.
constexpr double kFewestSpheres = 2'000.0;

struct Sum {
  double volume = 0.0, depth = 0.0;
  Vector3d moment = Vector3d::Zero();
  // what holds the cell: a ball around the sphere's centre, and a box
  double reach = 0.0;
  Vector3d lower = Vector3d::Constant(kNothing), upper = Vector3d::Constant(-kNothing);

  void add(double v, const Vector3d& x, double d) {
    volume += v;
    moment += v * x;
    depth += v * d;
  }

  void merge(const Sum& other) {
    volume += other.volume;
    depth += other.depth;
    moment += other.moment;
    reach = std::max(reach, other.reach);
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }

  /// No point of the cell is further from `x`.
  [[nodiscard]] double reachFrom(const Vector3d& x, const Vector3d& centre) const {
    const double toCorner = (x - lower).cwiseAbs().cwiseMax((upper - x).cwiseAbs()).norm();
    return std::min(toCorner, reach + (x - centre).norm());
  }
};

/// A cube of side^3 samples and the spheres that may own one of them.
struct Block {
  std::array<std::int64_t, 3> first{};
  std::int64_t side = 0;
  bool isInside = false;  ///< as a whole
  std::vector<std::uint32_t> spheres;
};

class Sampler {
 public:
  Sampler(const SpherePacking& packing, const SurfaceDistance& surface, double spacing)
      : packing_(packing), surface_(surface), spacing_(spacing) {
    const models::Bounds& bounds = surface.bounds();
    corner_ = bounds.lower - packing.origin;
    const double longest = (bounds.upper - bounds.lower).maxCoeff();
    root_.side = kBlockSide;
    while (static_cast<double>(root_.side) * spacing < longest)
      root_.side *= 2;
    root_.spheres.resize(packing.spheres.size());
    for (std::size_t i = 0; i < root_.spheres.size(); ++i)
      root_.spheres[i] = static_cast<std::uint32_t>(i);
  }

  /// Adds everything to one sum a sphere; returns the number of samples.
  std::size_t run(unsigned threads, std::vector<Sum>& sums) const {
    std::vector<Block> blocks(1, root_);
    while (blocks.size() < kTasks && blocks.front().side > kBlockSide) {
      std::vector<std::vector<Block>> halves(blocks.size());
      models::parallelFor(blocks.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
          halves[b] = halved(blocks[b]);
      });
      blocks.clear();
      for (std::vector<Block>& some : halves) {
        for (Block& block : some)
          blocks.push_back(std::move(block));
      }
      if (blocks.empty()) return 0;
    }
    std::vector<std::vector<Sum>> parts(blocks.size());
    std::vector<std::size_t> samples(blocks.size());
    models::parallelFor(blocks.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        parts[b].resize(blocks[b].spheres.size());
        samples[b] = sumUp(blocks[b], blocks[b].spheres, parts[b]);
      }
    });
    std::size_t all = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      all += samples[b];
      for (std::size_t i = 0; i < parts[b].size(); ++i) {
        sums[blocks[b].spheres[i]].merge(parts[b][i]);
      }
    }
    return all;
  }

 private:
  [[nodiscard]] double power(std::uint32_t sphere, const Vector3d& x) const {
    const PackedSphere& s = packing_.spheres[sphere];
    const double r = s.radius;
    return (x - s.centre.cast<double>()).squaredNorm() - r * r;
  }

  [[nodiscard]] std::uint32_t owner(const std::vector<std::uint32_t>& spheres,
                                    const Vector3d& x) const {
    std::uint32_t best = spheres.front();
    double least = power(best, x);
    for (std::size_t i = 1; i < spheres.size(); ++i) {
      const double p = power(spheres[i], x);
      if (p < least) {
        least = p;
        best = spheres[i];
      }
    }
    return best;
  }

  [[nodiscard]] Vector3d middleOf(const Block& block) const {
    const double half = 0.5 * static_cast<double>(block.side);
    return corner_ + spacing_ * Vector3d(static_cast<double>(block.first[0]) + half,
                                         static_cast<double>(block.first[1]) + half,
                                         static_cast<double>(block.first[2]) + half);
  }

  /// Widens the reach of every sphere that may own a point of the sample's cube.
  template <typename SumOf>
  void reachOut(const Block& block, std::uint32_t best, const Vector3d& x,
                const SumOf& sumOf) const {
    const double least = power(best, x);
    const Vector3d bestCentre = packing_.spheres[best].centre.cast<double>();
    const double half = 0.5 * spacing_;
    for (const std::uint32_t i : block.spheres) {
      const Vector3d centre = packing_.spheres[i].centre.cast<double>();
      if (power(i, x) - spacing_ * (centre - bestCentre).lpNorm<1>() > least) continue;
      Sum& sum = sumOf(i);
      sum.reach = std::max(sum.reach, (x - centre).norm() + half * std::numbers::sqrt3);
      sum.lower = sum.lower.cwiseMin((x.array() - half).matrix());
      sum.upper = sum.upper.cwiseMax((x.array() + half).matrix());
    }
  }

  /// The eight parts of a block, without those outside.
  [[nodiscard]] std::vector<Block> halved(const Block& block) const {
    std::vector<Block> parts;
    for (int octant = 0; octant < 8; ++octant) {
      Block part;
      part.side = block.side / 2;
      for (std::size_t k = 0; k < 3; ++k)
        part.first[k] = block.first[k] + ((octant >> k) & 1) * part.side;
      const Vector3d middle = middleOf(part);
      const double half = 0.5 * spacing_ * static_cast<double>(part.side);
      part.isInside = block.isInside;
      if (!part.isInside) {
        const double diagonal = half * std::numbers::sqrt3 * (1.0 + 1e-9);
        const double distance = surface_.at(packing_.origin + middle).distance;
        if (distance > diagonal) continue;
        part.isInside = distance < -diagonal;
      }
      const std::uint32_t best = owner(block.spheres, middle);
      const Vector3d bestCentre = packing_.spheres[best].centre.cast<double>();
      // above zero by more than rounding
      const double least = power(best, middle) + 1e-12 * half * half;
      for (const std::uint32_t i : block.spheres) {
        const Vector3d apart = packing_.spheres[i].centre.cast<double>() - bestCentre;
        if (power(i, middle) - 2.0 * half * apart.lpNorm<1>() <= least) part.spheres.push_back(i);
      }
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::size_t sumUp(const Block& block, const std::vector<std::uint32_t>& slots,
                    std::vector<Sum>& sums) const {
    std::size_t samples = 0;
    if (block.side > kBlockSide) {
      for (const Block& part : halved(block))
        samples += sumUp(part, slots, sums);
      return samples;
    }
    // both lists ascend
    const auto sumOf = [&](std::uint32_t sphere) -> Sum& {
      return sums[static_cast<std::size_t>(std::lower_bound(slots.begin(), slots.end(), sphere) -
                                           slots.begin())];
    };
    for (std::int64_t z = 0; z < kBlockSide; z += 2) {
      for (std::int64_t y = 0; y < kBlockSide; y += 2) {
        for (std::int64_t x = 0; x < kBlockSide; x += 2) {
          const Vector3d middle =
              corner_ + spacing_ * Vector3d(static_cast<double>(block.first[0] + x) + 1.0,
                                            static_cast<double>(block.first[1] + y) + 1.0,
                                            static_cast<double>(block.first[2] + z) + 1.0);
          samples += sumUpEight(middle, block, sumOf);
        }
      }
    }
    return samples;
  }

  /// Eight samples around `middle`, whose distance to the surface is asked for once.
  template <typename SumOf>
  std::size_t sumUpEight(const Vector3d& middle, const Block& block, const SumOf& sumOf) const {
    const double cell = spacing_ * spacing_ * spacing_;
    const Vector3d position = packing_.origin + middle;
    const SurfacePoint closest =
        block.isInside ? surface_.unsignedAt(position) : surface_.at(position);
    const double clear = std::fabs(closest.distance);
    const double diagonal = spacing_ * std::numbers::sqrt3;
    const bool isWhole = clear > diagonal * (1.0 + 1e-9);
    if (isWhole && !block.isInside && closest.distance > 0.0) return 0;
    // within the sphere of this clearance the depth is linear but for the surface's curvature
    const Vector3d inward =
        clear > 0.0 ? Vector3d((position - closest.point) / clear) : Vector3d::Zero();
    std::size_t samples = 0;
    for (int octant = 0; octant < 8; ++octant) {
      const Vector3d offset =
          0.5 * spacing_ *
          Vector3d((octant & 1) != 0 ? 1.0 : -1.0, (octant & 2) != 0 ? 1.0 : -1.0,
                   (octant & 4) != 0 ? 1.0 : -1.0);
      const Vector3d x = middle + offset;
      if (block.isInside || isWhole) {
        const std::uint32_t best = owner(block.spheres, x);
        sumOf(best).add(cell, x, std::max(0.0, clear + inward.dot(offset)));
        reachOut(block, best, x, sumOf);
        ++samples;
      } else {
        samples += sumUpCut(x, block, sumOf);
      }
    }
    return samples;
  }

  /// A sample that the surface may cut, in eight parts.
  template <typename SumOf>
  std::size_t sumUpCut(const Vector3d& middle, const Block& block, const SumOf& sumOf) const {
    const Vector3d position = packing_.origin + middle;
    const SurfacePoint closest = surface_.at(position);
    const double clear = std::fabs(closest.distance);
    if (closest.distance > 0.5 * std::numbers::sqrt3 * spacing_) return 0;
    const double part = 0.5 * spacing_;
    Vector3d outward = Vector3d::Zero();
    if (clear > 0.0) {
      outward = (position - closest.point) / (closest.distance > 0.0 ? clear : -clear);
    }
    reachOut(block, owner(block.spheres, middle), middle, sumOf);
    // the thickness of a part along the plane's normal
    const double across = std::max(part * outward.lpNorm<1>(), 1e-300);
    bool counts = false;
    for (int octant = 0; octant < 8; ++octant) {
      const Vector3d offset =
          0.25 * spacing_ *
          Vector3d((octant & 1) != 0 ? 1.0 : -1.0, (octant & 2) != 0 ? 1.0 : -1.0,
                   (octant & 4) != 0 ? 1.0 : -1.0);
      const double depth = -closest.distance - outward.dot(offset);
      const double share = std::clamp(0.5 + depth / across, 0.0, 1.0);
      if (share <= 0.0) continue;
      counts = true;
      const Vector3d x = middle + offset;
      sumOf(owner(block.spheres, x)).add(share * part * part * part, x, std::max(0.0, depth));
    }
    return counts ? 1 : 0;
  }

  const SpherePacking& packing_;
  const SurfaceDistance& surface_;
  double spacing_;
  Vector3d corner_;
  Block root_;
};

}  // namespace

PowerCells powerCells(const SpherePacking& packing, const SurfaceDistance& surface,
                      const PowerCellSettings& settings) {
  PowerCells result;
  result.cells.resize(packing.spheres.size());
  if (packing.spheres.empty() || !(packing.objectVolume > 0.0)) return result;
  const double spheres = std::max(kFewestSpheres, static_cast<double>(packing.spheres.size()));
  const double spacing = models::elementary::cbrt(
      packing.objectVolume / (spheres * std::max(1.0, settings.samplesPerSphere)));
  std::vector<Sum> sums(packing.spheres.size());
  result.samples = Sampler(packing, surface, spacing).run(settings.threads, sums);

  // v_i = ball_i + s max(0, sampled_i - ball_i), with s such that all is the object
  double ballVolume = 0.0;
  double beyond = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double r = packing.spheres[i].radius;
    const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    ballVolume += ball;
    beyond += std::max(0.0, sums[i].volume - ball);
    result.sampledVolume += sums[i].volume;
    result.cells[i].volume = ball;
  }
  const double scale =
      beyond > 0.0 ? std::max(0.0, packing.objectVolume - ballVolume) / beyond : 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    PowerCell& cell = result.cells[i];
    const Vector3d centre = packing.spheres[i].centre.cast<double>();
    if (sums[i].volume > 0.0) {
      cell.centroid = sums[i].moment / sums[i].volume;
      cell.depth = sums[i].depth / sums[i].volume;
    } else {
      cell.centroid = centre;
      cell.depth = std::fabs(surface.unsignedAt(packing.origin + centre).distance);
    }
    cell.volume += scale * std::max(0.0, sums[i].volume - cell.volume);
    cell.reach = sums[i].reach > 0.0 ? sums[i].reachFrom(cell.centroid, centre)
                                     : static_cast<double>(packing.spheres[i].radius);
  }
  return result;
}

}  // namespace tactus::collision
