#pragma once
#include <string>
#include <vector>

#include "app/panel/panel_model.hpp"

namespace tactus::app {

/// The panel at the window's right side, and below the picture the curves and, of a recording, the
/// bar to go through it. Draws with Dear ImGui,
/// inside a frame of it.
class Panel {
 public:
  [[nodiscard]] PanelWishes draw(PanelModel& model);

  /// Shown, or folded away; as by the key P.
  void toggle() noexcept { isOpen_ = !isOpen_; }
  [[nodiscard]] bool isOpen() const noexcept { return isOpen_; }
  /// Parameters can be seen but not changed, until it is lifted: for studies.
  void setLocked(bool isLocked) noexcept { isLocked_ = isLocked; }
  [[nodiscard]] bool isLocked() const noexcept { return isLocked_; }
  /// Pixels of the picture that the open panel covers, for what is framed beside it.
  [[nodiscard]] static double widthAt(double contentScale) noexcept;

 private:
  void drawScene(PanelModel& model, PanelWishes& wishes);
  void drawTransport(PanelModel& model, PanelWishes& wishes);
  void drawEdits(PanelModel& model);
  void drawPresets(PanelModel& model, PanelWishes& wishes);
  /// Returns their height.
  float drawCurves(const PanelModel& model);

  bool isOpen_ = true, isLocked_ = false, showsCurves_ = true, opensTab_ = true;
  float width_ = 0.0F;
  std::string presetFile_ = "preset.toml";
  std::size_t shownHand_ = 0;  ///< whose tab is open
  std::vector<ColumnRange> columns_;
};

}  // namespace tactus::app
