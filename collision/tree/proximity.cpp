#include "collision/tree/proximity.hpp"

#include <algorithm>

#include "collision/tree/budgeted_volume.hpp"

namespace tactus::collision {
namespace {

// Of the smaller object's volume: what the cells share is all of it when one object is inside the
// other, and next to nothing where only balls stick out of surfaces that do not meet.
constexpr double kShareInside = 0.5;

/// The object with the smaller cubes is walked: what it cannot tell apart is less.
VolumeBounds boundsOf(const ProximityBody& a, const ProximityBody& b,
                      const Eigen::Isometry3d& aFromB, ProximityScratch& scratch,
                      std::uint32_t most) noexcept {
  if (b.field.finest().side <= a.field.finest().side)
    return volumeBounds(b.field, a.field, aFromB, scratch.boundsOfB, most);
  return volumeBounds(a.field, b.field, aFromB.inverse(Eigen::Isometry), scratch.boundsOfA, most);
}

/// What is left of the volume at a share of lower balls, and its derivative by the share. Not below
/// the share itself: the volume must not be less than its lower bound.
struct Fade {
  double factor = 1.0, slope = 0.0;
};

Fade fadeAt(double share) noexcept {
  if (share >= kTouch) return {};
  const double missing = 1.0 - share / kTouch;
  return {1.0 - missing * missing, 2.0 * missing / kTouch};
}

/// Returns whether the surfaces are apart.
bool setDistance(Proximity& result, const ProximityBody& a, const ProximityBody& b,
                 const Eigen::Isometry3d& aFromB, ProximityScratch& scratch) noexcept {
  const bool isCoherent = scratch.coherence == Coherence::SmallSteps;
  const FacetDistance nearest =
      isCoherent ? coherentDistance(a.facets, b.facets, aFromB, scratch.separation)
                 : facetDistance(a.facets, b.facets, aFromB, scratch.distance);
  result.facets = nearest.counters;
  result.distance = nearest.distance;
  result.nearestOnA = nearest.onA;
  result.nearestOnB = nearest.onB;
  return nearest.distance > 0.0;
}

void setDepthEnergy(Proximity& result, const ProximityBody& a, const ProximityBody& b,
                    const Eigen::Isometry3d& aFromB, ProximityScratch& scratch,
                    const ProximitySettings& settings) noexcept {
  const DepthEnergy found = depthEnergy(a.depths, b.depths, aFromB, scratch.depths,
                                        {.law = settings.law,
                                         .wantsStiffness = settings.wantsStiffness,
                                         .most = settings.pairTests,
                                         .contacts = settings.contacts});
  result.energy = found.energy;
  result.force = found.force;
  result.torque = found.torque;
  result.stiffness = found.stiffness;
  result.isCut = result.isCut || found.isCut;
  result.cubes += found.cubes;
}

}  // namespace

ProximityScratch::ProximityScratch(const ProximityBody& a, const ProximityBody& b,
                                   Coherence coherent)
    : boundsOfA(a.field), boundsOfB(b.field), depths(a.depths, b.depths), coherence(coherent) {}

Proximity proximity(const ProximityBody& a, const ProximityBody& b, const Eigen::Isometry3d& aFromB,
                    ProximityScratch& scratch, const ProximitySettings& settings) noexcept {
  Proximity result;
  if (settings.contacts != nullptr) settings.contacts->clear();
  // what was apart and cannot have met on the way shares nothing: the distance alone is asked for
  if (scratch.wereApart && cannotHaveMet(a.facets, b.facets, aFromB, scratch.separation) &&
      setDistance(result, a, b, aFromB, scratch))
    return result;
  scratch.wereApart = false;
  const auto ask = [&](const PenetrationSettings& what) {
    if (settings.pairTests == kNoBudget)
      return penetrationVolume(a.spheres, b.spheres, aFromB, scratch.penetration, what);
    const BudgetedVolume within =
        budgetedVolume(a.spheres, b.spheres, aFromB, settings.pairTests, scratch.penetration, what);
    result.isCut = within.isCut;
    return within.found;
  };
  const bool isOfVolume = settings.law == EnergyLaw::Volume;
  const PenetrationVolume cells = ask({.wantsStiffness = isOfVolume && settings.wantsStiffness,
                                       .contacts = isOfVolume ? settings.contacts : nullptr});
  result.pairs = cells.counters;
  if (cells.queueWasFull) result.status = ProximityStatus::QueueWasFull;
  const double most = std::min(a.spheres.arrays().volume, b.spheres.arrays().volume);
  // surfaces are apart also when one object is inside the other, in a void of its lower balls
  if (!(cells.lowerVolume > 0.0) && !(cells.volume > kShareInside * most)) {
    if (setDistance(result, a, b, aFromB, scratch)) {
      if (settings.contacts != nullptr) settings.contacts->clear();
      scratch.wereApart = scratch.coherence == Coherence::SmallSteps;
      return result;
    }
  }
  const VolumeBounds bounds = boundsOf(a, b, aFromB, scratch, settings.pairTests);
  result.cubes = bounds.cubes;
  result.volumeUpper = std::min(bounds.upper, most);
  const double certain = result.isCut ? 0.0 : cells.lowerVolume;
  result.volumeLower = std::min(std::max(certain, bounds.lower), result.volumeUpper);
  if (!isOfVolume) setDepthEnergy(result, a, b, aFromB, scratch, settings);
  if (!(cells.lowerVolume > 0.0) || !(result.volumeUpper > 0.0)) {
    if (isOfVolume && settings.contacts != nullptr) settings.contacts->clear();
    return result;
  }

  const double share = cells.lowerVolume / cells.volume;
  const Fade fade = fadeAt(share);
  result.volume = cells.volume * fade.factor;
  result.volume = std::clamp(result.volume, result.volumeLower, result.volumeUpper);
  if (!isOfVolume) return result;
  result.energy = cells.energy * fade.factor;
  result.force = cells.force * fade.factor;
  result.torque = cells.torque * fade.factor;
  result.stiffness = cells.stiffness * fade.factor;
  if (settings.contacts != nullptr) {
    settings.contacts->scale({static_cast<float>(fade.factor - fade.slope * share),
                              static_cast<float>(fade.factor),
                              static_cast<float>(result.volume / cells.volume)});
    settings.contacts->weigh({static_cast<float>(fade.slope), 0.0F, 0.0F});
  }
  if (fade.slope > 0.0) {
    // of V w(L / V): w' times (L's gradient - share times V's)
    const PenetrationVolume lower =
        ask({.balls = LeafBalls::Lower, .contacts = settings.contacts, .addsContacts = true});
    result.force += fade.slope * (lower.force - share * cells.force);
    result.torque += fade.slope * (lower.torque - share * cells.torque);
  }
  return result;
}

}  // namespace tactus::collision
