#include "response/coupling/tool_step.hpp"

#include <algorithm>
#include <cmath>

#include "response/rotation_vector.hpp"

namespace tactus::response {

bool LoadedTool::isFinite() const noexcept {
  return std::isfinite(energy) && push.allFinite() && contactAtPivot.allFinite() &&
         sceneFromTool.matrix().allFinite();
}

LoadedTool loadedTool(const HandMotion& hand, const CouplingGains& gains, const ToolShape& shape,
                      const Eigen::Isometry3d& sceneFromTool, const ContactLoad& contact,
                      const Eigen::Vector3d& previousTurn) noexcept {
  LoadedTool tool;
  tool.sceneFromTool = sceneFromTool;
  tool.contact = contact;
  tool.coupling =
      couplingAt(gains, hand.sceneFromHand, sceneFromTool, shape.pivotInTool, previousTurn);
  tool.energy = tool.coupling.energy + contact.energy;
  const Eigen::Vector3d arm = sceneFromTool.linear() * shape.pivotInTool;  // origin to pivot
  const Wrench contactWrench = aboutPoint(contact.wrench, Eigen::Vector3d::Zero(), arm);
  tool.push << tool.coupling.onTool.force + contactWrench.force,
      tool.coupling.onTool.torque + contactWrench.torque;
  tool.contactAtPivot = collision::turnedAbout(contact.stiffness, contact.wrench.force, -arm);
  return tool;
}

double trusted(const ToolShape& shape, const Eigen::Matrix<double, 6, 1>& step) noexcept {
  const double furthest = step.head<3>().norm() + shape.reach * step.tail<3>().norm();
  const double most = 0.5 * shape.thinnestPart;
  return furthest > most ? most / furthest : 1.0;
}

Eigen::Isometry3d moved(const Eigen::Isometry3d& sceneFromTool, const Eigen::Vector3d& pivotInTool,
                        const Eigen::Matrix<double, 6, 1>& step) noexcept {
  const Eigen::Vector3d pivot = sceneFromTool * pivotInTool + step.head<3>();
  Eigen::Isometry3d pose = sceneFromTool;
  pose.linear() = rectified(turnBy(step.tail<3>()) * sceneFromTool.linear());
  pose.translation() = pivot - pose.linear() * pivotInTool;
  return pose;
}

}  // namespace tactus::response
