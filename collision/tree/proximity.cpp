#include "collision/tree/proximity.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "collision/tree/budgeted_volume.hpp"
#include "collision/tree/nested_parts.hpp"

namespace tactus::collision {
namespace {

// Bounds rise by a cube at a time. An object of at least so many of the larger cubes has bounds
// that rise in small steps, and they are better than the estimate of a shallow overlap.
constexpr double kCubesToTell = 64.0;

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

/// From 0 to 1 as surfaces that are apart get away from each other.
double nestedShareAt(double gap, const ProximityBody& a, const ProximityBody& b) noexcept {
  const double whole = kNested * std::min(a.facets.radius(), b.facets.radius());
  if (!(gap < whole)) return 1.0;
  const double t = gap / whole;
  return t * t * (3.0 - 2.0 * t);
}

NestingBody nestingOf(const ProximityBody& body) noexcept {
  if (body.parts == nullptr) return {body.facets, body.field, {}};
  return {body.facets, body.field, *body.parts};
}

/// No more than this can be shared.
double wholeVolumeOf(const ProximityBody& body) noexcept {
  return body.volumeIsExact ? body.spheres.arrays().volume
                            : std::numeric_limits<double>::infinity();
}

/// Whether bounds rise in small steps, see kCubesToTell. The same at all poses.
bool boundsAreFine(const ProximityBody& a, const ProximityBody& b) noexcept {
  if (a.field.empty() || b.field.empty()) return true;
  const auto side = static_cast<double>(std::max(a.field.finest().side, b.field.finest().side));
  const double smaller = std::min(a.spheres.arrays().volume, b.spheres.arrays().volume);
  return smaller >= kCubesToTell * side * side * side;
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
    result.isCut = result.isCut || within.isCut;
    return within.found;
  };
  const bool isOfVolume = settings.law == EnergyLaw::Volume;
  const PenetrationVolume cells = ask({.wantsStiffness = isOfVolume && settings.wantsStiffness,
                                       .wantsCentroid = settings.wantsCentroid,
                                       .contacts = isOfVolume ? settings.contacts : nullptr});
  result.pairs = cells.counters;
  if (cells.queueWasFull) result.status = ProximityStatus::QueueWasFull;
  const bool lowerBallsMeet = cells.lowerVolume > 0.0;
  const double share = lowerBallsMeet ? cells.lowerVolume / cells.volume : 0.0;
  const Fade fade = fadeAt(share);
  // surfaces are apart also when one object is inside the other, in a void of its lower balls
  NestedParts nested;
  double nestedShare = 0.0;
  if ((share < kTouch || result.isCut) && setDistance(result, a, b, aFromB, scratch)) {
    nested = nestedParts(nestingOf(a), nestingOf(b), aFromB);
    if (!nested.any) {
      if (settings.contacts != nullptr) settings.contacts->clear();
      scratch.wereApart = scratch.coherence == Coherence::SmallSteps;
      result.isCut = false;
      return result;
    }
    nestedShare = nestedShareAt(result.distance, a, b) * (1.0 - fade.factor);
    result.distance = 0.0;
    result.nearestOnA = result.nearestOnB = Eigen::Vector3d::Zero();
  }
  const VolumeBounds bounds = boundsOf(a, b, aFromB, scratch, settings.pairTests);
  result.cubes = bounds.cubes;
  const double most = std::min(wholeVolumeOf(a), wholeVolumeOf(b));
  result.volumeUpper = std::min(bounds.upper, most);
  const double certain = result.isCut ? 0.0 : cells.lowerVolume;
  result.volumeLower = std::min(std::max(certain, bounds.lower), result.volumeUpper);

  result.centroid = cells.centroid;
  const double ofSpheres = cells.volume * fade.factor;
  const double ofParts = std::clamp(nested.volume, result.volumeLower, result.volumeUpper);
  result.volume = std::min(ofSpheres + nestedShare * (ofParts - ofSpheres), most);
  // what is only expected is known to be no more than this
  if (result.isCut) result.volume = std::min(result.volume, result.volumeUpper);
  if (boundsAreFine(a, b)) {
    result.volume = std::clamp(result.volume, result.volumeLower, result.volumeUpper);
  } else {
    result.volumeLower = std::min(result.volumeLower, result.volume);
    result.volumeUpper = std::max(result.volumeUpper, result.volume);
  }
  if (!isOfVolume) {
    setDepthEnergy(result, a, b, aFromB, scratch, settings);
    return result;
  }
  if (!lowerBallsMeet || !(result.volumeUpper > 0.0)) {
    if (settings.contacts != nullptr) settings.contacts->clear();
    return result;
  }

  const double lowered =
      result.isCut && result.volume < ofSpheres ? result.volume / ofSpheres : 1.0;
  const double factor = lowered * fade.factor;
  const double slope = lowered * fade.slope;
  result.energy = cells.energy * factor;
  result.force = cells.force * factor;
  result.torque = cells.torque * factor;
  result.stiffness = cells.stiffness * factor;
  if (settings.contacts != nullptr) {
    settings.contacts->scale({static_cast<float>(factor - slope * share),
                              static_cast<float>(factor),
                              static_cast<float>(result.volume / cells.volume)});
    settings.contacts->weigh({static_cast<float>(slope), 0.0F, 0.0F});
  }
  if (slope > 0.0) {
    // of V w(L / V): w' times (L's gradient - share times V's)
    const PenetrationVolume lower =
        ask({.balls = LeafBalls::Lower, .contacts = settings.contacts, .addsContacts = true});
    result.force += slope * (lower.force - share * cells.force);
    result.torque += slope * (lower.torque - share * cells.torque);
  }
  return result;
}

}  // namespace tactus::collision
