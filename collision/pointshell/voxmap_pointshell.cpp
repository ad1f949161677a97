#include "collision/pointshell/voxmap_pointshell.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "collision/pointshell/point_distance.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

// Within this share of the budget a level counts in full, beyond it it fades. All of it may be
// used, but for what floats round when they add up the work. The wider the fade, the less a force
// moves for a step; the narrower, the more of the budget is for levels that count in full.
constexpr double kWhole = 0.6;
constexpr double kGone = 0.999;

// A walk has begun with its root before it knows more; see PointSums::work.
constexpr double kLeastWork = 32.0;

// Of one body within the other, any point is as deep as the surfaces are apart, but for how far
// apart points are and what maps err; of bodies that are apart, none is deep at all.
constexpr double kDepthOfContained = 0.5;

/// Half of the soft edge: with less than half a spacing the sum jumps from point to point.
float edgeOf(const PosedPoints& posed, std::uint32_t level) {
  constexpr float kOfSpacing = 0.5F;
  constexpr float kOfVoxel = 0.5F;
  return std::max(kOfSpacing * posed.shell.levels[level].spacing, kOfVoxel * posed.map.voxel);
}

/// Goes a share of the way from one sum to another.
void blend(double share, const PointSums& to, PointSums& sums) {
  const auto mix = [share](double& from, double value) { from += share * (value - from); };
  for (std::size_t k = 0; k < 3; ++k) {
    mix(sums.force[k], to.force[k]);
    mix(sums.moment[k], to.moment[k]);
  }
  mix(sums.area, to.area);
  mix(sums.energy, to.energy);
  for (std::size_t k = 0; k < sums.stiffness.size(); ++k)
    mix(sums.stiffness[k], to.stiffness[k]);
}

/// Likewise of contacts: those before this one are of coarser levels.
void joinContacts(double share, std::size_t before, PointScratch& scratch) {
  BlockContact* const all = scratch.contacts.data();
  if (share == 1.0) {
    std::copy(all + before, all + scratch.contactCount, all);
    scratch.contactCount -= before;
    return;
  }
  for (std::size_t i = 0; i < scratch.contactCount; ++i) {
    const auto by = static_cast<float>(i < before ? 1.0 - share : share);
    all[i].weight *= by;
    all[i].area *= by;
    for (std::size_t k = 0; k < 3; ++k) {
      all[i].place[k] *= by;
      all[i].force[k] *= by;
    }
  }
}

struct Outcome {
  PointSums sums;
  std::uint32_t level = 0;      ///< the finest one that counts
  std::uint32_t deepestOf = 0;  ///< the level whose point has the sums' least distance
  bool isCut = false;
};

/// Goes a share of the way to the depth that a finer level tells; what is not inside has none.
void blendLeast(double share, const PointSums& to, std::uint32_t level, Outcome& outcome) {
  constexpr float kNone = std::numeric_limits<float>::max();
  float& least = outcome.sums.least;
  if (share == 1.0 || !(std::min(to.least, least) < 0.0F)) {
    least = to.least;
  } else {
    least = static_cast<float>((1.0 - share) * static_cast<double>(std::min(least, 0.0F)) +
                               share * static_cast<double>(std::min(to.least, 0.0F)));
    if (!(to.least < kNone)) return;
  }
  outcome.sums.leastPoint = to.leastPoint;
  outcome.deepestOf = level;
}

Outcome withinBudget(const PosedPoints& posed, const PointForceSettings& settings,
                     PointScratch& scratch) {
  Outcome outcome;
  PointSumTask task{.law = settings.law,
                    .wantsContacts = settings.wantsContacts,
                    .wantsStiffness = settings.wantsStiffness};
  const auto levels = static_cast<std::uint32_t>(posed.shell.levels.size());
  if (settings.pointTests == kAllPoints) {
    task.edge = edgeOf(posed, 0);
    outcome.sums = pointSums(posed, task, scratch);
    return outcome;
  }
  const double most = kGone * (static_cast<double>(settings.pointTests) - kTestsOfAGuess);
  double work = 0.0;
  for (std::uint32_t level = levels; level-- > 0;) {
    const bool isCoarsest = level + 1 == levels;
    task.level = level;
    task.edge = edgeOf(posed, level);
    // the coarsest one is always asked: there must be an answer
    if (!isCoarsest && work + kLeastWork > most) {
      outcome.isCut = true;
      break;
    }
    task.mostWork = isCoarsest ? std::numeric_limits<double>::max() : most - work;
    const std::size_t contactsBefore = scratch.contactCount;
    const PointSums sums = pointSums(posed, task, scratch);
    outcome.sums.nodeTests += sums.nodeTests;
    outcome.sums.pointTests += sums.pointTests;
    work += sums.work;
    const double t = std::clamp((most - work) / ((1.0 - kWhole) * most), 0.0, 1.0);
    const double share = isCoarsest ? 1.0 : sums.wasGivenUp ? 0.0 : t * t * (3.0 - 2.0 * t);
    outcome.isCut = outcome.isCut || share < 1.0;
    if (share == 0.0) {
      scratch.contactCount = contactsBefore;
      break;
    }
    joinContacts(share, contactsBefore, scratch);
    blend(share, sums, outcome.sums);
    blendLeast(share, sums, level, outcome);
    outcome.level = level;
  }
  return outcome;
}

/// The deepest of the points of the pieces of the body with the voxels, in its frame, and how far
/// it is from the other one's map; far away if one has no points or the other no map.
struct ContainedPoint {
  double distance = std::numeric_limits<double>::infinity();
  Vector3d point = Vector3d::Zero();
  std::uint32_t tests = 0;
  bool isCut = false;  ///< there were more pieces
};

ContainedPoint contained(const VoxmapPointshell::Body& voxels, const VoxmapPointshell::Body& points,
                         const Isometry3d& pointsFromVoxels, std::uint32_t most) {
  ContainedPoint deepest;
  if (voxels.shell == nullptr || voxels.shell->empty() || points.map == nullptr ||
      points.map->empty()) {
    return deepest;
  }
  const auto lookAt = [&](const Vector3d& point) {
    const double distance = points.map->sample(pointsFromVoxels * point).distance;
    ++deepest.tests;
    if (!(distance < deepest.distance)) return;
    deepest.distance = distance;
    deepest.point = point;
  };
  // one at least: most bodies have no more
  const std::size_t pieces = std::min<std::size_t>(voxels.pieces.size(), std::max(most, 1U));
  for (const Vector3d& point : voxels.pieces.first(pieces))
    lookAt(point);
  deepest.isCut = pieces < voxels.pieces.size();
  if (voxels.pieces.empty()) {
    const Pointshell::Block& block = voxels.shell->arrays().blocks.front();
    lookAt(voxels.shell->origin() +
           Eigen::Vector3f(block.x[0], block.y[0], block.z[0]).cast<double>());
  }
  return deepest;
}

/// What PointSums::stiffness says, with turns about B's origin and in A's axes. `arm` leads from
/// B's origin to the shell's in the shell's axes, `turn` from there into A's.
Stiffness stiffnessOf(const PointSums& sums, const Vector3d& arm, const Eigen::Matrix3d& turn,
                      const Vector3d& force) {
  const auto symmetric = [&sums](std::size_t first) {
    const double* const s = sums.stiffness.data() + first;
    Eigen::Matrix3d m;
    m << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5];
    return m;
  };
  const Eigen::Matrix3d shifts = symmetric(0);
  const Eigen::Matrix3d mixed =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(sums.stiffness.data() + 6);
  const Eigen::Matrix3d turns = symmetric(15);
  // (p + arm) x n and (p + arm) x g in place of p x n and p x g
  const Eigen::Matrix3d cross = crossing(arm);
  const Eigen::Matrix3d moved = cross * mixed;
  Stiffness stiffness;
  stiffness.topLeftCorner<3, 3>() = turn * shifts * turn.transpose();
  stiffness.topRightCorner<3, 3>() =
      turn * (mixed + shifts * cross.transpose()) * turn.transpose() + 0.5 * crossing(force);
  stiffness.bottomLeftCorner<3, 3>() = stiffness.topRightCorner<3, 3>().transpose();
  stiffness.bottomRightCorner<3, 3>() =
      turn * (turns + moved + moved.transpose() + cross * shifts * cross.transpose()) *
      turn.transpose();
  return stiffness;
}

}  // namespace

const Pointshell& VoxmapPointshell::shellOf(const Body& body) noexcept {
  static const Pointshell kNone;
  return body.shell != nullptr ? *body.shell : kNone;
}

PointForce VoxmapPointshell::query(const Isometry3d& aFromB,
                                   const PointForceSettings& settings) noexcept {
  PointForce result;
  const bool isOfA = settings.pointsOf == PointsOf::A;
  const Body& points = isOfA ? a_ : b_;
  const Body& voxels = isOfA ? b_ : a_;
  PointScratch& scratch = isOfA ? scratchA_ : scratchB_;
  scratch.contactCount = 0;
  lastPointsOf_ = settings.pointsOf;
  lastPose_ = aFromB;
  if (points.shell == nullptr || points.shell->empty() || voxels.map == nullptr ||
      voxels.map->empty()) {
    return result;
  }
  const Isometry3d mapFromShell = isOfA ? aFromB.inverse(Eigen::Isometry) : aFromB;
  const PosedPoints posed(*points.shell, *voxels.map, mapFromShell);
  if (scratch.front.isUsed()) scratch.front.moveTo(posed);
  const Outcome outcome = withinBudget(posed, settings, scratch);
  const PointSums& sums = outcome.sums;
  result.energy =
      settings.law == PointLaw::Depth ? sums.energy : std::numeric_limits<double>::quiet_NaN();
  result.area = sums.area;
  result.isCut = outcome.isCut;
  result.nodeTests = sums.nodeTests;
  result.pointTests = sums.pointTests;

  // on the points' body, about its own origin, in its own frame
  const Vector3d force(sums.force[0], sums.force[1], sums.force[2]);
  const Vector3d torque = Vector3d(sums.moment[0], sums.moment[1], sums.moment[2]) +
                          points.shell->origin().cross(force);
  if (isOfA) {
    result.force = -force;
    result.torque = -(torque - aFromB.translation().cross(force));
  } else {
    result.force = aFromB.linear() * force;
    result.torque = aFromB.linear() * torque;
  }

  if (settings.wantsStiffness) {
    const Vector3d arm =
        isOfA ? Vector3d(points.shell->origin() - aFromB.translation()) : points.shell->origin();
    const Eigen::Matrix3d turn =
        isOfA ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : Eigen::Matrix3d(aFromB.linear());
    result.stiffness = stiffnessOf(sums, arm, turn, result.force);
  }

  const bool isByVolume = settings.law == PointLaw::Volume && sums.area > 0.0;
  if (isByVolume || sums.least < 0.0F) {
    const Pointshell::Arrays& shell = points.shell->arrays();
    result.distance = 0.0;
    if (sums.least < std::numeric_limits<float>::max()) {
      const Pointshell::Block& block = shell.blocks[shell.levels[outcome.deepestOf].firstBlock +
                                                    sums.leastPoint / Pointshell::kWidth];
      const std::size_t k = sums.leastPoint % Pointshell::kWidth;
      // in the soft edge they touch
      result.distance = std::min(0.0, static_cast<double>(sums.least));
      result.nearest =
          shell.origin + Eigen::Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>();
      if (!isOfA) result.nearest = aFromB * result.nearest;
    }
  } else if (settings.wantsDistance) {
    // all but so many
    const auto left = [&](std::uint32_t others) {
      const std::uint32_t taken = result.nodeTests + result.pointTests + others;
      return settings.pointTests - std::min(settings.pointTests, taken);
    };
    constexpr std::uint32_t kOfTheOther = 1;
    const LeastDistance least = leastDistance(posed, outcome.level, scratch, left(kOfTheOther));
    result.distance = least.distance;
    result.nearest = isOfA ? Vector3d(aFromB * least.point) : least.point;
    result.nodeTests += least.nodeTests;
    result.pointTests += least.pointTests;
    const ContainedPoint own =
        contained(voxels, points, mapFromShell.inverse(Eigen::Isometry), left(0));
    result.pointTests += own.tests;
    result.isDistanceCut = least.isCut || own.isCut;
    if (own.distance < -kDepthOfContained * least.distance) {
      result.distance = own.distance;
      result.nearest = isOfA ? Vector3d(aFromB * own.point) : own.point;
    }
  }
  return result;
}

namespace {

/// Of the shell in the map's frame.
RigidMotion motionOf(const Pointshell& shell, const Isometry3d& from, const Isometry3d& to,
                     bool isOfA) {
  return isOfA ? motionBetween(from.inverse(Eigen::Isometry), to.inverse(Eigen::Isometry),
                               shell.origin())
               : motionBetween(from, to, shell.origin());
}

}  // namespace

SweptContact VoxmapPointshell::sweep(const Isometry3d& from, const Isometry3d& to,
                                     PointsOf pointsOf, const SweptSettings& settings) noexcept {
  const bool isOfA = pointsOf == PointsOf::A;
  const Body& points = isOfA ? a_ : b_;
  const Body& voxels = isOfA ? b_ : a_;
  if (points.shell == nullptr || voxels.map == nullptr) return {.time = 1.0};
  const RigidMotion motion = motionOf(*points.shell, from, to, isOfA);
  SweptContact found =
      sweptContact(*points.shell, *voxels.map, motion, isOfA ? scratchA_ : scratchB_, settings);
  // B's frame is where it is at that time
  if (isOfA) found.point = motion.at(found.time).inverse(Eigen::Isometry) * found.point;
  return found;
}

bool VoxmapPointshell::mayPassUnseen(const Isometry3d& from, const Isometry3d& to,
                                     PointsOf pointsOf, double thickness) const noexcept {
  const bool isOfA = pointsOf == PointsOf::A;
  const Pointshell& shell = shellOf(isOfA ? a_ : b_);
  return !shell.empty() && longestWay(shell, motionOf(shell, from, to, isOfA)) > thickness;
}

std::size_t VoxmapPointshell::contacts(std::span<PointContact> contacts) const noexcept {
  const bool isOfA = lastPointsOf_ == PointsOf::A;
  const PointScratch& scratch = isOfA ? scratchA_ : scratchB_;
  const std::size_t found = scratch.contactCount;
  if (contacts.empty() || found == 0) return 0;
  // blocks whose numbers agree but for the last bits stand near each other
  const auto countAt = [&](std::uint32_t shift) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < found; ++i) {
      const bool isNext = i == 0 || (scratch.contacts[i].block >> shift) !=
                                        (scratch.contacts[i - 1].block >> shift);
      count += isNext ? 1 : 0;
    }
    return count;
  };
  std::uint32_t shift = 0;
  while (countAt(shift) > contacts.size())
    ++shift;
  const Vector3d origin = (isOfA ? a_ : b_).shell->origin();
  std::size_t count = 0;
  for (std::size_t i = 0; i < found;) {
    const std::uint32_t part = scratch.contacts[i].block >> shift;
    Vector3d place = Vector3d::Zero();
    Vector3d force = Vector3d::Zero();
    double weight = 0.0;
    PointContact& contact = contacts[count++];
    contact.area = contact.depth = 0.0;
    for (; i < found && scratch.contacts[i].block >> shift == part; ++i) {
      const BlockContact& c = scratch.contacts[i];
      place += Eigen::Vector3f(c.place[0], c.place[1], c.place[2]).cast<double>();
      force += Eigen::Vector3f(c.force[0], c.force[1], c.force[2]).cast<double>();
      weight += static_cast<double>(c.weight);
      contact.area += static_cast<double>(c.area);
      contact.depth = std::max(contact.depth, static_cast<double>(c.depth));
    }
    contact.point = origin + (weight > 0.0 ? Vector3d(place / weight) : Vector3d::Zero());
    contact.force = isOfA ? Vector3d(-force) : Vector3d(lastPose_.linear() * force);
    if (!isOfA) contact.point = lastPose_ * contact.point;
    const double length = contact.force.norm();
    contact.normal = length > 0.0 ? Vector3d(contact.force / length) : Vector3d::Zero();
  }
  return count;
}

}  // namespace tactus::collision
