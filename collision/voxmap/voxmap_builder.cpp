#include "collision/voxmap/voxmap_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "collision/voxmap/brick_distances.hpp"
#include "collision/voxmap/brick_places.hpp"
#include "collision/voxmap/large_pages.hpp"
#include "collision/voxmap/lattice_signs.hpp"
#include "collision/voxmap/voxmap_error.hpp"
#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr std::int32_t kCells = Voxmap::kCells;
constexpr std::int32_t kPoints = Voxmap::kPoints;
constexpr std::size_t kValues = Voxmap::kValues;

// Units in a voxel: the most for which 16 bits reach over a brick and what is added to it, see
// Voxmap.
constexpr double kUnitsPerVoxel = 2048.0;

// Interpolation between the corners of a coarse cell makes 49ths at the lattice points of its
// faces.
constexpr std::int32_t kCoarseUnits = kCells * kCells;

// Share of the second differences that is taken off a value: for a surface of one curvature,
// interpolated distances are off by a twelfth of them on the mean.
constexpr double kSharpen = 1.0 / 12.0;

// Two bricks have measured their common points from triangles relative to their own middles: a
// difference of more units than this is no rounding, but one has the other's inside for outside.
constexpr std::int32_t kSameUnits = 8;

// Tries to find the voxel size for which the bytes are enough, and the share of them that is aimed
// at; logarithms of what is near enough to it, and of two sizes between which is no other.
constexpr int kSizeTries = 10;
constexpr double kBytesAimedAt = 0.96;
constexpr double kBytesEnough = -0.05;
constexpr double kSizesAreClose = 0.02;
constexpr std::uint64_t kBytesUnknown = 8;  // as many times the bytes, where places alone are more

// Bytes grow with about this power of 1 / size: 2 of a surface, 3 of a space. Steps end at least
// this far, as a share, from either end of the range that is left.
constexpr double kBytesPower = 2.5;
constexpr double kStepIn = 0.1;

// A hint is lengthened by more than the rounding of a distance, as a share of the mesh's size.
constexpr double kHintRoundUp = 1e-9;

// Bricks that a thread takes at once: some tenths of a millisecond to measure.
constexpr std::size_t kBricksPerBlock = 8;

// Progress is told some fifty times, ten of them for the tries. Sharpening looks at no triangle,
// and is the last fifth of what is told of the bricks.
constexpr std::size_t kReports = 40;
constexpr double kMeasured = 0.8;

// The first size that is tried, of the longest side: a few dozen bricks, which take no time.
constexpr double kFirstSize = 1.0 / 16.0;

// What 16 bits hold, with room for the rounding of the largest corner.
constexpr double kMostOfCorner = 32'000.0;

// Exact distances are floats when they are stored: a few roundings of the largest, as a share of
// the mesh's size.
constexpr double kFloatRounding = 4e-7;

using Place3 = std::array<std::int32_t, 3>;

class Builder {
 public:
  Builder(const SurfaceDistance& surface, const VoxmapSettings& settings)
      : surface_(surface),
        settings_(settings),
        needs_{settings.band, settings.coarseError, settings.threads} {}

  VoxmapOutcome build() {
    const models::Bounds& bounds = surface_.bounds();
    if (surface_.triangleCount() == 0 || !(bounds.diagonal() > 0.0))
      return {VoxmapEnd::Empty, {}, {}};
    if (!goesOn(VoxmapStage::Choosing, 0.0)) return {VoxmapEnd::Cancelled, {}, {}};
    if (const VoxmapEnd end = choose(); end != VoxmapEnd::Built) return {end, {}, {}};
    layOut();
    if (!forBricks(0.0, kMeasured,
                   [this](std::size_t begin, std::size_t end) { measure(begin, end); })) {
      return {VoxmapEnd::Cancelled, {}, {}};
    }
    if (!forBricks(kMeasured, 1.0,
                   [this](std::size_t begin, std::size_t end) { finish(begin, end); })) {
      return {VoxmapEnd::Cancelled, {}, {}};
    }
    if (std::ranges::count(conflicts_, 1) > 0) return {VoxmapEnd::NoInside, {}, {}};
    if (!goesOn(VoxmapStage::Checking, 0.0)) return {VoxmapEnd::Cancelled, {}, {}};
    return {VoxmapEnd::Built, finished(), bound()};
  }

 private:
  [[nodiscard]] bool goesOn(VoxmapStage stage, double share) const {
    return !settings_.progress || settings_.progress({stage, share});
  }

  // ---- the size of a voxel, and which bricks there are

  /// Of a size of voxels; logarithms of metres and bytes.
  struct Try {
    double size, bytes;
  };

  VoxmapEnd choose() {
    if (settings_.voxelSize > 0.0) {
      std::optional<BrickPlaces> places =
          brickPlaces(surface_, settings_.voxelSize, Voxmap::kMostBytes, needs_);
      if (!places || places->bytes() > Voxmap::kMostBytes) return VoxmapEnd::TooLarge;
      places_ = *std::move(places);
      return VoxmapEnd::Built;
    }
    const std::uint64_t most = std::min(settings_.bytes, Voxmap::kMostBytes);
    const double longest = (surface_.bounds().upper - surface_.bounds().lower).maxCoeff();
    // a size that is too small, and one that fits, come closer to each other; as logarithms
    double size = models::elementary::log(kFirstSize * longest);
    const double wanted = models::elementary::log(kBytesAimedAt * static_cast<double>(most));
    std::optional<Try> small;
    std::optional<Try> fitting;
    for (int t = 0; t < kSizeTries; ++t) {
      if (!goesOn(VoxmapStage::Choosing, t / static_cast<double>(kSizeTries))) {
        return VoxmapEnd::Cancelled;
      }
      std::optional<BrickPlaces> places =
          brickPlaces(surface_, models::elementary::exp(size), most, needs_);
      const bool fits = places && places->bytes() <= most;
      const double bytes = models::elementary::log(
          static_cast<double>(places ? places->bytes() : kBytesUnknown * most));
      (fits ? fitting : small) = Try{size, bytes};
      const bool isEnough = bytes >= wanted + kBytesEnough;
      if (fits) places_ = *std::move(places);
      if (fits && isEnough) break;
      if (small && fitting) {
        if (fitting->size - small->size < kSizesAreClose) break;
        const double share = (fitting->bytes - wanted) / (fitting->bytes - small->bytes);
        size = fitting->size +
               (small->size - fitting->size) * std::clamp(share, kStepIn, 1.0 - kStepIn);
      } else {
        size += (bytes - wanted) / kBytesPower + (fits ? -kStepIn : kStepIn);
      }
    }
    return places_.isNeeded.empty() ? VoxmapEnd::TooLarge : VoxmapEnd::Built;
  }

  void layOut() {
    numbers_ = std::make_shared<Numbers>();
    numbers_->places.assign(2 * places_.isNeeded.size(), 0);
    for (std::size_t place = 0; place < places_.isNeeded.size(); ++place) {
      const bool isNeeded = places_.isNeeded[place] != 0;
      numbers_->places[2 * place] =
          isNeeded ? static_cast<std::int32_t>(placeOf_.size()) : Voxmap::kNoBrick;
      if (isNeeded) placeOf_.push_back(place);
    }
    unit_ = places_.voxel / kUnitsPerVoxel;
    double most = 0.0;
    for (const float corner : places_.corners)
      most = std::max(most, std::fabs(static_cast<double>(corner)));
    coarseUnits_ = kCoarseUnits;
    while (most / (coarseUnits_ * unit_) > kMostOfCorner)
      coarseUnits_ *= 2;
    numbers_->values.resize(places_.corners.size() + kValues * placeOf_.size());
    for (std::size_t at = 0; at < places_.corners.size(); ++at) {
      numbers_->values[at] = static_cast<std::int16_t>(
          std::floor(static_cast<double>(places_.corners[at]) / (coarseUnits_ * unit_) + 0.5));
    }
    raw_.resize(kValues * placeOf_.size());
    conflicts_.assign(placeOf_.size(), 0);
    off_.assign(placeOf_.size(), 0);
  }

  /// work(begin, end) for all bricks, in parallel, from one share of the stage to the other.
  template <typename Work>
  bool forBricks(double from, double to, const Work& work) const {
    const std::size_t count = placeOf_.size();
    const std::size_t step = std::max(kBricksPerBlock, (count + kReports - 1) / kReports);
    for (std::size_t first = 0; first < count; first += step) {
      const std::size_t n = std::min(step, count - first);
      models::parallelFor(
          n, kBricksPerBlock, settings_.threads,
          [&](std::size_t begin, std::size_t end) { work(first + begin, first + end); });
      const double done = static_cast<double>(first + n) / static_cast<double>(count);
      if (!goesOn(VoxmapStage::Measuring, from + (to - from) * done)) return false;
    }
    return true;
  }

  [[nodiscard]] Place3 positionOf(std::size_t place) const {
    const auto sizeX = static_cast<std::size_t>(places_.size[0]);
    const auto sizeY = static_cast<std::size_t>(places_.size[1]);
    return {static_cast<std::int32_t>(place % sizeX),
            static_cast<std::int32_t>(place / sizeX % sizeY),
            static_cast<std::int32_t>(place / sizeX / sizeY)};
  }

  // ---- distances of bricks

  void measure(std::size_t begin, std::size_t end) {
    BrickDistances batch;
    LatticeSigns signs;
    std::array<float, kValues> distances;
    for (std::size_t brick = begin; brick < end; ++brick) {
      const Place3 place = positionOf(placeOf_[brick]);
      const Vector3d first = kCells * Vector3d(place[0], place[1], place[2]);
      measureUnsigned(first, batch, distances);
      signs.apply(distances, {kPoints, kPoints, kPoints}, places_.voxel, [&](std::size_t at) {
        return surface_.contains(places_.position(first + latticePoint(at)));
      });
      constexpr std::size_t kMiddle = (3 * kPoints + 3) * kPoints + 3;
      const double offset = std::floor(static_cast<double>(distances[kMiddle]) / unit_ + 0.5);
      numbers_->places[2 * placeOf_[brick] + 1] = static_cast<std::int32_t>(offset);
      for (std::size_t at = 0; at < kValues; ++at) {
        const double units = std::floor(static_cast<double>(distances[at]) / unit_ + 0.5) - offset;
        // held: where inside and outside meet without a surface, anything may come
        raw_[kValues * brick + at] =
            static_cast<std::int16_t>(std::clamp(units, -32'767.0, 32'767.0));
      }
    }
  }

  static Vector3d latticePoint(std::size_t at) {
    const std::size_t x = at % kPoints;
    const std::size_t y = at / kPoints % kPoints;
    const std::size_t z = at / (kPoints * kPoints);
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }

  void measureUnsigned(const Vector3d& first, BrickDistances& batch,
                       std::array<float, kValues>& distances) const {
    const double voxel = places_.voxel;
    if (batch.measure(surface_, places_.position(first), voxel, distances)) return;
    const SurfacePoint closest = surface_.unsignedAt(places_.position(first));
    // the triangles that neighbours are closest to bound how far the search must look
    std::array<std::uint32_t, kValues> triangle;
    const double slack = kHintRoundUp * (surface_.bounds().diagonal() + kCells * voxel);
    for (std::size_t at = 0; at < kValues; ++at) {
      const Vector3d point = places_.position(first + latticePoint(at));
      double reach = std::numeric_limits<double>::infinity();
      std::size_t step = 1;
      for (std::size_t k = 0; k < 3; ++k, step *= kPoints) {
        if (at / step % kPoints > 0) {
          reach = std::min(reach, surface_.distanceTo(point, triangle[at - step]));
        }
      }
      if (at == 0) reach = surface_.distanceTo(point, closest.triangle);
      const SurfacePoint found = surface_.unsignedAt(point, reach + slack);
      triangle[at] = found.triangle;
      distances[at] = static_cast<float>(found.distance);
    }
  }

  // ---- what is stored

  static constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int32_t kPadded = kPoints + 2;

  /// What the lattice point is in: up to eight places share it.
  struct Sharers {
    Place3 low, high;  ///< both are part of them
  };
  [[nodiscard]] Sharers sharersOf(const Place3& point) const {
    Sharers sharers{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t high = point[k] / kCells;
      sharers.low[k] = std::max(point[k] % kCells == 0 ? high - 1 : high, 0);
      sharers.high[k] = std::min(high, places_.size[k] - 1);
    }
    return sharers;
  }

  [[nodiscard]] std::size_t numberOf(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(places_.size[1]) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(places_.size[0]) +
           static_cast<std::size_t>(x);
  }

  /// Of the first brick that shares the point, so that all bricks see the same. In units.
  [[nodiscard]] std::int32_t rawAt(const Place3& point) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (point[k] < 0 || point[k] > kCells * places_.size[k]) return kUnknown;
    const auto [low, high] = sharersOf(point);
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
      for (std::int32_t y = low[1]; y <= high[1]; ++y) {
        for (std::int32_t x = low[0]; x <= high[0]; ++x) {
          const std::size_t place = numberOf(x, y, z);
          const std::int32_t brick = numbers_->places[2 * place];
          if (brick == Voxmap::kNoBrick) continue;
          const std::int32_t within =
              ((point[2] - kCells * z) * kPoints + point[1] - kCells * y) * kPoints + point[0] -
              kCells * x;
          return numbers_->places[2 * place + 1] +
                 raw_[kValues * static_cast<std::size_t>(brick) + static_cast<std::size_t>(within)];
        }
      }
    }
    return kUnknown;
  }

  /// What a coarse cell that shares the point makes of it, in units; kUnknown: none does.
  [[nodiscard]] std::int32_t coarseAt(const Place3& point) const {
    const auto [low, high] = sharersOf(point);
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
      for (std::int32_t y = low[1]; y <= high[1]; ++y) {
        for (std::int32_t x = low[0]; x <= high[0]; ++x) {
          if (numbers_->places[2 * numberOf(x, y, z)] != Voxmap::kNoBrick) continue;
          return interpolated({x, y, z}, point);
        }
      }
    }
    return kUnknown;
  }

  /// A whole number: on a face of the cell one weight is 0 or 7 of 7, and units are 49ths.
  [[nodiscard]] std::int32_t interpolated(const Place3& place, const Place3& point) const {
    const auto cornersX = static_cast<std::size_t>(places_.size[0]) + 1;
    const auto cornersXY = cornersX * (static_cast<std::size_t>(places_.size[1]) + 1);
    std::int64_t sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      std::int64_t weight = 1;
      std::array<std::size_t, 3> at{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t within = point[k] - kCells * place[k];
        const bool isUpper = (corner >> k & 1U) != 0;
        weight *= isUpper ? within : kCells - within;
        at[k] = static_cast<std::size_t>(place[k]) + (isUpper ? 1 : 0);
      }
      sum += weight * numbers_->values[at[2] * cornersXY + at[1] * cornersX + at[0]];
    }
    return static_cast<std::int32_t>(sum * coarseUnits_ / (kCells * kCells * kCells));
  }

  void finish(std::size_t begin, std::size_t end) {
    std::vector<std::int32_t> padded(std::size_t{kPadded} * kPadded * kPadded);
    for (std::size_t brick = begin; brick < end; ++brick)
      finish(brick, padded);
  }

  void finish(std::size_t brick, std::vector<std::int32_t>& padded) {
    const Place3 place = positionOf(placeOf_[brick]);
    const std::int32_t offset = numbers_->places[2 * placeOf_[brick] + 1];
    const std::int16_t* raw = raw_.data() + kValues * brick;
    std::int16_t* values = numbers_->values.data() + places_.corners.size() + kValues * brick;
    const auto isWithin = [](std::int32_t x) { return x > 0 && x < kCells; };
    const auto pointAt = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
      return Place3{kCells * place[0] + x, kCells * place[1] + y, kCells * place[2] + z};
    };
    std::size_t to = 0;
    for (std::int32_t z = -1; z <= kPoints; ++z) {
      for (std::int32_t y = -1; y <= kPoints; ++y) {
        for (std::int32_t x = -1; x <= kPoints; ++x) {
          padded[to++] = isWithin(x) && isWithin(y) && isWithin(z)
                             ? offset + raw[(z * kPoints + y) * kPoints + x]
                             : rawAt(pointAt(x, y, z));
        }
      }
    }
    constexpr std::array<std::int32_t, 3> kStep = {1, kPadded, kPadded * kPadded};
    std::size_t at = 0;
    for (std::int32_t z = 0; z < kPoints; ++z) {
      for (std::int32_t y = 0; y < kPoints; ++y) {
        for (std::int32_t x = 0; x < kPoints; ++x, ++at) {
          const std::int32_t* here = padded.data() + ((z + 1) * kPadded + y + 1) * kPadded + x + 1;
          if (std::abs(*here - offset - raw[at]) > kSameUnits) conflicts_[brick] = 1;
          const bool isInner = isWithin(x) && isWithin(y) && isWithin(z);
          std::int32_t value = isInner ? kUnknown : coarseAt(pointAt(x, y, z));
          if (value == kUnknown) {
            value = sharpened(here, kStep);
          } else if ((value < 0) != (*here < 0)) {
            conflicts_[brick] = 1;  // coarse cells are far from the surface
          }
          values[at] = static_cast<std::int16_t>(std::clamp(value - offset, -32'767, 32'767));
          off_[brick] = std::max(off_[brick], std::abs(values[at] + offset - *here));
        }
      }
    }
  }

  static std::int32_t sharpened(const std::int32_t* here, const std::array<std::int32_t, 3>& step) {
    std::int32_t second = 0;
    for (const std::int32_t s : step) {
      // at the rim of the grid, which is far from the surface, a neighbour is missing
      if (here[-s] == kUnknown || here[s] == kUnknown) continue;
      second += here[-s] + here[s] - 2 * *here;
    }
    return *here - static_cast<std::int32_t>(std::floor(kSharpen * second + 0.5));
  }

  Voxmap finished() const {
    Voxmap::Arrays arrays;
    arrays.places = numbers_->places;
    arrays.values = numbers_->values;
    arrays.size = places_.size;
    arrays.voxel = static_cast<float>(places_.voxel);
    arrays.unit = static_cast<float>(unit_);
    arrays.coarseUnits = coarseUnits_;
    arrays.origin = places_.origin;
    arrays.error = measuredError(Voxmap(arrays, numbers_), surface_, settings_.threads);
    return inLargePages({arrays, numbers_});
  }

  [[nodiscard]] VoxmapBound bound() const {
    constexpr double kHalfDiagonal = 0.5 * std::numbers::sqrt3;
    const double rounding =
        kFloatRounding * (surface_.bounds().diagonal() + kCells * places_.voxel);
    const std::int32_t off = off_.empty() ? 0 : *std::ranges::max_element(off_);
    // an exact distance is rounded to a unit before it is changed, and two bricks may differ
    const double ofValues = (static_cast<double>(off) + kSameUnits + 1.0) * unit_;
    const double ofCorners = 0.5 * coarseUnits_ * unit_;
    return {kHalfDiagonal * places_.voxel + ofValues + rounding,
            kHalfDiagonal * kCells * places_.voxel + ofCorners + rounding};
  }

  struct Numbers {
    std::vector<std::int32_t> places;
    std::vector<std::int16_t> values;
  };

  const SurfaceDistance& surface_;
  const VoxmapSettings& settings_;
  const BrickNeeds needs_;
  BrickPlaces places_;
  std::shared_ptr<Numbers> numbers_;     ///< what the map keeps
  std::vector<std::size_t> placeOf_;     ///< of each brick
  std::vector<std::int16_t> raw_;        ///< exact distances of bricks, in units, less their offset
  std::vector<std::int32_t> off_;        ///< of each brick: the most a value was changed, in units
  std::vector<std::uint8_t> conflicts_;  ///< of each brick: inside and outside are not clear
  double unit_ = 0.0;                    ///< [m]
  std::int32_t coarseUnits_ = kCoarseUnits;
};

}  // namespace

VoxmapOutcome buildVoxmap(const SurfaceDistance& surface, const VoxmapSettings& settings) {
  return Builder(surface, settings).build();
}

}  // namespace tactus::collision
