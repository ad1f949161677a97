#pragma once
#include <Eigen/Geometry>

#include "response/coupling/contact_load.hpp"

namespace tactus::tests {

/// A point of the tool against the half space y < 0, or its far side: a spring of N/m.
struct PlaneContact {
  double stiffness = 5000.0;
  Eigen::Vector3d pointInTool = Eigen::Vector3d::Zero();
  int queries = 0;

  response::ContactLoad operator()(const Eigen::Isometry3d& pose) {
    ++queries;
    response::ContactLoad load;
    const Eigen::Vector3d arm = pose.linear() * pointInTool;
    const double depth = -(pose.translation() + arm).y();
    if (!(depth > 0.0)) return load;
    const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    load.energy = 0.5 * stiffness * depth * depth;
    load.wrench.force = stiffness * depth * up;
    load.wrench.torque = arm.cross(load.wrench.force);
    // depth of a shift u and turn w: -(u + w x arm + w x (w x arm)/2).y
    Eigen::Matrix<double, 6, 1> slope;
    slope << -up, -arm.cross(up);
    load.stiffness = stiffness * slope * slope.transpose();
    Eigen::Matrix3d bend = up * arm.transpose() + arm * up.transpose();
    bend = 0.5 * bend - up.dot(arm) * Eigen::Matrix3d::Identity();
    load.stiffness.bottomRightCorner<3, 3>() -= stiffness * depth * bend;
    return load;
  }
};

/// A point of the tool in a ball around the scene's origin: energy k (r - d)^2 / 2.
struct BallContact {
  double stiffness = 5000.0, radius = 0.05;

  response::ContactLoad operator()(const Eigen::Isometry3d& pose) const {
    response::ContactLoad load;
    const double distance = pose.translation().norm();
    const double depth = radius - distance;
    if (!(depth > 0.0)) return load;
    const Eigen::Vector3d out = pose.translation() / distance;
    load.energy = 0.5 * stiffness * depth * depth;
    load.wrench.force = stiffness * depth * out;
    const Eigen::Matrix3d along = out * out.transpose();
    load.stiffness.topLeftCorner<3, 3>() =
        stiffness * along - stiffness * depth / distance * (Eigen::Matrix3d::Identity() - along);
    return load;
  }
};

/// Nothing there.
struct NoContact {
  response::ContactLoad operator()(const Eigen::Isometry3d&) const { return {}; }
};

}  // namespace tactus::tests
