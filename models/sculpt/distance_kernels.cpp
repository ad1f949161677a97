#include "models/sculpt/distance_kernels.hpp"

#define TACTUS_LANES_FILE "models/sculpt/distance_kernels.cpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::models);

struct Vector {
  F32x16 x, y, z;
};

LANES_INLINE F32x16 dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANES_INLINE Vector scaled(Vector a, F32x16 b) {
  return {a.x * b, a.y * b, a.z * b};
}

template <bool kWithGradient>
struct Sample;
template <>
struct Sample<false> {
  F32x16 distance;
};
template <>
struct Sample<true> {
  F32x16 distance;
  Vector gradient;
};

// The share of the further operand in the gradient of a smooth minimum is half the overlap over the
// width; the nearer one has the rest.
template <bool kWithGradient>
LANES_INLINE void joinSmoothly(Sample<kWithGradient>& a, const Sample<kWithGradient>& b,
                               float blend, float inverseBlend) {
  const F32x16 overlap = max(F32x16(blend) - abs(a.distance - b.distance), 0.0F);
  if constexpr (kWithGradient) {
    const F32x16 further = overlap * (0.5F * inverseBlend);
    const F32x16 share = select(b.distance < a.distance, 1.0F - further, further);
    a.gradient.x += (b.gradient.x - a.gradient.x) * share;
    a.gradient.y += (b.gradient.y - a.gradient.y) * share;
    a.gradient.z += (b.gradient.z - a.gradient.z) * share;
  }
  a.distance = min(a.distance, b.distance) - overlap * overlap * (0.25F * inverseBlend);
}

template <bool kWithGradient>
LANES_INLINE void negate(Sample<kWithGradient>& a) {
  a.distance = -a.distance;
  if constexpr (kWithGradient) {
    a.gradient.x = -a.gradient.x;
    a.gradient.y = -a.gradient.y;
    a.gradient.z = -a.gradient.z;
  }
}

// The axis parameter t is where the distance is least, or clamped, so the gradient is the direction
// away from c(t). At c(t) itself, deep inside, there is none, and zero will do.
template <bool kWithGradient>
LANES_INLINE Sample<kWithGradient> roundCone(const PreparedStroke& stroke, Vector point) {
  const Vector axis = {stroke.direction[0], stroke.direction[1], stroke.direction[2]};
  const Vector offset = {point.x - stroke.centre[0], point.y - stroke.centre[1],
                         point.z - stroke.centre[2]};
  const F32x16 along = dot(offset, axis);
  const Vector aside = {offset.x - along * axis.x, offset.y - along * axis.y,
                        offset.z - along * axis.z};
  const F32x16 across = sqrt(dot(aside, aside));
  const F32x16 t = min(max(along - across * stroke.lean, 0.0F), stroke.length);
  const Vector away = {offset.x - t * axis.x, offset.y - t * axis.y, offset.z - t * axis.z};
  const F32x16 length = sqrt(dot(away, away));
  Sample<kWithGradient> sample;
  sample.distance = length + t * stroke.slope - stroke.radius;
  if constexpr (kWithGradient) {
    sample.gradient = scaled(away, select(length > 0.0F, F32x16(1.0F) / length, 0.0F));
  }
  return sample;
}

// With q the point in the ellipsoid's axes, a_i the half axes, g = |q_i / a_i| and
// k = |q_i / a_i^2|: d = g (g - 1) / k, and its gradient is
// (2 g - 1) / (k g) (q_i / a_i^2) - g (g - 1) / k^3 (q_i / a_i^4).
template <bool kWithGradient>
LANES_INLINE Sample<kWithGradient> ellipsoid(const PreparedStroke& stroke, Vector point) {
  const Vector offset = {point.x - stroke.centre[0], point.y - stroke.centre[1],
                         point.z - stroke.centre[2]};
  const std::array<float, 9>& axes = stroke.axes;
  const std::array<float, 3>& inverse = stroke.inverse;
  const Vector once = {(offset.x * axes[0] + offset.y * axes[1] + offset.z * axes[2]) * inverse[0],
                       (offset.x * axes[3] + offset.y * axes[4] + offset.z * axes[5]) * inverse[1],
                       (offset.x * axes[6] + offset.y * axes[7] + offset.z * axes[8]) * inverse[2]};
  const Vector twice = {once.x * inverse[0], once.y * inverse[1], once.z * inverse[2]};
  const F32x16 g = sqrt(dot(once, once));
  const F32x16 k = sqrt(dot(twice, twice));
  const auto isAside = k > 0.0F;
  Sample<kWithGradient> sample;
  sample.distance = (g - 1.0F) * select(isAside, g / k, stroke.leastAxis);
  if constexpr (kWithGradient) {
    const F32x16 first = select(isAside, (g * 2.0F - 1.0F) / (k * g), 0.0F);
    const F32x16 second = select(isAside, sample.distance / (k * k), 0.0F);
    const F32x16 x = twice.x * (first - second * (inverse[0] * inverse[0]));
    const F32x16 y = twice.y * (first - second * (inverse[1] * inverse[1]));
    const F32x16 z = twice.z * (first - second * (inverse[2] * inverse[2]));
    sample.gradient = {x * axes[0] + y * axes[3] + z * axes[6],
                       x * axes[1] + y * axes[4] + z * axes[7],
                       x * axes[2] + y * axes[5] + z * axes[8]};
  }
  return sample;
}

template <bool kWithGradient>
LANES_INLINE Sample<kWithGradient> play(const PreparedSculpture& sculpture, const TapeStep* tape,
                                        std::size_t steps, const PointBlock& points) {
  const Vector point = {load(points.x.data()), load(points.y.data()), load(points.z.data())};
  Sample<kWithGradient> whole{};
  Sample<kWithGradient> piece{};
  for (std::size_t i = 0; i < steps; ++i) {
    const TapeStep& step = tape[i];
    const PreparedStroke& stroke = sculpture.strokes[step.stroke];
    Sample<kWithGradient> sample;
    if (stroke.isEllipsoid) {
      sample = ellipsoid<kWithGradient>(stroke, point);
    } else {
      sample = roundCone<kWithGradient>(stroke, point);
    }
    if (step.replacesPiece) {
      if (stroke.carves) negate(sample);
      piece = sample;
    } else {
      // Carving is the smooth maximum with the stroke turned inside out.
      if (stroke.carves) negate(piece);
      joinSmoothly(piece, sample, stroke.blend, stroke.inverseBlend);
      if (stroke.carves) negate(piece);
    }
    if (!step.endsGroup) continue;
    if (step.replacesWhole) {
      whole = piece;
    } else {
      const PreparedJoint& joint = sculpture.groups[step.group];
      joinSmoothly(whole, piece, joint.blend, joint.inverseBlend);
    }
  }
  return whole;
}

void distances(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
               const PointBlock& points, float* distance) noexcept {
  store(play<false>(sculpture, tape, steps, points).distance, distance);
}

void field(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
           const PointBlock& points, FieldBlock& result) noexcept {
  const Sample<true> sample = play<true>(sculpture, tape, steps, points);
  store(sample.distance, result.distance.data());
  store(sample.gradient.x, result.gradientX.data());
  store(sample.gradient.y, result.gradientY.data());
  store(sample.gradient.z, result.gradientZ.data());
}

TACTUS_LANES_END(tactus::models);

#if TACTUS_LANES_ONCE
namespace tactus::models {

void distancesOf(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
                 const PointBlock& points, std::array<float, kPointsAtOnce>& distance) noexcept {
  TACTUS_LANES_CALL(distances)(sculpture, tape, steps, points, distance.data());
}

void fieldOf(const PreparedSculpture& sculpture, const TapeStep* tape, std::size_t steps,
             const PointBlock& points, FieldBlock& result) noexcept {
  TACTUS_LANES_CALL(field)(sculpture, tape, steps, points, result);
}

}  // namespace tactus::models
#endif
