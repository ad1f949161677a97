#include "render/shadow_receivers.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <limits>

namespace tactus::render {

namespace {

constexpr int kSide = PictureTiles::kSide;
// Depths are rounded to 24 bits on their way.
constexpr double kDepthRounding = 2.0 / 16'777'216.0;

}  // namespace

void ShadowReceivers::look(const Eigen::Matrix4d& clipFromRender,
                           const Eigen::Matrix4d& mapFromRender, int width, int height) {
  if (clipFromRender == clipFromRender_ && mapFromRender == mapFromRender_ &&
      width == grid_.width() && height == grid_.height())
    return;
  clipFromRender_ = clipFromRender;
  mapFromRender_ = mapFromRender;
  mapFromClip_ = mapFromRender * clipFromRender.inverse();
  grid_ = PictureTiles(width, height);
  forget();
}

void ShadowReceivers::forget() {
  knowsAll_ = false;
  tiles_.assign(grid_.count(), Tile{});
}

void ShadowReceivers::place(Tile& tile, int column, int row, double nearest,
                            double farthest) const {
  tile.farthest = 0.0F;
  for (std::size_t corner = 0; corner < tile.corners.size(); ++corner) {
    const int x = column + ((corner & 1U) != 0 ? 1 : 0);
    const int y = row + ((corner & 2U) != 0 ? 1 : 0);
    const Eigen::Vector4d clip(2.0 * x * kSide / grid_.width() - 1.0,
                               2.0 * y * kSide / grid_.height() - 1.0,
                               2.0 * ((corner & 4U) != 0 ? farthest : nearest) - 1.0, 1.0);
    const Eigen::Vector3d at = (mapFromClip_ * clip).hnormalized();
    tile.corners[corner] = at.head<2>().cast<float>();
    tile.farthest = std::max(tile.farthest, static_cast<float>(at.z()));
  }
}

template <typename Change>
void ShadowReceivers::eachTile(const PixelRect& rect, Change change) {
  const PixelRect all = grid_.around(rect);
  for (int row = all.bottom / kSide; row * kSide < all.top; ++row) {
    for (int column = all.left / kSide; column * kSide < all.right; ++column)
      change(column, row, tiles_[grid_.tileAt(column, row)]);
  }
}

void ShadowReceivers::learn(const PixelRect& rect, std::span<const float> depths) {
  const auto stride = static_cast<std::size_t>(rect.right - rect.left);
  eachTile(rect, [&](int column, int row, Tile& tile) {
    float least = 1.0F;
    float greatest = -1.0F;
    for (int y = row * kSide; y < std::min((row + 1) * kSide, rect.top); ++y) {
      for (int x = column * kSide; x < std::min((column + 1) * kSide, rect.right); ++x) {
        const float depth = depths[static_cast<std::size_t>(y - rect.bottom) * stride +
                                   static_cast<std::size_t>(x - rect.left)];
        least = std::min(least, depth);
        if (depth < 1.0F) greatest = std::max(greatest, depth);
      }
    }
    tile = Tile{};
    tile.isKnown = true;
    tile.nearestDepth = least;
    if (greatest >= 0.0F)
      place(tile, column, row, least - kDepthRounding, greatest + kDepthRounding);
  });
  knowsAll_ = knowsAll_ || rect == PixelRect{0, 0, grid_.width(), grid_.height()};
}

void ShadowReceivers::open(const PixelRect& rect) {
  eachTile(rect, [&](int column, int row, Tile& tile) {
    if (tile.isKnown) place(tile, column, row, tile.nearestDepth - kDepthRounding, 1.0);
  });
}

void ShadowReceivers::addReached(std::span<const Eigen::Vector3d> points, double blur,
                                 PictureTiles& tiles) const {
  std::vector<Eigen::Vector2d> across;
  across.reserve(points.size());
  double nearest = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector3d at = (mapFromRender_ * point.homogeneous()).head<3>();
    across.emplace_back(at.head<2>());
    nearest = std::min(nearest, at.z());
  }
  // The map is scaled alike across the light.
  const ConvexOutline outline(across, blur * mapFromRender_.row(0).head<3>().norm());
  const auto from = static_cast<float>(nearest - blur * mapFromRender_.row(2).head<3>().norm());
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    const Tile& tile = tiles_[k];
    if (!tile.isKnown ||
        (tile.farthest >= 0.0F && tile.farthest >= from && !outline.isApartFrom(tile.corners)))
      tiles.add(k);
  }
}

}  // namespace tactus::render
