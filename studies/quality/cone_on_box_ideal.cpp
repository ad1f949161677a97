#include "studies/quality/cone_on_box_ideal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "studies/quality/quadrature.hpp"

namespace tactus::studies {
namespace {

// The integrand has kinks where the cut reaches an edge and where the tip leaves the layer: 64
// parts leave an error of some 1e-7 of the force.
constexpr int kPanels = 64;

/// Area of a part of a plane and its first moment along a coordinate.
struct Patch {
  double area = 0.0;
  double moment = 0.0;
};

Patch operator-(const Patch& a, const Patch& b) {
  return {a.area - b.area, a.moment - b.moment};
}

/// Of a disc about 0, up to the line u = `to`.
Patch discUpTo(double radius, double to) {
  const double u = std::clamp(to, -radius, radius);
  const double half = std::sqrt(std::max(0.0, radius * radius - u * u));
  const double angle = models::elementary::asin(u / radius) + 0.5 * std::numbers::pi;
  return {u * half + radius * radius * angle, -2.0 / 3.0 * half * half * half};
}

Patch discBetween(double radius, double from, double to) {
  if (!(radius > 0.0) || !(to > from)) return {};
  return discUpTo(radius, to) - discUpTo(radius, from);
}

/// Of the cut of a cone by a plane parallel to its axis at the distance `aside`, up to the height
/// `above` its tip; the moment is along the height, from the tip.
Patch cutUpTo(double slope, double aside, double above) {
  const double radius = slope * above;
  const double s = std::abs(aside);
  if (!(radius > s)) return {};
  const double root = std::sqrt(radius * radius - s * s);
  // The area under 2 sqrt(r^2 - s^2); acosh(r / s) as a logarithm.
  const double bend = s > 0.0 ? s * s * models::elementary::log((radius + root) / s) : 0.0;
  return {(radius * root - bend) / slope, 2.0 / 3.0 * root * root * root / (slope * slope)};
}

/// A box and a cone that layers were taken off.
struct Layer {
  double halfLength, top, bottom;  ///< of the box
  double tip;                      ///< y of the cone's
};

Layer layerAt(const ConeOnBox& scene, double offBox, double offCone) {
  // A layer of a cone moves its tip by the layer over the sine of half its opening.
  const double slope = scene.radiusToHeight;
  const double perLayer = std::sqrt(1.0 + slope * slope) / slope;
  return {scene.halfLength - offBox, -offBox, -scene.thickness + offBox,
          -scene.depth + perLayer * offCone};
}

/// Minus the gradient of the volume that they share, on the cone: an integral over the box's faces
/// within the cone.
WrenchVector volumeWrench(const ConeOnBox& scene, const Layer& layer) {
  WrenchVector wrench = WrenchVector::Zero();
  if (!(layer.top > layer.bottom) || !(layer.halfLength > 0.0)) return wrench;
  const double slope = scene.radiusToHeight;
  const double left = -layer.halfLength - scene.coneAt;
  const double right = layer.halfLength - scene.coneAt;
  const Patch above = discBetween(slope * (layer.top - layer.tip), left, right);
  const Patch below = discBetween(slope * (layer.bottom - layer.tip), left, right);
  wrench(1) = above.area - below.area;
  wrench(5) = above.moment - below.moment;
  const double middle = -scene.depth + 0.5 * scene.coneHeight;
  for (const double aside : {left, right}) {
    const Patch cut = cutUpTo(slope, aside, layer.top - layer.tip) -
                      cutUpTo(slope, aside, layer.bottom - layer.tip);
    const double outward = aside == left ? -1.0 : 1.0;
    wrench(0) += outward * cut.area;
    wrench(5) -= outward * (cut.moment + (layer.tip - middle) * cut.area);
  }
  return wrench;
}

}  // namespace

response::Wrench idealWrench(const ConeOnBox& scene, IdealLaw law) {
  if (law == IdealLaw::Volume) return wrenchOf(volumeWrench(scene, layerAt(scene, 0.0, 0.0)));
  const bool isOffBoth = law == IdealLaw::Depth;
  const double slope = scene.radiusToHeight;
  const double tipPerLayer = isOffBoth ? std::sqrt(1.0 + slope * slope) / slope : 0.0;
  // From there on the tip is above the box, or nothing of the box is left.
  const double deepest =
      std::min({scene.depth / (1.0 + tipPerLayer), 0.5 * scene.thickness, scene.halfLength});
  return wrenchOf(integral(
      [&](double t) { return volumeWrench(scene, layerAt(scene, t, isOffBoth ? t : 0.0)); }, 0.0,
      deepest, kPanels));
}

double sharedVolume(const ConeOnBox& scene) {
  const double left = -scene.halfLength - scene.coneAt;
  const double right = scene.halfLength - scene.coneAt;
  return integral(
      [&](double y) {
        return discBetween(scene.radiusToHeight * (y + scene.depth), left, right).area;
      },
      -std::min(scene.depth, scene.thickness), 0.0, kPanels);
}

}  // namespace tactus::studies
