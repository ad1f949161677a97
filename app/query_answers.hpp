#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/commands.hpp"
#include "app/output.hpp"

namespace tactus::app {

/// The answer at one pose, with the contract's names.
struct QueryAnswer {
  double volume = 0.0, volumeLower = 0.0, volumeUpper = 0.0;  ///< [m^3]; NaN: not known
  double distance = 0.0;                                      ///< 0 if they overlap [m]
  double energy = 0.0;                                        ///< by the law at k = 1 or K = 1
  Eigen::Vector3d force = Eigen::Vector3d::Zero();            ///< on B, in A's frame, at k = 1
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();           ///< about B's origin
  /// Of the overlap, in A's frame; of `exact` and `ist` [m].
  std::optional<Eigen::Vector3d> centroid;
  bool isCut = false;       ///< by a budget
  bool lacksPairs = false;  ///< more pairs than there is room for: the answer is in part too small
  bool isRough = false;     ///< the integral of depths has missed a part of the overlap
  bool hasThinWalls = false;  ///< one of the two is in part too thin for its depths
  bool countsTwice = false;   ///< so does space that a surface covers twice
  /// Patches that hang together; of `exact` 1 with an overlap.
  std::size_t contacts = 0;
  std::optional<double> freeWay;  ///< share of the way from the last pose without contact
  double medianUs = 0;            ///< time of one query [us]
};

/// Whether some poses are asked before the time counts. The first queries read from the disk and
/// fill the caches of the processor, up to a hundred times as long as in a loop.
enum class WarmUp : std::uint8_t { None, SomePoses };

/// Asks the whole list `repeat` times; each pose keeps its median time. Of `ask(pose)` that alone
/// is timed, and the last round's answers count.
template <typename Ask>
[[nodiscard]] std::vector<QueryAnswer> askAll(const std::vector<Eigen::Isometry3d>& poses,
                                              std::size_t repeat, WarmUp warmUp, const Ask& ask) {
  constexpr std::size_t kWarming = 32;  // poses all over the list touch most of what the rest needs
  if (warmUp == WarmUp::SomePoses) {
    const std::size_t step = std::max<std::size_t>(1, poses.size() / kWarming);
    for (std::size_t p = 0; p < poses.size(); p += step)
      static_cast<void>(ask(poses[p]));
  }
  std::vector<QueryAnswer> answers(poses.size());
  std::vector<std::vector<double>> times(poses.size());
  for (std::size_t round = 0; round < repeat; ++round) {
    for (std::size_t p = 0; p < poses.size(); ++p) {
      const auto start = std::chrono::steady_clock::now();
      const QueryAnswer answer = ask(poses[p]);
      const std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - start;
      answers[p] = answer;
      times[p].push_back(took.count());
    }
  }
  for (std::size_t p = 0; p < poses.size(); ++p) {
    const auto middle = times[p].begin() + static_cast<std::ptrdiff_t>(times[p].size() / 2);
    std::nth_element(times[p].begin(), middle, times[p].end());
    answers[p].medianUs = *middle;
  }
  return answers;
}

/// As JSON or as a table; `request.budget` is what was resolved.
void printAnswers(const QueryRequest& request, const std::vector<QueryAnswer>& answers);

/// `--method exact`: true overlap, wrench and distance of two meshes.
[[nodiscard]] models::Result<std::vector<QueryAnswer>> askExact(
    const QueryRequest& request, const std::vector<Eigen::Isometry3d>& poses);

/// `--method vps`: by the points of one object in the voxmap of the other. The volume and its
/// bounds are not known, and NaN. A budget in time is resolved as for `ist`.
[[nodiscard]] models::Result<std::vector<QueryAnswer>> askPoints(
    QueryRequest& request, const std::vector<Eigen::Isometry3d>& poses);

/// `--method ist`: by the inner sphere trees of two objects. A budget in time is resolved into
/// tests, with a rate that is measured first, and put down in the request.
[[nodiscard]] models::Result<std::vector<QueryAnswer>> askTrees(
    QueryRequest& request, const std::vector<Eigen::Isometry3d>& poses);

}  // namespace tactus::app
