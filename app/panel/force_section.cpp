#include <imgui.h>

#include <array>
#include <string_view>

#include "app/panel/sections.hpp"
#include "response/parameters/force_parameters.hpp"

namespace tactus::app {
namespace {

using response::ForceParameters;
using response::kForceParameterRanges;
using response::ParameterRange;

/// A group of parameters under one heading, first to last of kForceParameterRanges.
struct Group {
  const char* heading;
  std::string_view first, last;
  bool isOpen;
};
constexpr std::array kGroups = {
    Group{"Coupling", "stiffness", "contactRatioHigh", true},
    Group{"Dynamic tool", "toolMass", "toolTurnDrag", false},
    Group{"Scales", "lengthScale", "forceScale", false},
    Group{"Limits", "mostForce", "torqueSlew", false},
    Group{"Coming back", "rampSeconds", "safeTurnDamping", false},
    Group{"Passivity", "allowance", "mostDamping", false},
    Group{"Velocity and workspace", "cutoffHertz", "mostRate", false},
};

struct Help {
  std::string_view name;
  const char* text;
};
constexpr std::array kHelp = {
    Help{"stiffness", "of the spring between hand and tool: how hard a wall can feel"},
    Help{"turnStiffness", "the same for turns"},
    Help{"damping",
         "of that spring: too little rings, too much is viscous and, beyond what the\n"
         "device bears, unstable; see the stability advisor"},
    Help{"contactRatioLow", "contacts are kept at least so many times as stiff as the coupling"},
    Help{"contactRatioHigh", "and at most so many times"},
    Help{"lengthScale", "metres in the scene for one at the device"},
    Help{"forceScale", "newtons at the device for one in the scene"},
    Help{"mostForce", "never more than the device's own limit"},
    Help{"mostSpeed", "a device that is faster gets no force until it is slow again"},
    Help{"forceSlew", "how fast force may rise; it may fall at once"},
    Help{"rampSeconds", "in which force comes up from nothing"},
    Help{"allowance", "energy that the hand may get beyond what it gave"},
    Help{"credit", "of what it gave, so much is remembered"},
    Help{"cutoffHertz", "of the low pass that estimates velocity, if that is chosen"},
};

const char* helpOf(std::string_view name) {
  for (const Help& help : kHelp) {
    if (help.name == name) return help.text;
  }
  return "";
}

template <typename Choice, std::size_t N>
bool drawChoice(const char* label, Choice& choice, const std::array<const char*, N>& names) {
  int now = static_cast<int>(choice);
  ImGui::SetNextItemWidth(0.52F * ImGui::GetContentRegionAvail().x);
  if (!ImGui::Combo(label, &now, names.data(), static_cast<int>(N))) return false;
  choice = static_cast<Choice>(now);
  return true;
}

}  // namespace

void drawForces(PanelModel& model, std::size_t hand) {
  const auto place = static_cast<std::size_t>(model.session.hands[hand].hand);
  haptics::TickParameters wanted = model.parameters.now();
  ForceParameters& now = wanted.hands[place];
  const ForceParameters& usual = model.parameters.defaults().hands[place];
  bool hasChanged = false;
  bool isDone = false;

  constexpr std::array kLevels = {"6in6out", "6in3out", "3in3out", "3in+buttons"};
  constexpr std::array kTools = {"quasi-static", "dynamic"};
  constexpr std::array kVelocities = {"the device's own", "low pass", "adaptive window"};
  const bool hasChosen = drawChoice("freedoms", now.level, kLevels) |
                         static_cast<int>(drawChoice("tool", now.tool, kTools));
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip(
        "quasi-static: the tool rests where hand and contacts balance\n"
        "dynamic: it has mass and friction; both switch where nothing is touched");
  }
  for (const Group& group : kGroups) {
    if (!ImGui::TreeNodeEx(group.heading, group.isOpen ? ImGuiTreeNodeFlags_DefaultOpen : 0))
      continue;
    bool isIn = false;
    for (const ParameterRange& range : kForceParameterRanges) {
      isIn = isIn || range.name == group.first;
      if (!isIn) continue;
      const std::string label = spacedName(range.name);
      const std::string unit(range.unit);
      hasChanged |= drawNumber(label.c_str(), helpOf(range.name), unit.c_str(), now.*range.value,
                               usual.*range.value, range.low, range.high);
      isDone |= ImGui::IsItemDeactivatedAfterEdit() || ImGui::IsItemClicked(ImGuiMouseButton_Right);
      if (range.name == group.last) break;
    }
    if (std::string_view(group.heading) == "Passivity")
      isDone |= ImGui::Checkbox("controller on", &now.isPassivityOn);
    if (group.first == "cutoffHertz") {
      isDone |= drawChoice("velocity", now.velocity, kVelocities);
      isDone |= ImGui::Checkbox("rate control at the edge", &now.isRateControlled);
      isDone |= ImGui::Checkbox("clutch lets go of turns, too", &now.isTurnClutched);
    }
    ImGui::TreePop();
  }
  isDone |= hasChosen;
  if (hasChanged || isDone) model.parameters.edit(wanted);
  if (isDone) model.parameters.settle();
}

}  // namespace tactus::app
