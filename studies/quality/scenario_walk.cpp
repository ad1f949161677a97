#include "studies/quality/scenario_walk.hpp"

namespace tactus::studies {

WalkedPath walkedPathOf(QualityScenario scenario) {
  return {[scenario](double share) { return poseAt(scenario, share); }, measuredAt(scenario),
          scenario == QualityScenario::III};
}

response::Wrench heldAgainst(QualityScenario scenario, QualityLaw law, double share) {
  switch (law) {
    case QualityLaw::Ist:
      return idealAt(scenario, IdealLaw::Depth, share);
    case QualityLaw::IstVolume:
      return idealAt(scenario, IdealLaw::Volume, share);
    case QualityLaw::Vps:
      return idealAt(scenario, IdealLaw::DepthOfA, share);
    case QualityLaw::IstSeed:
      return seedModelAt(scenario, SeedModel::Volume, share);
    case QualityLaw::VpsSeed:
      return seedModelAt(scenario, SeedModel::Depth, share);
  }
  return {};
}

}  // namespace tactus::studies
