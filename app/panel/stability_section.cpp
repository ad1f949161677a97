#include <imgui.h>

#include <cmath>

#include "app/panel/sections.hpp"
#include "response/safety/energy_ledger.hpp"

namespace tactus::app {
namespace {

const ImVec4 kGood(0.10F, 0.45F, 0.30F, 1.0F);
const ImVec4 kCareful(0.62F, 0.42F, 0.02F, 1.0F);
constexpr double kMillijoule = 1e3;

void drawAdvice(const char* of, const response::StabilityAdvice& advice, const char* unit) {
  if (advice.isPassive()) {
    ImGui::TextColored(kGood, "%s: passive with any hand (%.2f times what is needed)", of,
                       advice.passiveRatio);
  } else if (advice.isWithinFriction) {
    ImGui::TextColored(kGood, "%s: held still by the device's friction", of);
  } else {
    ImGui::TextColored(kCareful, "%s: not proved passive (%.2f of what is needed)", of,
                       advice.passiveRatio);
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip(
        "b > K (T/2 + delay) + |B|, with b the device's own damping: %.3g needed.\n"
        "Passive with any hand up to %.0f %s beside this damping.\n"
        "A strict bound: real hands are calm at several times the stiffness.",
        advice.neededDamping, advice.passiveStiffness, unit);
  }
}

}  // namespace

void drawStability(const PanelModel& model, std::size_t hand) {
  const haptics::TickSnapshot::Hand& now = model.snapshot.hands[hand];
  ImGui::Text("displayed: %.0f N/m, %.2f N s/m", now.stiffness, now.damping);
  const haptics::DeviceCapabilities& device = model.session.hands[hand].capabilities;
  if (device.actuatesPosition) {
    drawAdvice("shifts", now.shiftAdvice, "N/m");
    drawAdvice("turns", now.turnAdvice, "N m/rad");
  } else {
    ImGui::TextColored(kGood, "calm: the device has no motors");
  }
  ImGui::Text("contact is %.1f times as stiff as the coupling", now.stiffnessRatio);
  ImGui::Text("passivity: balance %.2f mJ, damped %llu, held back %llu ticks",
              kMillijoule * now.balance, static_cast<unsigned long long>(now.damped),
              static_cast<unsigned long long>(now.heldBack));
  ImGui::Text("energy given to the hand: %.2f mJ, stored %.2f mJ",
              kMillijoule * now.ledger.givenToHand, kMillijoule * now.storedEnergy);
  if (ImGui::TreeNode("where it came from")) {
    for (std::size_t port = 0; port < response::kEnergyPorts; ++port) {
      const double energy = kMillijoule * now.ledger.ports[port];
      ImGui::Text("%-12s %10.3f mJ", response::kEnergyPortNames[port], energy);
    }
    ImGui::TreePop();
  }
}

}  // namespace tactus::app
