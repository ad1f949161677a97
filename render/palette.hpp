#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>

namespace tactus::render {

/// Linear light, 0 to 1 in each of red, green and blue (Rec. 709 primaries).
using Colour = Eigen::Vector3f;

/// Linear light from a colour as it is written in web pages, e.g. 0xE69F00.
[[nodiscard]] Colour colourFromHex(unsigned rgb);

/// Colours that stay apart for eyes with any of the common colour deficiencies, and in grey.
///
/// Source: Okabe and Ito, "Color Universal Design", 2008. Deviation: about a fifth less saturated
/// and evened in lightness, because full saturation hides the shading of a surface.
[[nodiscard]] const std::array<Colour, 8>& palette();

/// The palette's colour for the n-th object; starts again after the last.
[[nodiscard]] const Colour& paletteColour(std::size_t n);

/// Names of the palette's entries, to be used where one is wanted for what it means.
enum class Paint : std::size_t { Orange, Blue, Green, Vermilion, Sky, Purple, Yellow, Clay };
[[nodiscard]] const Colour& paletteColour(Paint paint);

}  // namespace tactus::render
