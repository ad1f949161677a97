#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "collision/cache/collision_object.hpp"
#include "collision/contact/contact_cells.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/tree/proximity.hpp"
#include "response/wrench.hpp"

namespace tactus::studies {

/// By what the forces are made.
enum class QualityLaw : std::uint8_t {
  Ist,        ///< the default law: lesser depth, by the trees' depth fields
  IstVolume,  ///< volume, by the trees' spheres
  Vps,        ///< depth of B's points in A's voxmap
  IstSeed,    ///< volumes along normal cones, held against SeedModel::Volume
  VpsSeed,    ///< layers of voxels, held against SeedModel::Depth
};
inline constexpr std::array kQualityLaws = {QualityLaw::Ist, QualityLaw::IstVolume, QualityLaw::Vps,
                                            QualityLaw::IstSeed, QualityLaw::VpsSeed};

/// "ist", "ist_volume", "vps", "ist_seed", "vps_seed"
[[nodiscard]] std::string_view nameOf(QualityLaw law) noexcept;
[[nodiscard]] bool isOfSeed(QualityLaw law) noexcept;
[[nodiscard]] constexpr std::size_t indexOf(QualityLaw law) noexcept {
  return static_cast<std::size_t>(law);
}

/// No budget.
inline constexpr std::uint32_t kAllTests = std::numeric_limits<std::uint32_t>::max();

/// What a query answers, and what it took.
struct LawAnswer {
  response::Wrench wrench;  ///< on B about its origin, in A's frame; K = 1 N/m^3 or k = 1 Pa
  std::uint32_t tests = 0;  ///< of cubes or points, by the two depth laws; else 0
};

/// Two bodies, and room for the queries of all laws between them. Each query knows nothing of the
/// one before.
class LawQuery {
 public:
  /// Both must outlive it.
  LawQuery(const collision::CollisionObject& a, const collision::CollisionObject& b);

  /// `most`: a budget of tests, which the two depth laws alone keep.
  [[nodiscard]] LawAnswer at(QualityLaw law, const Eigen::Isometry3d& aFromB,
                             std::uint32_t most = kAllTests);

 private:
  const collision::CollisionObject& a_;
  const collision::CollisionObject& b_;
  collision::ProximityBody bodyA_, bodyB_;
  collision::ProximityScratch scratch_;
  collision::VoxmapPointshell points_;
  collision::ContactCells cells_;
};

}  // namespace tactus::studies
