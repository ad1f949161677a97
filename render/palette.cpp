#include "render/palette.hpp"

#include <cmath>

namespace tactus::render {

namespace {

// IEC 61966-2-1 (sRGB).
float linearFromSrgb(unsigned byte) {
  const double value = byte / 255.0;
  const double linear = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  return static_cast<float>(linear);
}

}  // namespace

Colour colourFromHex(unsigned rgb) {
  return {linearFromSrgb((rgb >> 16) & 0xFF), linearFromSrgb((rgb >> 8) & 0xFF),
          linearFromSrgb(rgb & 0xFF)};
}

const std::array<Colour, 8>& palette() {
  static const std::array<Colour, 8> kColours = {colourFromHex(0xE8A33D), colourFromHex(0x3A7FB8),
                                                 colourFromHex(0x3DA583), colourFromHex(0xD4693A),
                                                 colourFromHex(0x7CBFE6), colourFromHex(0xC583AB),
                                                 colourFromHex(0xEADB6B), colourFromHex(0xCBC4BA)};
  return kColours;
}

const Colour& paletteColour(std::size_t n) {
  return palette()[n % palette().size()];
}

const Colour& paletteColour(Paint paint) {
  return palette()[static_cast<std::size_t>(paint)];
}

}  // namespace tactus::render
