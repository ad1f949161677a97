#pragma once
#include <Eigen/Core>
#include <optional>
#include <span>

/// How far a measured course of vectors is from an ideal one. Courses have the same number of
/// samples, one at each of equally many steps of a path.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 6.4.3, equations 6.13 to 6.15. How ours differ stands at each.
namespace tactus::studies {

using VectorCourse = std::span<const Eigen::Vector3d>;

[[nodiscard]] double largestLength(VectorCourse course);

/// Root of the mean square difference of the lengths, as a share of the ideal's largest length.
/// Equation 6.13 has its 1/N outside the root, and would shrink with N; and divides each course by
/// its own largest length, which hides a wrong gain: see deviationByOwnMaximum(). Nothing if the
/// ideal is zero.
[[nodiscard]] std::optional<double> deviation(VectorCourse ideal, VectorCourse measured);
[[nodiscard]] std::optional<double> deviationByOwnMaximum(VectorCourse ideal,
                                                          VectorCourse measured);

/// Of the angle between two courses, where the ideal is longer than a hundredth of its largest
/// length [deg]. Equation 6.14 takes all samples, also those without a direction.
struct AngleFigures {
  double mean = 0.0, max = 0.0;
};
/// The angle at one sample, if it counts.
[[nodiscard]] std::optional<double> angleOf(const Eigen::Vector3d& ideal,
                                            const Eigen::Vector3d& measured, double idealsLargest);
[[nodiscard]] std::optional<AngleFigures> angleBetween(VectorCourse ideal, VectorCourse measured);

/// Energy of a component's measured course over that of the ideal one (6.15; the spectra's
/// integrals are the sums of squares, by Parseval). A wrong gain makes up for noise: for history.
[[nodiscard]] std::optional<double> energyRatio(VectorCourse ideal, VectorCourse measured,
                                                int component);

/// What trembles: with s the gain that fits best, the root mean square of (measured - s ideal)
/// above ten cycles a path over that of the ideal.
[[nodiscard]] std::optional<double> ripple(VectorCourse ideal, VectorCourse measured);

/// Largest difference of two samples that follow each other.
[[nodiscard]] double largestJump(VectorCourse course);

}  // namespace tactus::studies
