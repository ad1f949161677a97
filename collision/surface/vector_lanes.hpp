// Vectors of sixteen points or directions, and a pose for them.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include "collision/surface/posed_facets.hpp"
#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_VECTOR_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_VECTOR_LANES
#undef TACTUS_VECTOR_LANES
#else
#define TACTUS_VECTOR_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

struct Vector {
  F32x16 x, y, z;
};
LANES_INLINE Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
LANES_INLINE Vector operator*(F32x16 s, const Vector& v) {
  return {s * v.x, s * v.y, s * v.z};
}
LANES_INLINE F32x16 dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANES_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANES_INLINE F32x16 within01(F32x16 t) {
  return min(max(t, 0.0F), 1.0F);
}
LANES_INLINE F32x16 positive(F32x16 x) {
  return max(x, 0.0F);
}

// Divisors are kept from zero; what they divide is zero then as well.
constexpr float kTiny = 1e-30F;

LANES_INLINE Vector turned(const PosedFacets& p, const Vector& v) {
  const auto& r = p.rotation;
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

LANES_INLINE Vector moved(const PosedFacets& p, const Vector& v) {
  const Vector t = turned(p, v);
  return {t.x + p.offset[0], t.y + p.offset[1], t.z + p.offset[2]};
}

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_VECTOR_LANES
