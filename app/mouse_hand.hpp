#pragma once
#include <cstdint>

#include "haptics/adapters/pointer_device.hpp"
#include "render/camera.hpp"
#include "render/window.hpp"

namespace tactus::app {

/// From mouse and keys to the pose of a hand that has no device.
///
/// Left drag shifts the hand in the picture plane, so that it stays under the cursor; the wheel
/// moves it away and back. With Shift the same turn it: a drag across the picture is half a turn.
/// Keys do what the mouse does: A D, W S, Q E left and right, up and down, away and back. Space
/// closes the fingers, C is the clutch.
///
/// A hand moves no faster than a person would: a mouse that is flicked across the table asks for
/// speeds at which the interlock takes all force away.
class MouseHand {
 public:
  /// `lengthScale`: metres in the scene for one at the device.
  MouseHand(haptics::PointerDevice& device, double lengthScale) noexcept
      : device_(&device), lengthScale_(lengthScale) {}

  /// Once a picture. `input` is null while the mouse belongs to another hand: then this one rests.
  /// `tool`: where the hand is in the scene, for how far a pixel is there.
  void frame(const render::FrameInput* input, const render::OrbitCamera& camera, int pictureHeight,
             const Eigen::Vector3d& tool, double seconds, std::int64_t nowNs) noexcept;

  /// Goes to where a hand is when a session begins: a start waits for it there.
  void rest(std::int64_t nowNs) noexcept;

  [[nodiscard]] const haptics::PointerPose& pose() const noexcept { return pose_; }

 private:
  haptics::PointerDevice* device_;
  double lengthScale_;
  haptics::PointerPose pose_;
  Eigen::Vector3d ahead_ = Eigen::Vector3d::Zero();  ///< asked for, and too far for one picture [m]
};

}  // namespace tactus::app
