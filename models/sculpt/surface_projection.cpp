#include "models/sculpt/surface_projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

// Points start within a cell of the surface, where the field is close to linear: the second step is
// already exact to rounding. Many more are taken only in narrow clefts, where a step onto one wall
// leads into the other.
constexpr int kNewtonSteps = 20;

// Longest step, in parts of how far a tape holds beyond its piece of space. A point that goes
// further than that in all has not arrived.
constexpr float kLongestStep = 0.25F;

// At a joint the gradients of two surfaces may almost cancel; a step is never longer than this many
// times the distance.
constexpr float kLeastSquaredGradient = 0.1F;

constexpr std::size_t kBatchesAtOnce = 32;

struct Newton {
  PointBlock points;
  FieldBlock field;
  std::array<bool, kPointsAtOnce> arrived{};
};

// Lanes that have arrived stand still, so that a point's path does not depend on its company.
void walk(const BrickTree& tree, std::uint32_t guide, float tolerance, Newton& newton) {
  const PointBlock start = newton.points;
  const float margin = tree.guideMargin();
  const float longestWay = kLongestStep * margin;
  for (int step = 0; step <= kNewtonSteps; ++step) {
    tree.program().evaluate(tree.guideTape(guide), newton.points, newton.field);
    bool allArrived = true;
    for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
      const float distance = newton.field.distance[i];
      newton.arrived[i] = std::abs(distance) <= tolerance;
      allArrived = allArrived && newton.arrived[i];
      if (newton.arrived[i] || step == kNewtonSteps) continue;
      const float gx = newton.field.gradientX[i];
      const float gy = newton.field.gradientY[i];
      const float gz = newton.field.gradientZ[i];
      const float squared = gx * gx + gy * gy + gz * gz;
      const float way =
          std::clamp(distance / std::max(squared, kLeastSquaredGradient), -longestWay, longestWay);
      newton.points.x[i] -= way * gx;
      newton.points.y[i] -= way * gy;
      newton.points.z[i] -= way * gz;
    }
    if (allArrived) break;
  }
  for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
    const float furthest = std::max(std::abs(newton.points.x[i] - start.x[i]),
                                    std::max(std::abs(newton.points.y[i] - start.y[i]),
                                             std::abs(newton.points.z[i] - start.z[i])));
    newton.arrived[i] = newton.arrived[i] && furthest <= margin;
  }
}

Eigen::Vector3f normalOf(const FieldBlock& field, std::size_t i) {
  const Eigen::Vector3f gradient(field.gradientX[i], field.gradientY[i], field.gradientZ[i]);
  const float length = gradient.norm();
  return length > 0.0F ? Eigen::Vector3f(gradient / length) : Eigen::Vector3f::UnitZ();
}

}  // namespace

void SurfaceProjection::projectBatch(const Batch& batch, std::span<Eigen::Vector3f> points,
                                     std::span<Eigen::Vector3f> normals) {
  Newton newton;
  for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
    const std::size_t lane = std::min<std::size_t>(i, batch.count - 1);
    const Eigen::Vector3f& p = points[order_[batch.first + lane]];
    newton.points.x[i] = p.x();
    newton.points.y[i] = p.y();
    newton.points.z[i] = p.z();
  }
  walk(*tree_, batch.guide, tolerance_, newton);
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::uint32_t point = order_[batch.first + i];
    points[point] = Eigen::Vector3f(newton.points.x[i], newton.points.y[i], newton.points.z[i]);
    normals[point] = normalOf(newton.field, i);
    arrived_[point] = newton.arrived[i] ? 1 : 0;
  }
}

void SurfaceProjection::project(std::span<Eigen::Vector3f> points,
                                std::span<Eigen::Vector3f> normals) {
  // Counting sort by piece of space, then cut into batches.
  const std::uint32_t guides = tree_->guideCount();
  guideOfPoint_.resize(points.size());
  arrived_.resize(points.size());
  order_.resize(points.size());
  start_.assign(guides + 1, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    guideOfPoint_[i] = tree_->guideOf(points[i]);
    ++start_[guideOfPoint_[i] + 1];
  }
  batches_.clear();
  for (std::uint32_t g = 0; g < guides; ++g) {
    const std::uint32_t count = start_[g + 1];
    for (std::uint32_t done = 0; done < count; done += kPointsAtOnce) {
      batches_.push_back(
          {g, start_[g] + done, std::min(count - done, static_cast<std::uint32_t>(kPointsAtOnce))});
    }
    start_[g + 1] += start_[g];
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    order_[start_[guideOfPoint_[i]]++] = static_cast<std::uint32_t>(i);
  }
  parallelFor(batches_.size(), kBatchesAtOnce, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b)
      projectBatch(batches_[b], points, normals);
  });
}

float SurfaceProjection::distanceAt(const Eigen::Vector3f& point) const {
  PointBlock points;
  points.x.fill(point.x());
  points.y.fill(point.y());
  points.z.fill(point.z());
  std::array<float, kPointsAtOnce> distance{};
  tree_->program().evaluate(tree_->guideTape(tree_->guideOf(point)), points, distance);
  return distance[0];
}

bool SurfaceProjection::projectOne(Eigen::Vector3f& point, Eigen::Vector3f& normal) const {
  Newton newton;
  newton.points.x.fill(point.x());
  newton.points.y.fill(point.y());
  newton.points.z.fill(point.z());
  walk(*tree_, tree_->guideOf(point), tolerance_, newton);
  point = Eigen::Vector3f(newton.points.x[0], newton.points.y[0], newton.points.z[0]);
  normal = normalOf(newton.field, 0);
  return newton.arrived[0];
}

}  // namespace tactus::models
