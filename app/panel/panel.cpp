#include "app/panel/panel.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/panel/sections.hpp"
#include "render/window.hpp"

namespace tactus::app {
namespace {

constexpr float kWidthInText = 27.0F;  // of the panel, in heights of its text
constexpr float kChartInText = 4.2F;   // height of a chart
constexpr std::size_t kChartsInARow = 5;
constexpr std::size_t kChartsOfRecordings = 3;  // that hold no volume and no period

// Okabe and Ito's colours, as ImGui packs them; left hands blue, right ones vermilion.
constexpr std::array kOfHand = {IM_COL32(0, 114, 178, 255), IM_COL32(213, 94, 0, 255),
                                IM_COL32(86, 180, 233, 255), IM_COL32(230, 159, 0, 255)};
constexpr unsigned kOfCompute = IM_COL32(0, 130, 100, 255);
constexpr unsigned kOfPeriod = IM_COL32(120, 90, 140, 255);
constexpr unsigned kOfVolume = IM_COL32(150, 110, 20, 255);

constexpr double kSlow = 0.25;
constexpr float kMilli = 1e3F;
constexpr float kCubicMillimetres = 1e9F;
constexpr float kMostCompute = 900.0F;  // of a tick of a millisecond [us]

// More have to be dropped on the window, or named on the command line.
constexpr std::size_t kMostRecordings = 30;

std::vector<std::string> recordingsHere() {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator file(".", error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() == ".tacr") names.push_back(file->path().filename().string());
  }
  std::ranges::sort(names);
  if (names.size() > kMostRecordings) names.resize(kMostRecordings);
  return names;
}

}  // namespace

double Panel::widthAt(double contentScale) noexcept {
  return std::floor(static_cast<double>(kWidthInText) * static_cast<double>(render::kTextHeight) *
                    contentScale);
}

PanelWishes Panel::draw(PanelModel& model) {
  PanelWishes wishes;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const double scale = static_cast<double>(ImGui::GetFontSize() / render::kTextHeight);
  width_ = isOpen_ ? static_cast<float>(widthAt(scale)) : 0.0F;
  if (isOpen_) {
    ImGui::SetNextWindowPos(ImVec2(screen.x - width_, 0.0F));
    ImGui::SetNextWindowSize(ImVec2(width_, screen.y));
    ImGui::SetNextWindowBgAlpha(1.0F);  // nothing is drawn behind it
    ImGui::Begin("Tactus##panel", nullptr,
                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoTitleBar);
    drawScene(model, wishes);
    if (ImGui::BeginTabBar("hands")) {
      for (std::size_t hand = 0; hand < model.session.hands.size(); ++hand) {
        const std::string name(haptics::nameOf(model.session.hands[hand].hand));
        // The first time the hand that somebody is most likely to move.
        const bool isFirst = std::exchange(opensTab_, opensTab_ && hand != model.mouseHand) &&
                             hand == model.mouseHand;
        if (!ImGui::BeginTabItem(fmt::format("{} hand", name).c_str(), nullptr,
                                 isFirst ? ImGuiTabItemFlags_SetSelected : 0))
          continue;
        shownHand_ = hand;
        ImGui::PushID(static_cast<int>(hand));
        drawHandHealth(model, hand, wishes);
        if (ImGui::CollapsingHeader("Forces", ImGuiTreeNodeFlags_DefaultOpen)) {
          ImGui::BeginDisabled(isLocked_ || model.replay.has_value());
          drawForces(model, hand);
          ImGui::EndDisabled();
        }
        // of which a recording holds too little
        if (!model.replay &&
            ImGui::CollapsingHeader("Stability and energy", ImGuiTreeNodeFlags_DefaultOpen))
          drawStability(model, hand);
        ImGui::PopID();
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
    if (ImGui::CollapsingHeader("Contact", ImGuiTreeNodeFlags_DefaultOpen)) {
      ImGui::BeginDisabled(isLocked_ || model.replay.has_value());
      drawContact(model);
      ImGui::EndDisabled();
    }
    if (ImGui::CollapsingHeader("Picture", ImGuiTreeNodeFlags_DefaultOpen)) drawLayers(model);
    if (ImGui::CollapsingHeader("Timing", ImGuiTreeNodeFlags_DefaultOpen)) drawTiming(model);
    if (ImGui::CollapsingHeader("Presets and files")) drawPresets(model, wishes);
    ImGui::End();
  }
  const float curves = showsCurves_ && isOpen_ ? drawCurves(model) : 0.0F;
  if (model.replay) drawScrubBar(*model.replay, screen.x - width_, screen.y - curves, wishes);
  return wishes;
}

void Panel::drawScene(PanelModel& model, PanelWishes& wishes) {
  const models::Scene& scene = model.session.loaded.scene;
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::BeginCombo("##scene", scene.title.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const models::ShippedText& shipped : models::shippedScenes()) {
      const std::string name(shipped.name);
      if (ImGui::Selectable(name.c_str(), name == scene.name)) wishes.opensScene = name;
    }
    const std::vector<std::string> recordings = recordingsHere();
    if (!recordings.empty()) {
      ImGui::Separator();
      ImGui::TextDisabled("recordings in this folder");
    }
    for (const std::string& name : recordings) {
      const bool isShown = model.replay && model.replay->file == name;
      if (ImGui::Selectable(name.c_str(), isShown)) wishes.opensRecording = name;
    }
    ImGui::EndCombo();
  }
  if (model.replay) {
    if (ImGui::Button("Leave the recording")) wishes.leavesReplay = true;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("its scene from the beginning, to be felt");
    ImGui::SameLine();
    ImGui::Checkbox("curves", &showsCurves_);
    ImGui::TextUnformatted(model.message.empty() ? " " : model.message.c_str());
    return;
  }
  drawTransport(model, wishes);
  drawEdits(model);
  // Always one line, so that nothing below jumps away from under the cursor.
  std::string status = model.message;
  if (status.empty() && model.isRecording) {
    status = fmt::format(
        "recording {}{}", std::filesystem::path(model.recordingFile).filename().string(),
        model.droppedRecords == 0 ? "" : fmt::format(", {} records dropped", model.droppedRecords));
  }
  ImGui::TextUnformatted(status.empty() ? " " : status.c_str());
  if (!status.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", status.c_str());
}

void Panel::drawTransport(PanelModel& model, PanelWishes& wishes) {
  haptics::TickParameters moment = model.parameters.now();
  const bool wasPaused = moment.isPaused;
  if (ImGui::Button(wasPaused ? "Go on" : "Pause")) moment.isPaused = !wasPaused;
  ImGui::SameLine();
  ImGui::BeginDisabled(!wasPaused);
  if (ImGui::Button("Step")) ++moment.steps;
  ImGui::EndDisabled();
  ImGui::SameLine();
  bool isSlow = moment.speed < 1.0;
  ImGui::BeginDisabled(isLocked_);
  if (ImGui::Checkbox("slow", &isSlow)) moment.speed = isSlow ? kSlow : 1.0;
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Reset")) wishes.resets = true;
  ImGui::SameLine();
  if (model.isRecording) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.80F, 0.30F, 0.15F, 0.75F));
    if (ImGui::Button("Stop recording")) wishes.stopsRecording = true;
    ImGui::PopStyleColor();
  } else if (ImGui::Button("Record")) {
    wishes.startsRecording = true;
  }
  if (ImGui::IsItemHovered() && !model.isRecording)
    ImGui::SetTooltip("begins the scene anew, so that the recording replays to the bit");
  if (!model.isRecording && !model.recordingFile.empty()) {
    ImGui::SameLine();
    if (ImGui::Button("Look")) wishes.opensRecording = model.recordingFile;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("at the recording %s", model.recordingFile.c_str());
  }
  model.parameters.edit(moment);
}

void Panel::drawEdits(PanelModel& model) {
  ImGui::BeginDisabled(isLocked_);
  ImGui::BeginDisabled(!model.parameters.canUndo());
  if (ImGui::Button("Undo")) model.parameters.undo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!model.parameters.canRedo());
  if (ImGui::Button("Redo")) model.parameters.redo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button(model.parameters.isB() ? "A | [B]" : "[A] | B")) model.parameters.toggle();
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("two sets of parameters to compare: each keeps what is changed in it");
  ImGui::SameLine();
  if (ImGui::Button("A = B")) model.parameters.copyToOther();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::Checkbox("lock", &isLocked_);
  ImGui::SameLine();
  ImGui::Checkbox("curves", &showsCurves_);
}

void Panel::drawPresets(PanelModel& model, PanelWishes& wishes) {
  ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
  ImGui::InputText("file", &presetFile_);
  ImGui::BeginDisabled(isLocked_);
  if (ImGui::Button("Load preset")) wishes.loadsPreset = presetFile_;
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Save preset")) wishes.savesPreset = presetFile_;
  ImGui::SameLine();
  if (ImGui::Button("Save picture")) wishes.savesPicture = true;
  if (ImGui::Button("Save what I see")) wishes.savesSetup = true;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("a scene file with the bodies as they lie now, and a preset beside it");
  ImGui::BeginDisabled(isLocked_);
  ImGui::SameLine();
  if (ImGui::Button("All to default")) {
    haptics::TickParameters usual = model.parameters.defaults();
    usual.isPaused = model.parameters.now().isPaused;
    usual.steps = model.parameters.now().steps;
    model.parameters.edit(usual);
    model.parameters.settle();
  }
  ImGui::EndDisabled();
}

float Panel::drawCurves(const PanelModel& model) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float chart = kChartInText * ImGui::GetFontSize();
  const float height = chart + 2.0F * ImGui::GetStyle().WindowPadding.y;
  ImGui::SetNextWindowPos(ImVec2(0.0F, screen.y - height));
  ImGui::SetNextWindowSize(ImVec2(screen.x - width_, height));
  ImGui::Begin("curves", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  const std::size_t charts = model.replay ? kChartsOfRecordings : kChartsInARow;
  if (ImGui::BeginTable("charts", static_cast<int>(charts), ImGuiTableFlags_SizingStretchSame)) {
    const std::size_t hands = model.session.hands.size();
    if (hands > 0) {
      const std::size_t hand = std::min(shownHand_, hands - 1);
      const auto place = static_cast<std::size_t>(model.session.hands[hand].hand);
      ImGui::TableNextColumn();
      drawStripChart({"force", "N", kOfHand[place], 1.0F, 0.0F}, model.curves.force[hand], chart,
                     columns_);
      ImGui::TableNextColumn();
      drawStripChart({"torque", "mN m", kOfHand[place], kMilli, 0.0F}, model.curves.torque[hand],
                     chart, columns_);
    }
    if (!model.replay) {
      ImGui::TableNextColumn();
      drawStripChart({"volume", "mm³", kOfVolume, kCubicMillimetres, 0.0F},
                     model.curves.contactVolume, chart, columns_);
    }
    ImGui::TableNextColumn();
    drawStripChart({"compute", "us", kOfCompute, 1.0F, kMostCompute}, model.curves.computeUs, chart,
                   columns_);
    if (!model.replay) {
      ImGui::TableNextColumn();
      drawStripChart({"period", "us", kOfPeriod, 1.0F, 0.0F}, model.curves.periodUs, chart,
                     columns_);
    }
    ImGui::EndTable();
  }
  ImGui::End();
  return height;
}

}  // namespace tactus::app
