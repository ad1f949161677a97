#include "studies/quality/ball_on_cylinder_ideal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "studies/quality/quadrature.hpp"

namespace tactus::studies {
namespace {

constexpr int kPanels = 8;

/// Common chord of two circles; 0 if they do not cut each other.
double chord(double a, double b, double distance) {
  const double from = (distance * distance + a * a - b * b) / (2.0 * distance);
  return 2.0 * std::sqrt(std::max(0.0, a * a - from * from));
}

/// Integral of the chords over the heights at which there are any.
double chordsOf(double cylinder, double ball, double distance) {
  const double reach = distance - cylinder;  // the ball's disc must be larger
  if (!(ball > reach)) return 0.0;
  const double highest = std::sqrt(ball * ball - reach * reach);
  // The chord ends as a square root does; by the sine of an angle it is smooth.
  return integral(
      [&](double angle) {
        const double y = highest * models::elementary::sin(angle);
        const double disc = std::sqrt(std::max(0.0, ball * ball - y * y));
        return chord(cylinder, disc, distance) * highest * models::elementary::cos(angle);
      },
      -0.5 * std::numbers::pi, 0.5 * std::numbers::pi, kPanels);
}

}  // namespace

double idealPush(const BallOnCylinder& scene, IdealLaw law) {
  if (law == IdealLaw::Volume)
    return chordsOf(scene.cylinderRadius, scene.ballRadius, scene.distance);
  const bool isOffBoth = law == IdealLaw::Depth;
  const double overlap = scene.cylinderRadius + scene.ballRadius - scene.distance;
  return integral(
      [&](double t) {
        return chordsOf(scene.cylinderRadius - t, scene.ballRadius - (isOffBoth ? t : 0.0),
                        scene.distance);
      },
      0.0, isOffBoth ? 0.5 * overlap : overlap, kPanels);
}

}  // namespace tactus::studies
