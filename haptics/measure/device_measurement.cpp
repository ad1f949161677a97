#include "haptics/measure/device_measurement.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

constexpr double kSecond = 1e9;             // [ns]
constexpr double kRampSpeed = 0.5;          // of the force that looks for friction [N/s]
constexpr double kMostBreakaway = 3.0;      // a grip that does not move then is held [N]
constexpr double kMovedWay = 3e-4;          // says that it has moved: more than any slack [m]
constexpr double kPilotWay = 6e-3;          // of the push that tells how quick it is [m]
constexpr double kSwing = 0.02;             // about half of the way that the square wave goes [m]
constexpr double kLeastPush = 1.0;          // beyond friction [N]
constexpr double kShareOfContinuous = 0.6;  // that is never exceeded
constexpr double kEdge = 0.35;              // of the extent, where the wave gives way to the middle
constexpr int kLeastHalf = 8;               // ticks of a half period
constexpr int kMostHalf = 150;
constexpr int kSubTicks = 16;  // of the grid of delays
constexpr int kMostDelayTicks = 10;
constexpr int kUnknowns = 4;           // m, b, f, c
constexpr double kLeastForce = 1e-12;  // [N^2 s^2]

constexpr double kMostUnexplained = 0.5;  // more is no mass with friction

/// One tick of the wave.
struct Push {
  double force = 0.0;  ///< commanded along x [N]
  double place = 0.0;  ///< measured at the tick's start [m]
};

/// Runs ticks, shows what they brought, and never leaves a force behind.
class Bench {
 public:
  Bench(HapticDevice& device, const MeasurementSettings& settings)
      : device_(device), settings_(settings) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() { (void)device_.write({}); }

  /// Reads, then pushes along x (and holds the other axes to where they were); false to end.
  bool tick(double force) {
    bool stop = false;
    const std::int64_t now = settings_.pace(tick_, stop);
    status_ = device_.read(now, sample_);
    ++tick_;
    lost_ = status_.has(DeviceFlag::Lost) || status_.has(DeviceFlag::NotFinite);
    DeviceCommand command;
    if (!stop && !lost_) {
      command.wrench.force = sideways();
      command.wrench.force.x() = force;
    }
    (void)device_.write(command);
    stopped_ = stop;
    return !stop && !lost_;
  }

  /// Makes the present place the middle of what follows.
  void hold(double stiffness) {
    middle_ = sample_.position;
    stiffness_ = stiffness;
  }

  [[nodiscard]] double away() const { return sample_.position.x() - middle_.x(); }
  [[nodiscard]] const DeviceSample& sample() const { return sample_; }
  [[nodiscard]] std::uint64_t ticks() const { return tick_; }
  [[nodiscard]] Error ended() const {
    if (stopped_)
      return {Reason::Cancelled, -1, "The measurement was stopped; the forces are off."};
    return {Reason::FileMissing, -1,
            say("The device was lost in the middle of the measurement (", describe(status_), ").")};
  }

 private:
  [[nodiscard]] Vector3d sideways() const {
    constexpr double kMost = 0.5;  // [N]
    Vector3d pull = stiffness_ * (middle_ - sample_.position);
    pull.x() = 0.0;
    const double length = pull.norm();
    return length > kMost ? Vector3d(pull * (kMost / length)) : pull;
  }

  HapticDevice& device_;
  const MeasurementSettings& settings_;
  DeviceSample sample_;
  DeviceStatus status_;
  Vector3d middle_ = Vector3d::Zero();
  double stiffness_ = 0.0;
  std::uint64_t tick_ = 0;
  bool lost_ = false, stopped_ = false;
};

/// The smallest change that positions make, and how measurements come in time.
class Watch {
 public:
  void see(const DeviceSample& sample) {
    if (sample.number == last_.number && !times_.empty()) return;
    if (!times_.empty()) {
      for (int axis = 0; axis < 3; ++axis) {
        const double change = std::abs(sample.position[axis] - last_.position[axis]);
        // below the rounding of a coordinate of a metre it is none
        if (change > 1e-12 && (step_ == 0.0 || change < step_)) step_ = change;
      }
    }
    times_.push_back(static_cast<double>(sample.measuredNs) / kSecond);
    places_.push_back(sample.position);
    last_ = sample;
  }

  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] double rate() const {
    const double span = times_.size() < 2 ? 0.0 : times_.back() - times_.front();
    return span > 0.0 ? static_cast<double>(times_.size() - 1) / span : 0.0;
  }
  [[nodiscard]] double jitter() const {
    if (times_.size() < 3) return 0.0;
    const double mean = (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
    double squares = 0.0;
    for (std::size_t i = 1; i < times_.size(); ++i) {
      const double off = times_[i] - times_[i - 1] - mean;
      squares += off * off;
    }
    return std::sqrt(squares / static_cast<double>(times_.size() - 1));
  }
  /// Scatter about the straight line that a slow drift is.
  [[nodiscard]] double noise() const {
    const auto count = static_cast<double>(places_.size());
    if (places_.size() < 3) return 0.0;
    Vector3d mean = Vector3d::Zero();
    Vector3d slope = Vector3d::Zero();
    double spread = 0.0;
    for (const Vector3d& place : places_)
      mean += place / count;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double at = static_cast<double>(i) - 0.5 * (count - 1.0);
      slope += at * (places_[i] - mean);
      spread += at * at;
    }
    slope /= spread;
    double squares = 0.0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double at = static_cast<double>(i) - 0.5 * (count - 1.0);
      squares += (places_[i] - mean - at * slope).squaredNorm();
    }
    return std::sqrt(squares / (3.0 * (count - 2.0)));
  }

 private:
  DeviceSample last_;
  std::vector<double> times_;
  std::vector<Vector3d> places_;
  double step_ = 0.0;
};

/// (s (1 - s))^4 on [0, 1] with its first two derivatives by s.
struct Bump {
  double value, slope, bend;
};
Bump bumpAt(double s) {
  const double u = s * (1.0 - s);
  const double du = 1.0 - 2.0 * s;
  return {u * u * u * u, 4.0 * u * u * u * du, 12.0 * u * u * du * du - 8.0 * u * u * u};
}

struct Fit {
  Eigen::Vector4d unknowns = Eigen::Vector4d::Zero();
  double unexplained = 1.0;
};

/// The weak form of the equation of motion over many windows.
class WeakForm {
 public:
  WeakForm(std::vector<Push> pushes, double tick, int window)
      : pushes_(std::move(pushes)), tick_(tick), window_(window) {
    const int subTicks = window * kSubTicks;
    const auto fine = static_cast<std::size_t>(subTicks);
    area_.assign(fine + 1, 0.0);
    // Simpson's rule on the fine grid; the bump is a polynomial of degree eight.
    for (std::size_t k = 0; k < fine; ++k) {
      const double whole = static_cast<double>(fine);
      const double left = bumpAt(static_cast<double>(k) / whole).value;
      const double middle = bumpAt((static_cast<double>(k) + 0.5) / whole).value;
      const double right = bumpAt((static_cast<double>(k) + 1.0) / whole).value;
      area_[k + 1] = area_[k] + (left + 4.0 * middle + right) / 6.0 * tick_ / kSubTicks;
    }
    findVelocities();
    for (std::size_t from = kMostDelayTicks + 1;
         from + static_cast<std::size_t>(window) + 4 < pushes_.size();
         from += static_cast<std::size_t>(std::max(1, window / 4)))
      addWindow(from);
  }

  [[nodiscard]] std::size_t windows() const { return starts_.size(); }

  /// Least squares with forces late by so many sub-ticks.
  [[nodiscard]] Fit fitAt(int late) const {
    Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
    Eigen::Vector4d right = Eigen::Vector4d::Zero();
    double squares = 0.0;
    std::vector<double> forces(starts_.size());
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      forces[i] = forceOver(starts_[i], late);
      normal += rows_[i] * rows_[i].transpose();
      right += forces[i] * rows_[i];
      squares += forces[i] * forces[i];
    }
    Fit fit;
    if (!(squares > kLeastForce)) return fit;
    fit.unknowns = normal.ldlt().solve(right);
    double left = 0.0;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const double off = rows_[i].dot(fit.unknowns) - forces[i];
      left += off * off;
    }
    fit.unexplained = left / squares;
    return fit;
  }

 private:
  void findVelocities() {
    velocities_.assign(pushes_.size(), 0.0);
    // A straight line through five places: errors of a step are 1/4 of those of a difference.
    for (std::size_t i = 2; i + 2 < pushes_.size(); ++i) {
      velocities_[i] = (2.0 * (pushes_[i + 2].place - pushes_[i - 2].place) +
                        (pushes_[i + 1].place - pushes_[i - 1].place)) /
                       (10.0 * tick_);
    }
  }

  /// Mean sign of the velocity from tick i to the next, straight between the two.
  [[nodiscard]] double signOver(std::size_t i) const {
    const double a = velocities_[i];
    const double b = velocities_[i + 1];
    if (a == 0.0 && b == 0.0) return 0.0;
    if (a * b >= 0.0) return a + b > 0.0 ? 1.0 : -1.0;
    const double crossing = a / (a - b);
    return (a > 0.0 ? 1.0 : -1.0) * (2.0 * crossing - 1.0);
  }

  void addWindow(std::size_t from) {
    const double length = window_ * tick_;
    // About the first place: a constant of metres would drown what is summed up.
    const double base = pushes_[from].place;
    Eigen::Vector4d row = Eigen::Vector4d::Zero();
    for (int k = 0; k <= window_; ++k) {
      const std::size_t i = from + static_cast<std::size_t>(k);
      const Bump bump = bumpAt(static_cast<double>(k) / window_);
      const double place = pushes_[i].place - base;
      row[0] += bump.bend / (length * length) * place * tick_;
      row[1] -= bump.slope / length * place * tick_;
      if (k < window_) row[2] += signOver(i) * areaBetween(k * kSubTicks, (k + 1) * kSubTicks);
    }
    row[3] = -area_.back();
    starts_.push_back(from);
    rows_.push_back(row);
  }

  [[nodiscard]] double areaBetween(int from, int until) const {
    const int most = window_ * kSubTicks;
    return area_[static_cast<std::size_t>(std::clamp(until, 0, most))] -
           area_[static_cast<std::size_t>(std::clamp(from, 0, most))];
  }

  [[nodiscard]] double forceOver(std::size_t from, int late) const {
    double sum = 0.0;
    const int before = late / kSubTicks + 1;
    for (int k = -before; k < window_; ++k) {
      // windows begin late enough for the longest delay
      const std::size_t i =
          from - static_cast<std::size_t>(before) + static_cast<std::size_t>(k + before);
      const double force = pushes_[i].force;
      sum += force * areaBetween(k * kSubTicks + late, (k + 1) * kSubTicks + late);
    }
    return sum;
  }

  std::vector<Push> pushes_;
  double tick_;
  int window_;
  std::vector<double> area_;  ///< of the bump, up to each sub-tick [s]
  std::vector<double> velocities_;
  std::vector<std::size_t> starts_;
  std::vector<Eigen::Vector4d> rows_;
};

/// The best delay on the grid, and between its neighbours where the parabola has its lowest point.
std::pair<Fit, double> bestFit(const WeakForm& form, double tick) {
  constexpr int kMost = kMostDelayTicks * kSubTicks;
  std::vector<double> errors;
  int best = 0;
  for (int late = 0; late <= kMost; ++late) {
    errors.push_back(form.fitAt(late).unexplained);
    if (errors.back() < errors[static_cast<std::size_t>(best)]) best = late;
  }
  double between = 0.0;
  if (best > 0 && best < kMost) {
    const auto at = static_cast<std::size_t>(best);
    const double bend = errors[at - 1] - 2.0 * errors[at] + errors[at + 1];
    if (bend > 0.0) between = 0.5 * (errors[at - 1] - errors[at + 1]) / bend;
  }
  return {form.fitAt(best), (best + between) * tick / kSubTicks};
}

/// The same equation run forward over stretches of the wave, each from its own place and speed,
/// until what it says is nearest to what was measured (K. Levenberg, 1944; D. Marquardt, 1963). The
/// weak form is where it begins: it needs no beginning, and this no sign of a velocity.
class OutputFit {
 public:
  /// Mass, damping, friction, constant force, delay in ticks.
  using Unknowns = Eigen::Matrix<double, 5, 1>;

  OutputFit(const std::vector<Push>& pushes, double tick, int length)
      : pushes_(pushes), tick_(tick), length_(static_cast<std::size_t>(length)) {
    const auto slope = [this](std::size_t i) {
      return (pushes_[i + 2].place - pushes_[i - 2].place) / (4.0 * tick_);
    };
    // Each begins where it is quickest, for there its speed is known best and friction does not
    // turn.
    for (std::size_t from = kMostDelayTicks + 4; from + 2 * length_ + 4 < pushes_.size();
         from += length_) {
      std::size_t best = from;
      for (std::size_t i = from; i < from + length_; ++i) {
        if (std::abs(slope(i)) > std::abs(slope(best))) best = i;
      }
      stretches_.push_back({best, pushes_[best].place, slope(best)});
    }
  }

  [[nodiscard]] Unknowns solve(Unknowns unknowns) {
    double damping = kFirstDamping;
    double cost = costOf(unknowns);
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<Stretch> stretches = stretches_;
      const Unknowns next = bounded(unknowns + step(unknowns, damping, stretches));
      const double nextCost = keepBetter(next, stretches);
      if (nextCost < cost) {
        const bool isDone = cost - nextCost < kSmallGain * cost;
        unknowns = next;
        stretches_ = std::move(stretches);
        cost = nextCost;
        damping *= 0.2;
        if (isDone) break;
      } else {
        damping *= 5.0;
      }
    }
    return unknowns;
  }

 private:
  struct Stretch {
    std::size_t from;
    double place, speed;  ///< at its first tick
  };
  // A tick. Where friction turns, it acts up to a step too long; with 8 steps that looks like 0.02
  // N s/m.
  static constexpr int kSteps = 16;
  static constexpr int kMostRounds = 60;
  static constexpr double kFirstDamping = 1e-3;
  static constexpr double kSmallGain = 1e-7;

  static Unknowns bounded(Unknowns x) {
    x[0] = std::max(x[0], 1e-3);
    x[1] = std::max(x[1], 0.0);
    x[2] = std::max(x[2], 0.0);
    x[4] = std::clamp(x[4], 0.0, static_cast<double>(kMostDelayTicks));
    return x;
  }

  /// Mean of the delayed force over one step, so that the result is smooth in the delay.
  [[nodiscard]] double forceAt(double begin, double end) const {
    const double first = std::floor(begin);
    const auto i = static_cast<std::size_t>(first);
    const double border = first + 1.0;
    if (end <= border) return pushes_[i].force;
    return (pushes_[i].force * (border - begin) + pushes_[i + 1].force * (end - border)) /
           (end - begin);
  }

  void run(const Unknowns& x, const Stretch& stretch, std::vector<double>& places) const {
    places.resize(length_);
    const double h = tick_ / kSteps;
    const double half = 0.5 * h * x[1] / x[0];
    const double slack = h * x[2] / x[0] / (1.0 + half);
    double place = stretch.place;
    double speed = stretch.speed;
    for (std::size_t k = 0; k < length_; ++k) {
      places[k] = place;
      for (int j = 0; j < kSteps; ++j) {
        const double begin =
            static_cast<double>(stretch.from + k) + static_cast<double>(j) / kSteps - x[4];
        const double force = forceAt(begin, begin + 1.0 / kSteps) + x[3];
        const double free = ((1.0 - half) * speed + h / x[0] * force) / (1.0 + half);
        const double next = std::abs(free) <= slack ? 0.0 : free - std::copysign(slack, free);
        place += 0.5 * h * (speed + next);
        speed = next;
      }
    }
  }

  [[nodiscard]] double costOf(const Unknowns& x, const Stretch& stretch) const {
    double cost = 0.0;
    std::vector<double> places;
    run(x, stretch, places);
    for (std::size_t k = 0; k < length_; ++k) {
      const double off = places[k] - pushes_[stretch.from + k].place;
      cost += off * off;
    }
    return cost;
  }

  [[nodiscard]] double costOf(const Unknowns& x) const {
    double cost = 0.0;
    for (const Stretch& stretch : stretches_)
      cost += costOf(x, stretch);
    return cost;
  }

  /// The cost with the new beginnings, or the old ones of those stretches that were better off:
  /// where friction turns, a straight step may lead astray.
  [[nodiscard]] double keepBetter(const Unknowns& x, std::vector<Stretch>& stretches) const {
    double cost = 0.0;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const double fresh = costOf(x, stretches[i]);
      const double old = costOf(x, stretches_[i]);
      if (old < fresh) stretches[i] = stretches_[i];
      cost += std::min(old, fresh);
    }
    return cost;
  }

  /// One damped step; also moves the stretches' beginnings, which are eliminated from the system.
  [[nodiscard]] Unknowns step(const Unknowns& x, double damping,
                              std::vector<Stretch>& stretches) const {
    using Local = Eigen::Vector2d;
    Eigen::Matrix<double, 5, 5> normal = Eigen::Matrix<double, 5, 5>::Zero();
    Unknowns right = Unknowns::Zero();
    std::vector<Eigen::Matrix<double, 2, 5>> couplings;
    std::vector<Local> offs;
    std::vector<double> base;
    std::vector<double> moved;
    Unknowns nudge;
    nudge << 1e-4 * x[0], 1e-4, 1e-4, 1e-4, 1e-3;
    const double speedNudge = 1e-5;
    for (const Stretch& stretch : stretches) {
      run(x, stretch, base);
      Eigen::MatrixXd global(length_, 5);
      Eigen::MatrixXd local(length_, 2);
      Eigen::VectorXd off(length_);
      const auto column = [&](double by) {
        Eigen::VectorXd change(length_);
        for (std::size_t k = 0; k < length_; ++k)
          change[static_cast<Eigen::Index>(k)] = (moved[k] - base[k]) / by;
        return change;
      };
      for (int j = 0; j < 5; ++j) {
        Unknowns nudged = x;
        nudged[j] += nudge[j];
        run(nudged, stretch, moved);
        global.col(j) = column(nudge[j]);
      }
      Stretch faster = stretch;
      faster.speed += speedNudge;
      run(x, faster, moved);
      local.col(0).setOnes();
      local.col(1) = column(speedNudge);
      for (std::size_t k = 0; k < length_; ++k)
        off[static_cast<Eigen::Index>(k)] = pushes_[stretch.from + k].place - base[k];
      Eigen::Matrix2d own = local.transpose() * local;
      own.diagonal() *= 1.0 + damping;
      const Eigen::Matrix2d inverse = own.inverse();
      const Eigen::Matrix<double, 2, 5> coupling = inverse * (local.transpose() * global);
      const Local localOff = inverse * (local.transpose() * off);
      Eigen::Matrix<double, 5, 5> squares = global.transpose() * global;
      squares.diagonal() *= 1.0 + damping;
      normal += squares - global.transpose() * local * coupling;
      right += global.transpose() * (off - local * localOff);
      couplings.push_back(coupling);
      offs.push_back(localOff);
    }
    const Unknowns change = normal.ldlt().solve(right);
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const Local own = offs[i] - couplings[i] * change;
      stretches[i].place += own[0];
      stretches[i].speed += own[1];
    }
    return change;
  }

  const std::vector<Push>& pushes_;
  double tick_;
  std::size_t length_;
  std::vector<Stretch> stretches_;
};

/// Half periods in three lengths, so that mass, damping and friction show at three speeds.
int halfPeriod(int half, std::uint64_t number) {
  constexpr double kLengths[] = {1.0, 1.4, 0.7, 1.0, 0.7, 1.4};
  const double ticks = half * kLengths[(number / 2) % std::size(kLengths)];
  return std::clamp(static_cast<int>(std::lround(ticks)), kLeastHalf / 2, kMostHalf);
}

Error cannot(std::string sentence) {
  return {Reason::BadValue, -1, std::move(sentence)};
}

}  // namespace

Result<DeviceMeasurement> measureDevice(HapticDevice& device, const MeasurementSettings& settings) {
  const DeviceCapabilities& can = device.capabilities();
  if (!can.actuatesPosition) {
    return cannot(
        say("The ", can.model, " has no motors; there is nothing to measure but where it is."));
  }
  const double tick = settings.tickSeconds;
  const auto ticksOf = [tick](double seconds) {
    return static_cast<int>(std::lround(seconds / tick));
  };
  const double limit =
      kShareOfContinuous * (can.continuousForce > 0.0 ? can.continuousForce : can.peakForce);
  DeviceMeasurement result;
  Bench bench(device, settings);

  // ready?
  int waited = 0;
  do {
    if (!bench.tick(0.0)) return bench.ended();
    if (waited++ > ticksOf(settings.readySeconds)) {
      return cannot(say("The ", can.model, " is not ready (", nameOf(bench.sample().stage),
                        "): calibrate it first."));
    }
  } while (bench.sample().stage != DeviceStage::Ready);

  // rest
  Watch atRest;
  bench.hold(0.0);
  for (int i = 0; i < ticksOf(settings.restSeconds); ++i) {
    if (!bench.tick(0.0)) return bench.ended();
    atRest.see(bench.sample());
  }
  result.rate = atRest.rate();
  result.jitter = atRest.jitter();
  result.noise = atRest.noise();

  // break away
  bench.hold(0.0);
  const double moved = std::max(kMovedWay, 8.0 * result.noise);
  while (std::abs(bench.away()) < moved) {
    result.breakaway += kRampSpeed * tick;
    if (result.breakaway > std::min(kMostBreakaway, limit)) {
      return cannot(say("The grip does not move under ",
                        static_cast<int>(result.breakaway * 1000.0),
                        " mN: let go of it, and take it from its rest."));
    }
    if (!bench.tick(result.breakaway)) return bench.ended();
  }
  result.pushForce =
      std::min(limit, result.breakaway + std::max(kLeastPush, 0.5 * result.breakaway));

  // how quick it is: back, past where it began
  const double turned = bench.away();
  int quick = 0;
  while (turned - bench.away() < kPilotWay && quick < 4 * kMostHalf) {
    ++quick;
    if (!bench.tick(-result.pushForce)) return bench.ended();
  }
  const int half = std::clamp(quick, kLeastHalf, kMostHalf);

  // the wave
  const double spring = 0.3 * result.pushForce / kSwing;
  const double edge =
      kEdge * (can.workspaceExtent.x() > 0.0 ? can.workspaceExtent.x() : 4.0 * kSwing);
  bench.hold(spring);
  Watch watch;
  std::vector<Push> pushes;
  std::uint64_t halves = 0;
  int left = halfPeriod(half, halves);
  double sign = 1.0;
  for (int i = 0; i < ticksOf(settings.pushSeconds); ++i) {
    if (left-- == 0) {
      left = halfPeriod(half, ++halves);
      sign = -sign;
    }
    const double away = bench.away();
    double force = sign * result.pushForce - spring * away;
    if (std::abs(away) > edge) force = away > 0.0 ? -result.pushForce : result.pushForce;
    force = std::clamp(force, -limit, limit);
    if (!bench.tick(force)) return bench.ended();
    watch.see(bench.sample());
    pushes.push_back({force, bench.sample().position.x()});
  }
  result.positionStep = watch.step();
  result.ticks = bench.ticks();
  result.counters = device.counters();

  const WeakForm form(pushes, tick, std::clamp(4 * half, 40, 400));
  if (form.windows() < 4 * kUnknowns)
    return cannot("The measurement was too short to tell anything.");
  const auto [fit, latency] = bestFit(form, tick);
  if (fit.unknowns[0] > 0.0 && fit.unexplained < kMostUnexplained) {
    OutputFit::Unknowns first;
    first << std::max(1e-3, fit.unknowns[0]), std::max(0.0, fit.unknowns[1]),
        std::max(0.0, fit.unknowns[2]), fit.unknowns[3], latency / tick;
    const OutputFit::Unknowns found =
        OutputFit(pushes, tick, std::clamp(2 * half, 30, 300)).solve(first);
    result.mass = found[0];
    result.damping = found[1];
    result.friction = found[2];
    result.latency = found[4] * tick;
  }
  result.unexplained = fit.unexplained;
  if (!(result.mass > 0.0) || !(result.unexplained < kMostUnexplained)) {
    return cannot(say("The ", can.model,
                      " does not move as a mass with friction does: is a hand on it, or does it "
                      "touch something?"));
  }
  return result;
}

DeviceProfile profileOf(const DeviceMeasurement& measurement, const DeviceCapabilities& device,
                        const DeviceProfile& known) {
  DeviceProfile profile = known;
  profile.capabilities = device;
  profile.model = device.model.empty() ? known.model : device.model;
  profile.mass = measurement.mass;
  profile.damping = measurement.damping;
  profile.friction = measurement.friction;
  profile.delay = measurement.latency;
  profile.positionStep = measurement.positionStep;
  // What rounding to steps scatters by itself is the steps', not noise on top.
  const double ofSteps = measurement.positionStep * measurement.positionStep / 12.0;
  const double noise = measurement.noise * measurement.noise - ofSteps;
  profile.positionNoise = noise > 0.0 ? std::sqrt(noise) : 0.0;
  profile.capabilities.rate = measurement.rate > 0.0 ? measurement.rate : device.rate;
  return profile;
}

}  // namespace tactus::haptics
