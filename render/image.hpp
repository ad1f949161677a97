#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::render {

/// A picture in sRGB, three bytes a pixel, rows from top to bottom without gaps.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  [[nodiscard]] std::array<std::uint8_t, 3> pixel(int x, int y) const {
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(x));
    return {rgb[at], rgb[at + 1], rgb[at + 2]};
  }
};

enum class IfExists : std::uint8_t { Refuse, Replace };

/// Writes a PNG under a temporary name beside the target and renames it when it is complete, so
/// that nobody ever sees half a picture. A link that is replaced stays a link: its target changes.
[[nodiscard]] models::Result<models::Done> writePng(const Image& image,
                                                    const std::filesystem::path& file,
                                                    IfExists ifExists = IfExists::Refuse);

}  // namespace tactus::render
