#include <fmt/format.h>
#include <imgui.h>

#include <Eigen/Core>
#include <array>

#include "app/panel/sections.hpp"
#include "haptics/tick/tick_records.hpp"
#include "response/safety/order_of_safety.hpp"

namespace tactus::app {
namespace {

const ImVec4 kGood(0.10F, 0.45F, 0.30F, 1.0F);
const ImVec4 kWaits(0.62F, 0.42F, 0.02F, 1.0F);
const ImVec4 kStopped(0.70F, 0.20F, 0.10F, 1.0F);

double lengthOf(const std::array<double, 3>& v) {
  return Eigen::Vector3d(v[0], v[1], v[2]).norm();
}

/// What a person has to know first: is there force, and if not, why not.
void drawState(const haptics::TickSnapshot::Hand& hand) {
  using response::SafetyPhase;
  if (hand.stage != haptics::StartStage::Ramp && hand.stage != haptics::StartStage::Running) {
    const char* sentence = haptics::describe(hand.waitingFor);
    ImGui::TextColored(kWaits, "%s", sentence);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", sentence);
    return;
  }
  const char* reason = response::nameOf(hand.reason);
  const ImVec4& colour = hand.phase == SafetyPhase::Active    ? kGood
                         : hand.phase == SafetyPhase::Stopped ? kStopped
                                                              : kWaits;
  ImGui::TextColored(colour, "%s%s%s", response::nameOf(hand.phase), *reason == '\0' ? "" : ": ",
                     reason);
}

void drawBar(const char* name, double value, double most, const char* unit) {
  const std::string text = fmt::format("{:.2f} of {:.3g} {}", value, most, unit);
  const float share = most > 0.0 ? static_cast<float>(value / most) : 0.0F;
  ImGui::ProgressBar(share, ImVec2(0.52F * ImGui::GetContentRegionAvail().x, 0.0F), text.c_str());
  ImGui::SameLine();
  ImGui::TextUnformatted(name);
}

}  // namespace

void drawHandHealth(const PanelModel& model, std::size_t hand, PanelWishes& wishes) {
  const haptics::TickSnapshot::Hand& now = model.snapshot.hands[hand];
  const SessionHand& held = model.session.hands[hand];
  const haptics::DeviceCapabilities& device = held.capabilities;
  ImGui::Text("%s (%s)", device.model.c_str(), held.spec.c_str());
  drawState(now);
  const haptics::DeviceStatus status = haptics::statusOf(now.status);
  const std::string health = haptics::describe(status);
  const bool isOld = status.has(haptics::DeviceFlag::Stale) && now.ageTicks > 1;
  const std::string age = isOld ? fmt::format(", {} ms old", now.ageTicks) : "";
  ImGui::TextDisabled("sample: %s%s", health.c_str(), age.c_str());
  if (model.session.devices[hand].pointer != nullptr) {
    const bool isMouse = model.mouseHand == hand;
    if (ImGui::RadioButton("moved by the mouse", isMouse) && !isMouse) wishes.givesMouseTo = hand;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("it has no motors: bars, curves and arrows show what would be felt");
  }
  const double most = device.peakForce > 0.0 ? device.peakForce : 40.0;
  const double mostTorque = device.peakTorque > 0.0 ? device.peakTorque : 4.0;
  drawBar("force", lengthOf(now.force), most, "N");
  drawBar("torque", lengthOf(now.torque), mostTorque, "N m");
  // One line, whatever there is to say: what stands below must not jump.
  const bool isAtLimit = now.isClamped && device.actuatesPosition;
  ImGui::TextColored(kWaits, "%s",
                     now.isHeldBack ? "held back: it would have made energy"
                     : isAtLimit    ? "at its limit"
                                    : " ");
}

}  // namespace tactus::app
