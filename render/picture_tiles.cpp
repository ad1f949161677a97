#include "render/picture_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::render {

PictureTiles::PictureTiles(int width, int height)
    : width_(width),
      height_(height),
      columns_((width + kSide - 1) / kSide),
      rows_((height + kSide - 1) / kSide),
      isIn_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

PixelRect PictureTiles::around(const PixelRect& rect) const {
  const PixelRect inside = common(rect, {0, 0, width_, height_});
  if (inside.isEmpty()) return {};
  const auto up = [](int pixel) { return (pixel + kSide - 1) / kSide * kSide; };
  return {inside.left / kSide * kSide, inside.bottom / kSide * kSide,
          std::min(up(inside.right), width_), std::min(up(inside.top), height_)};
}

void PictureTiles::add(const PixelRect& rect) {
  const PixelRect tiles = around(rect);
  for (int y = tiles.bottom / kSide; y * kSide < tiles.top; ++y) {
    for (int x = tiles.left / kSide; x * kSide < tiles.right; ++x)
      add(tileAt(x, y));
  }
}

void PictureTiles::add(const ConvexOutline& outline) {
  // Before rounding to whole numbers: what is far outside may not fit into one.
  const auto within = [](float pixel, int size) {
    return static_cast<int>(std::clamp(pixel, 0.0F, static_cast<float>(size)));
  };
  const PixelRect box = around({within(std::floor(outline.lower().x()), width_),
                                within(std::floor(outline.lower().y()), height_),
                                within(std::ceil(outline.upper().x()), width_),
                                within(std::ceil(outline.upper().y()), height_)});
  for (int y = box.bottom / kSide; y * kSide < box.top; ++y) {
    for (int x = box.left / kSide; x * kSide < box.right; ++x) {
      const auto left = static_cast<float>(x * kSide);
      const auto bottom = static_cast<float>(y * kSide);
      const std::array<Eigen::Vector2f, 4> corners = {{{left, bottom},
                                                       {left + kSide, bottom},
                                                       {left, bottom + kSide},
                                                       {left + kSide, bottom + kSide}}};
      if (!outline.isApartFrom(corners)) add(tileAt(x, y));
    }
  }
}

std::vector<PixelRect> PictureTiles::rects() const {
  // Runs of a row; one that lies below an equal one grows upward.
  std::vector<PixelRect> done;
  std::vector<PixelRect> open;
  for (int y = 0; y < rows_; ++y) {
    std::vector<PixelRect> next;
    for (int x = 0; x < columns_;) {
      const auto isIn = [&](int column) { return isIn_[tileAt(column, y)] != 0; };
      if (!isIn(x)) {
        ++x;
        continue;
      }
      const int begin = x;
      while (x < columns_ && isIn(x))
        ++x;
      PixelRect run{begin * kSide, y * kSide, std::min(x * kSide, width_),
                    std::min((y + 1) * kSide, height_)};
      const auto below = std::find_if(open.begin(), open.end(), [&](const PixelRect& rect) {
        return rect.left == run.left && rect.right == run.right;
      });
      if (below != open.end()) {
        run.bottom = below->bottom;
        open.erase(below);
      }
      next.push_back(run);
    }
    done.insert(done.end(), open.begin(), open.end());
    open = std::move(next);
  }
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

}  // namespace tactus::render
