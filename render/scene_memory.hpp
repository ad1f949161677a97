#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "render/scene_view.hpp"

namespace tactus::render {

/// A mesh in a picture, as far as it makes two pictures differ.
struct ShownBody {
  const void* mesh = nullptr;                              ///< told apart by its place in memory
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< in render coordinates
  Colour colour = Colour::Zero();
  float roughness = 0.0F, opacity = 1.0F;
  bool wireframe = false, castsShadow = true;
  std::array<Eigen::Vector3d, 8> corners{};  ///< of its box, in render coordinates

  /// Corners follow from mesh and pose.
  [[nodiscard]] bool looksLike(const ShownBody& other) const;
};

/// A part of space in which two pictures differ.
struct ChangedPart {
  std::vector<Eigen::Vector3d> points;  ///< it lies between them; render coordinates
  bool castsShadow = false;             ///< and so also where its shadow falls
  int pixels = 0;                       ///< that it is drawn wider than it is
};

/// Where lines, arrows and turns of a view are.
[[nodiscard]] std::vector<ChangedPart> signsOf(const SceneView& view);

/// What one picture shows else than the one before.
struct SceneDifference {
  bool isWhole = false;  ///< nothing is known to be the same
  std::vector<ChangedPart> parts;
  bool movesShadows = false;  ///< some part casts one
};

/// Remembers what stood in the last picture; light, floor and background are the same for all of
/// it and are not compared here. Bodies are compared by their places in the list, so that
/// none is taken for another that looks alike.
class SceneMemory {
 public:
  [[nodiscard]] SceneDifference compare(const SceneView& view, std::vector<ShownBody> bodies);
  /// The next picture has nothing in common with any before.
  void forget() noexcept { knows_ = false; }

  /// For how many pictures a body of the last one has looked the same.
  [[nodiscard]] std::uint32_t stillFor(std::size_t body) const noexcept { return still_[body]; }

 private:
  bool knows_ = false;
  std::vector<ShownBody> bodies_;
  std::vector<std::uint32_t> still_;
  std::vector<DrawLine> lines_;
  std::vector<DrawArrow> arrows_;
  std::vector<DrawTurn> turns_;
  bool hadOthers_ = false;  ///< clouds or images, which are not compared
  OrbitCamera camera_;
};

/// A box that stays where it was for as long as it is of use: what is measured by it looks the same
/// to the bit from picture to picture.
class SteadyBox {
 public:
  /// The kept box if `now` lies in it and it is not much too large; else a new one, with some room.
  [[nodiscard]] const models::Bounds& around(const models::Bounds& now);
  void forget() noexcept { kept_ = {}; }

 private:
  models::Bounds kept_;
};

}  // namespace tactus::render
