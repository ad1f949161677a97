#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tactus::tests {

/// Part of a picture, in its pixels: from left and top up to right and bottom.
struct PictureArea {
  int left = 0, top = 0, right = 0, bottom = 0;
};

/// What a person sees on a virtual display, as mean colours of tiles of 8 x 8 pixels: with less
/// than that, two ways to draw the same scene differ in edges and in the rounding of text.
class ScreenPicture {
 public:
  static constexpr int kTile = 8;  // [px]

  /// What is on the screen of the display whose folder that is; an empty picture if there is none.
  [[nodiscard]] static ScreenPicture ofDisplay(const std::filesystem::path& folder);
  /// A PNG with a pixel for each tile; an empty picture if it cannot be read.
  [[nodiscard]] static ScreenPicture ofFile(const std::filesystem::path& file);
  [[nodiscard]] bool writeTo(const std::filesystem::path& file) const;

  [[nodiscard]] int width() const noexcept { return width_; }    ///< [tiles]
  [[nodiscard]] int height() const noexcept { return height_; }  ///< [tiles]
  [[nodiscard]] bool isEmpty() const noexcept { return tiles_.empty(); }
  [[nodiscard]] const std::array<std::uint8_t, 3>& tile(int x, int y) const {
    return tiles_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(x)];
  }

 private:
  int width_ = 0, height_ = 0;
  std::vector<std::array<std::uint8_t, 3>> tiles_;
};

/// How many tiles of an area look otherwise in two pictures of one size: a channel differs by more
/// than `kMostOff` of 255, also from all eight neighbours in the other picture, so that a shift of
/// an edge by some pixels is none. A thing as large as two tiles that is missing is many.
[[nodiscard]] int differentTiles(const ScreenPicture& a, const ScreenPicture& b,
                                 const PictureArea& area);
inline constexpr int kMostOff = 40;

/// Tiles of an area whose red, green or blue (0, 1, 2) is above both others by that much.
[[nodiscard]] int tilesOfColour(const ScreenPicture& picture, const PictureArea& area, int channel,
                                int above);

}  // namespace tactus::tests
