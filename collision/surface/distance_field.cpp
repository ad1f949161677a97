#include "collision/surface/distance_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr double kSqrt3 = 1.7320508075688772;

// A cube is asked about itself unless its parent knows that the surface is this many half diagonals
// of the cube away: then neither it nor a cube of the other object's grid around it is in doubt.
constexpr double kDoubt = 4.0;

// Cubes of one row that are handed to a thread together.
constexpr std::size_t kRowsPerBlock = 8;

// Values are lowered by more than the rounding of distances and of their own to floats, as a share
// of the object.
constexpr double kRoundDown = 1e-6;

// Units of a value in a cube's side: a value is off by a seventh of the half diagonal at most, and
// reaches sixteen sides.
constexpr float kUnitsPerSide = 8.0F;

/// The distance less `error` in whole units, towards zero.
std::int8_t lowered(double distance, double error, double unit) {
  const double units =
      std::floor(std::min(std::max(0.0, std::fabs(distance) - error) / unit, 127.0));
  return static_cast<std::int8_t>(distance < 0.0 ? -units : units);
}

/// Of a cube: as many as are wanted, but the coarsest one must hold an object of this size. A rod
/// of a thousandth of its length would else need more grids than there are.
float finestSide(const Vector3d& size, double cells) {
  const double least =
      size.maxCoeff() / static_cast<double>(1U << (DistanceField::kMaxLevels - 1U));
  const double side = std::max(models::elementary::cbrt(size.prod() / std::max(1.0, cells)), least);
  const auto rounded = static_cast<float>(side);
  return static_cast<double>(rounded) >= least
             ? rounded
             : std::nextafter(rounded, std::numeric_limits<float>::infinity());
}

}  // namespace

DistanceField::DistanceField(const SurfaceDistance& surface, double cells, unsigned threads) {
  const models::Bounds& bounds = surface.bounds();
  if (bounds.isEmpty() || surface.triangleCount() == 0) return;
  const double error = kRoundDown * bounds.diagonal();
  // a margin of rounding, and some thickness for objects that are flat
  const Vector3d size = (bounds.upper - bounds.lower).array() + 1e-3 * bounds.diagonal() + 1e-30;
  const auto side = static_cast<double>(finestSide(size, cells));
  all_.origin = bounds.centre() - 0.5 * size;
  std::uint32_t levels = 1;
  while (side * static_cast<double>(1U << (levels - 1U)) < size.maxCoeff())
    ++levels;
  all_.levelCount = levels;
  std::size_t count = 0;
  for (std::uint32_t l = 0; l < levels; ++l) {
    Level& level = all_.levels[l];
    const double cube = side * static_cast<double>(1U << (levels - 1U - l));
    level.side = static_cast<float>(cube);
    level.unit = level.side / kUnitsPerSide;
    level.first = static_cast<std::uint32_t>(count);
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = size[static_cast<Eigen::Index>(k)] / static_cast<double>(level.side);
      level.size[k] = std::max(1, static_cast<std::int32_t>(std::ceil(along)));
    }
    count += static_cast<std::size_t>(level.size[0]) * static_cast<std::size_t>(level.size[1]) *
             static_cast<std::size_t>(level.size[2]);
  }
  const auto values = std::make_shared<std::vector<std::int8_t>>(count + kBehind);
  for (std::uint32_t l = 0; l < levels; ++l) {
    const Level& level = all_.levels[l];
    const double cube = static_cast<double>(level.side);
    const double halfDiagonal = 0.5 * kSqrt3 * cube;
    const auto unit = static_cast<double>(level.unit);
    const auto rows =
        static_cast<std::size_t>(level.size[1]) * static_cast<std::size_t>(level.size[2]);
    models::parallelFor(rows, kRowsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const auto y = static_cast<std::int32_t>(row % static_cast<std::size_t>(level.size[1]));
        const auto z = static_cast<std::int32_t>(row / static_cast<std::size_t>(level.size[1]));
        for (std::int32_t x = 0; x < level.size[0]; ++x) {
          double known = 0.0;  // by the parent, whose centre is half of our diagonal away
          if (l > 0) {
            const Level& above = all_.levels[l - 1];
            const std::int32_t parent = ((z / 2) * above.size[1] + y / 2) * above.size[0] + x / 2;
            known = static_cast<double>((*values)[above.first + static_cast<std::size_t>(parent)]) *
                    static_cast<double>(above.unit);
          }
          const double left = std::fabs(known) - halfDiagonal;
          std::int8_t& value =
              (*values)[level.first + row * static_cast<std::size_t>(level.size[0]) +
                        static_cast<std::size_t>(x)];
          if (left > kDoubt * halfDiagonal) {
            value = lowered(known < 0.0 ? -left : left, 0.0, unit);
            continue;
          }
          const Vector3d centre = all_.origin + cube * Vector3d(x + 0.5, y + 0.5, z + 0.5);
          value = lowered(surface.at(centre).distance, error, unit);
        }
      }
    });
  }
  all_.values = *values;
  keeper_ = values;
}

}  // namespace tactus::collision
