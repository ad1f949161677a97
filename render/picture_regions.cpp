#include "render/picture_regions.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tactus::render {

namespace {

// Each part costs the corners of all that is seen in it once more; this many do not matter yet.
constexpr std::size_t kMostRegions = 6;
// Two parts become one that is larger by no more than this.
constexpr double kWorthJoining = 1.25;

std::int64_t waste(const PixelRect& a, const PixelRect& b) {
  return joined(a, b).area() - a.area() - b.area();
}

}  // namespace

PixelRect joined(const PixelRect& a, const PixelRect& b) {
  if (a.isEmpty()) return b;
  if (b.isEmpty()) return a;
  return {std::min(a.left, b.left), std::min(a.bottom, b.bottom), std::max(a.right, b.right),
          std::max(a.top, b.top)};
}

PixelRect common(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.bottom, b.bottom), std::min(a.right, b.right),
          std::min(a.top, b.top)};
}

PixelRect grown(const PixelRect& rect, int pixels) {
  return {rect.left - pixels, rect.bottom - pixels, rect.right + pixels, rect.top + pixels};
}

void addRegion(std::vector<PixelRect>& regions, const PixelRect& region) {
  if (region.isEmpty()) return;
  PixelRect added = region;
  // What has grown may have come close to one that was far before.
  for (std::size_t k = 0; k < regions.size();) {
    const auto together = static_cast<double>(joined(regions[k], added).area());
    const auto apart = static_cast<double>(regions[k].area() + added.area());
    if (together > kWorthJoining * apart) {
      ++k;
      continue;
    }
    added = joined(regions[k], added);
    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(k));
    k = 0;
  }
  regions.push_back(added);
  while (regions.size() > kMostRegions) {
    std::size_t first = 0;
    std::size_t second = 1;
    for (std::size_t a = 0; a < regions.size(); ++a) {
      for (std::size_t b = a + 1; b < regions.size(); ++b) {
        if (waste(regions[a], regions[b]) < waste(regions[first], regions[second])) {
          first = a;
          second = b;
        }
      }
    }
    regions[first] = joined(regions[first], regions[second]);
    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

std::vector<PixelRect> without(std::span<const PixelRect> regions, const PixelRect& hole) {
  std::vector<PixelRect> left;
  left.reserve(4 * regions.size());
  for (const PixelRect& region : regions) {
    const PixelRect both = common(region, hole);
    if (both.isEmpty()) {
      left.push_back(region);
      continue;
    }
    // Below and above the hole at full width, then beside it.
    for (const PixelRect& rest : {PixelRect{region.left, region.bottom, region.right, both.bottom},
                                  PixelRect{region.left, both.top, region.right, region.top},
                                  PixelRect{region.left, both.bottom, both.left, both.top},
                                  PixelRect{both.right, both.bottom, region.right, both.top}}) {
      if (!rest.isEmpty()) left.push_back(rest);
    }
  }
  return left;
}

std::vector<Eigen::Vector2d> pixelsOf(std::span<const Eigen::Vector3d> points,
                                      const Eigen::Matrix4d& clipFromPoints, int width,
                                      int height) {
  std::vector<Eigen::Vector2d> pixels;
  pixels.reserve(points.size());
  const Eigen::Array2d size(width, height);
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector4d clip = clipFromPoints * point.homogeneous();
    // Nearer than this the picture of a point is larger than any number that is of use.
    if (!(clip.w() > 1e-6 * clip.head<3>().norm())) return {};
    pixels.emplace_back((0.5 + 0.5 * clip.head<2>().array() / clip.w()) * size);
  }
  return pixels;
}

PixelRect regionOf(std::span<const Eigen::Vector3d> points, const Eigen::Matrix4d& clipFromPoints,
                   int width, int height, int pixels) {
  const std::vector<Eigen::Vector2d> seen = pixelsOf(points, clipFromPoints, width, height);
  if (seen.empty()) return points.empty() ? PixelRect{} : PixelRect{0, 0, width, height};
  Eigen::Array2d least = Eigen::Array2d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Array2d greatest = -least;
  for (const Eigen::Vector2d& at : seen) {
    least = least.min(at.array());
    greatest = greatest.max(at.array());
  }
  // Before rounding to whole numbers: what is far outside may not fit into one.
  const Eigen::Array2d size(width, height);
  least = (least - pixels).floor().max(0.0).min(size);
  greatest = (greatest + pixels).ceil().max(0.0).min(size);
  if (!(least < greatest).all()) return {};
  return {static_cast<int>(least.x()), static_cast<int>(least.y()), static_cast<int>(greatest.x()),
          static_cast<int>(greatest.y())};
}

}  // namespace tactus::render
