#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/panel/sections.hpp"

namespace tactus::app {
namespace {

constexpr float kTrackInText = 2.6F;  // height of the track, in heights of its text
constexpr double kTicksASecond = 1e3;
constexpr unsigned kTrack = IM_COL32(255, 255, 255, 150);
constexpr unsigned kPassed = IM_COL32(59, 128, 184, 60);
constexpr unsigned kForce = IM_COL32(90, 100, 110, 255);
constexpr unsigned kMark = IM_COL32(180, 40, 20, 255);

std::string clockText(double seconds) {
  const auto minutes = static_cast<int>(seconds / 60.0);
  return fmt::format("{}:{:06.3f}", minutes, seconds - 60.0 * minutes);
}

void drawButtons(const ReplayFigures& replay, PanelWishes& wishes) {
  constexpr int kTenth = 100;  // ticks
  const auto button = [](const char* label, const char* help, float width = 0.0F) {
    const bool isPressed = ImGui::Button(label, ImVec2(width, 0.0F));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
    ImGui::SameLine();
    return isPressed;
  };
  if (button("|<", "to the beginning")) wishes.goesTo = replay.firstTick;
  if (button("<<", "a tenth of a second back")) wishes.steps = -kTenth;
  ImGui::PushButtonRepeat(true);
  if (button("<", "a tick back")) wishes.steps = -1;
  ImGui::PopButtonRepeat();
  const float longest = ImGui::CalcTextSize("Pause").x + 2.0F * ImGui::GetStyle().FramePadding.x;
  if (button(replay.isPlaying ? "Pause###play" : "Play###play", "key 0", longest))
    wishes.plays = !replay.isPlaying;
  ImGui::PushButtonRepeat(true);
  if (button(">", "a tick on")) wishes.steps = 1;
  ImGui::PopButtonRepeat();
  if (button(">>", "a tenth of a second on")) wishes.steps = kTenth;

  ImGui::SetNextItemWidth(5.0F * ImGui::GetFontSize());
  if (ImGui::BeginCombo("##speed", fmt::format("x {:g}", replay.speed).c_str())) {
    for (const double speed : replay.speeds) {
      if (ImGui::Selectable(fmt::format("x {:g}", speed).c_str(), speed == replay.speed))
        wishes.playsAt = speed;
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const double now = static_cast<double>(replay.tick - replay.firstTick) / kTicksASecond;
  const double end = static_cast<double>(replay.lastTick - replay.firstTick) / kTicksASecond;
  ImGui::Text("%s of %s", clockText(now).c_str(), clockText(end).c_str());
  ImGui::SameLine();
  ImGui::TextDisabled("%s", std::filesystem::path(replay.file).filename().string().c_str());
}

void drawTrack(const ReplayFigures& replay, PanelWishes& wishes) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0F);
  const float height = kTrackInText * ImGui::GetFontSize();
  ImGui::InvisibleButton("track", ImVec2(width, height));
  const double ticks = static_cast<double>(replay.lastTick - replay.firstTick);
  const auto tickAt = [&](float x) {
    const double share = std::clamp(static_cast<double>((x - corner.x) / width), 0.0, 1.0);
    return replay.firstTick + static_cast<std::uint64_t>(std::llround(share * ticks));
  };
  std::uint64_t tick = replay.tick;
  if (ImGui::IsItemActive()) {
    tick = tickAt(ImGui::GetIO().MousePos.x);
    wishes.goesTo = tick;
    wishes.plays = false;
  } else if (ImGui::IsItemHovered()) {
    const double at = static_cast<double>(tickAt(ImGui::GetIO().MousePos.x) - replay.firstTick);
    ImGui::SetTooltip("%s", clockText(at / kTicksASecond).c_str());
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 opposite(corner.x + width, corner.y + height);
  const double passed = ticks > 0.0 ? static_cast<double>(tick - replay.firstTick) / ticks : 0.0;
  const float mark = corner.x + width * static_cast<float>(passed);
  list.AddRectFilled(corner, opposite, kTrack, 3.0F);
  list.AddRectFilled(corner, ImVec2(mark, opposite.y), kPassed, 3.0F);
  // The largest force of each part: where something was touched is seen before it is looked for.
  float most = 0.0F;
  for (const float force : replay.overview)
    most = std::max(most, force);
  const float part = width / static_cast<float>(std::max<std::size_t>(replay.overview.size(), 1));
  for (std::size_t k = 0; k < replay.overview.size(); ++k) {
    if (!(replay.overview[k] > 0.0F)) continue;
    const float x = corner.x + part * static_cast<float>(k);
    const float top = opposite.y - 0.9F * height * replay.overview[k] / most;
    list.AddRectFilled(ImVec2(x, top), ImVec2(x + part, opposite.y), kForce);
  }
  const float half = std::max(1.0F, 0.08F * ImGui::GetFontSize());
  list.AddRectFilled(ImVec2(mark - half, corner.y), ImVec2(mark + half, opposite.y), kMark);
}

}  // namespace

void drawScrubBar(const ReplayFigures& replay, float width, float bottom, PanelWishes& wishes) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = 2.0F * style.WindowPadding.y + ImGui::GetFrameHeight() +
                       style.ItemSpacing.y + kTrackInText * ImGui::GetFontSize();
  ImGui::SetNextWindowPos(ImVec2(0.0F, bottom - height));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::Begin("recording", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  drawButtons(replay, wishes);
  drawTrack(replay, wishes);
  ImGui::End();
}

}  // namespace tactus::app
