#include "collision/pointshell/swept_points.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#define TACTUS_LANES_FILE "collision/pointshell/swept_points.cpp"
#include "models/lanes/lanes.hpp"

#include "collision/pointshell/posed_points_lanes.hpp"

#ifndef TACTUS_COLLISION_POINTSHELL_SWEPT_POINTS_ONCE
#define TACTUS_COLLISION_POINTSHELL_SWEPT_POINTS_ONCE
namespace tactus::collision {

/// A part of the motion, at times from 0 to 1, as floats for vector code; in the map's coordinates.
struct SweptPart {
  std::array<float, 3> centre;  ///< at its beginning
  std::array<float, 3> way;     ///< of the centre
  std::array<float, 3> axis;    ///< unit
  float angle;                  ///< at most half a radian
  float wayLength;
  float touchesAt;
  std::uint32_t level;      ///< of the shell
  std::uint32_t mostSteps;  ///< no node or block is begun after so many
};

struct SweptFound {
  float time = 1.0F;
  bool touches = false;
  std::uint32_t point = 0;
  float openFrom = 1.0F;  ///< what was not begun may touch from then on
  std::uint32_t nodeTests = 0, pointTests = 0, steps = 0;
};

// Steps of nodes, whose children go on from there: a node that creeps is opened, which is as good
// as more steps of it. Of points: along a face at a voxel's distance as far as a hundred voxels.
constexpr int kMostNodeSteps = 32;
constexpr int kMostPointSteps = 256;

// Points nearer than this share of a voxel touch; the steps would become endless. Nodes stop
// earlier, half a voxel: from there it is for their children, whose balls are much smaller.
constexpr float kTouching = 0.05F;
constexpr float kTouchingNode = 0.5F;

// Up to half a radian the first terms of sine and cosine are right, see placeAt(). A motion of more
// parts would be five turns in a tick; of one that is, places in parts are off.
constexpr double kMostAngle = 0.5;
constexpr double kMostParts = 64.0;

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

class Sweep {
 public:
  LANES_INLINE Sweep(const PosedPoints& posed, const SweptPart& part, PointScratch& scratch,
                     SweptFound& found)
      : p_(posed),
        part_(part),
        s_(scratch),
        found_(found),
        level_(posed.shell.levels[part.level]) {}

  LANES_INLINE void run() {
    const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level_));
    s_.lists[0][0] = 0;
    s_.bounds[0][0] = 0.0F;
    std::size_t count = 1;
    std::size_t now = 0;
    std::size_t first = level_.firstGroup;
    for (std::size_t t = 0; t < shape.levels; ++t) {
      count = openGroups(first, now, count);
      first += shape.groups[t];
      now = 1 - now;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const float from = s_.bounds[now][i];
      if (from < found_.time && !isLeft(from)) lookAtBlock(s_.lists[now][i], from);
    }
  }

 private:
  struct Paths {
    Spots16 from;       ///< at time 0
    F32x16 ax, ay, az;  ///< axis x arm
    F32x16 bx, by, bz;  ///< axis x (axis x arm)
    F32x16 speed;       ///< never faster [m per part]
  };

  LANES_INLINE Paths pathsOf(F32x16 x, F32x16 y, F32x16 z, F32x16 radius) const {
    Paths path;
    path.from = placed(p_, x, y, z);
    const F32x16 ux = path.from.x - part_.centre[0];
    const F32x16 uy = path.from.y - part_.centre[1];
    const F32x16 uz = path.from.z - part_.centre[2];
    const std::array<float, 3>& k = part_.axis;
    path.ax = k[1] * uz - k[2] * uy;
    path.ay = k[2] * ux - k[0] * uz;
    path.az = k[0] * uy - k[1] * ux;
    path.bx = k[1] * path.az - k[2] * path.ay;
    path.by = k[2] * path.ax - k[0] * path.az;
    path.bz = k[0] * path.ay - k[1] * path.ax;
    const F32x16 lever = sqrt(path.ax * path.ax + path.ay * path.ay + path.az * path.az);
    path.speed = max(part_.wayLength + part_.angle * (lever + radius), 1e-30F);
    return path;
  }

  /// By the first terms of sine and cosine: right to 5e-9 of a radian up to half a radian.
  LANES_INLINE Spots16 placeAt(const Paths& path, F32x16 time) const {
    const F32x16 a = time * part_.angle;
    const F32x16 a2 = a * a;
    const F32x16 sine =
        a *
        (1.0F - a2 * (1.0F / 6.0F) * (1.0F - a2 * (1.0F / 20.0F) * (1.0F - a2 * (1.0F / 42.0F))));
    const F32x16 versine =
        0.5F * a2 *
        (1.0F - a2 * (1.0F / 12.0F) * (1.0F - a2 * (1.0F / 30.0F) * (1.0F - a2 * (1.0F / 56.0F))));
    return {path.from.x + time * part_.way[0] + sine * path.ax + versine * path.bx,
            path.from.y + time * part_.way[1] + sine * path.ay + versine * path.by,
            path.from.z + time * part_.way[2] + sine * path.az + versine * path.bz};
  }

  /// Goes on from `time` until balls touch, or get as far as the first contact that is known.
  LANES_INLINE F32x16 advanced(const Paths& path, F32x16 radius, float touching, F32x16 time,
                               int most, LaneMask<float>& touches) const {
    F32x16 now = time;
    auto goes = radius > -1.0F;  // missing ones do not
    touches = radius < -1e31F;   // none
    const F32x16 margin = radius + (part_.touchesAt + touching);
    for (int step = 0; step < most; ++step) {
      ++found_.steps;
      const Spots16 at = placeAt(path, now);
      const F32x16 room = reachOf(p_.map, at).least - margin;
      const auto arrives = goes & (room <= 0.0F);
      touches = touches | arrives;
      goes = goes & !arrives;
      now = select(goes, now + (room + touching) / path.speed, now);
      goes = goes & (now < found_.time);
      if (none(goes)) return now;
    }
    touches = touches | goes;
    return now;
  }

  /// Whether what may touch from `time` on is to be left as it is, for there were too many steps.
  LANES_INLINE bool isLeft(float time) {
    if (found_.steps < part_.mostSteps) return false;
    found_.openFrom = std::min(found_.openFrom, time);
    return true;
  }

  [[gnu::noinline]] std::size_t openGroups(std::size_t first, std::size_t now, std::size_t count) {
    std::size_t kept = 0;
    std::int32_t* const next = s_.lists[1 - now].data();
    float* const times = s_.bounds[1 - now].data();
    for (std::size_t i = 0; i < count; ++i) {
      if (isLeft(s_.bounds[now][i])) continue;
      found_.nodeTests += 16;
      const auto group = static_cast<std::size_t>(s_.lists[now][i]);
      const Pointshell::Balls& balls = p_.shell.balls[first + group];
      const F32x16 radius = load(balls.radius.data());
      const Paths path =
          pathsOf(load(balls.x.data()), load(balls.y.data()), load(balls.z.data()), radius);
      LaneMask<float> touches;
      const F32x16 time = advanced(path, radius, p_.slack + kTouchingNode * p_.map.voxel,
                                   s_.bounds[now][i], kMostNodeSteps, touches);
      const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
      append(time, touches, times + kept);
      kept += append(children, maskOf<std::int32_t>(touches), next + kept);
    }
    return kept;
  }

  [[gnu::noinline]] void lookAtBlock(std::int32_t number, float time) {
    found_.pointTests += 16;
    const Pointshell::Block& block =
        p_.shell.blocks[level_.firstBlock + static_cast<std::size_t>(number)];
    const Paths path =
        pathsOf(load(block.x.data()), load(block.y.data()), load(block.z.data()), 0.0F);
    LaneMask<float> touches;
    const F32x16 times =
        advanced(path, 0.0F, kTouching * p_.map.voxel, time, kMostPointSteps, touches);
    const F32x16 touching = select(touches, times, std::numeric_limits<float>::max());
    const float first = minimum(touching);
    if (!(first < found_.time)) return;
    found_.time = first;
    found_.touches = true;
    const auto bits = bitsOf(touching == first);
    found_.point = static_cast<std::uint32_t>(16 * number + std::countr_zero(bits));
  }

  const PosedPoints& p_;
  const SweptPart& part_;
  PointScratch& s_;
  SweptFound& found_;
  const Pointshell::Level& level_;
};

void sweep(const PosedPoints& posed, const SweptPart& part, PointScratch& scratch,
           SweptFound& found) noexcept {
  Sweep(posed, part, scratch, found).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

double longestWay(const Pointshell& shell, const RigidMotion& motion) noexcept {
  const Eigen::Vector3d middle = motion.start * shell.origin();
  const double lever = (middle - motion.centre).norm() + shell.arrays().radius;
  return motion.duration * (motion.velocity.norm() + motion.angularVelocity.norm() * lever);
}

SweptContact sweptContact(const Pointshell& shell, const Voxmap& map, const RigidMotion& motion,
                          PointScratch& scratch, const SweptSettings& settings) noexcept {
  SweptContact result;
  result.time = motion.duration;
  if (shell.empty() || map.empty()) return result;
  const std::span<const Pointshell::Level> levels = shell.arrays().levels;
  while (result.level + 1 < levels.size() &&
         static_cast<double>(levels[result.level + 1].spacing) <= settings.spacing)
    ++result.level;
  const double angle = motion.angularVelocity.norm() * motion.duration;
  const double parts = std::clamp(std::ceil(angle / kMostAngle), 1.0, kMostParts);
  const Eigen::Vector3d axis =
      angle > 0.0 ? Eigen::Vector3d(motion.angularVelocity.normalized()) : Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d way = motion.velocity * (motion.duration / parts);
  for (double k = 0.0; k < parts; k += 1.0) {
    const double begin = motion.duration * k / parts;
    const Eigen::Isometry3d pose = motion.at(begin);
    const PosedPoints posed(shell, map, pose);
    const Eigen::Vector3d centre = motion.centre + motion.velocity * begin - map.arrays().origin;
    SweptPart part{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      part.centre[i] = static_cast<float>(centre[row]);
      part.way[i] = static_cast<float>(way[row]);
      part.axis[i] = static_cast<float>(axis[row]);
    }
    part.angle = static_cast<float>(angle / parts);
    part.wayLength = static_cast<float>(way.norm());
    part.touchesAt = static_cast<float>(settings.touchesAt);
    part.level = result.level;
    part.mostSteps = settings.mostSteps - std::min(result.steps, settings.mostSteps);
    SweptFound found;
    TACTUS_LANES_CALL(sweep)(posed, part, scratch, found);
    result.nodeTests += found.nodeTests;
    result.pointTests += found.pointTests;
    result.steps += found.steps;
    const float known = std::min(found.time, found.openFrom);
    if (!(known < 1.0F) && !found.touches) continue;
    result.time = begin + motion.duration / parts * static_cast<double>(known);
    result.isCut = found.openFrom < found.time;
    if (result.isCut) break;
    result.touches = true;
    result.number = found.point;
    const Pointshell::Block& block =
        shell.arrays().blocks[levels[result.level].firstBlock + found.point / Pointshell::kWidth];
    const std::size_t lane = found.point % Pointshell::kWidth;
    result.point = motion.at(result.time) *
                   (Eigen::Vector3f(block.x[lane], block.y[lane], block.z[lane]).cast<double>() +
                    shell.origin());
    break;
  }
  return result;
}

}  // namespace tactus::collision
#endif
