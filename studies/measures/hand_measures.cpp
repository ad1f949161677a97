#include "studies/measures/hand_measures.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "studies/measures/zero_phase_filter.hpp"

namespace tactus::studies {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kCutoffHertz = 20.0;  // voluntary movement ends near 10 Hz

// Of a press: below, friction and the start of the contact are in it.
constexpr double kLeastPress = 0.5;  // [N]
constexpr std::size_t kLeastPressTicks = 20;

// Shorter breaks of a contact are its own jitter, not another contact.
constexpr double kLeastApart = 0.05;  // [s]

double normOf(const std::array<double, 3>& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Angles about x, y and z, of R = Rz Ry Rx.
Vector3d eulerOf(const Matrix3d& r) {
  return {std::atan2(r(2, 1), r(2, 2)), std::asin(std::clamp(-r(2, 0), -1.0, 1.0)),
          std::atan2(r(1, 0), r(0, 0))};
}

double wrapped(double angle) {
  constexpr double kWhole = 2.0 * 3.14159265358979323846;
  return angle - kWhole * std::round(angle / kWhole);
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto count = static_cast<double>(a.size());
  double sumA = 0.0, sumB = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sumA += a[k];
    sumB += b[k];
  }
  double aa = 0.0, bb = 0.0, ab = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double da = a[k] - sumA / count, db = b[k] - sumB / count;
    aa += da * da;
    bb += db * db;
    ab += da * db;
  }
  return ab / std::sqrt(aa * bb);
}

void put(std::map<std::string, double>& measures, const char* name, double value) {
  if (std::isfinite(value)) measures[name] = value;
}

}  // namespace

HandMeasures::HandMeasures(std::size_t hands, std::size_t mostTicks, double tickSeconds)
    : hands_(hands), mostTicks_(mostTicks), dt_(tickSeconds) {
  for (std::vector<Sample>& samples : hands_)
    samples.reserve(mostTicks);
}

void HandMeasures::add(std::size_t hand, const haptics::HandRecord& record,
                       const ContactRecord& contact) noexcept {
  if (contact.stage == 0 || hands_[hand].size() == mostTicks_) return;
  Sample& sample = hands_[hand].emplace_back();
  for (std::size_t k = 0; k < 3; ++k) {
    sample.device[k] = record.position[k];
    sample.tool[k] = record.toolPosition[k];
    sample.force[k] = record.force[k];
  }
  for (std::size_t k = 0; k < 4; ++k)
    sample.turn[k] = record.toolOrientation[k];
  const std::array<double, 3> torque = {record.torque[0], record.torque[1], record.torque[2]};
  sample.torque = static_cast<float>(normOf(torque));
  sample.volume = contact.volume;
  sample.touches = contact.touches;
  sample.stage = contact.stage;
}

HandMeasures::Figures HandMeasures::figuresOf(const std::vector<Sample>& samples) const {
  Figures figures;
  const std::size_t count = samples.size();
  std::array<std::vector<double>, 10> channels;
  for (std::vector<double>& channel : channels)
    channel.reserve(count);
  Quaterniond last = Quaterniond::Identity();
  for (const Sample& sample : samples) {
    for (std::size_t k = 0; k < 3; ++k) {
      channels[k].push_back(sample.tool[k]);
      channels[3 + k].push_back(sample.device[k]);
    }
    // A quaternion and its negative are one turn; the filter must not see the jump.
    Quaterniond turn(sample.turn[0], sample.turn[1], sample.turn[2], sample.turn[3]);
    if (turn.dot(last) < 0.0) turn.coeffs() = -turn.coeffs();
    last = turn;
    channels[6].push_back(turn.w());
    channels[7].push_back(turn.x());
    channels[8].push_back(turn.y());
    channels[9].push_back(turn.z());
  }
  for (std::vector<double>& channel : channels)
    channel = zeroPhaseLowPass(channel, kCutoffHertz, dt_);
  const auto place = [&](std::size_t first, std::size_t k) {
    return Vector3d(channels[first][k], channels[first + 1][k], channels[first + 2][k]);
  };
  const auto turnAt = [&](std::size_t k) {
    return Quaterniond(channels[6][k], channels[7][k], channels[8][k], channels[9][k]).normalized();
  };
  double jerks = 0.0, fastest = 0.0;
  for (std::size_t k = 1; k < count; ++k) {
    const double step = (place(0, k) - place(0, k - 1)).norm();
    figures.path += step;
    figures.devicePath += (place(3, k) - place(3, k - 1)).norm();
    figures.speeds.push_back(step / dt_);
    fastest = std::max(fastest, step / dt_);
    const Quaterniond between = turnAt(k - 1).conjugate() * turnAt(k);
    figures.turn += 2.0 * std::atan2(between.vec().norm(), std::abs(between.w()));
    const Vector3d change =
        eulerOf(turnAt(k).toRotationMatrix()) - eulerOf(turnAt(k - 1).toRotationMatrix());
    for (const double angle : change)
      figures.euler += std::abs(wrapped(angle));
    if (k < 3) continue;
    const Vector3d jerk =
        (place(0, k) - 3.0 * place(0, k - 1) + 3.0 * place(0, k - 2) - place(0, k - 3)) /
        (dt_ * dt_ * dt_);
    jerks += jerk.squaredNorm() * dt_;
  }
  const double seconds = static_cast<double>(count) * dt_;
  figures.smoothness = -std::log(jerks * seconds * seconds * seconds / (fastest * fastest));
  return figures;
}

std::map<std::string, double> HandMeasures::of(std::optional<std::size_t> left,
                                               std::optional<std::size_t> right,
                                               bool isRightHanded) const {
  std::map<std::string, double> measures;
  std::array<std::optional<Figures>, 2> figures;
  double contactTime = 0.0, forcePeak = 0.0, forceSum = 0.0, torquePeak = 0.0, torqueSum = 0.0;
  double volumePeak = 0.0, volumeSum = 0.0, work = 0.0;
  std::size_t touching = 0, contacts = 0;
  for (const bool isRight : {false, true}) {
    const std::optional<std::size_t> hand = isRight ? right : left;
    if (!hand || hands_[*hand].size() < 2) continue;
    const std::vector<Sample>& samples = hands_[*hand];
    figures[isRight ? 1 : 0] = figuresOf(samples);
    double apart = kLeastApart;
    const Sample* before = nullptr;
    for (const Sample& sample : samples) {
      const double force = normOf(sample.force);
      forcePeak = std::max(forcePeak, force);
      torquePeak = std::max(torquePeak, static_cast<double>(sample.torque));
      volumePeak = std::max(volumePeak, static_cast<double>(sample.volume));
      if (before != nullptr) {
        for (std::size_t k = 0; k < 3; ++k)
          work -= before->force[k] * (sample.device[k] - before->device[k]);
      }
      before = &sample;
      if (sample.touches == 0) {
        apart += dt_;
        continue;
      }
      if (apart >= kLeastApart) ++contacts;
      apart = 0.0;
      ++touching;
      contactTime += dt_;
      forceSum += force;
      torqueSum += static_cast<double>(sample.torque);
      volumeSum += static_cast<double>(sample.volume);
    }
  }
  if (!figures[0] && !figures[1]) return measures;
  if (figures[0]) put(measures, "path_left", figures[0]->path);
  if (figures[1]) put(measures, "path_right", figures[1]->path);
  const bool hasBoth = figures[0] && figures[1];
  const std::size_t dominant = hasBoth ? (isRightHanded ? 1 : 0) : (figures[1] ? 1 : 0);
  const auto putHand = [&](const Figures& of, bool isDominant) {
    put(measures, isDominant ? "path_dominant" : "path_other", of.path);
    put(measures, isDominant ? "device_path_dominant" : "device_path_other", of.devicePath);
    put(measures, isDominant ? "turn_dominant" : "turn_other", of.turn);
    put(measures, isDominant ? "euler_dominant" : "euler_other", of.euler);
    if (isDominant) put(measures, "smoothness", of.smoothness);
  };
  putHand(*figures[dominant], true);
  if (hasBoth) {
    putHand(*figures[1 - dominant], false);
    put(measures, "coordination", correlation(figures[0]->speeds, figures[1]->speeds));
    put(measures, "dominant_right", figures[1]->path >= figures[0]->path ? 1.0 : 0.0);
  }
  put(measures, "contact_time", contactTime);
  put(measures, "contacts", static_cast<double>(contacts));
  put(measures, "force_peak", forcePeak);
  put(measures, "torque_peak", torquePeak);
  put(measures, "penetration_peak", volumePeak);
  put(measures, "work", work);
  if (touching > 0) {
    const auto count = static_cast<double>(touching);
    put(measures, "force_mean", forceSum / count);
    put(measures, "torque_mean", torqueSum / count);
    put(measures, "penetration_mean", volumeSum / count);
  }
  return measures;
}

std::optional<double> HandMeasures::displayedStiffness(std::size_t hand,
                                                       std::uint16_t stage) const {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const Sample& sample : hands_[hand]) {
    // pressed along -y, pushed back along y
    if (sample.stage != stage || sample.force[1] < kLeastPress) continue;
    n += 1.0;
    sx += sample.device[1];
    sy += sample.force[1];
    sxx += sample.device[1] * sample.device[1];
    sxy += sample.device[1] * sample.force[1];
  }
  const double spread = n * sxx - sx * sx;
  if (n < static_cast<double>(kLeastPressTicks) || !(spread > 0.0)) return std::nullopt;
  return -(n * sxy - sx * sy) / spread;
}

}  // namespace tactus::studies
