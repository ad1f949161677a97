#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "response/wrench.hpp"
#include "studies/quality/ideal_law.hpp"

namespace tactus::studies {

/// Motions of a solid B in a solid A whose force and torque are known exactly.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 6.4.2. What the text leaves open, or has misprinted, is fixed as follows:
/// - I: r = 30 mm, H = 2 r, delta = H / 3 = 20 mm; the block is 120 mm long and 2 delta high, the
///   plate 100 mm long and delta / 10 high; the path reaches a = 20 mm beyond either end. Force is
///   constant only while the cone's cut, of radius delta / 2, lies wholly on the block.
/// - II: orbit 5 R / 3, so that p = 2 R - 5 R / 3 = R / 3.
/// - III: 0 to 30 degrees; the pins begin turned by half a turn, so that the round one is beside
///   the block. c = a / 3, pins at +-b/4.
/// - IV: orbit c / 10 = r / 5 (the figure's r / 20 cannot be), and once more c / 20.
/// In III and IV the faces of base and block are 1e-3 c apart.
enum class QualityScenario : std::uint8_t { Ia, Ib, II, III, IV, IVHalf };
inline constexpr std::array kQualityScenarios = {QualityScenario::Ia, QualityScenario::Ib,
                                                 QualityScenario::II, QualityScenario::III,
                                                 QualityScenario::IV, QualityScenario::IVHalf};

/// "Ia", "Ib", "II", "III", "IV", "IV-half"
[[nodiscard]] std::string_view nameOf(QualityScenario scenario) noexcept;

/// Names of the built-in models.
[[nodiscard]] std::string_view modelAOf(QualityScenario scenario) noexcept;
[[nodiscard]] std::string_view modelBOf(QualityScenario scenario) noexcept;

/// B into A's frame at a share of the path, 0 to 1.
[[nodiscard]] Eigen::Isometry3d poseAt(QualityScenario scenario, double share);

/// Where torques are measured, in B's frame: in III on the axis that the pins turn about, else B's
/// origin [m].
[[nodiscard]] Eigen::Vector3d measuredAt(QualityScenario scenario);

/// The way of what of B is in contact and goes furthest [m].
[[nodiscard]] double pathLength(QualityScenario scenario);

/// A length that makes forces and torques comparable: R in II, c in III and IV, r in I [m].
[[nodiscard]] double sizeOf(QualityScenario scenario);

/// The exact wrench on B about measuredAt(), in A's frame, for K = 1 N/m^3 or k = 1 Pa.
[[nodiscard]] response::Wrench idealAt(QualityScenario scenario, IdealLaw law, double share);

/// What the seed takes for ideal, by its sections 6.4.3 and 5.4: force or torque grow with the
/// penetration depth p (its points and voxels) or the volume V (its spheres), and point where the
/// ideal wrench does. Without a unit: only its course counts.
enum class SeedModel : std::uint8_t { Depth, Volume };

/// False where the seed has no model: in I unless the cone's cut is wholly on the block.
[[nodiscard]] bool hasSeedModel(QualityScenario scenario, double share);
/// In III, p = c/2 (sqrt(2) cos(pi/4 - phi) - 1), and V with its square; in IV, p = rho, and V =
/// c^2 - (c - rho |cos|)(c - rho |sin|) + pi r^2 - 4 int sqrt(r^2 - tau^2) from rho/2 to r.
[[nodiscard]] response::Wrench seedModelAt(QualityScenario scenario, SeedModel model, double share);

}  // namespace tactus::studies
