#include "render/window_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace tactus::render {

namespace {

using models::Done;
using models::Result;

/// How a picture of a quality is drawn.
struct Recipe {
  int passes;
  bool isPlain;
  double scale;
};
constexpr std::array<Recipe, 7> kRecipes = {{{1, true, 0.5},
                                             {1, true, 2.0 / 3.0},
                                             {1, true, 1.0},
                                             {1, false, 1.0},
                                             {4, false, 1.0},
                                             {8, false, 1.0},
                                             {16, false, 1.0}}};

// Behind a panel that covers its part of the window, but for its rounded corners.
constexpr std::array<float, 4> kPaper = {0.97F, 0.975F, 0.98F, 1.0F};

// Pictures that can be told apart by the mark: more than any window system keeps in turn.
constexpr unsigned kMarks = 4;
// A window that is just being resized may lose one or two.
constexpr int kMostLost = 4;

const Recipe& recipeOf(Quality quality) {
  return kRecipes[static_cast<std::size_t>(quality)];
}

/// For the open part of the window itself.
DrawSettings settingsOf(const WindowPicture::Layout& layout) {
  const Recipe& recipe = recipeOf(layout.quality);
  DrawSettings settings;
  settings.width = layout.open;
  settings.height = layout.height;
  settings.passes = recipe.passes;
  settings.isPlain = recipe.isPlain;
  return settings;
}

void restrictTo(const PixelRect& region) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(region.left, region.bottom, region.right - region.left, region.top - region.bottom);
}

/// Where pixels of a small picture are seen in one that is enlarged by linear interpolation.
PixelRect enlarged(const PixelRect& rect, double scale) {
  const PixelRect wide = grown(rect, 1);
  return {static_cast<int>(std::floor(wide.left / scale)),
          static_cast<int>(std::floor(wide.bottom / scale)),
          static_cast<int>(std::ceil(wide.right / scale)),
          static_cast<int>(std::ceil(wide.top / scale))};
}

}  // namespace

Result<Done> WindowPicture::fitSmall(const Layout& layout) {
  const double scale = recipeOf(layout.quality).scale;
  return fitRenderTarget(small_, std::max(1, static_cast<int>(scale * layout.open)),
                         std::max(1, static_cast<int>(scale * layout.height)), GL_RGBA8,
                         GL_DEPTH24_STENCIL8);
}

void WindowPicture::enlarge(const Layout& layout) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, small_.framebuffer.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, small_.width, small_.height, 0, 0, layout.open, layout.height,
                    GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Result<Done> WindowPicture::drawAll(const SceneView& view, const Layout& layout) {
  const Recipe& recipe = recipeOf(layout.quality);
  DrawSettings settings = settingsOf(layout);
  const bool isSmall = recipe.scale < 1.0;
  if (isSmall) {
    Result<Done> fitted = fitSmall(layout);
    if (!fitted) return fitted;
    settings.width = small_.width;
    settings.height = small_.height;
    settings.target = small_.framebuffer.get();
  }
  Result<Done> drawn = renderer_->draw(view, settings);
  if (drawn && isSmall) enlarge(layout);
  return drawn;
}

Result<Done> WindowPicture::drawChanges(const SceneView& view, const Layout& layout,
                                        const Overlay& overlay, bool isKept) {
  const Recipe& recipe = recipeOf(layout.quality);
  DrawSettings settings = settingsOf(layout);
  settings.isSteady = true;
  settings.isKept = isKept;
  // The scene below widgets waits for the next ones, and is drawn anew where these look otherwise.
  const PixelRect open{0, 0, layout.open, layout.height};
  std::vector<PixelRect> worn;
  std::vector<PixelRect> held;
  if (overlay.isNew) {
    worn = std::exchange(owed_, {});
    for (const PixelRect& changed : overlay.changed)
      worn.push_back(common(changed, open));
  } else {
    held = places_;
  }
  if (recipe.scale >= 1.0) {
    settings.worn = worn;
    settings.held = held;
    Result<Done> drawn = renderer_->draw(view, settings);
    isRepainted_ = renderer_->drewWhole();
    drawn_ = renderer_->drawnParts();
    owed_.insert(owed_.end(), renderer_->heldBack().begin(), renderer_->heldBack().end());
    return drawn;
  }
  Result<Done> fitted = fitSmall(layout);
  if (!fitted) return fitted;
  settings.width = small_.width;
  settings.height = small_.height;
  settings.target = small_.framebuffer.get();
  Result<Done> drawn = renderer_->draw(view, settings);
  if (!drawn) return drawn;
  isRepainted_ = renderer_->drewWhole();
  drawn_.clear();
  if (isRepainted_) {
    drawn_.push_back(open);
  } else {
    for (const PixelRect& region : renderer_->drawnRegions())
      addRegion(drawn_, common(enlarged(region, recipe.scale), open));
    for (const PixelRect& place : held) {
      for (const PixelRect& region : drawn_) {
        if (const PixelRect both = common(region, place); !both.isEmpty()) owed_.push_back(both);
      }
      drawn_ = without(drawn_, place);
    }
    for (const PixelRect& part : worn)
      addRegion(drawn_, part);
  }
  for (const PixelRect& region : drawn_) {
    restrictTo(region);
    enlarge(layout);
  }
  glDisable(GL_SCISSOR_TEST);
  return drawn;
}

void WindowPicture::paintAll(const Layout& layout, const Overlay& overlay) const {
  glClear(GL_STENCIL_BUFFER_BIT);
  if (layout.open < layout.width) {
    restrictTo({layout.open, 0, layout.width, layout.height});
    glClearBufferfv(GL_COLOR, 0, kPaper.data());
    glDisable(GL_SCISSOR_TEST);
  }
  glViewport(0, 0, layout.width, layout.height);
  if (overlay.paint) overlay.paint(Extent::All);
}

void WindowPicture::paintChanges(const Layout& layout, const Overlay& overlay) {
  std::vector<PixelRect> parts(overlay.changed.begin(), overlay.changed.end());
  for (const PixelRect& place : overlay.places) {
    for (const PixelRect& drawn : drawn_) {
      if (const PixelRect both = common(drawn, place); !both.isEmpty()) parts.push_back(both);
    }
  }
  if (parts.empty() || !overlay.paint) return;
  const PixelRect panel{layout.open, 0, layout.width, layout.height};
  for (const PixelRect& changed : overlay.changed) {
    const PixelRect paper = common(changed, panel);
    if (paper.isEmpty()) continue;
    restrictTo(paper);
    glClearBufferfv(GL_COLOR, 0, kPaper.data());
  }
  mask_.begin(parts, layout.width, layout.height, PartsMask::Depths::Stay);
  overlay.paint(Extent::Masked);
  mask_.end();
  glDisable(GL_DEPTH_TEST);
}

Result<Done> WindowPicture::draw(const SceneView& view, const Layout& layout,
                                 const Overlay& overlay) {
  checkMark(layout);
  const bool keepsThis = keeps_ && recipeOf(layout.quality).passes == 1;
  const bool isKept = keepsThis && isShown_ && layout == layout_;
  isRepainted_ = true;
  Result<Done> drawn =
      keepsThis ? drawChanges(view, layout, overlay, isKept) : drawAll(view, layout);
  if (!drawn) return drawn;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  if (isRepainted_) {
    owed_.clear();
    paintAll(layout, overlay);
  } else if (overlay.isNew) {
    paintChanges(layout, overlay);
  }
  if (overlay.isNew) places_.assign(overlay.places.begin(), overlay.places.end());
  layout_ = layout;
  isShown_ = true;
  return drawn;
}

Result<Done> WindowPicture::warmUp(Layout layout) {
  // One of each kind that a scene has from its beginning or may get at any moment.
  const auto tetrahedron = std::make_shared<models::Mesh>();
  tetrahedron->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tetrahedron->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  SceneView view;
  view.camera.distance = 5.0;
  view.meshes.emplace_back().mesh = tetrahedron;
  view.meshes.emplace_back().mesh = tetrahedron;
  view.meshes.back().opacity = 0.5F;
  view.arrows.push_back({.to = Eigen::Vector3d::UnitY(), .shaftRadius = 0.1});
  view.lines.push_back({.to = Eigen::Vector3d::UnitX()});
  isShown_ = false;
  for (const Quality quality : {Quality::Draft, Quality::Plain, Quality::Fast}) {
    layout.quality = quality;
    Result<Done> drawn = drawAll(view, layout);
    if (!drawn) return drawn;
  }
  return Done{};
}

void WindowPicture::checkMark(const Layout& layout) {
  const bool isSameSize = layout.width == layout_.width && layout.height == layout_.height;
  if (marked_.empty() || !isSameSize) {
    marked_.clear();
    return;
  }
  std::vector<unsigned char> found(marked_.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, found.data());
  if (std::exchange(marked_, {}) == found) {
    lost_ = 0;
    return;
  }
  isShown_ = false;
  keeps_ = ++lost_ < kMostLost;
}

void WindowPicture::mark() {
  if (!keeps_) return;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  std::array<unsigned char, 4> pixel{};
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
  pixel[2] = static_cast<unsigned char>((pixel[2] & ~(kMarks - 1)) | (number_++ % kMarks));
  std::array<float, 4> colour{};
  std::transform(pixel.begin(), pixel.end(), colour.begin(),
                 [](unsigned char byte) { return static_cast<float>(byte) / 255.0F; });
  restrictTo({0, 0, 1, 1});
  glClearBufferfv(GL_COLOR, 0, colour.data());
  glDisable(GL_SCISSOR_TEST);
  marked_.resize(4);
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, marked_.data());
}

}  // namespace tactus::render
