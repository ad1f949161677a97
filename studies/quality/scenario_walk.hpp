#pragma once
#include "studies/quality/path_walk.hpp"
#include "studies/quality/quality_scenarios.hpp"

namespace tactus::studies {

/// The path of a scenario. In III the torque counts.
[[nodiscard]] WalkedPath walkedPathOf(QualityScenario scenario);

/// What a law is held against: the exact gradient of its own energy, of the seed's laws the seed's
/// model; on B about measuredAt().
[[nodiscard]] response::Wrench heldAgainst(QualityScenario scenario, QualityLaw law, double share);

}  // namespace tactus::studies
