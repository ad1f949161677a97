#include <fmt/format.h>
#include <imgui.h>

#include <cctype>
#include <cmath>

#include "app/panel/sections.hpp"

namespace tactus::app {
namespace {

// Over more than this factor a slider by differences leaves no room for the small values.
constexpr double kWide = 100.0;

}  // namespace

std::string spacedName(std::string_view name) {
  std::string spaced;
  for (const char letter : name) {
    if (letter >= 'A' && letter <= 'Z') {
      spaced += ' ';
      spaced += static_cast<char>(letter - 'A' + 'a');
    } else {
      spaced += letter;
    }
  }
  return spaced;
}

bool drawNumber(const char* label, const char* help, const char* unit, double& value,
                double defaultValue, double low, double high) {
  const bool isWide = low > 0.0 && high / low > kWide;
  const std::string format = std::string_view(unit) == "1" ? "%.4g" : fmt::format("%.4g {}", unit);
  double now = value;
  const bool isDefault = value == defaultValue;
  if (!isDefault) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.10F, 0.33F, 0.62F, 1.0F));
  ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
  bool hasChanged = ImGui::SliderScalar(label, ImGuiDataType_Double, &now, &low, &high,
                                        format.c_str(), isWide ? ImGuiSliderFlags_Logarithmic : 0);
  if (!isDefault) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip(
        "%s%sfrom %.4g to %.4g %s, default %.4g\n"
        "Ctrl+click: type a number   right click: default",
        help, *help == '\0' ? "" : "\n", low, high, std::string_view(unit) == "1" ? "" : unit,
        defaultValue);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right) && !isDefault) {
      now = defaultValue;
      hasChanged = true;
    }
  }
  // A typed number may be anything.
  if (!hasChanged || !std::isfinite(now)) return false;
  value = std::clamp(now, low, high);
  return true;
}

}  // namespace tactus::app
