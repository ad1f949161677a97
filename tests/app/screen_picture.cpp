#include "tests/app/screen_picture.hpp"

#include <stb_image.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "render/image.hpp"

namespace tactus::tests {
namespace {

/// The 32-bit numbers, big-endian, that an X window dump begins with (XWDFile.h).
enum Header : std::size_t { HeaderSize = 0, Width = 4, Height = 5, LineBytes = 12, Colours = 19 };
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kColourBytes = 12;  // of an entry of its table
constexpr std::size_t kPixelBytes = 4;    // blue, green, red and nothing

bool isOff(const std::array<std::uint8_t, 3>& a, const std::array<std::uint8_t, 3>& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(int{a[k]} - int{b[k]}) > kMostOff) return true;
  }
  return false;
}

bool isAnywhereNear(const std::array<std::uint8_t, 3>& tile, const ScreenPicture& in, int x,
                    int y) {
  for (int v = std::max(y - 1, 0); v <= std::min(y + 1, in.height() - 1); ++v) {
    for (int u = std::max(x - 1, 0); u <= std::min(x + 1, in.width() - 1); ++u) {
      if (!isOff(tile, in.tile(u, v))) return true;
    }
  }
  return false;
}

template <typename Look>
int countTiles(const ScreenPicture& picture, const PictureArea& area, Look look) {
  constexpr int kTile = ScreenPicture::kTile;
  int count = 0;
  for (int y = area.top / kTile; y < std::min(area.bottom / kTile, picture.height()); ++y) {
    for (int x = area.left / kTile; x < std::min(area.right / kTile, picture.width()); ++x)
      count += look(x, y) ? 1 : 0;
  }
  return count;
}

}  // namespace

ScreenPicture ScreenPicture::ofDisplay(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "Xvfb_screen0", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  const auto byteAt = [&](std::size_t place) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[place]));
  };
  const auto number = [&](Header field) {
    const std::size_t at = 4 * static_cast<std::size_t>(field);
    return byteAt(at) << 24U | byteAt(at + 1) << 16U | byteAt(at + 2) << 8U | byteAt(at + 3);
  };
  ScreenPicture picture;
  if (bytes.size() < kHeaderBytes) return picture;
  const std::size_t begin = number(HeaderSize) + kColourBytes * number(Colours);
  const std::size_t line = number(LineBytes);
  if (bytes.size() < begin + line * number(Height)) return picture;
  picture.width_ = static_cast<int>(number(Width)) / kTile;
  picture.height_ = static_cast<int>(number(Height)) / kTile;
  picture.tiles_.reserve(static_cast<std::size_t>(picture.width_) *
                         static_cast<std::size_t>(picture.height_));
  for (int y = 0; y < picture.height_; ++y) {
    for (int x = 0; x < picture.width_; ++x) {
      std::array<std::size_t, 3> sum{};
      for (int v = 0; v < kTile; ++v) {
        for (int u = 0; u < kTile; ++u) {
          const std::size_t pixel =
              begin + (static_cast<std::size_t>(y) * kTile + static_cast<std::size_t>(v)) * line +
              kPixelBytes * (static_cast<std::size_t>(x) * kTile + static_cast<std::size_t>(u));
          for (std::size_t k = 0; k < 3; ++k)
            sum[k] += byteAt(pixel + 2 - k);
        }
      }
      constexpr std::size_t kPixels = kTile * kTile;
      picture.tiles_.push_back({static_cast<std::uint8_t>(sum[0] / kPixels),
                                static_cast<std::uint8_t>(sum[1] / kPixels),
                                static_cast<std::uint8_t>(sum[2] / kPixels)});
    }
  }
  return picture;
}

ScreenPicture ScreenPicture::ofFile(const std::filesystem::path& file) {
  ScreenPicture picture;
  int channels = 0;
  stbi_uc* const pixels = stbi_load(file.c_str(), &picture.width_, &picture.height_, &channels, 3);
  if (pixels == nullptr) return {};
  const std::size_t count =
      static_cast<std::size_t>(picture.width_) * static_cast<std::size_t>(picture.height_);
  picture.tiles_.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    picture.tiles_.push_back({pixels[3 * k], pixels[3 * k + 1], pixels[3 * k + 2]});
  stbi_image_free(pixels);
  return picture;
}

bool ScreenPicture::writeTo(const std::filesystem::path& file) const {
  render::Image image{width_, height_, {}};
  image.rgb.reserve(3 * tiles_.size());
  for (const std::array<std::uint8_t, 3>& tile : tiles_)
    image.rgb.insert(image.rgb.end(), tile.begin(), tile.end());
  return static_cast<bool>(render::writePng(image, file, render::IfExists::Replace));
}

int differentTiles(const ScreenPicture& a, const ScreenPicture& b, const PictureArea& area) {
  return countTiles(a, area, [&](int x, int y) {
    return !isAnywhereNear(a.tile(x, y), b, x, y) || !isAnywhereNear(b.tile(x, y), a, x, y);
  });
}

int tilesOfColour(const ScreenPicture& picture, const PictureArea& area, int channel, int above) {
  return countTiles(picture, area, [&](int x, int y) {
    const std::array<std::uint8_t, 3>& tile = picture.tile(x, y);
    const auto k = static_cast<std::size_t>(channel);
    return tile[k] > tile[(k + 1) % 3] + above && tile[k] > tile[(k + 2) % 3] + above;
  });
}

}  // namespace tactus::tests
