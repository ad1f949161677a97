#include "render/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <utility>

#include "render/scene_renderer.hpp"

namespace tactus::render {

namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

Error noContext(const std::string& why) {
  return {Reason::Unsupported, -1,
          "No picture can be drawn without a window because " + why +
              "; install Mesa's EGL (Debian: libegl-mesa0 libgl1-mesa-dri)."};
}

bool listed(const char* extensions, std::string_view name) {
  return extensions != nullptr && std::string_view(extensions).find(name) != std::string_view::npos;
}

/// A context of OpenGL 3.3 core that belongs to no window.
class EglContext {
 public:
  static Result<EglContext> create() {
    const char* clients = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (listed(clients, "EGL_MESA_platform_surfaceless")) {
      EglContext context;
      context.display_ =
          eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_NO_DISPLAY, nullptr);
      if (context.start()) return context;
    }
    EglContext context;
    context.display_ = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (context.start()) return context;
    return noContext(context.failure_);
  }
  EglContext(EglContext&& other) noexcept
      : display_(std::exchange(other.display_, EGL_NO_DISPLAY)),
        context_(std::exchange(other.context_, EGL_NO_CONTEXT)),
        surface_(std::exchange(other.surface_, EGL_NO_SURFACE)) {}
  EglContext& operator=(EglContext&&) = delete;
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  ~EglContext() {
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    // The display stays: EGL gives every caller the same one, and ending it would end the contexts
    // of others.
  }

  [[nodiscard]] bool makeCurrent() const {
    return eglMakeCurrent(display_, surface_, surface_, context_) == EGL_TRUE;
  }
  void release() const { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

 private:
  EglContext() = default;

  bool start() {
    if (display_ == EGL_NO_DISPLAY || eglInitialize(display_, nullptr, nullptr) != EGL_TRUE) {
      failure_ = "EGL finds no device to draw with";
      return false;
    }
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) {
      failure_ = "EGL offers no desktop OpenGL";
      return false;
    }
    const bool surfaceless =
        listed(eglQueryString(display_, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
    const std::array<EGLint, 5> wanted = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                          surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (eglChooseConfig(display_, wanted.data(), &config, 1, &configs) != EGL_TRUE ||
        configs == 0) {
      failure_ = "EGL offers no configuration for OpenGL";
      return false;
    }
    constexpr std::array<EGLint, 7> kCore33 = {EGL_CONTEXT_MAJOR_VERSION,
                                               3,
                                               EGL_CONTEXT_MINOR_VERSION,
                                               3,
                                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                               EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, kCore33.data());
    if (context_ == EGL_NO_CONTEXT) {
      failure_ = "the driver has no OpenGL 3.3";
      return false;
    }
    if (!surfaceless) {
      constexpr std::array<EGLint, 5> kTiny = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
      surface_ = eglCreatePbufferSurface(display_, config, kTiny.data());
    }
    return true;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  EGLSurface surface_ = EGL_NO_SURFACE;
  std::string failure_;
};

/// Current from here to the end of the block.
class CurrentContext {
 public:
  explicit CurrentContext(const EglContext& context)
      : context_(context), good_(context.makeCurrent()) {}
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() { context_.release(); }
  [[nodiscard]] bool good() const noexcept { return good_; }

 private:
  const EglContext& context_;
  bool good_;
};

}  // namespace

struct OffscreenRenderer::Parts {
  explicit Parts(EglContext made) : context(std::move(made)) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    const CurrentContext current(context);
    renderer.reset();
    picture = RenderTarget{};
  }

  EglContext context;
  std::unique_ptr<SceneRenderer> renderer;  ///< there as soon as create() returns
  RenderTarget picture;
};

OffscreenRenderer::OffscreenRenderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
OffscreenRenderer::OffscreenRenderer(OffscreenRenderer&&) noexcept = default;
OffscreenRenderer& OffscreenRenderer::operator=(OffscreenRenderer&&) noexcept = default;
OffscreenRenderer::~OffscreenRenderer() = default;

Result<OffscreenRenderer> OffscreenRenderer::create() {
  Result<EglContext> context = EglContext::create();
  if (!context) return context.error();
  auto parts = std::make_unique<Parts>(std::move(context).value());
  const CurrentContext current(parts->context);
  if (!current.good()) return noContext("another part of this program draws on this thread");
  Result<SceneRenderer> renderer = SceneRenderer::create();
  if (!renderer) return renderer.error();
  parts->renderer = std::make_unique<SceneRenderer>(std::move(renderer).value());
  return OffscreenRenderer(std::move(parts));
}

Result<Image> OffscreenRenderer::render(const SceneView& view, int width, int height, int passes) {
  const CurrentContext current(parts_->context);
  if (!current.good()) return noContext("another part of this program draws on this thread");
  SceneRenderer& renderer = *parts_->renderer;
  RenderTarget& picture = parts_->picture;
  const int side = renderer.largestSide();
  const bool possible = width >= 1 && height >= 1 && width <= side && height <= side;
  if (possible && (picture.width != width || picture.height != height)) {
    picture = RenderTarget{};
    Result<RenderTarget> made = makeRenderTarget(width, height, GL_RGBA8, GL_DEPTH_COMPONENT32F);
    if (!made) return made.error();
    picture = std::move(made).value();
  }
  DrawSettings settings;
  settings.width = width;
  settings.height = height;
  settings.passes = passes;
  settings.target = picture.framebuffer.get();
  const Result<Done> drawn = renderer.draw(view, settings);
  if (!drawn) return drawn.error();
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture.framebuffer.get());
  return readPixels(width, height);
}

bool OffscreenRenderer::isSoftwareRenderer() const noexcept {
  return parts_->renderer->isSoftwareRenderer();
}

const std::string& OffscreenRenderer::deviceName() const noexcept {
  return parts_->renderer->deviceName();
}

Result<Image> renderOffscreen(const SceneView& view, int width, int height, int passes) {
  Result<OffscreenRenderer> renderer = OffscreenRenderer::create();
  if (!renderer) return renderer.error();
  return renderer.value().render(view, width, height, passes);
}

}  // namespace tactus::render
