#include "studies/quality/law_query.hpp"

#include "collision/contact/seed_wrench.hpp"
#include "collision/depth/depth_energy.hpp"

namespace tactus::studies {

std::string_view nameOf(QualityLaw law) noexcept {
  constexpr std::array<std::string_view, kQualityLaws.size()> kNames = {"ist", "ist_volume", "vps",
                                                                        "ist_seed", "vps_seed"};
  return kNames[indexOf(law)];
}

bool isOfSeed(QualityLaw law) noexcept {
  return law == QualityLaw::IstSeed || law == QualityLaw::VpsSeed;
}

LawQuery::LawQuery(const collision::CollisionObject& a, const collision::CollisionObject& b)
    : a_(a),
      b_(b),
      bodyA_(a.body()),
      bodyB_(b.body()),
      scratch_(bodyA_, bodyB_),
      points_({&a.pointshell, &a.voxmap}, {&b.pointshell, &b.voxmap}) {}

LawAnswer LawQuery::at(QualityLaw law, const Eigen::Isometry3d& aFromB, std::uint32_t most) {
  switch (law) {
    case QualityLaw::Ist: {
      const collision::DepthEnergy found = collision::depthEnergy(
          bodyA_.depths, bodyB_.depths, aFromB, scratch_.depths, {.most = most});
      return {{found.force, found.torque}, found.cubes};
    }
    case QualityLaw::IstVolume: {
      scratch_.forget();
      const collision::Proximity found = collision::proximity(bodyA_, bodyB_, aFromB, scratch_, {});
      return {{found.force, found.torque}};
    }
    case QualityLaw::IstSeed: {
      const collision::SeedWrench found =
          collision::seedWrench({bodyA_.spheres, a_.cones}, {bodyB_.spheres, b_.cones}, aFromB,
                                scratch_.penetration, cells_);
      return {{found.forceOnB, found.torqueOnB}};
    }
    case QualityLaw::Vps:
    case QualityLaw::VpsSeed: {
      points_.forget();
      const collision::PointForce found = points_.query(
          aFromB,
          {.law = law == QualityLaw::Vps ? collision::PointLaw::Depth : collision::PointLaw::Layers,
           .pointsOf = collision::PointsOf::B,
           .pointTests = law == QualityLaw::Vps ? most : kAllTests,
           .wantsDistance = false});
      return {{found.force, found.torque}, found.nodeTests + found.pointTests};
    }
  }
  return {};
}

}  // namespace tactus::studies
