#pragma once
#include "response/coupling/felt_stiffness.hpp"
#include "response/coupling/quasi_static_tool.hpp"

namespace tactus::response {

/// What the kinds of tools share: a pose with all that acts on the tool there, and small steps.
struct LoadedTool {
  Eigen::Isometry3d sceneFromTool = Eigen::Isometry3d::Identity();
  ContactLoad contact;
  CouplingState coupling;
  double energy = 0.0;                  ///< of both [J]
  Eigen::Matrix<double, 6, 1> push;     ///< on the tool, about its pivot
  collision::Stiffness contactAtPivot;  ///< of the contact, about the pivot
  [[nodiscard]] bool isFinite() const noexcept;
};

[[nodiscard]] LoadedTool loadedTool(const HandMotion& hand, const CouplingGains& gains,
                                    const ToolShape& shape, const Eigen::Isometry3d& sceneFromTool,
                                    const ContactLoad& contact,
                                    const Eigen::Vector3d& previousTurn) noexcept;

/// The factor, at most 1, that keeps every point of the tool within half its thinnest part.
[[nodiscard]] double trusted(const ToolShape& shape,
                             const Eigen::Matrix<double, 6, 1>& step) noexcept;

/// The pose after a shift of the pivot and a turn about it.
[[nodiscard]] Eigen::Isometry3d moved(const Eigen::Isometry3d& sceneFromTool,
                                      const Eigen::Vector3d& pivotInTool,
                                      const Eigen::Matrix<double, 6, 1>& step) noexcept;

/// Below these the coupling would leave the tool's place open [N/m, N m/rad].
inline constexpr double kLeastSecant = 1e-3;
inline constexpr double kLeastTurnSecant = 1e-6;

}  // namespace tactus::response
