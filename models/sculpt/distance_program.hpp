#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sculpt/distance_kernels.hpp"
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// A sculpture made ready to be evaluated many times, in float and relative to an origin.
///
/// Source: M. Keeter, "Massively Parallel Rendering of Complex Closed-Form Implicit Surfaces",
/// 2020: interval arithmetic over a region finds which operands of min and max can never win there,
/// and drops them from the list of instructions for that region. How ours differs: the list is the
/// sculpture's own list of strokes, and the region is a ball. Both joints grow in their operands
/// and equal one operand to the bit where the other is further than the joint is wide, so a
/// shortened tape gives the same bits as the whole one anywhere in its ball.
class DistanceProgram {
 public:
  using Step = TapeStep;
  using Tape = std::span<const Step>;

  struct Range {
    float lower = 0.0F, upper = 0.0F;
  };

  /// `origin` should lie in the middle of the sculpture, `extent` be its size [m]: they fix what
  /// float loses to rounding.
  DistanceProgram(const Sculpture& sculpture, const Eigen::Vector3d& origin, double extent);

  [[nodiscard]] Tape wholeTape() const noexcept { return whole_; }

  /// Bounds of the distance over a ball; appends to `shorter` the steps of `tape` that matter in
  /// it.
  Range boundOver(Tape tape, const Eigen::Vector3f& centre, float radius,
                  std::vector<Step>& shorter) const;

  /// Distances at sixteen points.
  void evaluate(Tape tape, const PointBlock& points,
                std::array<float, kPointsAtOnce>& distance) const;

  /// Distances, to the same bits, and gradients.
  void evaluate(Tape tape, const PointBlock& points, FieldBlock& field) const;

 private:
  [[nodiscard]] Range boundOf(const PreparedStroke& stroke, const Eigen::Vector3f& centre,
                              float radius) const;

  std::vector<PreparedStroke> strokes_;
  std::vector<PreparedJoint> groups_;
  std::vector<Step> whole_;
  float slack_ = 0.0F;  // more than rounding can move a distance [m]
};

}  // namespace tactus::models
