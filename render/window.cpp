#include "render/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <memory>
#include <thread>
#include <utility>

#include "render/quality_chooser.hpp"
#include "render/scene_renderer.hpp"
#include "render/widget_memory.hpp"
#include "render/window_picture.hpp"

namespace tactus::render {

namespace {

using Clock = std::chrono::steady_clock;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

constexpr std::array<std::string_view, 7> kQualityNames = {"draft", "coarse", "plain", "fast",
                                                           "fair",  "good",   "full"};

// Where the usual packages of the usual systems put a readable font.
constexpr std::array<const char*, 5> kFontFiles = {
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"};

// Pictures since the view last moved: from then on it rests, and only what moves in it is drawn.
constexpr int kRestingFrames = 12;

// Where a processor draws, widgets are drawn in one picture of so many, unless somebody uses them.
constexpr int kWidgetsEvery = 4;
// The first pictures are there at once, and models are being read behind them.
constexpr std::uint64_t kWarmUpFrame = 2;
// How often it is looked whether the window can be seen: each time costs a message to the screen.
constexpr int kLookEvery = 15;

// Frame times that the percentiles of the report are taken from: the last ten minutes at 60 Hz.
constexpr std::size_t kKeptFrames = 36'000;

double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double percentile(std::vector<float> values, double share) {
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

Error noWindow(const std::string& why, const std::string& remedy) {
  return {Reason::Unsupported, -1, "No window can be opened because " + why + ": " + remedy + "."};
}

/// What GLFW said last, without its trailing full stop.
std::string glfwReason() {
  const char* text = nullptr;
  glfwGetError(&text);
  std::string reason = text == nullptr ? "the window system gives no reason" : text;
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n'))
    reason.pop_back();
  return reason;
}

/// GLFW between its start and its end.
class GlfwLibrary {
 public:
  static Result<std::unique_ptr<GlfwLibrary>> start() {
    if (glfwInit() == GLFW_TRUE) return std::unique_ptr<GlfwLibrary>(new GlfwLibrary);
    const std::string reason = glfwReason();
    const auto isUnset = [](const char* name) {
      const char* value = std::getenv(name);
      return value == nullptr || *value == '\0';
    };
    const std::string remedy = "use --screenshot FILE.png, which needs no display, or set DISPLAY";
    if (isUnset("DISPLAY") && isUnset("WAYLAND_DISPLAY")) {
      return noWindow("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)", remedy);
    }
    return noWindow("the display does not answer (" + reason + ")",
                    "use --screenshot FILE.png, which needs no display, or set DISPLAY to one that "
                    "runs");
  }
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;
  ~GlfwLibrary() { glfwTerminate(); }

 private:
  GlfwLibrary() = default;
};

/// Closes the window.
struct CloseWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using GlfwWindow = std::unique_ptr<GLFWwindow, CloseWindow>;

/// Mouse and keyboard between two frames, as the callbacks of GLFW collect them.
struct Inputs {
  enum class Drag : std::uint8_t { None, Orbit, Pan };
  Drag drag = Drag::None;
  int dragButton = -1;
  int lastDragButton = -1;              ///< of a drag since the last frame, even if it has ended
  double cursorX = 0.0, cursorY = 0.0;  ///< when the last event came, in screen units
  /// By drags since the last frame. Apart, because one frame may see the end of a drag and all of
  /// the next.
  Eigen::Vector2d orbited = Eigen::Vector2d::Zero(), panned = Eigen::Vector2d::Zero();
  double notches = 0.0;
  bool takesPointer = false;                          ///< `app` has left drags and the wheel
  bool isHandDrag = false;                            ///< the drag that is going on is `app`'s
  Eigen::Vector2d dragged = Eigen::Vector2d::Zero();  ///< by any drag since the last frame
  double notchesOfHand = 0.0;
  /// A drag that began since the last frame, and what other ones had done until then.
  bool isFreshDrag = false;
  int lastButtonBefore = -1;
  Eigen::Vector2d orbitedBefore = Eigen::Vector2d::Zero(), pannedBefore = Eigen::Vector2d::Zero(),
                  draggedBefore = Eigen::Vector2d::Zero();
  bool goesHome = false;
  /// Since the last frame: anything that widgets must hear of at once, and a move of the cursor,
  /// of which they must only where they are.
  bool hasNews = true, hasMoved = true;
  std::string keys;
  std::vector<std::filesystem::path> dropped;

  /// Gives back what is the widgets'. Only with the new frame they know what the mouse is over:
  /// where a picture takes long, a button goes down before it is seen that the mouse has moved.
  void leaveToWidgets() {
    if (ImGui::GetIO().WantCaptureMouse) {
      notches = notchesOfHand = 0.0;
      if (isFreshDrag) {
        drag = Drag::None;
        isHandDrag = false;
        dragButton = -1;
        lastDragButton = lastButtonBefore;
        orbited = orbitedBefore;
        panned = pannedBefore;
        dragged = draggedBefore;
      }
    }
    isFreshDrag = false;
  }

  static Inputs& of(GLFWwindow* window) {
    return *static_cast<Inputs*>(glfwGetWindowUserPointer(window));
  }
};

void onMouseButton(GLFWwindow* window, int button, int action, int /*modifiers*/) {
  Inputs& inputs = Inputs::of(window);
  inputs.hasNews = true;
  if (action == GLFW_PRESS && inputs.drag == Inputs::Drag::None) {
    inputs.isFreshDrag = true;
    inputs.lastButtonBefore = inputs.lastDragButton;
    inputs.orbitedBefore = inputs.orbited;
    inputs.pannedBefore = inputs.panned;
    inputs.draggedBefore = inputs.dragged;
    const bool isLeft = button == GLFW_MOUSE_BUTTON_LEFT;
    const bool orbits = inputs.takesPointer ? button == GLFW_MOUSE_BUTTON_RIGHT : isLeft;
    inputs.drag = orbits ? Inputs::Drag::Orbit : Inputs::Drag::Pan;
    inputs.isHandDrag = inputs.takesPointer && isLeft;
    inputs.dragButton = inputs.lastDragButton = button;
  } else if (action == GLFW_RELEASE && button == inputs.dragButton) {
    inputs.drag = Inputs::Drag::None;
    inputs.isHandDrag = false;
    inputs.dragButton = -1;
  }
}

void onCursor(GLFWwindow* window, double x, double y) {
  Inputs& inputs = Inputs::of(window);
  inputs.hasMoved = true;
  const Eigen::Vector2d moved(x - inputs.cursorX, y - inputs.cursorY);
  if (inputs.drag != Inputs::Drag::None) inputs.dragged += moved;
  if (inputs.drag == Inputs::Drag::Orbit) inputs.orbited += moved;
  if (inputs.drag == Inputs::Drag::Pan && !inputs.isHandDrag) inputs.panned += moved;
  inputs.cursorX = x;
  inputs.cursorY = y;
}

bool isControlDown(GLFWwindow* window) {
  return glfwGetKey(window, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
         glfwGetKey(window, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
}

bool isShiftDown(GLFWwindow* window) {
  return glfwGetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
         glfwGetKey(window, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
}

void onScroll(GLFWwindow* window, double right, double up) {
  Inputs& inputs = Inputs::of(window);
  inputs.hasNews = true;
  // With Shift some systems turn the wheel's axis.
  if (inputs.takesPointer && !isControlDown(window)) {
    inputs.notchesOfHand += up + right;
  } else {
    inputs.notches += up;
  }
}

void onKey(GLFWwindow* window, int key, int /*scancode*/, int action, int modifiers) {
  Inputs::of(window).hasNews = true;
  if (ImGui::GetIO().WantTextInput || action != GLFW_PRESS) return;
  if (key == GLFW_KEY_HOME) {
    Inputs::of(window).goesHome = true;
    return;
  }
  constexpr int kCommands = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  // Q alone is a hand's key where the mouse has one.
  const bool isQuit = key == GLFW_KEY_Q && (Inputs::of(window).takesPointer
                                                ? (modifiers & kCommands) == GLFW_MOD_CONTROL
                                                : (modifiers & kCommands & ~GLFW_MOD_CONTROL) == 0);
  if (key == GLFW_KEY_ESCAPE || isQuit) {
    glfwSetWindowShouldClose(window, GLFW_TRUE);
  } else if (key >= GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT &&
             (modifiers & kCommands) == 0) {
    // GLFW numbers printable keys by their upper-case ASCII code.
    Inputs::of(window).keys.push_back(static_cast<char>(key));
  }
}

void onDrop(GLFWwindow* window, int count, const char** files) {
  for (int i = 0; i < count; ++i)
    Inputs::of(window).dropped.emplace_back(files[i]);
}

/// Dear ImGui between its start and its end.
class Widgets {
 public:
  Widgets(GLFWwindow* window, float scale) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    // Windows of the panel stand where `app` puts them; no file appears in the user's folder.
    io.IniFilename = nullptr;
    loadFont(io, scale);
    setStyle(scale);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330");
  }
  Widgets(const Widgets&) = delete;
  Widgets& operator=(const Widgets&) = delete;
  ~Widgets() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }

  static void beginFrame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    // First of all that is drawn, for the backend has just turned the stencil off.
    ImGui::GetBackgroundDrawList()->AddCallback(obeyStencil, nullptr);
  }
  static void endFrame() { ImGui::Render(); }
  /// What the last frame came to, as often as it is asked for.
  static void paint(WindowPicture::Extent extent) {
    ImDrawData* const drawn = ImGui::GetDrawData();
    if (drawn == nullptr) return;
    isMasked = extent == WindowPicture::Extent::Masked;
    ImGui_ImplOpenGL3_RenderDrawData(drawn);
  }

  /// Around each window of the last frame, in a picture of that height.
  static std::vector<PixelRect> places(int height) {
    std::vector<PixelRect> found;
    const ImDrawData* data = ImGui::GetDrawData();
    if (data == nullptr) return found;
    found.reserve(static_cast<std::size_t>(data->CmdListsCount));
    const ImVec2 scale = data->FramebufferScale;
    for (int list = 0; list < data->CmdListsCount; ++list) {
      const ImDrawList& drawn = *data->CmdLists[list];
      if (drawn.VtxBuffer.empty()) continue;
      // What is drawn lies within the clip of a command and between its corners; the union of both
      // is a little more.
      ImVec4 clip(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
      for (const ImDrawCmd& command : drawn.CmdBuffer) {
        if (command.ElemCount == 0) continue;
        clip = ImVec4(std::min(clip.x, command.ClipRect.x), std::min(clip.y, command.ClipRect.y),
                      std::max(clip.z, command.ClipRect.z), std::max(clip.w, command.ClipRect.w));
      }
      ImVec4 box(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
      for (const ImDrawVert& vertex : drawn.VtxBuffer) {
        box = ImVec4(std::min(box.x, vertex.pos.x), std::min(box.y, vertex.pos.y),
                     std::max(box.z, vertex.pos.x), std::max(box.w, vertex.pos.y));
      }
      const PixelRect place{
          static_cast<int>(std::floor(std::max({box.x, clip.x, 0.0F}) * scale.x)),
          height -
              static_cast<int>(std::ceil(std::min({box.w, clip.w, data->DisplaySize.y}) * scale.y)),
          static_cast<int>(std::ceil(std::min({box.z, clip.z, data->DisplaySize.x}) * scale.x)),
          height - static_cast<int>(std::floor(std::max({box.y, clip.y, 0.0F}) * scale.y))};
      if (!place.isEmpty()) found.push_back(place);
    }
    return found;
  }

 private:
  static inline bool isMasked = false;
  static void obeyStencil(const ImDrawList* /*list*/, const ImDrawCmd* /*command*/) {
    if (isMasked) glEnable(GL_STENCIL_TEST);
  }

  static void loadFont(ImGuiIO& io, float scale) {
    // Latin, Greek (for units and angles), dashes and quotes, arrows, mathematical signs.
    static constexpr std::array<ImWchar, 11> kGlyphs = {
        0x20, 0xFF, 0x370, 0x3FF, 0x2010, 0x205E, 0x2190, 0x21FF, 0x2200, 0x22FF, 0};
    for (const char* file : kFontFiles) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(file, ignored)) continue;
      if (io.Fonts->AddFontFromFileTTF(file, kTextHeight * scale, nullptr, kGlyphs.data()) !=
          nullptr) {
        io.Fonts->AddFontFromFileTTF(file, kLargeTextHeight * scale, nullptr, kGlyphs.data());
        return;
      }
    }
    // ImGui's own font is drawn for 13 pixels and has no other size.
    io.Fonts->AddFontDefault();
    ImFontConfig large;
    large.SizePixels = kLargeTextHeight;
    io.Fonts->AddFontDefault(&large);
    io.FontGlobalScale = scale;
  }

  static void setStyle(float scale) {
    ImGui::StyleColorsLight();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 6.0F;
    style.FrameRounding = 4.0F;
    style.GrabRounding = 4.0F;
    style.PopupRounding = 4.0F;
    style.WindowPadding = {12.0F, 10.0F};
    style.FramePadding = {8.0F, 4.0F};
    style.ItemSpacing = {8.0F, 6.0F};
    style.WindowBorderSize = 0.0F;
    const ImVec4 paper(0.97F, 0.975F, 0.98F, 0.92F);
    const ImVec4 ink(0.13F, 0.16F, 0.20F, 1.0F);
    const ImVec4 blue(0.23F, 0.50F, 0.72F, 1.0F);
    const auto faint = [&](float alpha) { return ImVec4(blue.x, blue.y, blue.z, alpha); };
    style.Colors[ImGuiCol_WindowBg] = paper;
    style.Colors[ImGuiCol_PopupBg] = {paper.x, paper.y, paper.z, 0.98F};
    style.Colors[ImGuiCol_Text] = ink;
    style.Colors[ImGuiCol_TitleBg] = {0.88F, 0.90F, 0.92F, 0.95F};
    style.Colors[ImGuiCol_TitleBgActive] = {0.82F, 0.86F, 0.90F, 0.98F};
    style.Colors[ImGuiCol_FrameBg] = {0.86F, 0.88F, 0.91F, 0.9F};
    style.Colors[ImGuiCol_FrameBgHovered] = faint(0.25F);
    style.Colors[ImGuiCol_FrameBgActive] = faint(0.40F);
    style.Colors[ImGuiCol_Button] = faint(0.22F);
    style.Colors[ImGuiCol_ButtonHovered] = faint(0.45F);
    style.Colors[ImGuiCol_ButtonActive] = faint(0.70F);
    style.Colors[ImGuiCol_Header] = faint(0.20F);
    style.Colors[ImGuiCol_HeaderHovered] = faint(0.35F);
    style.Colors[ImGuiCol_HeaderActive] = faint(0.50F);
    style.Colors[ImGuiCol_SliderGrab] = faint(0.80F);
    style.Colors[ImGuiCol_SliderGrabActive] = blue;
    style.Colors[ImGuiCol_CheckMark] = blue;
    style.ScaleAllSizes(scale);
  }
};

/// Times of the newest frames.
class FrameTimes {
 public:
  void add(double frameSeconds, double workSeconds) {
    const auto put = [&](std::vector<float>& into, double seconds) {
      const auto milliseconds = static_cast<float>(1e3 * seconds);
      if (into.size() < kKeptFrames) {
        into.push_back(milliseconds);
      } else {
        into[next_ % kKeptFrames] = milliseconds;
      }
    };
    put(frames_, frameSeconds);
    put(works_, workSeconds);
    ++next_;
  }
  void forget() {
    frames_.clear();
    works_.clear();
    next_ = 0;
  }
  void summarize(WindowReport& report) const {
    report.frameMillisecondsP50 = percentile(frames_, 0.5);
    report.frameMillisecondsP95 = percentile(frames_, 0.95);
    report.drawMillisecondsP50 = percentile(works_, 0.5);
    report.drawMillisecondsP95 = percentile(works_, 0.95);
  }

 private:
  std::vector<float> frames_, works_;
  std::size_t next_ = 0;
};

/// Lets frames begin at equal distances. A swap interval alone does not: it is ignored by virtual
/// displays, and a fast screen would draw more often than anybody needs.
class Pacer {
 public:
  explicit Pacer(double frameSeconds)
      : frame_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(frameSeconds))),
        next_(Clock::now() + frame_) {}

  void wait() {
    std::this_thread::sleep_until(next_);
    const Clock::time_point now = Clock::now();
    next_ += frame_;
    // One frame that is late by less than its own length leaves the beat as it is; more is not made
    // up for by a burst.
    if (next_ + frame_ < now) next_ = now + frame_;
  }

 private:
  Clock::duration frame_;
  Clock::time_point next_;
};

/// Whether the screen itself shows about as many pictures a second as are wanted.
bool screenKeepsPace(double framesPerSecond) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  return mode != nullptr && mode->refreshRate > 0.9 * framesPerSecond &&
         mode->refreshRate < 1.05 * framesPerSecond;
}

Result<GlfwWindow> openWindow(const WindowSettings& settings) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 24);
  glfwWindowHint(GLFW_STENCIL_BITS, 8);
  GlfwWindow window(glfwCreateWindow(std::max(settings.width, 1), std::max(settings.height, 1),
                                     settings.title.c_str(), nullptr, nullptr));
  if (window == nullptr) {
    return noWindow("OpenGL 3.3 is missing on this display (" + glfwReason() + ")",
                    "update the graphics driver, or draw in software with "
                    "LIBGL_ALWAYS_SOFTWARE=1");
  }
  return window;
}

/// What the mouse and the held keys say to `app`; takes it from `inputs`.
FrameInput inputOf(GLFWwindow* window, Inputs& inputs, int width, int screenWidth) {
  FrameInput input;
  const double pixels = screenWidth > 0 ? static_cast<double>(width) / screenWidth : 1.0;
  switch (std::exchange(inputs.lastDragButton, inputs.dragButton)) {
    case GLFW_MOUSE_BUTTON_LEFT:
      input.drag = FrameInput::Drag::Left;
      break;
    case GLFW_MOUSE_BUTTON_MIDDLE:
      input.drag = FrameInput::Drag::Middle;
      break;
    case GLFW_MOUSE_BUTTON_RIGHT:
      input.drag = FrameInput::Drag::Right;
      break;
    default:
      break;
  }
  input.cursor = pixels * Eigen::Vector2d(inputs.cursorX, inputs.cursorY);
  input.dragged = pixels * std::exchange(inputs.dragged, Eigen::Vector2d::Zero());
  input.notches = std::exchange(inputs.notchesOfHand, 0.0);
  input.isShiftDown = isShiftDown(window);
  input.isControlDown = isControlDown(window);
  if (!ImGui::GetIO().WantTextInput && !input.isControlDown) {
    for (int key = GLFW_KEY_SPACE; key <= GLFW_KEY_Z; ++key) {
      const bool isPlain = key == GLFW_KEY_SPACE || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) ||
                           (key >= GLFW_KEY_A && key <= GLFW_KEY_Z);
      if (isPlain && glfwGetKey(window, key) == GLFW_PRESS)
        input.keysDown.push_back(static_cast<char>(key));
    }
  }
  return input;
}

/// Whether the cursor is in one of the places, in a window of so many pixels and screen units.
bool isOver(const std::vector<PixelRect>& places, const Inputs& inputs,
            const Eigen::Array2d& pixels, const Eigen::Array2d& units) {
  if (!(units > 0.0).all()) return false;
  const Eigen::Array2d at = Eigen::Array2d(inputs.cursorX, inputs.cursorY) * pixels / units;
  const double up = pixels.y() - at.y();
  return std::any_of(places.begin(), places.end(), [&](const PixelRect& place) {
    return at.x() >= place.left && at.x() < place.right && up >= place.bottom && up < place.top;
  });
}

/// Applies what the mouse did since the last frame.
void moveCamera(OrbitCamera& camera, Inputs& inputs, int screenHeight) {
  camera.orbit(inputs.orbited.x(), inputs.orbited.y(), screenHeight);
  camera.pan(inputs.panned.x(), inputs.panned.y(), screenHeight);
  camera.zoom(inputs.notches);
  inputs.orbited.setZero();
  inputs.panned.setZero();
  inputs.notches = 0.0;
}

}  // namespace

std::string_view nameOf(Quality quality) {
  return kQualityNames[static_cast<std::size_t>(quality)];
}

std::optional<Quality> qualityNamed(std::string_view name) {
  const auto found = std::find(kQualityNames.begin(), kQualityNames.end(), name);
  if (found == kQualityNames.end()) return std::nullopt;
  return static_cast<Quality>(found - kQualityNames.begin());
}

Result<WindowReport> runWindow(const WindowSettings& settings, SceneView view,
                               const std::function<void(Frame&)>& eachFrame,
                               const std::function<void()>& drawOverlay) {
  Result<std::unique_ptr<GlfwLibrary>> library = GlfwLibrary::start();
  if (!library) return library.error();
  Result<GlfwWindow> opened = openWindow(settings);
  if (!opened) return opened.error();
  GLFWwindow* const window = opened.value().get();
  glfwMakeContextCurrent(window);
  const double frameSeconds = 1.0 / settings.framesPerSecond;
  // Where the screen keeps the pace, ours only guards against one that does not wait at all.
  const bool paced = screenKeepsPace(settings.framesPerSecond);
  glfwSwapInterval(paced ? 1 : 0);
  Pacer pacer(paced ? 0.9 * frameSeconds : frameSeconds);

  Result<SceneRenderer> created = SceneRenderer::create();
  if (!created) return created.error();
  SceneRenderer& renderer = created.value();
  WindowPicture picture(renderer);
  if (const Result<Done> built = picture.build(); !built) return built.error();

  Inputs inputs;
  // Only now: later it would tell where the cursor is, not where it was when a button went down.
  glfwGetCursorPos(window, &inputs.cursorX, &inputs.cursorY);
  glfwSetWindowUserPointer(window, &inputs);
  glfwSetMouseButtonCallback(window, onMouseButton);
  glfwSetCursorPosCallback(window, onCursor);
  glfwSetScrollCallback(window, onScroll);
  glfwSetKeyCallback(window, onKey);
  glfwSetDropCallback(window, onDrop);
  float contentScale = 1.0F;
  glfwGetWindowContentScale(window, &contentScale, nullptr);
  // After ours: the backend calls the callbacks that it finds.
  const Widgets widgets(window, contentScale);

  OrbitCamera home = view.camera;
  const bool isSoftware = renderer.isSoftwareRenderer();
  // A view that moves is drawn whole in each picture, one that rests only where something moves in
  // it: where a processor draws that is another quality.
  const Quality best = isSoftware ? Quality::Fast : Quality::Full;
  const auto chooserFrom = [&](Quality first) {
    return QualityChooser(settings.quality, isSoftware ? first : best, best, frameSeconds);
  };
  QualityChooser moving = chooserFrom(Quality::Draft);
  QualityChooser resting = chooserFrom(Quality::Plain);
  int stillFrames = 0;
  int widgetsAge = 0;
  WindowPicture::Layout layout;
  OrbitCamera seenFrom;
  bool isVisible = true;
  bool isHidden = false;
  std::vector<PixelRect> places;  // of widgets, as they were drawn last
  WidgetMemory widgetMemory;
  FrameTimes times;
  std::deque<double> lastSecond;
  std::optional<Image> captured;
  const Clock::time_point opening = Clock::now();
  Clock::time_point counted = opening;  // since when the report counts
  double hidden = 0.0;                  // of that, while nobody could see the window
  std::uint64_t number = 0;
  double previous = 0.0;
  WindowReport report;
  report.device = renderer.deviceName();
  report.isSoftwareRenderer = isSoftware;

  bool staysOpen = false;
  for (bool last = false; !last && (staysOpen || glfwWindowShouldClose(window) == GLFW_FALSE);) {
    glfwPollEvents();
    const Clock::time_point begin = Clock::now();
    int width = 0;
    int height = 0;
    int screenWidth = 0;
    int screenHeight = 0;
    glfwGetFramebufferSize(window, &width, &height);
    glfwGetWindowSize(window, &screenWidth, &screenHeight);
    const bool isResized = width != layout.width || height != layout.height;
    const bool isTouched = std::exchange(inputs.hasMoved, false) &&
                           (ImGui::GetIO().WantCaptureMouse ||
                            isOver(places, inputs, {width, height}, {screenWidth, screenHeight}));
    bool drawsWidgets = std::exchange(inputs.hasNews, false) || isTouched || isResized ||
                        !picture.keeps() || ++widgetsAge >= kWidgetsEvery;
    const auto beginWidgets = [&] {
      Widgets::beginFrame();
      inputs.leaveToWidgets();
      drawsWidgets = true;
      widgetsAge = 0;
    };
    if (drawsWidgets) beginWidgets();
    const double now = secondsBetween(opening, begin);
    lastSecond.push_back(now);
    while (now - lastSecond.front() > 1.0)
      lastSecond.pop_front();

    moveCamera(view.camera, inputs, screenHeight);
    if (std::exchange(inputs.goesHome, false)) view.camera = home;

    if (!(view.camera == seenFrom)) stillFrames = 0;
    seenFrom = view.camera;
    const auto chooser = [&]() -> QualityChooser& {
      return !isSoftware || stillFrames >= kRestingFrames ? resting : moving;
    };
    const auto quality = [&] { return std::min(chooser().quality(), resting.quality()); };

    Frame frame(view, home);
    frame.number = number;
    frame.seconds = now;
    frame.secondsSinceLast = number == 0 ? 0.0 : now - previous;
    frame.width = width;
    frame.height = height;
    frame.contentScale = static_cast<double>(contentScale);
    frame.isSoftwareRenderer = isSoftware;
    frame.quality = quality();
    const double span = now - lastSecond.front();
    frame.framesPerSecond = span > 0.0 ? static_cast<double>(lastSecond.size() - 1) / span : 0.0;
    frame.keysPressed = std::exchange(inputs.keys, {});
    frame.droppedFiles = std::exchange(inputs.dropped, {});
    frame.input = inputOf(window, inputs, width, screenWidth);
    frame.takesPointer = inputs.takesPointer;
    frame.captured = std::exchange(captured, {});
    frame.closeAsked = glfwWindowShouldClose(window) != GLFW_FALSE;
    if (staysOpen) glfwSetWindowShouldClose(window, GLFW_FALSE);
    if (eachFrame) eachFrame(frame);
    staysOpen = frame.staysOpen;
    last = frame.close;
    inputs.takesPointer = frame.takesPointer;
    if (!(view.camera == seenFrom)) stillFrames = 0;
    seenFrom = view.camera;
    if (frame.beginsReport) {
      report.frames = 0;
      times.forget();
      counted = begin;
      hidden = 0.0;
      // What was in the window before costs other times.
      moving = chooserFrom(Quality::Draft);
      resting = chooserFrom(Quality::Plain);
    }

    if (frame.hides != isHidden) {
      isHidden = frame.hides;
      if (isHidden) {
        glfwHideWindow(window);
      } else {
        glfwShowWindow(window);
      }
      isVisible = !isHidden;
    }
    // A window that is folded to an icon has no pixels.
    const bool hasPixels = width > 0 && height > 0;
    if (number % kLookEvery == kLookEvery - 1) {
      isVisible = glfwGetWindowAttrib(window, GLFW_VISIBLE) == GLFW_TRUE &&
                  glfwGetWindowAttrib(window, GLFW_ICONIFIED) == GLFW_FALSE;
    }
    const bool isShown = hasPixels && isVisible;
    if (isShown) {
      const WindowPicture::Layout wanted{
          width, height, std::max(1, width - std::clamp(frame.coveredRight, 0, width)), quality()};
      if (!drawsWidgets && (frame.capture || wanted.open != layout.open)) beginWidgets();
      layout = wanted;
      if (isSoftware && number == kWarmUpFrame) {
        if (const Result<Done> warm = picture.warmUp(layout); !warm) return warm.error();
      }
      std::vector<PixelRect> changed;
      if (drawsWidgets) {
        if (drawOverlay) drawOverlay();
        Widgets::endFrame();
        places = Widgets::places(height);
        if (picture.keeps()) changed = widgetMemory.changes(ImGui::GetDrawData(), width, height);
      }
      const Result<Done> drawn =
          picture.draw(view, layout, {drawsWidgets, places, changed, Widgets::paint});
      if (!drawn) return drawn.error();
      if (frame.capture) {
        // Before the swap: afterwards the front buffer may hold anything.
        glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        glReadBuffer(GL_BACK);
        captured = readPixels(width, height);
      }
      glFinish();
    } else {
      if (drawsWidgets) ImGui::EndFrame();
      inputs.hasNews = true;
    }
    double work = secondsBetween(begin, Clock::now());
    if (isShown) {
      picture.mark();
      glfwSwapBuffers(window);
      // A card waits here for the screen; a processor copies the picture to it.
      if (isSoftware) work = secondsBetween(begin, Clock::now());
    }
    pacer.wait();
    if (isShown) {
      if (report.frames > 0) times.add(now - previous, work);
      chooser().observe(work, now);
      ++report.frames;
    } else {
      hidden += secondsBetween(begin, Clock::now());
    }
    ++stillFrames;
    previous = now;
    ++number;
  }
  report.seconds = secondsBetween(counted, Clock::now()) - hidden;
  report.framesPerSecond =
      report.seconds > 0.0 ? static_cast<double>(report.frames) / report.seconds : 0.0;
  report.quality = layout.quality;
  times.summarize(report);
  return report;
}

}  // namespace tactus::render
