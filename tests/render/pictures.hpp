#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "render/offscreen.hpp"

namespace tactus::render::pictures {

inline constexpr int kWidth = 200;
inline constexpr int kHeight = 140;

using Rgb = std::array<int, 3>;

inline Rgb at(const Image& image, const SceneView& view, const Eigen::Vector3d& world) {
  const Eigen::Vector3d pixel = view.camera.pixelOf(world, image.width, image.height);
  const auto x = static_cast<int>(std::floor(pixel.x()));
  const auto y = static_cast<int>(std::floor(pixel.y()));
  EXPECT_TRUE(x >= 0 && y >= 0 && x < image.width && y < image.height) << "outside the picture";
  const auto bytes =
      image.pixel(std::clamp(x, 0, image.width - 1), std::clamp(y, 0, image.height - 1));
  return {bytes[0], bytes[1], bytes[2]};
}

inline int brightness(const Rgb& rgb) {
  return rgb[0] + rgb[1] + rgb[2];
}
inline int colourfulness(const Rgb& rgb) {
  return *std::max_element(rgb.begin(), rgb.end()) - *std::min_element(rgb.begin(), rgb.end());
}

/// Draws small pictures without a window.
class Picture : public testing::Test {
 protected:
  void SetUp() override {
    models::Result<OffscreenRenderer> created = OffscreenRenderer::create();
    ASSERT_TRUE(created) << created.error().sentence;
    renderer_ = std::make_unique<OffscreenRenderer>(std::move(created).value());
  }
  Image draw(const SceneView& view, int passes) {
    models::Result<Image> image = renderer_->render(view, kWidth, kHeight, passes);
    EXPECT_TRUE(image) << image.error().sentence;
    return image ? std::move(image).value()
                 : Image{kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight)};
  }
  std::unique_ptr<OffscreenRenderer> renderer_;
};

}  // namespace tactus::render::pictures
