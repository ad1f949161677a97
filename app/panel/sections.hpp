#pragma once
#include <cstddef>
#include <string>

#include "app/panel/panel_model.hpp"

/// The panel's sections. Each draws into the window that Dear ImGui has begun.
namespace tactus::app {

/// A number with its unit: a slider over its range, by factors where that spans more than two
/// powers of ten. A double click types a number; a right click brings the default back. True while
/// it changes.
bool drawNumber(const char* label, const char* help, const char* unit, double& value,
                double defaultValue, double low, double high);

/// "turnStiffness" as "turn stiffness".
[[nodiscard]] std::string spacedName(std::string_view name);

/// What a device is, how it is, and what it gives.
void drawHandHealth(const PanelModel& model, std::size_t hand, PanelWishes& wishes);
/// Every force parameter of a hand.
void drawForces(PanelModel& model, std::size_t hand);
/// Method and law of contact, budget, gravity, materials.
void drawContact(PanelModel& model);
void drawTiming(const PanelModel& model);
/// Stability advisor, passivity and energy of a hand.
void drawStability(const PanelModel& model, std::size_t hand);
void drawLayers(PanelModel& model);
/// The bar below the picture with which somebody goes through a recording, from the window's left
/// side on. Its lower edge is at `bottom`.
void drawScrubBar(const ReplayFigures& replay, float width, float bottom, PanelWishes& wishes);

}  // namespace tactus::app
