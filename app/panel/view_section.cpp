#include <imgui.h>

#include "app/panel/sections.hpp"

namespace tactus::app {
namespace {

constexpr int kDeepestLevel = 9;  // a tree of 4^9 spheres

}  // namespace

void drawLayers(PanelModel& model) {
  ViewLayers& layers = model.layers;
  ImGui::Checkbox("bodies", &layers.showsBodies);
  ImGui::SameLine();
  ImGui::Checkbox("edges", &layers.showsEdges);
  ImGui::SameLine();
  ImGui::Checkbox("ghosts", &layers.showsGhosts);
  ImGui::SameLine();
  ImGui::Checkbox("trails", &layers.showsTrails);
  ImGui::Checkbox("contacts", &layers.showsContacts);
  ImGui::SameLine();
  ImGui::Checkbox("forces", &layers.showsForces);
  ImGui::SameLine();
  ImGui::Checkbox("points", &layers.showsPoints);
  ImGui::SameLine();
  ImGui::Checkbox("spheres", &layers.showsSpheres);
  ImGui::Checkbox("voxel slice", &layers.showsSlice);
  if (layers.showsSlice) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1.0F);
    ImGui::SliderFloat("##slice", &layers.sliceAt, 0.0F, 1.0F, "height %.2f");
  }
  if (layers.showsSpheres) {
    ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
    ImGui::SliderInt("level of the tree", &layers.treeLevel, -1, kDeepestLevel,
                     layers.treeLevel < 0 ? "spheres" : "%d");
  }
  if (layers.showsSpheres || layers.showsPoints || layers.showsSlice) {
    const std::vector<models::SceneBody>& bodies = model.session.loaded.scene.bodies;
    const char* shown = layers.bodyOfLayers < 0
                            ? "all bodies"
                            : bodies[static_cast<std::size_t>(layers.bodyOfLayers)].name.c_str();
    ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
    if (ImGui::BeginCombo("of", shown)) {
      if (ImGui::Selectable("all bodies", layers.bodyOfLayers < 0)) layers.bodyOfLayers = -1;
      for (std::size_t body = 0; body < bodies.size(); ++body) {
        const auto number = static_cast<int>(body);
        if (ImGui::Selectable(bodies[body].name.c_str(), layers.bodyOfLayers == number))
          layers.bodyOfLayers = number;
      }
      ImGui::EndCombo();
    }
  }
}

}  // namespace tactus::app
