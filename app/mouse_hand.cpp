#include "app/mouse_hand.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::app {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;

constexpr double kMetresPerNotch = 0.006;  // in the scene: a finger's width in three notches
constexpr double kRadiansPerNotch = 0.1;
constexpr double kKeySpeed = 0.08;  // in the scene [m/s]
constexpr double kKeySpin = 1.0;    // [rad/s]
// Half of the interlock's default, in the device's lengths [m/s].
constexpr double kMostSpeed = 1.0;
// What was asked for beyond that is caught up later, but no more than this [m].
constexpr double kMostAhead = 0.1;
constexpr double kOpenFingers = 0.5;  // [rad]
// Longer than any picture: after one that took longer nothing is to leap.
constexpr double kLongestPicture = 0.1;  // [s]
constexpr std::uint32_t kClutch = 1U;    // see HapticTick

double signOf(const render::FrameInput& input, char plus, char minus) {
  const auto isDown = [&](char key) { return input.keysDown.find(key) != std::string::npos; };
  return (isDown(plus) ? 1.0 : 0.0) - (isDown(minus) ? 1.0 : 0.0);
}

}  // namespace

void MouseHand::frame(const render::FrameInput* input, const render::OrbitCamera& camera,
                      int pictureHeight, const Vector3d& tool, double seconds,
                      std::int64_t nowNs) noexcept {
  const double dt = std::clamp(seconds, 0.0, kLongestPicture);
  if (input != nullptr && pictureHeight > 0) {
    const Eigen::Matrix3d axes = camera.worldFromViewAxes();  // right, up, back to the eye
    const double away = std::max(-(camera.viewFromWorld() * tool).z(), 0.0);
    const double metresPerPixel =
        2.0 * away * std::tan(0.5 * camera.verticalFieldOfView) / pictureHeight;
    const bool isDragged = input->drag == render::FrameInput::Drag::Left;
    const Eigen::Vector2d dragged =
        isDragged ? input->dragged : Eigen::Vector2d(Eigen::Vector2d::Zero());
    const Vector3d keys(signOf(*input, 'D', 'A'), signOf(*input, 'W', 'S'),
                        signOf(*input, 'E', 'Q'));
    if (input->isShiftDown) {
      const double perPixel = std::numbers::pi / pictureHeight;
      const Vector3d turn = Vector3d(perPixel * dragged.y(), perPixel * dragged.x(),
                                     kRadiansPerNotch * input->notches) +
                            kKeySpin * dt * Vector3d(-keys.y(), keys.x(), keys.z());
      const double angle = turn.norm();
      if (angle > 0.0) {
        const Vector3d axis = axes * (turn / angle);
        pose_.orientation =
            (Eigen::Quaterniond(AngleAxisd(angle, axis)) * pose_.orientation).normalized();
      }
    } else {
      const Vector3d shift = Vector3d(metresPerPixel * dragged.x(), -metresPerPixel * dragged.y(),
                                      -kMetresPerNotch * input->notches) +
                             kKeySpeed * dt * keys;
      ahead_ += axes * shift / lengthScale_;
    }
    pose_.gripperAngle = signOf(*input, ' ', '\0') > 0.0 ? 0.0 : kOpenFingers;
    pose_.buttons = signOf(*input, 'C', '\0') > 0.0 ? kClutch : 0U;
  }
  const double length = ahead_.norm();
  if (length > kMostAhead) ahead_ *= kMostAhead / length;
  const double most = kMostSpeed * dt;
  const Vector3d step = ahead_.norm() > most ? Vector3d(ahead_ * (most / ahead_.norm())) : ahead_;
  pose_.position += step;
  ahead_ -= step;
  device_->move(pose_, nowNs);
}

void MouseHand::rest(std::int64_t nowNs) noexcept {
  pose_ = haptics::PointerPose{};
  ahead_.setZero();
  device_->move(pose_, nowNs);
}

}  // namespace tactus::app
