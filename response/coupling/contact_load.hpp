#pragma once
#include <Eigen/Geometry>
#include <memory>
#include <type_traits>

#include "collision/tree/contact_energy.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

/// What everything around a tool does to it at one pose.
struct ContactLoad {
  double energy = 0.0;  ///< [J]
  double lost = 0.0;    ///< the part of it that friction will not give back [J]
  double volume = 0.0;  ///< that is shared, by the patches [m^3]
  Wrench wrench;        ///< on the tool, about the tool's origin, in the scene's frame
  /// Second derivatives of the energy: shifts and turns about the tool's origin, scene's frame.
  collision::Stiffness stiffness = collision::Stiffness::Zero();
  /// The part of `stiffness` that is friction's: a contact is not kept in proportion by it.
  collision::Stiffness friction = collision::Stiffness::Zero();
};

/// Refers to whoever knows the contacts: a call with the tool's pose (tool into scene) that gives a
/// ContactLoad. It owns nothing, so making one costs nothing; what it refers to must outlive it.
class ContactQuery {
 public:
  template <typename Answers>
    requires(!std::is_same_v<std::remove_cvref_t<Answers>, ContactQuery>)
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): the requirement above keeps copies out
  explicit ContactQuery(Answers& answers) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(answers)))),
        call_([](void* object, const Eigen::Isometry3d& sceneFromTool) noexcept -> ContactLoad {
          return (*static_cast<Answers*>(object))(sceneFromTool);
        }) {}

  [[nodiscard]] ContactLoad operator()(const Eigen::Isometry3d& sceneFromTool) const noexcept {
    return call_(object_, sceneFromTool);
  }

 private:
  void* object_;
  ContactLoad (*call_)(void*, const Eigen::Isometry3d&) noexcept;
};

/// Refers to whoever knows how far a tool can go from a pose (tool into scene) toward another, its
/// pivot straight and its turn even, before a hard core of something meets its own: a share, 0 to
/// 1. Owns nothing, like ContactQuery. By default all is clear.
class ClearWay {
 public:
  ClearWay() noexcept = default;
  template <typename Answers>
    requires(!std::is_same_v<std::remove_cvref_t<Answers>, ClearWay>)
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): the requirement above keeps copies out
  explicit ClearWay(Answers& answers) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(answers)))),
        call_([](void* object, const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                 const Eigen::Vector3d& pivotInTool) noexcept -> double {
          return (*static_cast<Answers*>(object))(from, to, pivotInTool);
        }) {}

  [[nodiscard]] double operator()(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                                  const Eigen::Vector3d& pivotInTool) const noexcept {
    return call_ == nullptr ? 1.0 : call_(object_, from, to, pivotInTool);
  }

 private:
  void* object_ = nullptr;
  double (*call_)(void*, const Eigen::Isometry3d&, const Eigen::Isometry3d&,
                  const Eigen::Vector3d&) noexcept = nullptr;
};

}  // namespace tactus::response
