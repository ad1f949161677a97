#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/convex_outline.hpp"
#include "render/picture_regions.hpp"

namespace tactus::render {

/// Parts of a picture, in square tiles: unlike rectangles they can follow any shape.
class PictureTiles {
 public:
  /// Side of a tile [pixels]. Half of it spares a sixth of the pixels, and takes four times the
  /// time to find them.
  static constexpr int kSide = 16;

  PictureTiles() = default;
  PictureTiles(int width, int height);

  [[nodiscard]] int width() const noexcept { return width_; }      ///< [pixels]
  [[nodiscard]] int height() const noexcept { return height_; }    ///< [pixels]
  [[nodiscard]] int columns() const noexcept { return columns_; }  ///< [tiles]
  [[nodiscard]] int rows() const noexcept { return rows_; }        ///< [tiles]
  [[nodiscard]] std::size_t count() const noexcept { return isIn_.size(); }
  /// How they are counted: row by row, from below.
  [[nodiscard]] std::size_t tileAt(int column, int row) const noexcept {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  /// Smallest part of whole tiles around one; those at the edge of the picture may be cut.
  [[nodiscard]] PixelRect around(const PixelRect& rect) const;
  void add(std::size_t tile) { isIn_[tile] = 1; }
  void add(const PixelRect& rect);
  /// Tiles that an outline in pixels may touch.
  void add(const ConvexOutline& outline);

  /// They have no pixel in common, and nothing else in them.
  [[nodiscard]] std::vector<PixelRect> rects() const;

 private:
  int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
  std::vector<std::uint8_t> isIn_;
};

}  // namespace tactus::render
