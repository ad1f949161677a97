#include "studies/runner/simulated_hand_player.hpp"

#include <algorithm>
#include <cmath>

#include "models/lanes/elementary.hpp"
#include "studies/runner/trial_loop.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kTwoPi = 6.283185307179586;

// Of the game's pushes: heights of the tool over the table, and how far behind an animal one
// begins; a hand of the game is 12 cm long and 6 cm high.
constexpr double kHigh = 0.14, kLow = 0.05;  // [m]
constexpr double kBehind = 0.09;             // [m]
constexpr double kEdge = 0.15;               // of the table, from its middle [m]
constexpr double kBeyond = 0.02;             // the tool's middle goes beyond it [m]
constexpr double kLost = -0.03;              // lower things lie in a well or on the floor [m]

// A tool that stays further behind its hand for so long has met another hand.
constexpr double kStuckBy = 0.03;       // [m]
constexpr double kAside = 0.12;         // then it goes so far [m]
constexpr double kStuckSeconds = 0.35;  // a reaction, and who sees it

// What another hand is over is left to it, if there is anything else [m].
constexpr double kTaken = 0.12, kTakenCost = 0.3;

// Times within this share of a tick of each other are the same.
constexpr double kSameTick = 1e-6;

constexpr double kShortestMove = 0.15;  // [s]
constexpr double kTurnSpin = 0.7;       // by buttons, as ForceParameters::buttonSpin [rad/s]
constexpr double kMostTurning = 12.0;   // then one gives up [s]

double uniform(RandomStream& random) {
  return 0.5 * (random.aroundZero() + 1.0);
}

/// Near enough to normal: the sum of four even ones, as SimulatedDevice::noise().
double normal(RandomStream& random) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k)
    sum += random.aroundZero();
  return sum * 0.86602540378443865;
}

double course(double u) {
  return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

Vector3d placeOf(const haptics::BodyRecord& body) {
  return {body.position[0], body.position[1], body.position[2]};
}

Quaterniond turnOf(const haptics::BodyRecord& body) {
  return {body.orientation[0], body.orientation[1], body.orientation[2], body.orientation[3]};
}

/// A turn whose vector part this is, small.
Quaterniond smallTurn(const Vector3d& vector) {
  return Quaterniond(1.0, 0.5 * vector.x(), 0.5 * vector.y(), 0.5 * vector.z()).normalized();
}

}  // namespace

SimulatedHandPlayer::SimulatedHandPlayer(const Setup& setup)
    : setup_(setup),
      start_(setup.sceneFromTool * setup.toolFromGrip),
      random_(setup.seed),
      error_(setup.traits.error * (setup.isDominant ? 1.0 : 1.3)),
      turnError_(setup.traits.turnError),
      tremorWay_(setup.traits.tremor * random_.direction()),
      tremorPhase_(uniform(random_)) {
  move_.from = move_.to = setup.sceneFromTool.translation();
  move_.turnFrom = move_.turnTo = Quaterniond(setup.sceneFromTool.linear());
  wait(0.0, setup.startSeconds + setup.traits.reaction);
}

/// At whole ticks; in between, where a device makes its sub-steps, evenly from one to the next.
haptics::HandIntent SimulatedHandPlayer::intentAt(double seconds) noexcept {
  const double ticks = seconds / kTrialTickSeconds;
  const double whole = std::floor(ticks + kSameTick);
  const double share = ticks - whole;
  if (whole != tick_) {
    atTick_ = whole == tick_ + 1.0 ? atNextTick_ : willAt(whole * kTrialTickSeconds);
    atNextTick_ = willAt((whole + 1.0) * kTrialTickSeconds);
    tick_ = whole;
  }
  haptics::HandIntent intent = atTick_;
  if (share < kSameTick) return intent;
  intent.position += share * (atNextTick_.position - atTick_.position);
  intent.velocity += share * (atNextTick_.velocity - atTick_.velocity);
  const bool isTurned = atTick_.orientation.dot(atNextTick_.orientation) < 0.0;
  intent.orientation.coeffs() +=
      share *
      ((isTurned ? -1.0 : 1.0) * atNextTick_.orientation.coeffs() - atTick_.orientation.coeffs());
  intent.orientation.normalize();
  return intent;
}

haptics::HandIntent SimulatedHandPlayer::willAt(double seconds) const noexcept {
  const double u =
      move_.lasts > 0.0 ? std::clamp((seconds - move_.begins) / move_.lasts, 0.0, 1.0) : 1.0;
  const double s = course(u);
  const double turns = setup_.traits.tremorHertz * seconds + tremorPhase_;
  const Vector3d place = move_.from + s * (move_.to - move_.from) +
                         models::elementary::sin(kTwoPi * (turns - std::floor(turns))) * tremorWay_;
  const Quaterniond turn = move_.turnFrom.slerp(s, move_.turnTo);
  const Isometry3d wanted = Isometry3d(Eigen::Translation3d(place) * turn) * setup_.toolFromGrip;
  haptics::HandIntent intent;
  intent.position = (wanted.translation() - start_.translation()) / setup_.lengthScale;
  if (move_.lasts > 0.0 && u < 1.0) {
    const double rate = 30.0 * u * u * (1.0 - u) * (1.0 - u) / move_.lasts;
    intent.velocity = rate / setup_.lengthScale * (move_.to - move_.from);
  }
  intent.orientation = Quaterniond(wanted.linear() * start_.linear().transpose()).normalized();
  intent.buttons = move_.buttons;
  return intent;
}

void SimulatedHandPlayer::go(const Vector3d& to, const Quaterniond& turn, double seconds,
                             double speedFactor) noexcept {
  tick_ = kNoTick;
  move_.from = move_.to;
  move_.turnFrom = move_.turnTo;
  move_.to = to;
  if (response::sensesRotation(setup_.level)) move_.turnTo = turn;
  move_.begins = seconds;
  move_.lasts =
      std::max(kShortestMove, (move_.to - move_.from).norm() / (setup_.traits.speed * speedFactor));
  move_.buttons = 0;
}

void SimulatedHandPlayer::wait(double seconds, double lasts, std::uint32_t buttons) noexcept {
  tick_ = kNoTick;
  move_.from = move_.to;
  move_.turnFrom = move_.turnTo;
  move_.begins = seconds;
  move_.lasts = lasts;
  move_.buttons = buttons;
}

Vector3d SimulatedHandPlayer::miss(double size) noexcept {
  const double x = normal(random_), y = normal(random_), z = normal(random_);
  return size * 0.57735026918962573 * Vector3d(x, y, z);
}

const TaskTarget* SimulatedHandPlayer::target() const noexcept {
  const auto found = std::ranges::find(setup_.task->targets, setup_.hand, &TaskTarget::hand);
  return found == setup_.task->targets.end() ? nullptr : &*found;
}

Vector3d SimulatedHandPlayer::placeAt(double seconds) const noexcept {
  const double u =
      move_.lasts > 0.0 ? std::clamp((seconds - move_.begins) / move_.lasts, 0.0, 1.0) : 1.0;
  return move_.from + course(u) * (move_.to - move_.from);
}

bool SimulatedHandPlayer::isStuck(std::span<const haptics::BodyRecord> bodies,
                                  double seconds) noexcept {
  const double behind = (placeOf(bodies[setup_.tool]) - placeAt(seconds)).norm();
  if (!(behind > kStuckBy)) freeAt_ = seconds;
  return seconds - freeAt_ > kStuckSeconds;
}

/// Nobody presses against another's hand for long: up and away, by chance so that two do not meet
/// again at once, and then something else.
void SimulatedHandPlayer::drawBack(const Vector3d& tool, double seconds) noexcept {
  move_.to = placeAt(seconds);
  Vector3d aside = tool + kAside * random_.direction();
  aside.y() = kHigh + kAside * uniform(random_);
  go(aside, Quaterniond(setup_.sceneFromTool.linear()), seconds, 1.4);
  stage_ = 0;
  freeAt_ = seconds;
}

void SimulatedHandPlayer::see(std::span<const haptics::BodyRecord> bodies, double seconds,
                              const SimulatedHandPlayer* other) noexcept {
  if (setup_.task->kind == TaskKind::Pocket && seconds > setup_.startSeconds &&
      isStuck(bodies, seconds)) {
    drawBack(placeOf(bodies[setup_.tool]), seconds);
    return;
  }
  if (seconds < move_.begins + move_.lasts) return;
  switch (setup_.task->kind) {
    case TaskKind::Pocket:
      pocket(bodies, seconds, other);
      break;
    case TaskKind::Dock:
    case TaskKind::Join:
      bringToTarget(bodies, seconds);
      break;
    case TaskKind::Press:
      press(seconds);
      break;
  }
}

/// Behind an animal from above, down, over the edge, up again. With three degrees of freedom it is
/// shovelled in several strokes.
void SimulatedHandPlayer::pocket(std::span<const haptics::BodyRecord> bodies, double seconds,
                                 const SimulatedHandPlayer* other) noexcept {
  const TaskWell& well =
      *std::ranges::find(setup_.task->wells, setup_.task->sides[setup_.side].name, &TaskWell::side);
  const Vector3d way = well.direction;
  const Quaterniond rest(setup_.sceneFromTool.linear());
  const bool isFree = response::sensesRotation(setup_.level);
  switch (stage_) {
    case 0: {
      wanted_.reset();
      double least = 0.0;
      for (const std::size_t body : setup_.loose) {
        const Vector3d place = placeOf(bodies[body]);
        if (place.y() < kLost || std::abs(place.dot(way)) > kEdge + kBeyond) continue;
        if (other != nullptr && other->wanted_ == body) continue;
        double cost =
            std::abs(place.x() - setup_.sceneFromTool.translation().x()) + 0.05 * uniform(random_);
        for (const std::size_t tool : setup_.otherTools) {
          const Vector3d apart = placeOf(bodies[tool]) - place;
          if (apart.x() * apart.x() + apart.z() * apart.z() < kTaken * kTaken) cost += kTakenCost;
        }
        if (wanted_ && cost >= least) continue;
        wanted_ = body;
        least = cost;
      }
      // Who has only buttons tries them now and then, mostly before it matters.
      if (!isFree && response::turnsByButtons(setup_.level) && uniform(random_) < 0.15) {
        const auto axis = static_cast<unsigned>(3.0 * uniform(random_));
        const std::uint32_t bit = setup_.hasFourButtons ? 1U << axis : 1U << (1U + 2U * axis);
        wait(seconds, 0.3, bit);
        return;
      }
      if (!wanted_) {
        wait(seconds, 0.5);
        return;
      }
      wantedPlace_ = placeOf(bodies[*wanted_]) + miss(2.0 * error_);
      Vector3d behind = wantedPlace_ - kBehind * way;
      behind.y() = kHigh;
      const Quaterniond turn =
          isFree ? rest * smallTurn(Vector3d(0.3, 0.0, 0.0) + miss(0.5)) : rest;
      go(behind, turn, seconds);
      stage_ = 1;
      break;
    }
    case 1: {
      Vector3d low = move_.to;
      low.y() = kLow;
      go(low, move_.turnTo, seconds);
      strokes_ = isFree ? 1 : 2 + static_cast<int>(2.0 * uniform(random_));
      stage_ = 2;
      break;
    }
    case 2: {
      // With each stroke further; the last one goes over the edge.
      --strokes_;
      const double goal = kEdge + kBeyond - (strokes_ > 0 ? 0.06 * strokes_ : 0.0);
      Vector3d end = wantedPlace_ - wantedPlace_.dot(way) * way + goal * way;
      end.x() *= 0.8;
      end.y() = kLow;
      go(end, isFree ? rest * smallTurn(miss(0.4)) : rest, seconds, isFree ? 0.9 : 1.4);
      stage_ = strokes_ > 0 ? 3 : 4;
      break;
    }
    case 3: {
      go(move_.to - 0.08 * way, move_.turnTo, seconds, 1.4);
      stage_ = 2;
      break;
    }
    default: {
      Vector3d up = move_.to - 0.05 * way;
      up.y() = kHigh;
      go(up, rest, seconds);
      move_.lasts += setup_.traits.reaction;
      stage_ = 0;
      break;
    }
  }
}

std::uint32_t SimulatedHandPlayer::buttonsFor(const Quaterniond& is,
                                              const Quaterniond& wanted) const noexcept {
  const Quaterniond turn = wanted * is.conjugate();
  const Vector3d vector = (turn.w() < 0.0 ? -2.0 : 2.0) * turn.vec();
  Eigen::Index axis = 0;
  if (vector.cwiseAbs().maxCoeff(&axis) < 0.02) return 0;
  const auto number = static_cast<unsigned>(axis);
  const bool isBack = vector[axis] < 0.0;
  if (setup_.hasFourButtons) return (1U << number) | (isBack ? 1U << 3U : 0U);
  return 1U << (1U + 2U * number + (isBack ? 1U : 0U));
}

/// To where one comes from, turned; in, with an error; out a little and in again with half of it.
void SimulatedHandPlayer::bringToTarget(std::span<const haptics::BodyRecord> bodies,
                                        double seconds) noexcept {
  const TaskTarget* goal = target();
  if (goal == nullptr) {
    wait(seconds, 1.0);
    return;
  }
  const bool isFree = response::sensesRotation(setup_.level);
  switch (stage_) {
    case 0:
      go(goal->position + goal->approach + miss(error_), goal->orientation, seconds);
      turnsUntil_ = seconds + move_.lasts + kMostTurning;
      stage_ = 1;
      break;
    case 1: {
      const std::uint32_t buttons =
          isFree || !response::turnsByButtons(setup_.level) || seconds > turnsUntil_
              ? 0
              : buttonsFor(turnOf(bodies[setup_.tool]), goal->orientation);
      if (buttons != 0) {
        wait(seconds, 0.02 / kTurnSpin, buttons);
        return;
      }
      wait(seconds, setup_.traits.reaction);
      stage_ = 2;
      break;
    }
    case 2:
      go(goal->position + miss(error_), goal->orientation * smallTurn(miss(turnError_)), seconds,
         0.3);
      stage_ = 3;
      break;
    case 3:
      wait(seconds, setup_.task->holdSeconds + setup_.traits.reaction + 0.4);
      stage_ = 4;
      break;
    default:
      error_ *= 0.5;
      turnError_ *= 0.5;
      go(goal->position + 0.4 * goal->approach + miss(error_), goal->orientation, seconds, 0.3);
      stage_ = 1;
      break;
  }
}

/// Down, a moment there, up; a pause in which the stiffness changes; once more.
void SimulatedHandPlayer::press(double seconds) noexcept {
  constexpr double kThere = 0.25, kPause = 1.2;  // [s]
  const TaskTarget* goal = target();
  if (goal == nullptr || presses_ == 2) {
    wait(seconds, 1.0);
    return;
  }
  switch (stage_) {
    case 0:
      go(goal->position + goal->approach, goal->orientation, seconds);
      stage_ = 1;
      break;
    case 1:
      go(goal->position + 0.3 * miss(error_), goal->orientation, seconds, 0.2);
      stage_ = 2;
      break;
    case 2:
      wait(seconds, kThere);
      stage_ = 3;
      break;
    case 3:
      go(goal->position + goal->approach, goal->orientation, seconds, 0.4);
      stage_ = 4;
      break;
    default:
      ++presses_;
      wait(seconds, kPause);
      stage_ = 1;
      break;
  }
}

}  // namespace tactus::studies
