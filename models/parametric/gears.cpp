#include "models/parametric/gears.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "models/lanes/elementary.hpp"
#include "models/parametric/extrusion.hpp"
#include "models/parametric/planar_fill.hpp"
#include "models/parametric/surface_builder.hpp"
#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kPressureAngle = kPi / 9.0;  // 20 degrees
constexpr double kAddendum = 1.0;             // in modules
constexpr double kDedendum = 1.25;
constexpr double kFillet = 0.25;

// The faces are meshed tooth by tooth outside a circle, and in one piece inside it, where the
// keyway breaks the rotational symmetry. It lies at this share of the way from the keyway's floor
// to the root circle.
constexpr double kRingPlace = 0.5;

Eigen::Vector2d polar(double radius, double angle) {
  const auto [s, c] = elementary::sinCos(angle);
  return {radius * c, radius * s};
}

Eigen::Vector2d turned(const Eigen::Vector2d& p, const Eigen::Vector2d& by) {
  return {p.x() * by.x() - p.y() * by.y(), p.x() * by.y() + p.y() * by.x()};
}

/// Points of a gear's face that several parts share.
struct GearOutlines {
  Outline teeth;  ///< around all teeth, from the middle of a gap
  Outline ring;   ///< the circle between the parts, from the same angle
  Outline bore;   ///< with the keyway, from the middle of its floor, counter-clockwise
  int pointsPerTooth = 0, ringPerTooth = 0;
  Outline tooth;  ///< one tooth about the angle 0, both middles of gaps included
};

class GearMesher {
 public:
  GearMesher(const GearDimensions& dimensions, const Fineness& fineness)
      : d_(dimensions), tooth_(dimensions), fineness_(fineness) {
    ringRadius_ = d_.keyDepth + kRingPlace * (tooth_.rootRadius() - d_.keyDepth);
    lineSegments_ = fineness_.segmentsAlong(tooth_.rootRadius() - ringRadius_);
    makeOutlines();
  }

  [[nodiscard]] Mesh make() const {
    const PlanarFace face = makeFace();
    SurfaceBuilder builder;
    const double half = 0.5 * d_.width;
    const Chain teethBelow = raise(builder, o_.teeth, -half);
    const Chain boreBelow = raise(builder, o_.bore, -half);
    const Chain teethAbove = raise(builder, o_.teeth, half);
    const Chain boreAbove = raise(builder, o_.bore, half);
    addWall(builder, o_.teeth, teethBelow, teethAbove, Facing::Outward, fineness_);
    addWall(builder, o_.bore, boreBelow, boreAbove, Facing::Inward, fineness_);
    addFace(builder, face, -half, {{o_.teeth, teethBelow}, {o_.bore, boreBelow}}, Side::Below);
    addFace(builder, face, half, {{o_.teeth, teethAbove}, {o_.bore, boreAbove}}, Side::Above);
    return builder.finish();
  }

 private:
  /// Direction of the middle of the gap before tooth k.
  [[nodiscard]] Turn gapBefore(int k) const {
    return {2 * std::int64_t{k} - (d_.toothOnAxis ? 1 : 0), 2 * std::int64_t{d_.teeth}};
  }
  [[nodiscard]] Eigen::Vector2d middleOfTooth(int k) const {
    return unitCircle({2 * std::int64_t{k} + (d_.toothOnAxis ? 0 : 1), 2 * std::int64_t{d_.teeth}});
  }

  void makeOutlines() {
    const int foot = fineness_.segmentsAlong(tooth_.footLength(), 2);
    const int flank = fineness_.segmentsAlong(tooth_.flankLength());
    const double tipHalf = tooth_.halfAngleAt(tooth_.tipRadius());
    const int land = fineness_.segmentsAlong(2.0 * tipHalf * tooth_.tipRadius());

    Outline half;  // from the tip's corner down to the middle of the gap, on the positive side
    for (int k = flank; k > 0; --k)
      half.push_back(tooth_.flank(static_cast<double>(k) / flank));
    for (int k = foot; k > 0; --k)
      half.push_back(tooth_.foot(static_cast<double>(k) / foot));
    half.push_back(tooth_.foot(0.0));
    for (std::size_t k = half.size(); k-- > 0;)
      o_.tooth.emplace_back(half[k].x(), -half[k].y());
    for (int k = 1; k < land; ++k) {
      o_.tooth.push_back(polar(tooth_.tipRadius(), tipHalf * (2 * k - land) / land));
    }
    o_.tooth.insert(o_.tooth.end(), half.begin(), half.end());
    o_.pointsPerTooth = static_cast<int>(o_.tooth.size()) - 1;

    // With a tooth on the x axis an even number puts points of the ring on that axis.
    const double ringPitch = 2.0 * tooth_.halfPitchAngle() * ringRadius_;
    o_.ringPerTooth = d_.toothOnAxis ? 2 * fineness_.segmentsAlong(0.5 * ringPitch)
                                     : fineness_.segmentsAlong(ringPitch);
    for (int k = 0; k < d_.teeth; ++k) {
      o_.teeth.emplace_back(tooth_.rootRadius() * unitCircle(gapBefore(k)));
      for (int i = 1; i < o_.pointsPerTooth; ++i) {
        o_.teeth.push_back(turned(o_.tooth[static_cast<std::size_t>(i)], middleOfTooth(k)));
      }
      const Turn gap = gapBefore(k);
      for (int i = 0; i < o_.ringPerTooth; ++i) {
        const Turn place{gap.numerator * o_.ringPerTooth + 2 * std::int64_t{i},
                         gap.denominator * o_.ringPerTooth};
        o_.ring.emplace_back(ringRadius_ * unitCircle(place));
      }
    }
    makeBore();
  }

  void makeBore() {
    const double w = d_.keyHalfWidth;
    const double corner = elementary::asin(w / d_.bore);
    const double arc = kPi - corner;
    const int floor = fineness_.segmentsAlong(w);
    const int side = fineness_.segmentsAlong(d_.keyDepth - std::sqrt(d_.bore * d_.bore - w * w));
    const int around = fineness_.segmentsAlong(arc * d_.bore, 4);
    Outline half;  // from the floor's middle over the corners and half around
    appendLine(half, {d_.keyDepth, 0.0}, {d_.keyDepth, w}, floor);
    appendLine(half, {d_.keyDepth, w}, {std::sqrt(d_.bore * d_.bore - w * w), w}, side);
    half.emplace_back(std::sqrt(d_.bore * d_.bore - w * w), w);
    for (int k = 1; k < around; ++k)
      half.push_back(polar(d_.bore, corner + arc * k / around));
    half.emplace_back(-d_.bore, 0.0);
    o_.bore = half;
    for (std::size_t k = half.size() - 1; k-- > 1;)
      o_.bore.emplace_back(half[k].x(), -half[k].y());
  }

  [[nodiscard]] PlanarFace makeFace() const {
    // One tooth with its share of the rim, filled about the angle 0 and then turned. Points on its
    // border are not turned but computed once for both neighbours.
    Outline sector = o_.tooth;
    const double gap = tooth_.halfPitchAngle();
    const auto ringAt = [&](int i) {
      return polar(ringRadius_, gap * (2.0 * i / o_.ringPerTooth - 1.0));
    };
    appendInner(sector, polar(tooth_.rootRadius(), gap), polar(ringRadius_, gap));
    for (int i = o_.ringPerTooth; i > 0; --i)
      sector.push_back(ringAt(i));
    appendLine(sector, ringAt(0), o_.tooth.front(), lineSegments_);
    const PlanarFill fill = fillPolygon(sector, fineness_.edge);

    std::vector<PlanarFace> parts;
    for (int k = 0; k < d_.teeth; ++k) {
      PlanarFace part;
      part.points = sectorBorder(k);
      for (const Eigen::Vector2d& p : fill.inside)
        part.points.push_back(turned(p, middleOfTooth(k)));
      part.triangles = fill.triangles;
      parts.push_back(std::move(part));
    }
    parts.push_back(makeHub());
    return joinedFace(parts);
  }

  /// appendLine without its first point too.
  void appendInner(Outline& outline, const Eigen::Vector2d& from, const Eigen::Vector2d& to) const {
    Outline line;
    appendLine(line, from, to, lineSegments_);
    outline.insert(outline.end(), line.begin() + 1, line.end());
  }

  [[nodiscard]] Outline sectorBorder(int k) const {
    const auto teeth = [&](int tooth, int i) {
      const int all = static_cast<int>(o_.teeth.size());
      return o_.teeth[static_cast<std::size_t>((tooth * o_.pointsPerTooth + i) % all)];
    };
    const auto ring = [&](int tooth, int i) {
      const int all = static_cast<int>(o_.ring.size());
      return o_.ring[static_cast<std::size_t>((tooth * o_.ringPerTooth + i) % all)];
    };
    Outline border;
    for (int i = 0; i <= o_.pointsPerTooth; ++i)
      border.push_back(teeth(k, i));
    appendInner(border, teeth(k + 1, 0), ring(k + 1, 0));
    for (int i = o_.ringPerTooth; i > 0; --i)
      border.push_back(ring(k, i));
    appendLine(border, ring(k, 0), teeth(k, 0), lineSegments_);
    return border;
  }

  /// Between the bore and the ring.
  [[nodiscard]] PlanarFace makeHub() const {
    Outline half;
    // With a tooth on the axis the ring begins half a tooth below it.
    const std::size_t begin = d_.toothOnAxis ? static_cast<std::size_t>(o_.ringPerTooth / 2) : 0;
    for (std::size_t k = 0; k <= o_.ring.size() / 2; ++k)
      half.push_back(o_.ring[begin + k]);
    Outline line;
    appendLine(line, {-ringRadius_, 0.0}, {-d_.bore, 0.0},
               fineness_.segmentsAlong(ringRadius_ - d_.bore));
    half.insert(half.end(), line.begin() + 1, line.end());
    for (std::size_t k = o_.bore.size() / 2 + 1; k-- > 0;)
      half.push_back(o_.bore[k]);
    line.clear();
    appendLine(line, {d_.keyDepth, 0.0}, {ringRadius_, 0.0},
               fineness_.segmentsAlong(ringRadius_ - d_.keyDepth));
    half.insert(half.end(), line.begin() + 1, line.end());
    // The row share moves the number of points here by small steps, where teeth move it by large
    // ones.
    return mirroredFace(half, fineness_.edge / fineness_.rowShare);
  }

  const GearDimensions& d_;
  GearTooth tooth_;
  Fineness fineness_;
  double ringRadius_ = 0.0;
  int lineSegments_ = 1;
  GearOutlines o_;
};

}  // namespace

GearTooth::GearTooth(const GearDimensions& dimensions) {
  const double m = dimensions.moduleLength;
  pitch_ = 0.5 * m * dimensions.teeth;
  base_ = pitch_ * elementary::cos(kPressureAngle);
  tip_ = pitch_ + kAddendum * m;
  root_ = pitch_ - kDedendum * m;
  fillet_ = kFillet * m;
  halfPitch_ = kPi / dimensions.teeth;

  const double involute = elementary::tan(kPressureAngle) - kPressureAngle;
  const double thickness = 0.5 * kPi * m - dimensions.thinning;
  halfAtBase_ = 0.5 * thickness / pitch_ + involute;
  tipRoll_ = std::sqrt(tip_ * tip_ / (base_ * base_) - 1.0);

  filletAngle_ = elementary::asin(fillet_ / (root_ + fillet_));
  radialFrom_ = std::sqrt(root_ * root_ + 2.0 * root_ * fillet_);
  flankLength_ = 0.5 * base_ * tipRoll_ * tipRoll_;
  rootLength_ = root_ * (halfPitch_ - halfAtBase_ - filletAngle_);
  filletLength_ = fillet_ * (0.5 * kPi - filletAngle_);
  radialLength_ = base_ - radialFrom_;
}

double GearTooth::halfAngleAt(double radius) const {
  if (radius >= base_) {
    const double roll = std::sqrt(radius * radius / (base_ * base_) - 1.0);
    return halfAtBase_ - (roll - elementary::atan(roll));
  }
  if (radius >= radialFrom_) return halfAtBase_;
  // The fillet's circle is seen from the axis under the angle whose cosine the law of cosines
  // gives.
  const double centre = root_ + fillet_;
  const double cosine =
      (radius * radius + centre * centre - fillet_ * fillet_) / (2.0 * radius * centre);
  return halfAtBase_ + filletAngle_ - elementary::acos(std::min(1.0, cosine));
}

Eigen::Vector2d GearTooth::flank(double share) const {
  const double roll = tipRoll_ * std::sqrt(share);
  return polar(base_ * std::sqrt(1.0 + roll * roll), halfAtBase_ - (roll - elementary::atan(roll)));
}

Eigen::Vector2d GearTooth::foot(double share) const {
  double way = share * footLength();
  if (way <= rootLength_) return polar(root_, halfPitch_ - way / root_);
  way -= rootLength_;
  if (way <= filletLength_) {
    // The fillet's circle runs from where it touches the root circle to where it touches the line.
    const double middle = halfAtBase_ + filletAngle_;
    return polar(root_ + fillet_, middle) + polar(fillet_, middle + kPi + way / fillet_);
  }
  way = std::min(way - filletLength_, radialLength_);
  return polar(radialFrom_ + way, halfAtBase_);
}

Mesh makeGearOf(const GearDimensions& dimensions, std::size_t triangles) {
  const GearTooth tooth(dimensions);
  const double rim = 2.0 * dimensions.teeth *
                     (tooth.footLength() + tooth.flankLength() +
                      tooth.tipRadius() * tooth.halfAngleAt(tooth.tipRadius()));
  const double area =
      dimensions.width * (rim + 2.0 * kPi * dimensions.bore) +
      2.0 * kPi * (tooth.pitchRadius() * tooth.pitchRadius() - dimensions.bore * dimensions.bore);
  return fitToTriangles(triangles, area, [&](const Fineness& fineness) {
    return GearMesher(dimensions, fineness).make();
  });
}

Mesh makeGear(std::size_t triangles) {
  return makeGearOf(kGear, triangles);
}
Mesh makeGearMate(std::size_t triangles) {
  return makeGearOf(kGearMate, triangles);
}

}  // namespace tactus::models
