#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/gl_objects.hpp"
#include "render/parts_mask.hpp"
#include "render/picture_regions.hpp"
#include "render/scene_renderer.hpp"
#include "render/window.hpp"

namespace tactus::render {

/// What is in a window: a scene, and widgets over it.
///
/// A graphics card draws all of it in each picture. A processor cannot: there the window keeps its
/// last picture, and only what has changed in it is drawn anew, the widgets less often than the
/// scene. What is below widgets waits for them.
///
/// OpenGL lets a window forget its picture when it was shown. Mesa's software drivers copy it and
/// leave it alone; so that nothing depends on that, each picture is marked in the last bits of one
/// pixel. Where the mark is not found again all is drawn anew, and soon in each picture, for good.
class WindowPicture {
 public:
  explicit WindowPicture(SceneRenderer& renderer)
      : renderer_(&renderer), keeps_(renderer.isSoftwareRenderer()) {}
  /// Once, before the first picture.
  [[nodiscard]] models::Result<models::Done> build() { return mask_.build(); }

  struct Layout {
    int width = 0, height = 0;  ///< of the window [pixels]
    int open = 0;               ///< of its width, that the scene is drawn in; the rest is a panel's
    Quality quality = Quality::Fast;
    friend bool operator==(const Layout&, const Layout&) = default;
  };
  /// All of the window, or only where its stencil lets them.
  enum class Extent : std::uint8_t { All, Masked };
  /// Where widgets are, and how they are drawn, over whatever is there.
  struct Overlay {
    bool isNew = true;  ///< else they are the last picture's
    std::span<const PixelRect> places;
    std::span<const PixelRect> changed;  ///< where they look other than the last ones
    std::function<void(Extent)> paint;
  };

  /// Whether pictures are kept, so that widgets need not be new each time.
  [[nodiscard]] bool keeps() const noexcept { return keeps_; }
  /// Into the window's back buffer.
  [[nodiscard]] models::Result<models::Done> draw(const SceneView& view, const Layout& layout,
                                                  const Overlay& overlay);
  /// Has the driver compile all that pictures of any quality need of it, which takes it a fifth of
  /// a second each time, before somebody waits for it. The next picture is drawn anew.
  [[nodiscard]] models::Result<models::Done> warmUp(Layout layout);
  /// To be called when all is drawn, before the window shows it.
  void mark();

 private:
  void checkMark(const Layout& layout);
  [[nodiscard]] models::Result<models::Done> drawAll(const SceneView& view, const Layout& layout);
  [[nodiscard]] models::Result<models::Done> drawChanges(const SceneView& view,
                                                         const Layout& layout,
                                                         const Overlay& overlay, bool isKept);
  [[nodiscard]] models::Result<models::Done> fitSmall(const Layout& layout);
  void paintAll(const Layout& layout, const Overlay& overlay) const;
  void paintChanges(const Layout& layout, const Overlay& overlay);
  void enlarge(const Layout& layout) const;

  SceneRenderer* renderer_;
  bool keeps_;
  bool isShown_ = false;           ///< there is a last picture
  Layout layout_;                  ///< of it
  std::vector<PixelRect> places_;  ///< of its widgets
  bool isRepainted_ = false;       ///< all of this picture was drawn anew
  std::vector<PixelRect> drawn_;   ///< else where its scene was
  std::vector<PixelRect> owed_;  ///< where the scene below widgets has changed since these were new
  PartsMask mask_{SceneRenderer::kLastMark + 1, 255};
  RenderTarget small_;
  unsigned number_ = 0;
  std::vector<unsigned char> marked_;  ///< the pixel as it was left
  int lost_ = 0;                       ///< pictures without their mark, one after the other
};

}  // namespace tactus::render
