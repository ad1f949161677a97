#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::render {

/// Part of a picture: pixels from its lower left corner, right and top the first ones beyond.
struct PixelRect {
  int left = 0, bottom = 0, right = 0, top = 0;

  [[nodiscard]] bool isEmpty() const noexcept { return left >= right || bottom >= top; }
  [[nodiscard]] std::int64_t area() const noexcept {
    return isEmpty() ? 0 : static_cast<std::int64_t>(right - left) * (top - bottom);
  }
  friend bool operator==(const PixelRect&, const PixelRect&) = default;
};

/// The smallest one around two; an empty one adds nothing.
[[nodiscard]] PixelRect joined(const PixelRect& a, const PixelRect& b);
/// What is in both.
[[nodiscard]] PixelRect common(const PixelRect& a, const PixelRect& b);
/// So many pixels more at each side.
[[nodiscard]] PixelRect grown(const PixelRect& rect, int pixels);

/// Adds a part to those that are to be drawn. Parts that lie close together become one, and a list
/// stays short, because each part is drawn for itself; so more than was added may be in it.
void addRegion(std::vector<PixelRect>& regions, const PixelRect& region);

/// All pixels of the list that are not in `hole`.
[[nodiscard]] std::vector<PixelRect> without(std::span<const PixelRect> regions,
                                             const PixelRect& hole);

/// Pictures of points, in pixels from the lower left corner; none if one is not before the eye.
[[nodiscard]] std::vector<Eigen::Vector2d> pixelsOf(std::span<const Eigen::Vector3d> points,
                                                    const Eigen::Matrix4d& clipFromPoints,
                                                    int width, int height);

/// Around the pictures of points, in a picture of that size; all of it if one is not before the
/// eye. The edges of what the points span lie at least `pixels` within.
[[nodiscard]] PixelRect regionOf(std::span<const Eigen::Vector3d> points,
                                 const Eigen::Matrix4d& clipFromPoints, int width, int height,
                                 int pixels);

}  // namespace tactus::render
