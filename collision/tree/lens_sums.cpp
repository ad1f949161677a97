#include "collision/tree/lens_sums.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "collision/contact/contact_cells.hpp"

#define TACTUS_LANES_FILE "collision/tree/lens_sums.cpp"
#include "models/lanes/lanes.hpp"

// With depth = ra + rb - d, e = |ra - rb| and m = min(ra, rb):
//
//   V = pi depth^2 (d^2 + 2 d (ra + rb) - 3 e^2) / (12 d)
//     = pi depth^2 ((d - e) (d + 3 e) + 4 d m) / (12 d)
//   S = -dV/dd = pi depth (d + ra + rb) (d - e) (d + e) / (4 d^2)
//   dS/dd = -2 pi x (d - x) / d, with the disc's distance x = (d^2 + ra^2 - rb^2) / (2 d)
//
// The second form of V and Heron's form of S have no negative term while the spheres cut each other
// (e < d < ra + rb). The force on B is S (b - a) / d; it acts along the line of centres, so through
// b.
//
// The disc cuts the lens into two caps, of moments pi c^4 / 4 about the two centres, with the
// disc's radius c. So they cancel but for the place of one centre, and the lens's moment is V b - C
// (b - a), where C is the volume of the cap of A's sphere: pi h^2 (3 ra - h) / 3 with h = ra - x.
//
// The depth laws take a leaf's ball for a cone of depths: D at its centre and less by 1 m/m around
// it, with D such that the mean is the cell's. Below a depth t a ball of radius min(r, D - t) is
// left of it, and the energy of a pair is the integral of what the two balls share over all t: like
// the volume, a function of the distance of the centres alone, with the integral of S for a force.
// It has three pieces, with none, one and both balls shrinking; all are polynomials in t, and
// exact.
//
// A weight that is constant over a ball (the lesser mean depth of the two) was tried first. Spheres
// that touch the surface are large as well as small, so that boxes pressed into each other face to
// face had 1.5 to 2.4 times the energy, whatever the number of spheres; with cones 1.4 to 2.1. What
// is left comes from balls that stick out of the surface: the energy is convex in how deep they are
// in each other, so that it does not cancel as it does for the volume.
//
// Balls that are as good as concentric push to where rounding says, and a step further to the other
// side: below a distance of kNearlyOne of the smaller radius the force falls to 0 in proportion.

TACTUS_LANES_BEGIN(tactus::collision);

constexpr auto kPi = std::numbers::pi_v<float>;
constexpr float kNearlyOne = 0.05F;
// A ball's points are three quarters of its radius from its centre on average.
constexpr float kTopOverMean = 0.75F;
// Deeper than any object: what is never eroded.
constexpr float kNeverEroded = 1e15F;

/// Sixteen lenses.
struct Lens {
  F32x16 volume;
  F32x16 pull;    ///< disc area by distance of the centres; 0 unless the spheres cut each other
  F32x16 second;  ///< minus the derivative of the disc area by distance
};

LANES_INLINE F32x16 volumeOfLens(F32x16 ra, F32x16 rb, F32x16 d, F32x16 perDistance) {
  const F32x16 depth = ra + rb - d;
  const F32x16 smaller = min(ra, rb);
  const F32x16 e = abs(ra - rb);
  const F32x16 lens = (kPi / 12.0F) * depth * (depth * perDistance) *
                      ((d - e) * (d + 3.0F * e) + 4.0F * d * smaller);
  const F32x16 ball = (kPi * 4.0F / 3.0F) * smaller * smaller * smaller;
  return select(depth > 0.0F, select(d > e, lens, ball), 0.0F);
}

template <bool hasStiffness>
LANES_INLINE Lens lensOf(F32x16 ra, F32x16 rb, F32x16 d, F32x16 perDistance) {
  const F32x16 depth = ra + rb - d;
  const auto cut = (depth > 0.0F) & (d > abs(ra - rb));  // else one is inside the other
  const F32x16 areaPerDistance = (kPi / 4.0F) * (depth * perDistance) *
                                 ((d + ra + rb) * perDistance) *
                                 ((d - abs(ra - rb)) * perDistance) * (d + abs(ra - rb));
  Lens lens = {volumeOfLens(ra, rb, d, perDistance), select(cut, areaPerDistance, 0.0F), 0.0F};
  if constexpr (hasStiffness) {
    // x and d - x, each less half the distance, are this and minus this
    const F32x16 off = 0.5F * (ra - rb) * ((ra + rb) * perDistance);
    const F32x16 second = (2.0F * kPi) * (0.5F * d + off) * ((0.5F * d - off) * perDistance);
    lens.second = select(cut, second, 0.0F);
  }
  return lens;
}

/// What a leaf has below a depth: of its ball this much is left.
struct Eroded {
  F32x16 radius, top;
  LANES_INLINE Eroded(F32x16 ofCell, F32x16 meanDepth)
      : radius(ofCell), top(meanDepth + kTopOverMean * ofCell) {}
  LANES_INLINE F32x16 at(F32x16 depth) const { return max(min(radius, top - depth), 0.0F); }
  /// Down to here nothing is missing.
  LANES_INLINE F32x16 whole() const { return max(top - radius, 0.0F); }
};

LANES_INLINE void add(Lens& sum, F32x16 weight, const Lens& lens) {
  sum.volume += weight * lens.volume;
  sum.pull += weight * lens.pull;
  sum.second += weight * lens.second;
}

/// Over the radii of one ball from `least` to `most`, while the other stays.
template <bool hasStiffness>
LANES_INLINE void addGrowing(F32x16 least, F32x16 most, F32x16 other, F32x16 d, F32x16 perDistance,
                             Lens& sum) {
  constexpr float kOff = 0.774596669F;  // polynomials of fifth degree are exact
  constexpr float kOuter = 5.0F / 9.0F;
  constexpr float kInner = 8.0F / 9.0F;
  // the spheres cut each other between these two
  const F32x16 from = max(min(abs(d - other), most), least);
  const F32x16 to = max(min(d + other, most), from);
  const F32x16 half = 0.5F * (to - from);
  const F32x16 middle = from + half;
  const auto at = [&](float off, float weight) {
    add(sum, weight * half, lensOf<hasStiffness>(middle + off * half, other, d, perDistance));
  };
  at(-kOff, kOuter);
  at(0.0F, kInner);
  at(kOff, kOuter);
  // smaller ones are inside the other, if they meet it, and larger ones hold it
  const F32x16 square = from * from;
  const F32x16 leastSquare = least * least;
  const F32x16 inside = (kPi / 3.0F) * (square * square - leastSquare * leastSquare);
  sum.volume += select(other > d, inside, 0.0F);
  sum.volume += (most - to) * ((kPi * 4.0F / 3.0F) * other * other * other);
}

/// Over a range of depths, while both balls shrink.
template <bool hasStiffness>
LANES_INLINE void addShrinking(const Eroded& a, const Eroded& b, F32x16 from, F32x16 to, F32x16 d,
                               F32x16 perDistance, Lens& sum) {
  constexpr float kOff = 0.577350269F;  // polynomials of third degree are exact
  const F32x16 half = 0.5F * max(to - from, 0.0F);
  const F32x16 middle = from + half;
  const auto at = [&](float off) {
    const F32x16 depth = middle + off * half;
    add(sum, half, lensOf<hasStiffness>(a.at(depth), b.at(depth), d, perDistance));
  };
  at(-kOff);
  at(kOff);
}

/// Of the energy of depth: the integral, over all depths, of what the two leaves share below each
/// of them.
template <bool hasStiffness>
LANES_INLINE Lens overDepths(const Eroded& a, const Eroded& b, F32x16 d, F32x16 perDistance) {
  const F32x16 first = min(a.whole(), b.whole());
  const F32x16 second = max(a.whole(), b.whole());
  Lens sum = {0.0F, 0.0F, 0.0F};
  add(sum, first, lensOf<hasStiffness>(a.at(0.0F), b.at(0.0F), d, perDistance));
  const auto aIsFirst = a.whole() < b.whole();
  const F32x16 top = select(aIsFirst, a.top, b.top);
  const F32x16 most = top - first;
  addGrowing<hasStiffness>(min(max(top - second, 0.0F), most), most,
                           select(aIsFirst, b.at(0.0F), a.at(0.0F)), d, perDistance, sum);
  // until the balls do not reach each other any more, or the one within the other is gone
  const F32x16 end = min(min(a.top, b.top), 0.5F * (a.top + b.top - d));
  addShrinking<hasStiffness>(a, b, second, end, d, perDistance, sum);
  return sum;
}

/// Of a lens, what of it belongs to A's centre rather than B's.
LANES_INLINE F32x16 shareOfA(F32x16 ra, F32x16 rb, F32x16 d, F32x16 perDistance, F32x16 lens) {
  const F32x16 disc = 0.5F * (d + (ra - rb) * ((ra + rb) * perDistance));
  const F32x16 height = max(ra - disc, 0.0F);
  const F32x16 cap = (kPi / 3.0F) * (height * height * (3.0F * ra - height));
  const F32x16 whole = select(ra < rb, lens, 0.0F);  // the smaller ball's centre is the middle
  return select(d > abs(ra - rb), min(cap, lens), whole);
}

struct Arrow {
  F32x16 x, y, z;
};

LANES_INLINE void addProducts(const Arrow& c, const Arrow& r, F32x16 alpha, F32x16 beta,
                              std::array<F32x16, 37>& sums) {
  const std::array<F32x16, 6> v = {
      c.x, c.y, c.z, r.y * c.z - r.z * c.y, r.z * c.x - r.x * c.z, r.x * c.y - r.y * c.x};
  std::size_t n = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const F32x16 scaled = alpha * v[i];
    for (std::size_t j = i; j < 6; ++j)
      sums[n++] += scaled * v[j];
  }
  const std::array<F32x16, 3> arm = {r.x, r.y, r.z};
  sums[n++] += beta;
  for (std::size_t i = 0; i < 3; ++i)
    sums[n++] += beta * arm[i];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j)
      sums[n++] += beta * arm[i] * arm[j];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j)
      sums[n++] += (0.5F * beta) * (v[i] * arm[j] + arm[i] * v[j]);
  }
}

/// A lens as an element of a contact: its force acts in its middle on the line of centres.
LANES_INLINE void storeElement(const Arrow& c, const Arrow& b, F32x16 ra, F32x16 rb, F32x16 d,
                               F32x16 perDistance, const Arrow& force, F32x16 energy, F32x16 volume,
                               float* to) {
  const F32x16 middle = 0.5F * (max(d - rb, -ra) + min(ra, d + rb));  // from A's centre
  const F32x16 back = 1.0F - middle * perDistance;
  const F32x16 disc = 0.5F * (d + (ra - rb) * ((ra + rb) * perDistance));
  const F32x16 reach =
      select(d > abs(ra - rb), sqrt(max(ra * ra - disc * disc, 0.0F)), min(ra, rb));
  const auto put = [to](ElementArray array, const F32x16& value) {
    store(value, to + array * ContactCells::kStride);
  };
  put(kElementX, b.x - back * c.x);
  put(kElementY, b.y - back * c.y);
  put(kElementZ, b.z - back * c.z);
  put(kElementFx, force.x);
  put(kElementFy, force.y);
  put(kElementFz, force.z);
  put(kElementEnergy, energy);
  put(kElementVolume, volume);
  put(kElementReach, reach);
}

template <EnergyLaw law, bool hasStiffness>
[[gnu::noinline]] void sumLenses(const float* from, std::size_t stride, std::size_t count,
                                 const LensTask& task, LensSums& sums) {
  const bool ofLower = task.ofLower;
  const bool hasShares = task.hasShares;
  const std::size_t radiusA = ofLower ? kLa : kRa;
  const std::size_t radiusB = ofLower ? kLb : kRb;
  F32x16 volume = 0.0F;
  F32x16 lower = 0.0F;
  F32x16 energy = 0.0F;
  Arrow f = {0.0F, 0.0F, 0.0F};
  Arrow t = {0.0F, 0.0F, 0.0F};
  Arrow m = {0.0F, 0.0F, 0.0F};
  std::array<F32x16, 37> products;
  if constexpr (hasStiffness) products.fill(0.0F);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const float* const at = from + i;
    const auto valid =
        maskOf<float>(laneNumbers() < static_cast<std::int32_t>(std::min(count - i, kLanes)));
    const auto read = [&](std::size_t array) { return at + array * stride; };
    const Arrow c = {load(read(kDx)), load(read(kDy)), load(read(kDz))};
    const F32x16 ra = select(valid, load(read(radiusA)), 0.0F);
    const F32x16 rb = select(valid, load(read(radiusB)), 0.0F);
    const F32x16 d = sqrt(c.x * c.x + c.y * c.y + c.z * c.z);
    const F32x16 perDistance = 1.0F / max(d, 1e-30F);
    const F32x16 share = hasShares ? load(read(kShare)) : F32x16(1.0F);
    const F32x16 lowerShare = hasShares ? load(read(kLowerShare)) : F32x16(1.0F);
    const F32x16 whole = volumeOfLens(ra, rb, d, perDistance);
    const F32x16 shared = select(valid, share * whole, 0.0F);
    volume += shared;
    const F32x16 la = select(valid, load(read(kLa)), 0.0F);
    const F32x16 lb = select(valid, load(read(kLb)), 0.0F);
    lower += select(valid, lowerShare * volumeOfLens(la, lb, d, perDistance), 0.0F);

    Lens lens;
    if constexpr (law == EnergyLaw::Volume) {
      lens = lensOf<hasStiffness>(ra, rb, d, perDistance);
    } else {
      Eroded a(ra, select(valid, load(read(kDepthA)), 0.0F));
      const Eroded b(rb, select(valid, load(read(kDepthB)), 0.0F));
      if constexpr (law == EnergyLaw::DepthOfB) a.top = kNeverEroded;
      lens = overDepths<hasStiffness>(a, b, d, perDistance);
    }
    const F32x16 counts = select(valid, ofLower ? lowerShare : share, 0.0F);
    const F32x16 stored = counts * lens.volume;
    energy += stored;
    const F32x16 part = counts * min(d / max(kNearlyOne * min(ra, rb), 1e-30F), 1.0F);
    const F32x16 pull = part * lens.pull;
    const F32x16 second = part * lens.second;
    const auto pushes = pull > 0.0F;
    const Arrow r = {select(valid, load(read(kBx)), 0.0F), select(valid, load(read(kBy)), 0.0F),
                     select(valid, load(read(kBz)), 0.0F)};
    const Arrow p = {select(pushes, pull * c.x, 0.0F), select(pushes, pull * c.y, 0.0F),
                     select(pushes, pull * c.z, 0.0F)};
    if (task.elements != nullptr)
      storeElement(c, r, ra, rb, d, perDistance, p, stored, shared, task.elements + i);
    if (task.hasMoments) {
      const auto counted = shared > 0.0F;
      const F32x16 ofA = share * shareOfA(ra, rb, d, perDistance, whole);
      m = {m.x + select(counted, shared * r.x - ofA * c.x, 0.0F),
           m.y + select(counted, shared * r.y - ofA * c.y, 0.0F),
           m.z + select(counted, shared * r.z - ofA * c.z, 0.0F)};
    }
    f = {f.x + p.x, f.y + p.y, f.z + p.z};
    t = {t.x + (r.y * p.z - r.z * p.y), t.y + (r.z * p.x - r.x * p.z),
         t.z + (r.x * p.y - r.y * p.x)};
    if constexpr (hasStiffness) {
      const Arrow held = {select(pushes, c.x, 0.0F), select(pushes, c.y, 0.0F),
                          select(pushes, c.z, 0.0F)};
      const F32x16 alpha = (second + pull) * (perDistance * perDistance);
      addProducts(held, r, select(pushes, alpha, 0.0F), -pull, products);
    }
  }
  sums.volume += sum(toDouble(volume));
  sums.lower += sum(toDouble(lower));
  sums.energy += sum(toDouble(energy));
  const auto put = [](const Arrow& arrow, std::array<double, 3>& to) {
    to[0] += sum(toDouble(arrow.x));
    to[1] += sum(toDouble(arrow.y));
    to[2] += sum(toDouble(arrow.z));
  };
  put(f, sums.force);
  put(t, sums.torque);
  put(m, sums.moment);
  if constexpr (hasStiffness) {
    for (std::size_t n = 0; n < products.size(); ++n)
      sums.stiffness[n] += sum(toDouble(products[n]));
  }
}

void addAll(const float* from, std::size_t stride, std::size_t count, const LensTask& task,
            LensSums& sums) noexcept {
  const auto with = [&]<EnergyLaw law>() {
    if (task.hasStiffness) {
      sumLenses<law, true>(from, stride, count, task, sums);
    } else {
      sumLenses<law, false>(from, stride, count, task, sums);
    }
  };
  switch (task.law) {
    case EnergyLaw::Volume:
      return with.template operator()<EnergyLaw::Volume>();
    case EnergyLaw::Depth:
      return with.template operator()<EnergyLaw::Depth>();
    case EnergyLaw::DepthOfB:
      return with.template operator()<EnergyLaw::DepthOfB>();
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void LensSums::add(const float* lenses, std::size_t stride, std::size_t count,
                   const LensTask& task) noexcept {
  TACTUS_LANES_CALL(addAll)(lenses, stride, count, task, *this);
}

void LensSums::blend(double share, const LensSums& to) noexcept {
  const auto go = [share](double& from, double towards) { from += share * (towards - from); };
  go(volume, to.volume);
  go(lower, to.lower);
  go(energy, to.energy);
  for (std::size_t k = 0; k < 3; ++k) {
    go(force[k], to.force[k]);
    go(torque[k], to.torque[k]);
    go(moment[k], to.moment[k]);
  }
  for (std::size_t n = 0; n < stiffness.size(); ++n)
    go(stiffness[n], to.stiffness[n]);
}

LensSums& LensSums::operator+=(const LensSums& other) noexcept {
  volume += other.volume;
  lower += other.lower;
  energy += other.energy;
  for (std::size_t k = 0; k < 3; ++k) {
    force[k] += other.force[k];
    torque[k] += other.torque[k];
    moment[k] += other.moment[k];
  }
  for (std::size_t n = 0; n < stiffness.size(); ++n)
    stiffness[n] += other.stiffness[n];
  return *this;
}

Eigen::Vector3d LensSums::torqueAbout(const Eigen::Vector3d& arm) const noexcept {
  return Eigen::Vector3d(torque[0], torque[1], torque[2]) + arm.cross(totalForce());
}

Stiffness LensSums::stiffnessAbout(const Eigen::Vector3d& arm) const noexcept {
  using Eigen::Matrix3d;
  using Eigen::Vector3d;
  std::size_t n = 0;
  Stiffness about = Stiffness::Zero();
  for (Eigen::Index i = 0; i < 6; ++i) {
    for (Eigen::Index j = i; j < 6; ++j)
      about(i, j) = about(j, i) = stiffness[n++];
  }
  const double beta = stiffness[n++];
  const Vector3d betaArm(stiffness[n], stiffness[n + 1], stiffness[n + 2]);
  n += 3;
  const auto symmetric = [&] {
    Matrix3d m;
    for (Eigen::Index i = 0; i < 3; ++i) {
      for (Eigen::Index j = i; j < 3; ++j)
        m(i, j) = m(j, i) = stiffness[n++];
    }
    return m;
  };
  const Matrix3d betaArms = symmetric();
  const Matrix3d gradientArms = symmetric();
  // a turn w moves b by w x r + w x (w x r) / 2; the last term meets the gradient beta c
  const Matrix3d identity = Matrix3d::Identity();
  about.topLeftCorner<3, 3>() += beta * identity;
  about.topRightCorner<3, 3>() -= crossing(betaArm);
  about.bottomLeftCorner<3, 3>() += crossing(betaArm);
  about.bottomRightCorner<3, 3>() += betaArms.trace() * identity - betaArms;
  about.bottomRightCorner<3, 3>() += gradientArms - gradientArms.trace() * identity;

  return turnedAbout(about, totalForce(), arm);
}

}  // namespace tactus::collision
#endif
