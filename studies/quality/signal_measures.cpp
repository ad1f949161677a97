#include "studies/quality/signal_measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "models/lanes/elementary.hpp"
#include "studies/band_power.hpp"

namespace tactus::studies {
namespace {

constexpr double kLeastShare = 0.01;
// Between the bins of ten and of eleven cycles.
constexpr double kRippleFrom = 10.5;

double squaresOf(VectorCourse course) {
  double sum = 0.0;
  for (const Eigen::Vector3d& vector : course)
    sum += vector.squaredNorm();
  return sum;
}

double deviationBy(VectorCourse ideal, double ofIdeal, VectorCourse measured, double ofMeasured) {
  double sum = 0.0;
  for (std::size_t k = 0; k < ideal.size(); ++k) {
    const double off = ideal[k].norm() / ofIdeal - measured[k].norm() / ofMeasured;
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(ideal.size()));
}

}  // namespace

double largestLength(VectorCourse course) {
  double largest = 0.0;
  for (const Eigen::Vector3d& vector : course)
    largest = std::max(largest, vector.norm());
  return largest;
}

std::optional<double> deviation(VectorCourse ideal, VectorCourse measured) {
  const double largest = largestLength(ideal);
  if (!(largest > 0.0)) return std::nullopt;
  return deviationBy(ideal, largest, measured, largest);
}

std::optional<double> deviationByOwnMaximum(VectorCourse ideal, VectorCourse measured) {
  const double ofIdeal = largestLength(ideal);
  const double ofMeasured = largestLength(measured);
  if (!(ofIdeal > 0.0) || !(ofMeasured > 0.0)) return std::nullopt;
  return deviationBy(ideal, ofIdeal, measured, ofMeasured);
}

std::optional<double> angleOf(const Eigen::Vector3d& ideal, const Eigen::Vector3d& measured,
                              double idealsLargest) {
  const double length = ideal.norm();
  if (!(length > kLeastShare * idealsLargest)) return std::nullopt;
  const double both = length * measured.norm();
  // What has no direction is as wrong as can be without being opposite.
  const double cosine = both > 0.0 ? std::clamp(ideal.dot(measured) / both, -1.0, 1.0) : 0.0;
  return models::elementary::acos(cosine) * 180.0 / std::numbers::pi;
}

std::optional<AngleFigures> angleBetween(VectorCourse ideal, VectorCourse measured) {
  const double largest = largestLength(ideal);
  AngleFigures figures;
  std::size_t count = 0;
  for (std::size_t k = 0; k < ideal.size(); ++k) {
    const std::optional<double> angle = angleOf(ideal[k], measured[k], largest);
    if (!angle) continue;
    figures.mean += *angle;
    figures.max = std::max(figures.max, *angle);
    ++count;
  }
  if (count == 0) return std::nullopt;
  figures.mean /= static_cast<double>(count);
  return figures;
}

std::optional<double> energyRatio(VectorCourse ideal, VectorCourse measured, int component) {
  double ofIdeal = 0.0, ofMeasured = 0.0;
  for (std::size_t k = 0; k < ideal.size(); ++k) {
    ofIdeal += ideal[k](component) * ideal[k](component);
    ofMeasured += measured[k](component) * measured[k](component);
  }
  if (!(ofIdeal > 0.0)) return std::nullopt;
  return ofMeasured / ofIdeal;
}

std::optional<double> ripple(VectorCourse ideal, VectorCourse measured) {
  const double squares = squaresOf(ideal);
  if (!(squares > 0.0)) return std::nullopt;
  double product = 0.0;
  for (std::size_t k = 0; k < ideal.size(); ++k)
    product += ideal[k].dot(measured[k]);
  const double gain = product / squares;
  const auto samples = static_cast<double>(ideal.size());
  std::vector<double> rest(ideal.size());
  double sum = 0.0;
  for (int component = 0; component < 3; ++component) {
    for (std::size_t k = 0; k < ideal.size(); ++k)
      rest[k] = measured[k](component) - gain * ideal[k](component);
    const double rms = bandRms(rest, samples, kRippleFrom, 0.5 * samples);
    sum += rms * rms;
  }
  return std::sqrt(sum / (squares / samples));
}

double largestJump(VectorCourse course) {
  double largest = 0.0;
  for (std::size_t k = 1; k < course.size(); ++k)
    largest = std::max(largest, (course[k] - course[k - 1]).norm());
  return largest;
}

}  // namespace tactus::studies
