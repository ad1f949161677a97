#include "models/sculpt/distance_program.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::models {
namespace {

// A float distance of a handful of operations on coordinates up to the extent is wrong by a few
// 2^-24 of it; bounds are widened by this part, some hundred times as much.
constexpr double kRoundingSlack = 1e-5;

using Range = DistanceProgram::Range;

Range smoothMinimum(Range a, Range b, float blend, float inverseBlend) {
  const auto join = [&](float first, float second) {
    const float overlap = std::max(blend - std::abs(first - second), 0.0F);
    return std::min(first, second) - overlap * overlap * (0.25F * inverseBlend);
  };
  return {join(a.lower, b.lower), join(a.upper, b.upper)};
}

Range negative(Range a) {
  return {-a.upper, -a.lower};
}

std::array<float, 3> toFloats(const Eigen::Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

}  // namespace

DistanceProgram::DistanceProgram(const Sculpture& sculpture, const Eigen::Vector3d& origin,
                                 double extent)
    : slack_(static_cast<float>(kRoundingSlack * extent)) {
  const auto inverseOf = [](double blend) {
    return blend > 0.0 ? static_cast<float>(1.0 / blend) : 0.0F;
  };
  for (const Sculpture::Group& group : sculpture.groups) {
    const std::size_t firstStep = whole_.size();
    for (const Stroke& stroke : group.strokes) {
      const bool carves = stroke.action == Stroke::Action::Carve;
      const bool isFirst = whole_.size() == firstStep;
      if (isFirst && carves) continue;  // nothing stands that could be carved
      PreparedStroke prepared;
      prepared.carves = carves;
      prepared.blend = static_cast<float>(std::max(stroke.blend, 0.0));
      prepared.inverseBlend = inverseOf(stroke.blend);
      prepared.centre = toFloats(stroke.from - origin);
      if (stroke.shape == Stroke::Shape::Ellipsoid) {
        prepared.isEllipsoid = true;
        for (std::size_t row = 0; row < 3; ++row) {
          const auto axis = static_cast<Eigen::Index>(row);
          for (std::size_t column = 0; column < 3; ++column) {
            prepared.axes[3 * row + column] =
                static_cast<float>(stroke.axes(static_cast<Eigen::Index>(column), axis));
          }
          prepared.inverse[row] = static_cast<float>(1.0 / stroke.halfAxes[axis]);
        }
        prepared.leastAxis = static_cast<float>(stroke.halfAxes.minCoeff());
        prepared.longestAxis = static_cast<float>(stroke.halfAxes.maxCoeff());
      } else {
        const Eigen::Vector3d axis = stroke.to - stroke.from;
        const double length = axis.norm();
        const double shrink = stroke.fromRadius - stroke.toRadius;
        prepared.radius = static_cast<float>(stroke.fromRadius);
        if (length <= std::abs(shrink)) {  // one ball holds the other
          if (shrink < 0.0) {
            prepared.centre = toFloats(stroke.to - origin);
            prepared.radius = static_cast<float>(stroke.toRadius);
          }
        } else {
          const double slope = shrink / length;
          prepared.direction = toFloats(axis / length);
          prepared.length = static_cast<float>(length);
          prepared.slope = static_cast<float>(slope);
          prepared.lean = static_cast<float>(slope / std::sqrt(1.0 - slope * slope));
        }
      }
      Step step;
      step.stroke = static_cast<std::uint16_t>(strokes_.size());
      step.group = static_cast<std::uint16_t>(groups_.size());
      step.replacesPiece = isFirst;
      whole_.push_back(step);
      strokes_.push_back(prepared);
    }
    if (whole_.size() == firstStep) continue;
    whole_.back().endsGroup = true;
    whole_.back().replacesWhole = groups_.empty();
    groups_.push_back({static_cast<float>(std::max(group.blend, 0.0)), inverseOf(group.blend)});
  }
}

// A round cone's distance changes by at most the way one goes. For an ellipsoid g and k are bounded
// over the box around the ball in the ellipsoid's own axes, and g / k lies between the half axes.
DistanceProgram::Range DistanceProgram::boundOf(const PreparedStroke& stroke,
                                                const Eigen::Vector3f& centre, float radius) const {
  const std::array<float, 3> offset = {centre.x() - stroke.centre[0], centre.y() - stroke.centre[1],
                                       centre.z() - stroke.centre[2]};
  if (!stroke.isEllipsoid) {
    float along = 0.0F;
    for (std::size_t i = 0; i < 3; ++i)
      along += offset[i] * stroke.direction[i];
    float across = 0.0F;
    for (std::size_t i = 0; i < 3; ++i) {
      const float aside = offset[i] - along * stroke.direction[i];
      across += aside * aside;
    }
    across = std::sqrt(across);
    const float t = std::clamp(along - stroke.lean * across, 0.0F, stroke.length);
    const float distance =
        std::sqrt((along - t) * (along - t) + across * across) + stroke.slope * t - stroke.radius;
    return {distance - radius - slack_, distance + radius + slack_};
  }
  float gLow = 0.0F;
  float gHigh = 0.0F;
  float kLow = 0.0F;
  float kHigh = 0.0F;
  for (std::size_t i = 0; i < 3; ++i) {
    const float q = std::abs(stroke.axes[3 * i] * offset[0] + stroke.axes[3 * i + 1] * offset[1] +
                             stroke.axes[3 * i + 2] * offset[2]);
    const float low = std::max(q - radius - slack_, 0.0F) * stroke.inverse[i];
    const float high = (q + radius + slack_) * stroke.inverse[i];
    gLow += low * low;
    gHigh += high * high;
    kLow += low * low * stroke.inverse[i] * stroke.inverse[i];
    kHigh += high * high * stroke.inverse[i] * stroke.inverse[i];
  }
  gLow = std::sqrt(gLow);
  gHigh = std::sqrt(gHigh);
  const float ratioLow = std::max(stroke.leastAxis, gLow / std::sqrt(kHigh));
  const float ratioHigh =
      kLow > 0.0F ? std::min(stroke.longestAxis, gHigh / std::sqrt(kLow)) : stroke.longestAxis;
  return {(gLow - 1.0F) * (gLow > 1.0F ? ratioLow : ratioHigh) - slack_,
          (gHigh - 1.0F) * (gHigh > 1.0F ? ratioHigh : ratioLow) + slack_};
}

DistanceProgram::Range DistanceProgram::boundOver(Tape tape, const Eigen::Vector3f& centre,
                                                  float radius, std::vector<Step>& shorter) const {
  const std::size_t firstStep = shorter.size();
  std::size_t firstOfPiece = firstStep;
  Range whole;
  Range piece;
  for (const Step& step : tape) {
    const PreparedStroke& stroke = strokes_[step.stroke];
    const Range own = boundOf(stroke, centre, radius);
    // Carving is the smooth maximum with the other's inside out: the negative of a smooth minimum.
    const Range before = stroke.carves ? negative(piece) : piece;
    const auto startAnew = [&] {
      shorter.resize(firstOfPiece);
      shorter.push_back({step.stroke, step.group, true, false, false});
      piece = stroke.carves ? negative(own) : own;
    };
    if (step.replacesPiece) {
      firstOfPiece = shorter.size();
      startAnew();
    } else if (before.lower - own.upper >= stroke.blend) {
      startAnew();
    } else if (own.lower - before.upper < stroke.blend) {
      shorter.push_back({step.stroke, step.group, false, false, false});
      const Range joined = smoothMinimum(before, own, stroke.blend, stroke.inverseBlend);
      piece = stroke.carves ? negative(joined) : joined;
    }
    if (!step.endsGroup) continue;
    const PreparedJoint& joint = groups_[step.group];
    if (!step.replacesWhole && piece.lower - whole.upper >= joint.blend) {
      shorter.resize(firstOfPiece);  // the group never shows here
      continue;
    }
    bool replacesWhole = step.replacesWhole;
    if (!replacesWhole && whole.lower - piece.upper >= joint.blend) {
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(firstStep),
                    shorter.begin() + static_cast<std::ptrdiff_t>(firstOfPiece));
      replacesWhole = true;
    }
    whole = replacesWhole ? piece : smoothMinimum(whole, piece, joint.blend, joint.inverseBlend);
    shorter.back().endsGroup = true;
    shorter.back().replacesWhole = replacesWhole;
  }
  return whole;
}

void DistanceProgram::evaluate(Tape tape, const PointBlock& points,
                               std::array<float, kPointsAtOnce>& distance) const {
  distancesOf({strokes_.data(), groups_.data()}, tape.data(), tape.size(), points, distance);
}

void DistanceProgram::evaluate(Tape tape, const PointBlock& points, FieldBlock& field) const {
  fieldOf({strokes_.data(), groups_.data()}, tape.data(), tape.size(), points, field);
}

}  // namespace tactus::models
