#include "app/structure_clouds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tactus::app {
namespace {

using collision::InnerSphereTree;
using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr int kSliceSide = 256;  // pixels of the longer side
constexpr double kMargin = 0.1;  // of the box beyond which the slice goes on
constexpr double kLines = 10.0;  // on the box's shortest side
constexpr std::uint8_t kSliceAlpha = 225;

/// Neighbouring numbers far apart: steps of the golden ratio through the palette's blend.
render::Colour colourOf(std::size_t number) {
  constexpr double kGolden = 0.6180339887498949;
  double whole = 0.0;
  const double place =
      std::modf(static_cast<double>(number) * kGolden, &whole) * 8.0;  // colours of the palette
  const auto first = static_cast<std::size_t>(place);
  const auto blend = static_cast<float>(place - static_cast<double>(first));
  return (1.0F - blend) * render::paletteColour(first) + blend * render::paletteColour(first + 1);
}

std::uint8_t byteOf(double share) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(share, 0.0, 1.0)));
}

/// Of a distance in tenths of the box's side; sRGB.
std::array<std::uint8_t, 4> colourAt(double distance, double pixel) {
  const double depth = std::clamp(std::abs(distance) / kLines * 3.0, 0.0, 1.0);
  // Blue #0072B2 inside, orange #E69F00 outside, both from near white at the surface.
  const Vector3d end = distance < 0.0 ? Vector3d(0.0, 0.447, 0.698) : Vector3d(0.902, 0.624, 0.0);
  Vector3d colour = (1.0 - depth) * Vector3d(0.97, 0.97, 0.95) + depth * end;
  const double toLine = std::abs(distance - std::round(distance));
  if (toLine < pixel) colour *= 0.82;
  if (std::abs(distance) < 1.5 * pixel) colour = Vector3d(0.1, 0.1, 0.12);
  return {byteOf(colour.x()), byteOf(colour.y()), byteOf(colour.z()), kSliceAlpha};
}

}  // namespace

std::shared_ptr<const render::SphereCloud> sphereCloudOf(const InnerSphereTree& tree, int level) {
  auto cloud = std::make_shared<render::SphereCloud>();
  const Vector3f origin = tree.origin().cast<float>();
  // Blocks of the level before; its children are this level's balls.
  std::vector<std::int32_t> blocks = {0};
  if (tree.bounds().empty()) return cloud;
  for (int depth = 0; !blocks.empty(); ++depth) {
    std::vector<std::int32_t> below;
    for (const std::int32_t block : blocks) {
      const auto at = static_cast<std::size_t>(block);
      const InnerSphereTree::Bounds& bounds = tree.bounds()[at];
      const InnerSphereTree::Contents& contents = tree.contents()[at];
      for (std::size_t child = 0; child < InnerSphereTree::kArity; ++child) {
        if (std::isnan(bounds.x[child])) continue;
        const bool isLeaf = contents.link[child] < 0;
        const Vector3f centre =
            origin + Vector3f(bounds.x[child], bounds.y[child], bounds.z[child]);
        if (isLeaf) {
          cloud->spheres.push_back(
              {centre, contents.lowerRadius[child], colourOf(cloud->spheres.size())});
        } else if (depth == level) {
          cloud->spheres.push_back({centre, bounds.radius[child], colourOf(cloud->spheres.size())});
        } else {
          below.push_back(contents.link[child]);
        }
      }
    }
    blocks = std::move(below);
  }
  return cloud;
}

std::shared_ptr<const render::PointCloud> pointCloudOf(const collision::Pointshell& shell) {
  auto cloud = std::make_shared<render::PointCloud>();
  if (shell.empty()) return cloud;
  const collision::Pointshell::Level& level = shell.arrays().levels.front();
  const Vector3f origin = shell.origin().cast<float>();
  for (std::uint32_t point = 0; point < level.points; ++point) {
    const collision::Pointshell::Block& block =
        shell.arrays().blocks[level.firstBlock + point / collision::Pointshell::kWidth];
    const std::uint32_t k = point % collision::Pointshell::kWidth;
    cloud->points.push_back({origin + Vector3f(block.x[k], block.y[k], block.z[k]),
                             render::paletteColour(render::Paint::Blue)});
  }
  return cloud;
}

VoxmapSlice sliceOf(const collision::Voxmap& voxmap, const models::Bounds& box, double height) {
  const Vector3d size = box.upper - box.lower;
  const double margin = kMargin * size.maxCoeff();
  VoxmapSlice slice;
  slice.width = size.x() + 2.0 * margin;
  slice.height = size.z() + 2.0 * margin;
  const double longer = std::max(slice.width, slice.height);
  const auto pixelsOf = [&](double length) {
    return std::max(1, static_cast<int>(std::lround(kSliceSide * length / longer)));
  };
  auto texture = std::make_shared<render::Texture>();
  texture->width = pixelsOf(slice.width);
  texture->height = pixelsOf(slice.height);
  texture->rgba.reserve(4 * static_cast<std::size_t>(texture->width) *
                        static_cast<std::size_t>(texture->height));
  const Vector3d middle = box.centre();
  const double y = box.lower.y() + height * size.y();
  const double tenth = size.minCoeff() / kLines;
  const double pixel = slice.width / texture->width / tenth;
  for (int row = 0; row < texture->height; ++row) {
    // rows go down the picture, which is toward the viewer
    const double z = middle.z() + slice.height * ((row + 0.5) / texture->height - 0.5);
    for (int column = 0; column < texture->width; ++column) {
      const double x = middle.x() + slice.width * ((column + 0.5) / texture->width - 0.5);
      const double distance = voxmap.sample({x, y, z}).distance / tenth;
      for (const std::uint8_t byte : colourAt(distance, pixel))
        texture->rgba.push_back(byte);
    }
  }
  slice.texture = std::move(texture);
  // The image's y axis points away from the viewer, its normal up.
  slice.meshFromImage.translation() = Vector3d(middle.x(), y, middle.z());
  slice.meshFromImage.linear().col(0) = Vector3d::UnitX();
  slice.meshFromImage.linear().col(1) = -Vector3d::UnitZ();
  slice.meshFromImage.linear().col(2) = Vector3d::UnitY();
  return slice;
}

}  // namespace tactus::app
