#include <fmt/format.h>
#include <imgui.h>

#include <array>

#include "app/panel/sections.hpp"
#include "response/parameters/material_ranges.hpp"

namespace tactus::app {
namespace {

using response::ContactLaw;

constexpr std::array kLaws = {"IST, depth", "IST, volume", "IST, seed's normal cones", "VPS, depth",
                              "VPS, seed's layers"};
static_assert(kLaws.size() == static_cast<std::size_t>(ContactLaw::PointLayers) + 1);

constexpr double kMostBudget = 20'000.0;  // tests; more than a pair of 100,000 spheres takes
constexpr double kMostGravity = 20.0;     // [m/s^2]

}  // namespace

void drawContact(PanelModel& model) {
  haptics::TickParameters wanted = model.parameters.now();
  const haptics::TickParameters& usual = model.parameters.defaults();
  bool hasChanged = false;
  bool isDone = false;

  int law = static_cast<int>(wanted.law);
  ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
  if (ImGui::Combo("method and law", &law, kLaws.data(), static_cast<int>(kLaws.size()))) {
    wanted.law = static_cast<ContactLaw>(law);
    isDone = true;
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip(
        "IST: inner sphere trees; VPS: points of one body in voxels of the other.\n"
        "What touches goes on by its old law until it does not.");
  }
  hasChanged |=
      drawNumber("budget", "tests of one pair of bodies in a tick; 0: as many as it takes", "tests",
                 wanted.budgetOfPair, usual.budgetOfPair, 0.0, kMostBudget);
  isDone |= ImGui::IsItemDeactivatedAfterEdit() || ImGui::IsItemClicked(ImGuiMouseButton_Right);
  hasChanged |= drawNumber("gravity", "downward is negative", "m/s²", wanted.gravity[1],
                           usual.gravity[1], -kMostGravity, kMostGravity);
  isDone |= ImGui::IsItemDeactivatedAfterEdit() || ImGui::IsItemClicked(ImGuiMouseButton_Right);

  const std::vector<models::SceneMaterial>& materials = model.session.loaded.scene.materials;
  for (std::size_t k = 0; k < std::min(materials.size(), haptics::kMostMaterials); ++k) {
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::TreeNodeEx(fmt::format("Material {}", materials[k].name).c_str())) {
      for (const response::MaterialRange& range : response::kMaterialRanges) {
        const std::string label = spacedName(range.name);
        const std::string unit(range.unit);
        hasChanged |= drawNumber(label.c_str(), "", unit.c_str(), wanted.materials[k].*range.value,
                                 usual.materials[k].*range.value, range.low, range.high);
        isDone |=
            ImGui::IsItemDeactivatedAfterEdit() || ImGui::IsItemClicked(ImGuiMouseButton_Right);
      }
      ImGui::TreePop();
    }
    ImGui::PopID();
  }
  if (hasChanged || isDone) model.parameters.edit(wanted);
  if (isDone) model.parameters.settle();
}

}  // namespace tactus::app
