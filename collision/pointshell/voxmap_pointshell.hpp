#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "collision/pointshell/point_sums.hpp"
#include "collision/pointshell/swept_points.hpp"
#include "collision/tree/coherence.hpp"
#include "collision/tree/contact_energy.hpp"

namespace tactus::collision {

/// Whose points meet the other one's map.
enum class PointsOf : std::uint8_t { A, B };

/// No budget: all points that matter.
constexpr std::uint32_t kAllPoints = std::numeric_limits<std::uint32_t>::max();

/// What a query keeps for a first guess of how far apart bodies are: sixteen nodes of each tree
/// level, a block, and a point of the other body.
constexpr std::uint32_t kTestsOfAGuess =
    16 * static_cast<std::uint32_t>(Pointshell::kMostTreeLevels) + 16 + 1;

/// What a query takes at most however small its budget is: that, and the coarsest level of a shell,
/// which has up to 256 points and 16 nodes, and a block to tell the depth by.
constexpr std::uint32_t kFewestTests = 256 + 16 + 16 + kTestsOfAGuess;

struct PointForceSettings {
  PointLaw law = PointLaw::Depth;
  PointsOf pointsOf = PointsOf::A;
  /// Of nodes and points, at most; up to kFewestTests are made all the same.
  std::uint32_t pointTests = kAllPoints;
  bool wantsContacts = false;
  bool wantsDistance = true;  ///< how far apart, if they are
  bool wantsStiffness = false;
};

/// What the points of one body that lie in the other one's map make.
struct PointForce {
  /// By the law of depth, an estimate: exact where the map's surface is flat, and off by its
  /// curvature times a third of the depth elsewhere. By other laws NaN. [m^4]
  double energy = 0.0;
  /// On B, and about B's origin, in A's frame: [m^3] and [m^4] by the law of depth (K = 1 N/m^3),
  /// [m^2] and [m^3] by that of volume (k = 1 Pa), [m] and [m^2] by that of layers.
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  /// Second derivatives of the law's energy, as Proximity::stiffness; of the laws of depth and
  /// volume, if asked for. See withoutNegative() for what implicit integration can rely on.
  Stiffness stiffness = Stiffness::Zero();
  double area = 0.0;  ///< of the surface of points that lies inside [m^2]
  /// Smallest signed distance that was met, negative if they overlap; infinite if they are apart
  /// and it was not asked for. By the law of volume it is not the deepest one of all, and 0 while
  /// only the soft edge is felt: where there is a force the bodies are not apart. A body with the
  /// voxels of which a piece lies wholly within the other one meets none of its points and feels no
  /// force of that; if both have points and a map, and nothing else overlaps, it is told by a point
  /// of that piece, whose distance this then is; see Body::pieces. [m]
  double distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d nearest = Eigen::Vector3d::Zero();  ///< the point that has it, in A's frame
  bool isCut = false;          ///< the finest points were not all asked, or count only in part
  bool isDistanceCut = false;  ///< bodies may be nearer: the budget ended before the search did
  std::uint32_t nodeTests = 0, pointTests = 0;
};

/// A place where bodies touch: the points of one block, or of several.
struct PointContact {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< in A's frame
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< which way B is pushed, in A's frame; unit
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< its part of PointForce::force
  double area = 0.0;                                 ///< of the surface inside [m^2]
  double depth = 0.0;                                ///< largest [m]
};

/// Contact of two bodies by points of one and a distance field of the other, and the force of a
/// depth or volume penalty.
///
/// Source: W. McNeely, K. Puterbaugh and J. Troy, "Six Degree-of-Freedom Haptic Rendering Using
/// Voxel Sampling", 1999; J. Barbic and D. James, "Six-DoF Haptic Rendering of Contact Between
/// Geometrically Complex Reduced Deformable Models", 2008 (distance fields, nested points, a
/// budget). How ours differs: points weigh by their area, so that the force is an integral over the
/// surface and does not depend on how many points there are; it points along the normals of the
/// points' surface, as the gradient of an energy does, not along the field's.
///
/// Laws, with n the inward normal at the points, d the depth below the map's surface:
/// - Depth: the points' body is pushed by the integral of d n over its surface. By the divergence
///   theorem that is minus the gradient of the integral of d over what both share: one-sided depth.
///   With points of A it is the depth below B's surface: EnergyLaw::DepthOfB of the trees.
/// - Volume: by the integral of n over the surface inside, minus the gradient of the volume. The
///   edge, where the surface leaves the map, is smooth over the points' spacing or the map's voxel
///   on both sides; a cubic that is right on the mean.
/// Forces are continuous in the pose. Torques are the same integrals with the arm.
///
/// Stiffness, with g the gradient of the map's distance: a point that goes deeper by a way t along
/// -g pushes by n t more, so that the derivative of the force is the sum of n g^T, by the law of
/// volume weighted with the edge's slope; turns come with the arms of both and with the turn of the
/// force itself. By the divergence theorem that sum is symmetric for the surface itself; of the
/// points the symmetric part is taken.
///
/// With small steps (point_front.hpp) a query passes by what cannot have come into contact, or
/// nearest, since it was last looked at. Same bytes, but where the search from scratch for a
/// distance would have been cut by its budget: it takes fewer tests.
///
/// Which body's points: A's by default, for it makes DepthOfB. Where one body has much finer
/// features than its partner, its points should be taken.
///
/// Budget: levels of the shell are summed from the coarsest on, V_l = V_{l+1} + w_l (S_l -
/// V_{l+1}). The factor w_l falls from 1 to 0 as the work of all levels down to S_l rises from 60
/// to 100 % of the budget. Work is counted by how near nodes are to being opened (PointSums::work):
/// it is continuous in the pose, and so is w_l, and it is no less than the tests that were made, so
/// that a level is given up, within the budget, only where it would count for nothing. What is
/// within a budget starts from scratch, also with small steps, but for the distance. The distance
/// takes what the sums have left.
///
/// Deviation: sums err by the square of the spacing over the size of the contact, and the map's
/// error. Same bytes on every vector target. Allocates nothing.
class VoxmapPointshell {
 public:
  /// Shells and maps stay alive; the one whose points are not asked for may have none, and the
  /// other no map. Then a body with voxels that lies within the one with points seems apart from
  /// it.
  struct Body {
    const Pointshell* shell = nullptr;
    const Voxmap* map = nullptr;
    /// A point of each connected piece of the surface, in the body's frame, for what lies within
    /// the other one. If there are none, a point of the shell tells: enough for one piece. They
    /// stay alive.
    // NOLINTNEXTLINE(readability-redundant-member-init): g++ wants it of designated initializers
    std::span<const Eigen::Vector3d> pieces = {};
  };

  VoxmapPointshell(const Body& a, const Body& b, Coherence coherent = Coherence::None)
      : a_(a), b_(b), scratchA_(shellOf(a), coherent), scratchB_(shellOf(b), coherent) {}

  /// The next query starts from nothing.
  void forget() noexcept {
    scratchA_.front.forget();
    scratchB_.front.forget();
  }

  /// From now on between these two, whose shells are no larger than those of the constructor. The
  /// next query starts from nothing.
  void rebind(const Body& a, const Body& b) noexcept {
    a_ = a;
    b_ = b;
    forget();
  }

  [[nodiscard]] PointForce query(const Eigen::Isometry3d& aFromB,
                                 const PointForceSettings& settings = {}) noexcept;

  /// Where on B's way from one pose to another a point of either body first comes as deep as
  /// `touchesAt` into the other one; time is the share of the way, and the point is in A's frame.
  /// For motions longer than the map's matter is thick (mayPassUnseen()); see sweptContact().
  ///
  /// The way is straight for the middle of the points' body as the other one sees it, so it is not
  /// quite the same by the points of A and of B; the ends are.
  [[nodiscard]] SweptContact sweep(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                                   PointsOf pointsOf, const SweptSettings& settings = {}) noexcept;

  /// Whether a point could be on one side of matter of this thickness at one pose, and on the other
  /// at the next.
  [[nodiscard]] bool mayPassUnseen(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                                   PointsOf pointsOf, double thickness) const noexcept;

  /// Of the last query, which wanted them. Fills `contacts` from the beginning, and returns how
  /// many there are; blocks are joined, two, four, eight and so on that stand near each other,
  /// until they fit. The forces add up to the query's, and so do the areas; of one that was cut,
  /// those of several levels do, each by its share.
  [[nodiscard]] std::size_t contacts(std::span<PointContact> contacts) const noexcept;

 private:
  [[nodiscard]] static const Pointshell& shellOf(const Body& body) noexcept;

  Body a_, b_;
  PointScratch scratchA_, scratchB_;
  PointsOf lastPointsOf_ = PointsOf::A;
  Eigen::Isometry3d lastPose_ = Eigen::Isometry3d::Identity();
};

}  // namespace tactus::collision
