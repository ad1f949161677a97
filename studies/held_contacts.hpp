#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"
#include "response/contact/contact_law.hpp"
#include "response/coupling/contact_load.hpp"

namespace tactus::studies {

/// What a tool is pressed against in the stability benchmark.
enum class HeldShape : std::uint8_t {
  Plane,      ///< a flat face of 3 cm on a half space
  Edge,       ///< an edge of 3 cm on a half space
  Peg,        ///< a peg of 4 cm across its hole, with 0.3 mm of play, held outside of it
  RhinoPair,  ///< one rhino astride another one, both as Inner Sphere Trees
};
inline constexpr std::array kHeldShapes = {HeldShape::Plane, HeldShape::Edge, HeldShape::Peg,
                                           HeldShape::RhinoPair};
[[nodiscard]] std::string_view nameOf(HeldShape shape) noexcept;

/// A tool, where it is held, and where it first touches.
struct HeldTool {
  Eigen::Isometry3d toolFromGrip = Eigen::Isometry3d::Identity();
  Eigen::Vector3d centreInTool = Eigen::Vector3d::Zero();
  double reach = 0.05;                                              ///< [m]
  double thinnestPart = 0.01;                                       ///< [m]
  Eigen::Isometry3d sceneFromTool = Eigen::Isometry3d::Identity();  ///< at the first touch
};

/// The rhino of the pair, built once; copies share it. `spheres` at most.
struct RhinoPair {
  response::ContactSolid solid;
  Eigen::Isometry3d touching = Eigen::Isometry3d::Identity();  ///< the upper in the lower's frame
};
[[nodiscard]] models::Result<RhinoPair> makeRhinoPair(std::uint64_t spheres, unsigned threads);

/// The contact of a tool that is pressed down (-y), as a spring of so many newtons a metre.
///
/// Method: plane, edge and peg are closed forms of the depth law's energy,
///     E = sum of w_i d_i^p / p,
/// over points of the tool with the depth d_i each has. Flat faces push with K S d / 2, so p = 2
/// and the w_i add up to K S / 2; a wedge's share of the half space grows with d^2 and its mean
/// depth with d, so p = 3; a round peg in a hole meets it along a line and counts as flat. With
/// their exact second derivatives. The pair of rhinos is contactForce() by the depth law.
///
/// `stiffness` is that of plane and peg; that of the edge when it pushes with `force`; and that of
/// the rhinos 0.6 mm below their first touch, where they push with one or two newtons.
class HeldContact {
 public:
  /// `scratch` and `rhinos` are used by the pair alone and must outlive this.
  HeldContact(HeldShape shape, double stiffness, double force, const RhinoPair* rhinos,
              response::ContactScratch* scratch);

  [[nodiscard]] response::ContactLoad operator()(const Eigen::Isometry3d& sceneFromTool) noexcept;
  [[nodiscard]] const HeldTool& tool() const noexcept { return tool_; }
  /// Of ContactRatio: on all that is pushed from now on.
  void setFactor(double factor) noexcept { factor_ = factor; }

 private:
  struct Spring {
    Eigen::Vector3d point;  // of the tool
    double weight;          // w_i [N/m^(p-1)]
  };
  [[nodiscard]] response::ContactLoad ofSprings(const Eigen::Isometry3d& pose) const noexcept;
  [[nodiscard]] response::ContactLoad ofRhinos(const Eigen::Isometry3d& pose) const noexcept;
  void fitMaterial(double stiffness);

  HeldShape shape_;
  HeldTool tool_;
  std::vector<Spring> springs_;
  const RhinoPair* rhinos_;
  response::ContactScratch* scratch_;
  response::Material material_;
  double factor_ = 1.0;
};

}  // namespace tactus::studies
