#include "collision/depth/depth_field.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr double kSharpen = 1.0 / 16.0;

// Around the object stands one cube more, so that second differences and gradients are right at the
// surface, and the grid is moved by a half of one, so that the faces of a box are not on its
// planes.
constexpr double kMargin = 1.5;

// Deepest value in units: a little room is left for what sharpening adds.
constexpr double kDeepest = 32'000.0;

constexpr std::size_t kRowsPerBlock = 8;

}  // namespace

DepthField::DepthField(const SurfaceDistance& surface, double corners, unsigned threads) {
  const models::Bounds& bounds = surface.bounds();
  if (bounds.isEmpty() || surface.triangleCount() == 0) return;
  // some thickness for objects that are flat
  const Vector3d size = (bounds.upper - bounds.lower).array() + 1e-3 * bounds.diagonal() + 1e-30;
  all_.side =
      static_cast<float>(std::max(models::elementary::cbrt(size.prod() / std::max(1.0, corners)),
                                  size.maxCoeff() / (kMaxAlong - 2.0 * kMargin - 2.0)));
  const auto side = static_cast<double>(all_.side);
  all_.origin = bounds.lower - Vector3d::Constant(kMargin * side);
  std::array<std::size_t, 3> along{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double cubes = std::ceil(size[static_cast<Eigen::Index>(k)] / side + 2.0 * kMargin);
    all_.size[k] = static_cast<std::int32_t>(cubes) + 1;
    along[k] = static_cast<std::size_t>(all_.size[k]);
  }
  const std::size_t count = along[0] * along[1] * along[2];

  std::vector<float> depths(count);
  const auto forRows = [&](const auto& work) {
    models::parallelFor(along[1] * along[2], kRowsPerBlock, threads,
                        [&](std::size_t begin, std::size_t end) {
                          std::vector<SurfacePoint> points(along[0]);
                          std::vector<Vector3d> places(along[0]);
                          for (std::size_t row = begin; row < end; ++row)
                            work(row, places, points);
                        });
  };
  forRows([&](std::size_t row, std::vector<Vector3d>& places, std::vector<SurfacePoint>& points) {
    const std::size_t y = row % along[1];
    const std::size_t z = row / along[1];
    for (std::size_t x = 0; x < along[0]; ++x) {
      places[x] = all_.origin + side * Vector3d(static_cast<double>(x), static_cast<double>(y),
                                                static_cast<double>(z));
    }
    surface.at(places, points, 1);
    for (std::size_t x = 0; x < along[0]; ++x)
      depths[row * along[0] + x] = static_cast<float>(-points[x].distance);
  });

  const float deepest = *std::ranges::max_element(depths);
  all_.unit = static_cast<float>(std::max(static_cast<double>(deepest), 1e-6 * side) / kDeepest);
  const auto values = std::make_shared<std::vector<std::int16_t>>(count);
  forRows([&](std::size_t row, const std::vector<Vector3d>&, const std::vector<SurfacePoint>&) {
    const std::size_t y = row % along[1];
    const std::size_t z = row / along[1];
    const std::array<std::size_t, 3> step = {1, along[0], along[0] * along[1]};
    for (std::size_t x = 0; x < along[0]; ++x) {
      const std::size_t at = row * along[0] + x;
      const std::array<std::size_t, 3> place = {x, y, z};
      const auto here = static_cast<double>(depths[at]);
      double second = 0.0;  // at the rim, which is outside, there is nothing to sharpen
      if (x > 0 && y > 0 && z > 0 && x + 1 < along[0] && y + 1 < along[1] && z + 1 < along[2]) {
        for (std::size_t k = 0; k < place.size(); ++k) {
          second += static_cast<double>(depths[at - step[k]]) +
                    static_cast<double>(depths[at + step[k]]) - 2.0 * here;
        }
      }
      const double units = (here - kSharpen * second) / static_cast<double>(all_.unit);
      (*values)[at] =
          static_cast<std::int16_t>(std::floor(std::clamp(units, -32'767.0, 32'767.0) + 0.5));
    }
  });
  all_.values = *values;
  keeper_ = values;
  cubes_ = std::make_shared<Cubes>(cubesOf(all_));
}

DepthField::DepthField(const Arrays& arrays, std::shared_ptr<const void> keeper)
    : all_(arrays), keeper_(std::move(keeper)) {
  if (!empty()) cubes_ = std::make_shared<Cubes>(cubesOf(all_));
}

DepthField::Cubes DepthField::cubesOf(const Arrays& field) {
  const auto along = static_cast<std::size_t>(field.size[0]);
  const std::size_t layer = along * static_cast<std::size_t>(field.size[1]);
  Cubes cubes{SolidCubes(field.values, field.size), std::vector<CubeCorners>(field.values.size())};
  // the last corners along each axis begin no cube, and what is read there is never used
  for (std::size_t first = 0; first + layer + along + 1 < cubes.corners.size(); ++first) {
    const auto at = [&](std::size_t step) { return field.values[first + step]; };
    cubes.corners[first] = {at(0),     at(1),         at(along),         at(along + 1),
                            at(layer), at(layer + 1), at(layer + along), at(layer + along + 1)};
  }
  return cubes;
}

}  // namespace tactus::collision
