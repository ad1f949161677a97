#include "collision/pointshell/point_front.hpp"

#include <algorithm>
#include <limits>

#include "collision/surface/separation_list.hpp"

namespace tactus::collision {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr float kUnknown = -std::numeric_limits<float>::infinity();

// M never exceeds so many radii of the shell. A key is then right to half of 16 * 1.2e-7 radii, and
// it is made and compared in four roundings.
constexpr double kFarthest = 16.0;
constexpr double kKeyRounding = 4.0 * 1.2e-7 * kFarthest;

// A block's points lie within some two spacings of its middle.
constexpr double kLongStep = 2.0;  // spacings of the finest level

}  // namespace

PointFront::PointFront(const Pointshell& shell)
    : keys_(shell.arrays().balls.size() * Pointshell::kWidth) {}

void PointFront::moveTo(const PosedPoints& posed) noexcept {
  const Pointshell::Arrays& shell = posed.shell;
  const double way = farthestMove(pose_, posed.mapFromShell, shell.origin, shell.radius);
  pose_ = posed.mapFromShell;
  moved_ += way;
  isLongStep_ = way > kLongStep * shell.spacing.lattice;
  // also what is not a number starts anew
  const bool isOfThese = ofMap_ == posed.map.values.data() && ofShell_ == posed.shell.balls.data();
  if (!isOfThese || !(moved_ < kFarthest * shell.radius)) {
    moved_ = 0.0;
    isLongStep_ = false;
    ofMap_ = posed.map.values.data();
    ofShell_ = posed.shell.balls.data();
    for (std::size_t group = 0; group < shell.balls.size(); ++group) {
      for (std::size_t k = 0; k < Pointshell::kWidth; ++k) {
        keysOf(group)[k] = shell.balls[group].radius[k] == Pointshell::kMissing ? kNever : kUnknown;
      }
    }
    for (OfLevel& level : last_) {
      level.openedBelow = {kUnknown, kUnknown};
      level.nearestBlock = kNoBlock;
    }
  }
  keyOffset_ =
      static_cast<float>(moved_ - static_cast<double>(posed.slack) - kKeyRounding * shell.radius);
}

}  // namespace tactus::collision
