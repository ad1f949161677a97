#pragma once
#include <cstddef>

#include "response/bodies/world.hpp"
#include "response/coupling/quasi_static_tool.hpp"

namespace tactus::response {

/// A tool that is a body of a World, held by a coupling: its weight is left out, its inertia, the
/// friction of its contacts and what it pushes about are felt.
///
/// Source: M. Otaduy and M. Lin, "A Modular Haptic Rendering Algorithm for Stable and Transparent
/// 6-DOF Manipulation", 2006. How ours differs: the coupling enters the step of all bodies, as one
/// more implicit spring, so that tools, what they push and what lies on that are solved together.
///
/// In a tick: pull() before the world's step, held() after it.
///
/// Deviation: the contacts in held() are those that the step began with, so that their energy is a
/// tick behind that of the coupling.
class WorldTool {
 public:
  explicit WorldTool(std::size_t body) noexcept : body_(body) {}

  /// Lets the coupling pull at the body in the next step. False, and nothing pulls, if hand or
  /// coupling is not finite.
  bool pull(World& world, const HandMotion& hand, const CouplingGains& gains,
            const ToolShape& shape) noexcept;

  [[nodiscard]] CoupledTool held(const World& world, const HandMotion& hand,
                                 const CouplingGains& gains, const ToolShape& shape) noexcept;

  [[nodiscard]] std::size_t body() const noexcept { return body_; }

 private:
  std::size_t body_;
  Eigen::Vector3d turn_ = Eigen::Vector3d::Zero();  // of the coupling, for its continuation
  double brought_ = 0.0;                            // of World::broughtTo(), as last seen [J]
};

}  // namespace tactus::response
