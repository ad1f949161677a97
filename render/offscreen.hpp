#pragma once
#include <memory>
#include <string>

#include "models/mesh/result.hpp"
#include "render/image.hpp"
#include "render/scene_view.hpp"

namespace tactus::render {

/// Passes of a picture that is to be looked at: soft shadows show no steps.
constexpr int kPicturePasses = 32;

/// Draws without a window, a display or an X server: EGL on Mesa's surfaceless platform, else on
/// the default display with a pbuffer.
///
/// A picture is the mean of many passes, each seen through another point of the pixel and lit from
/// another point of the lamp and of the sky: smooth edges, soft shadows and darkened crevices all
/// come from the same mean (accumulation buffer: Haeberli and Akeley, 1990).
///
/// Not to be used on a thread that runs a Window; Frame::capture is for that.
class OffscreenRenderer {
 public:
  [[nodiscard]] static models::Result<OffscreenRenderer> create();
  OffscreenRenderer(OffscreenRenderer&&) noexcept;
  OffscreenRenderer& operator=(OffscreenRenderer&&) noexcept;
  ~OffscreenRenderer();

  [[nodiscard]] models::Result<Image> render(const SceneView& view, int width, int height,
                                             int passes = kPicturePasses);
  /// Whether the processor draws (llvmpipe and its like).
  [[nodiscard]] bool isSoftwareRenderer() const noexcept;
  /// Driver and device as they name themselves.
  [[nodiscard]] const std::string& deviceName() const noexcept;

 private:
  struct Parts;
  explicit OffscreenRenderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// One picture, context and all. For more than one keep an OffscreenRenderer.
[[nodiscard]] models::Result<Image> renderOffscreen(const SceneView& view, int width, int height,
                                                    int passes = kPicturePasses);

}  // namespace tactus::render
