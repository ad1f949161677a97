#include <imgui.h>

#include "app/panel/sections.hpp"

namespace tactus::app {

void drawTiming(const PanelModel& model) {
  const TimingFigures& of = model.timing;
  const haptics::TickSnapshot& now = model.snapshot;
  const bool isLive = !model.replay;
  if (isLive) ImGui::Text("%.1f Hz, %s", of.rateHertz, model.policy.c_str());
  if (ImGui::BeginTable("times", 5, ImGuiTableFlags_SizingStretchSame)) {
    for (const char* heading : {"[us]", "p50", "p99", "p99.9", "max"}) {
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", heading);
    }
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("compute");
    for (const double value : {of.computeP50, of.computeP99, of.computeP999, of.computeMax}) {
      ImGui::TableNextColumn();
      ImGui::Text("%.0f", value);
    }
    if (isLive) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted("period");
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::Text("%.0f", of.periodP99);
      ImGui::TableNextColumn();
      ImGui::TableNextColumn();
      ImGui::Text("%.0f", of.periodMax);
    }
    ImGui::EndTable();
  }
  if (isLive) {
    ImGui::Text("%llu late, %llu skipped since the start",
                static_cast<unsigned long long>(now.late),
                static_cast<unsigned long long>(now.skipped));
  }
  ImGui::Text("%u pairs touch, %u asked, %u cut, %u bodies asleep", now.counters.touching,
              now.counters.queried + now.counters.loads, now.counters.cut, now.counters.asleep);
  ImGui::TextDisabled("picture: %s", model.picture.c_str());
}

}  // namespace tactus::app
