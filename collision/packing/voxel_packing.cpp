#include "collision/packing/voxel_packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "collision/packing/fitting_radius.hpp"
#include "collision/packing/sphere_grid.hpp"
#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

// Voxels inside the object for each sphere asked for: enough to be left when all are inserted, for
// each sphere covers some.
constexpr double kVoxelsPerSphere = 20.0;

// Voxels of the box at most, 256 MB of distances.
constexpr double kMostVoxels = 64e6;

// What rounding of a voxel's distance to a float may cost, as a share of it.
constexpr double kRounding = 1e-5;

constexpr float kNothing = 0.0F;

class VoxelPacker {
 public:
  VoxelPacker(const models::Mesh& mesh, const SurfaceDistance& surface,
              const VoxelPackingSettings& settings)
      : surface_(surface),
        settings_(settings),
        half_((0.5 * (surface.bounds().upper - surface.bounds().lower)).array() +
              1e-6 * surface.bounds().diagonal() + 1e-30),
        grid_(half_) {
    packing_.origin = surface.bounds().centre();
    packing_.signRule = surface.signRule();
    packing_.objectVolume = insideVolume(mesh, surface, settings.threads);
  }

  SpherePacking run() {
    packing_.end = PackingEnd::NothingFits;
    if (settings_.target.spheres == 0) packing_.end = PackingEnd::SphereCount;
    if (packing_.objectVolume > 0.0 && settings_.target.spheres > 0) {
      makeVoxels();
      measureVoxels();
      insertAll();
    }
    packing_.spheres = grid_.spheres();
    return std::move(packing_);
  }

 private:
  void makeVoxels() {
    const double wanted = kVoxelsPerSphere * static_cast<double>(settings_.target.spheres);
    side_ = settings_.voxel > 0.0 ? settings_.voxel
                                  : models::elementary::cbrt(packing_.objectVolume / wanted);
    const auto count = [&] {
      double voxels = 1.0;
      for (Eigen::Index k = 0; k < 3; ++k)
        voxels *= std::floor(2.0 * half_[k] / side_) + 1.0;
      return voxels;
    };
    while (count() > kMostVoxels)
      side_ *= 1.1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double length = 2.0 * half_[static_cast<Eigen::Index>(k)];
      size_[k] = static_cast<std::int64_t>(length / side_) + 1;
    }
    distance_.assign(static_cast<std::size_t>(size_[0] * size_[1] * size_[2]), kNothing);
  }

  /// Relative to the packing's origin; the grid is centred in the box.
  [[nodiscard]] Vector3d place(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return side_ * Vector3d(static_cast<double>(x) - 0.5 * static_cast<double>(size_[0] - 1),
                            static_cast<double>(y) - 0.5 * static_cast<double>(size_[1] - 1),
                            static_cast<double>(z) - 0.5 * static_cast<double>(size_[2] - 1));
  }

  [[nodiscard]] std::size_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * size_[1] + y) * size_[0] + x);
  }

  void measureVoxels() {
    models::parallelFor(
        static_cast<std::size_t>(size_[2] * size_[1]), 1, settings_.threads,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t row = begin; row < end; ++row) {
            const auto y = static_cast<std::int64_t>(row) % size_[1];
            const auto z = static_cast<std::int64_t>(row) / size_[1];
            double reach = std::numeric_limits<double>::infinity();
            for (std::int64_t x = 0; x < size_[0];) {
              const double d = surface_.at(packing_.origin + place(x, y, z), reach).distance;
              if (d < 0.0) distance_[number(x, y, z)] = static_cast<float>(-d);
              // outside, all voxels nearer than the surface are outside too
              const std::int64_t steps =
                  d > side_ ? std::max<std::int64_t>(1, static_cast<std::int64_t>(d / side_)) : 1;
              x += steps;
              reach = (std::fabs(d) + static_cast<double>(steps) * side_) * (1.0 + 1e-6);
            }
          }
        });
    for (std::size_t i = 0; i < distance_.size(); ++i) {
      if (distance_[i] > kNothing) queue_.emplace_back(distance_[i], static_cast<std::uint32_t>(i));
    }
    std::make_heap(queue_.begin(), queue_.end(), isLess);
  }

  using Entry = std::pair<float, std::uint32_t>;
  static bool isLess(const Entry& a, const Entry& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  }

  void insertAll() {
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), isLess);
      const auto [radius, voxel] = queue_.back();
      queue_.pop_back();
      if (distance_[voxel] <= kNothing) continue;
      if (distance_[voxel] < radius) {
        queue_.emplace_back(distance_[voxel], voxel);
        std::push_heap(queue_.begin(), queue_.end(), isLess);
        continue;
      }
      if (static_cast<double>(radius) < settings_.target.smallestRadius) {
        packing_.end = PackingEnd::SmallestRadius;
        return;
      }
      distance_[voxel] = kNothing;
      const std::int64_t x = voxel % size_[0];
      const std::int64_t y = voxel / size_[0] % size_[1];
      const std::int64_t z = voxel / size_[0] / size_[1];
      PackedSphere sphere = {place(x, y, z).cast<float>(), 0.0F};
      sphere.radius = fittingRadius(surface_, grid_, packing_.origin, sphere.centre,
                                    static_cast<double>(radius) * (1.0 + kRounding),
                                    settings_.target.smallestRadius);
      if (!(sphere.radius > 0.0F)) continue;
      grid_.insert(sphere);
      const double r = sphere.radius;
      packing_.sphereVolume += 4.0 / 3.0 * std::numbers::pi * r * r * r;
      if (grid_.spheres().size() >= settings_.target.spheres) {
        packing_.end = PackingEnd::SphereCount;
        return;
      }
      if (packing_.filled() >= settings_.target.filled) {
        packing_.end = PackingEnd::Filled;
        return;
      }
      update(sphere);
      if (!report()) {
        packing_.end = PackingEnd::Cancelled;
        return;
      }
    }
  }

  /// No voxel further than two radii is nearer to this sphere than to what was there before: its
  /// distance is at most the radius of the sphere, which was the largest.
  void update(const PackedSphere& sphere) {
    const Vector3d centre = sphere.centre.cast<double>();
    const double radius = sphere.radius;
    const double far = 2.0 * radius * (1.0 + kRounding);
    std::array<std::int64_t, 3> first, last;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      const double middle = 0.5 * static_cast<double>(size_[k] - 1);
      first[k] = std::max<std::int64_t>(
          0, static_cast<std::int64_t>(std::ceil((centre[axis] - far) / side_ + middle)));
      last[k] = std::min<std::int64_t>(
          size_[k] - 1,
          static_cast<std::int64_t>(std::floor((centre[axis] + far) / side_ + middle)));
    }
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x) {
          float& distance = distance_[number(x, y, z)];
          if (distance <= kNothing) continue;
          const double clear = (place(x, y, z) - centre).norm() - radius;
          distance = std::max(kNothing, std::min(distance, static_cast<float>(clear)));
        }
      }
    }
  }

  bool report() {
    if (!settings_.progress) return true;
    const double share =
        static_cast<double>(grid_.spheres().size()) / static_cast<double>(settings_.target.spheres);
    if (share < nextReport_) return true;
    nextReport_ = share + 0.02;
    return settings_.progress({grid_.spheres().size(), packing_.filled(), share});
  }

  const SurfaceDistance& surface_;
  const VoxelPackingSettings& settings_;
  SpherePacking packing_;
  Vector3d half_;
  SphereGrid grid_;
  double side_ = 0.0;
  std::array<std::int64_t, 3> size_{};
  std::vector<float> distance_;  ///< to surface and spheres; 0: outside, or in a sphere
  std::vector<Entry> queue_;     ///< a heap
  double nextReport_ = 0.0;
};

}  // namespace

SpherePacking packVoxels(const models::Mesh& mesh, const SurfaceDistance& surface,
                         const VoxelPackingSettings& settings) {
  return VoxelPacker(mesh, surface, settings).run();
}

}  // namespace tactus::collision
