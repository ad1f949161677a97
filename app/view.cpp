#include "app/view.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <charconv>
#include <utility>

#include "app/output_place.hpp"
#include "render/offscreen.hpp"
#include "render/window.hpp"

namespace tactus::app {
namespace {

ExitCode writePicture(const render::SceneView& view, const ViewOptions& options,
                      const std::string& file) {
  const models::Result<render::Image> image =
      render::renderOffscreen(view, options.size.width, options.size.height);
  if (!image) {
    complain(image.error().sentence);
    return ExitCode::WorkFailed;
  }
  const models::Result<models::Done> written =
      render::writePng(image.value(), file,
                       options.overwrites ? render::IfExists::Replace : render::IfExists::Refuse);
  if (!written) {
    complain(written.error().sentence);
    return written.error().reason == models::Reason::AlreadyExists ? ExitCode::BadInput
                                                                   : ExitCode::WorkFailed;
  }
  return ExitCode::Good;
}

void drawHint(const std::string& note) {
  constexpr float kMargin = 12.0F;  // [px]
  ImGui::SetNextWindowPos(ImVec2(kMargin, kMargin));
  ImGui::SetNextWindowBgAlpha(0.75F);
  ImGui::Begin("hint", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoInputs);
  if (!note.empty()) ImGui::TextUnformatted(note.c_str());
  ImGui::TextUnformatted(
      "left drag: turn   right drag: move   wheel: zoom   Home: reset   Esc: close");
  ImGui::End();
}

}  // namespace

std::optional<PictureSize> parsePictureSize(std::string_view text) {
  constexpr int kSmallest = 16;
  constexpr int kLargest =
      8192;  // every OpenGL 3.3 driver in use draws into a picture of this size
  PictureSize size;
  const char* end = text.data() + text.size();
  const auto [afterWidth, widthCode] = std::from_chars(text.data(), end, size.width);
  if (widthCode != std::errc() || afterWidth == end || *afterWidth != 'x') return {};
  const auto [afterHeight, heightCode] = std::from_chars(afterWidth + 1, end, size.height);
  if (heightCode != std::errc() || afterHeight != end) return {};
  const auto fits = [](int pixels) { return pixels >= kSmallest && pixels <= kLargest; };
  if (!fits(size.width) || !fits(size.height)) return {};
  return size;
}

models::Result<models::Done> checkPicturePlace(const ViewOptions& options) {
  if (!options.screenshot) return models::Done{};
  return checkOutputPlace(*options.screenshot, {".png"}, options.overwrites);
}

ExitCode writeView(const render::SceneView& view, const ViewOptions& options) {
  return writePicture(view, options, options.screenshot.value_or(std::string()));
}

ExitCode lookAt(render::SceneView view, const std::string& title, const std::string& note,
                const ViewOptions& options) {
  const double aspect = static_cast<double>(options.size.width) / options.size.height;
  view.camera.frame(render::boundsOf(view.meshes), aspect);
  if (options.screenshot) return writePicture(view, options, *options.screenshot);

  render::WindowSettings settings;
  settings.width = options.size.width;
  settings.height = options.size.height;
  settings.title = title;
  const auto eachFrame = [&options](render::Frame& frame) {
    if (options.seconds && frame.seconds >= *options.seconds) frame.close = true;
  };
  const models::Result<render::WindowReport> report =
      render::runWindow(settings, std::move(view), eachFrame, [&note] { drawHint(note); });
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::WorkFailed;
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
