#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"
#include "render/image.hpp"
#include "render/scene_view.hpp"

namespace tactus::render {

/// Of the widgets' text on a screen of ordinary density [pixels].
inline constexpr float kTextHeight = 16.0F;
/// Of the second of the widgets' fonts, for what is read from afar.
inline constexpr float kLargeTextHeight = 32.0F;

/// How much a frame spends on beauty. Each step down about halves the time of a frame.
enum class Quality : std::uint8_t {
  Draft,   ///< one plain pass at half the resolution: hard shadows, no highlights
  Coarse,  ///< one plain pass at two thirds of the resolution
  Plain,   ///< one plain pass
  Fast,    ///< one pass: no edge smoothing, shadow with a fixed blur
  Fair,    ///< 4 passes: smooth edges, stepped soft shadows
  Good,    ///< 8 passes
  Full,    ///< 16 passes: smooth soft shadows and darkened crevices
};
[[nodiscard]] std::string_view nameOf(Quality quality);
/// Nothing if none has that name.
[[nodiscard]] std::optional<Quality> qualityNamed(std::string_view name);

struct WindowSettings {
  int width = 1280;  ///< [screen units]
  int height = 800;  ///< [screen units]
  std::string title = "Tactus";
  double framesPerSecond = 60.0;
  /// Fixed when given; otherwise chosen and changed so that the frame rate holds.
  std::optional<Quality> quality;
};

/// Mouse and keyboard since the frame before, as far as no widget took them.
struct FrameInput {
  enum class Drag : std::uint8_t { None, Left, Middle, Right };
  Drag drag = Drag::None;  ///< that is going on, or was since the frame before
  Eigen::Vector2d cursor = Eigen::Vector2d::Zero();   ///< pixels of the picture, from its top left
  Eigen::Vector2d dragged = Eigen::Vector2d::Zero();  ///< by the drag, in pixels of the picture
  double notches = 0.0;                               ///< of the wheel, away from the user
  bool isShiftDown = false, isControlDown = false;
  std::string keysDown;  ///< letters and digits and space that are held, as upper-case ASCII
};

/// What `app` sees of a frame before it is drawn. All of it may be changed.
struct Frame {
  Frame(SceneView& shown, OrbitCamera& start) : view(shown), home(start) {}

  SceneView& view;    ///< what will be drawn; the window itself moves view.camera by the mouse
  OrbitCamera& home;  ///< to which the key Home goes back; begins as the camera of the view
  std::uint64_t number = 0;
  double seconds = 0.0;  ///< since the window opened
  double secondsSinceLast = 0.0;
  int width = 0, height = 0;        ///< of the picture [pixels]; may differ from screen units
  double contentScale = 1.0;        ///< 2 on a high-DPI screen
  bool isSoftwareRenderer = false;  ///< then 15,000 to 20,000 triangles on screen hold 60 Hz
  Quality quality = Quality::Fast;
  double framesPerSecond = 0.0;  ///< mean of the last second
  /// Keys pressed since the last frame that no widget took: letters and digits as upper-case ASCII.
  std::string keysPressed;
  FrameInput input;
  /// Files dropped on the window since the last frame.
  std::vector<std::filesystem::path> droppedFiles;
  /// The picture of the frame before, widgets included, when it had been asked for.
  std::optional<Image> captured;

  /// Set: left drags and the wheel do not move the camera from the next frame on; the right button
  /// turns it, the middle one moves it, and the wheel zooms with Control.
  bool takesPointer = false;
  /// Set: times that are reported begin with this frame.
  bool beginsReport = false;
  /// Set: so many pixels at the right side are a panel's, that hides what is behind it. The view is
  /// drawn, and its camera aims, beside them.
  int coveredRight = 0;
  bool closeAsked = false;  ///< somebody wants to close the window
  /// Set: that does not close it; `app` does, when it has ended what goes on.
  bool staysOpen = false;
  /// Set: the window cannot be seen from this frame on, until one comes without it.
  bool hides = false;
  bool capture = false;  ///< set: the next frame has this one's picture
  bool close = false;    ///< set: this is the last frame
};

/// What became of the run, since it began or Frame::beginsReport was set.
struct WindowReport {
  std::uint64_t frames = 0;
  double seconds = 0.0;
  double framesPerSecond = 0.0;
  double frameMillisecondsP50 = 0.0,
         frameMillisecondsP95 = 0.0;                            ///< from frame start to frame start
  double drawMillisecondsP50 = 0.0, drawMillisecondsP95 = 0.0;  ///< the work in it, without waiting
  Quality quality = Quality::Fast;                              ///< the last one
  std::string device;
  bool isSoftwareRenderer = false;
};

/// Opens a window and draws until it is closed: by its button, Esc, Q, or Frame::close.
///
/// Left drag orbits, right or middle drag pans, the wheel zooms, Home goes back to the camera that
/// `view` came with; see Frame::takesPointer. `eachFrame` is called before a frame is drawn;
/// `drawOverlay` inside a frame of Dear ImGui, to draw widgets; what a widget uses of mouse and
/// keyboard does not reach the camera. Where a processor draws, widgets that nobody touches are
/// drawn in every fourth frame only. Both run on the calling thread, which should be the main
/// one. Without a display, or when OpenGL 3.3 is missing, the error says what to do.
[[nodiscard]] models::Result<WindowReport> runWindow(
    const WindowSettings& settings, SceneView view,
    const std::function<void(Frame&)>& eachFrame = {},
    const std::function<void()>& drawOverlay = {});

}  // namespace tactus::render
