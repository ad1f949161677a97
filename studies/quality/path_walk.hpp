#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "response/wrench.hpp"
#include "studies/quality/law_query.hpp"

namespace tactus::studies {

/// A motion of a body B in a body A.
struct WalkedPath {
  std::function<Eigen::Isometry3d(double share)> poseAt;  ///< B into A's frame; 0 to 1
  Eigen::Vector3d measuredAt = Eigen::Vector3d::Zero();   ///< torques are about it; in B
  bool isOfTorque = false;                                ///< else it is the force that counts
};

/// Largest differences of forces (or torques) of neighbours, in windows spread along a path, by a
/// step and by half of it. Windows begin at the same places and are as long for both.
struct JumpCourse {
  std::vector<double> byStep, byHalf;  ///< of each window; empty: was not asked
  [[nodiscard]] double largest() const noexcept;
  [[nodiscard]] double largestByHalf() const noexcept;
  /// By half a step over that by a whole one: 1/2 of what is continuous, 1 of a step in it.
  [[nodiscard]] std::optional<double> ratio() const noexcept;
};

/// A law at every sample of a path.
struct LawCourse {
  std::vector<Eigen::Vector3d> force, torque;            ///< torque about WalkedPath::measuredAt
  std::vector<Eigen::Vector3d> idealForce, idealTorque;  ///< what they are held against
  std::vector<double> us;                                ///< medians [us]
  JumpCourse jumps;
  JumpCourse cutJumps;     ///< within a budget
  std::uint64_t hash = 0;  ///< of all bits of forces and torques

  [[nodiscard]] double usMean() const noexcept;
};

/// What of a force (or torque) follows from the courses; see signal_measures.hpp.
struct CourseFigures {
  std::optional<double> sigma;                ///< deviation()
  std::optional<double> sigmaByOwn;           ///< deviationByOwnMaximum(): the seed's
  std::optional<double> gammaMean, gammaMax;  ///< [deg]
  std::optional<double> noise;                ///< energyRatio() of one component
  std::optional<double> ripple;
};
[[nodiscard]] CourseFigures figuresOf(const std::vector<Eigen::Vector3d>& ideal,
                                      const std::vector<Eigen::Vector3d>& measured,
                                      int noiseComponent);

/// Of a sample among so many, from 0 to 1.
[[nodiscard]] double shareOf(std::size_t sample, std::size_t samples) noexcept;

/// A law's wrench at a place of the path, about its point, in A's frame.
[[nodiscard]] response::Wrench wrenchAt(LawQuery& query, const WalkedPath& path, QualityLaw law,
                                        double share, std::uint32_t most = kAllTests);

/// Appends a sample to a course: its wrench, and the median time of so many queries. One that was
/// interrupted is asked again.
void addSample(LawQuery& query, const WalkedPath& path, QualityLaw law, double share,
               int repetitions, const response::Wrench& ideal, LawCourse& course,
               std::uint32_t most = kAllTests);

/// Tests that a law takes at a sample, the mean over the path; 0 of laws without a budget.
[[nodiscard]] std::uint32_t meanTests(LawQuery& query, const WalkedPath& path, QualityLaw law);

/// Jumps are looked for by steps of this share of the smallest ball's radius.
inline constexpr double kStepOfSmallestBall = 0.1;

/// How a path is searched for jumps.
struct JumpSearch {
  std::size_t windows = 0, steps = 0;  ///< steps of a window
  double step = 0.0;                   ///< as a share of the path
};
[[nodiscard]] JumpCourse findJumps(LawQuery& query, const WalkedPath& path, QualityLaw law,
                                   const JumpSearch& search, std::uint32_t most = kAllTests);

}  // namespace tactus::studies
