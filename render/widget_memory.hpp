#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/picture_regions.hpp"

struct ImDrawData;

namespace tactus::render {

/// Remembers how widgets looked when they were drawn last, tile by tile, so that only those are
/// drawn again that look otherwise: most of a panel stays as it is while some numbers change.
///
/// A tile's number is a hash of all triangles that touch it, in their order, with colours, places
/// in the font and clips: two looks with one number are as rare as 1 in 2^64.
class WidgetMemory {
 public:
  /// Nothing is known of what is on the screen.
  void forget() { tiles_.clear(); }

  /// Tiles of a picture of that size in pixels in which these look other than the last ones.
  [[nodiscard]] std::vector<PixelRect> changes(const ImDrawData* data, int width, int height);

 private:
  std::vector<std::uint64_t> tiles_;
  int width_ = 0, height_ = 0;
};

}  // namespace tactus::render
