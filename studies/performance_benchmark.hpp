#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/cache/collision_object.hpp"
#include "models/mesh/result.hpp"
#include "studies/model_benchmark.hpp"
#include "studies/overlap_configurations.hpp"

namespace tactus::studies {

/// Who is asked. To add one: a name, what it answers (performance_benchmark.cpp), and a column.
enum class PerformanceMethod : std::uint8_t {
  Ist,          ///< the unified query: volume, wrench and bounds, or distance and nearest points
  IstVolume,    ///< its first part alone: volume and wrench; overlaps only
  IstTextbook,  ///< volume by Algorithm 5.3 as printed, of the same tree; overlaps only
  Vps,          ///< points of A in B's voxmap: force by the law of depth, or distance
  VpsPlain,     ///< the same force by a plain loop over all points; overlaps only
  Fcl,          ///< distance and nearest points by FCL; gaps only
  FclContacts,  ///< all contacts of the triangles by FCL; overlaps only, see peer_contacts.hpp
  Bullet,       ///< the same by Bullet's GImpact
};
inline constexpr std::size_t kPerformanceMethods = 8;

/// "ist", "ist_volume", "ist_textbook", "vps", "vps_plain", "fcl", "fcl_contacts", "bullet"
[[nodiscard]] std::string_view nameOf(PerformanceMethod method) noexcept;

/// Whether a method has anything to do at a gap, or at an overlap.
[[nodiscard]] bool answers(PerformanceMethod method, WantedStand::Kind kind) noexcept;

/// Whether it answers with what the configurations hold: a distance, or a volume. Points in a
/// voxmap give a force of depth and no volume.
[[nodiscard]] bool isComparable(PerformanceMethod method, WantedStand::Kind kind) noexcept;

struct PerformanceSettings {
  std::vector<ConfigurationSet> sets;
  std::uint64_t spheres = 100'000;         ///< of each object
  int repetitions = 5;                     ///< of each pose and method; the median counts
  int threadRounds = 5;                    ///< of one thread against two; 0: that is not asked
  std::vector<PerformanceMethod> methods;  ///< that are asked; empty: all
  double threadRoundSeconds = 0.1;         ///< that one thread is busy in a round, about
  /// Gives the object of `builtin:NAME@TRIANGLES`, from a cache or built.
  std::function<models::Result<collision::CollisionObject>(const std::string& name,
                                                           const collision::BuildParameters&)>
      open;
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

/// What a method did at one pose; sums that do not depend on the machine.
struct QueryWork {
  std::uint64_t pairTests = 0;   ///< of balls; of points and their nodes with the map
  std::uint64_t nodePairs = 0;   ///< opened: of spheres, and of facets
  std::uint64_t leafPairs = 0;   ///< whose lens was computed
  std::uint64_t cubes = 0;       ///< looked at for the bounds
  std::uint64_t facetPairs = 0;  ///< triangles measured
};

/// What a method answered at one pose.
struct QueryAnswer {
  double volume = 0.0;     ///< [m^3]
  double distance = 0.0;   ///< [m]
  std::uint64_t hash = 0;  ///< of all bits of the answer
  QueryWork work;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< of points in a voxmap, on B [m^3]
  std::uint64_t contacts = 0;                       ///< of a peer
};

/// One pose, all methods.
struct PosePerformance {
  std::size_t pair = 0;  ///< of PerformanceBenchmark::pairs
  OverlapConfiguration configuration;
  /// By method, empty unless it was asked; single times in the order in which they were taken [us].
  std::array<std::vector<double>, kPerformanceMethods> times;
  std::array<QueryAnswer, kPerformanceMethods> answers;
};

/// One pair of models.
struct PairPerformance {
  std::string a, b;
  double stolenShare = 0.0;
  int attempts = 1;  ///< until little enough time was stolen, three at most
  double fclContactsSeconds = 0.0, bulletSeconds = 0.0;  ///< the same of their contacts
  std::size_t interrupted = 0;                           ///< queries asked again
  bool isSteady = true;                                  ///< every repetition gave the same bits
  double textbookSeconds = 0.0, plainSeconds = 0.0,
         fclSeconds = 0.0;  ///< to build both objects' structures
  /// Unified queries of all poses, a second [1/s], by one thread and by two, round by round.
  std::vector<double> oneThread, twoThreads;
  /// The same of plain arithmetic in registers, in pieces a second: what a second thread can bring
  /// on this machine at this time.
  std::vector<double> oneSpinning, twoSpinning;
};

/// An object that took part.
struct PerformanceModel {
  std::string name;
  collision::BuildFigures figures;
};

struct PerformanceBenchmark {
  std::uint64_t spheres = 0;
  int repetitions = 0;
  std::vector<PerformanceModel> models;
  std::vector<PairPerformance> pairs;
  std::vector<PosePerformance> poses;

  /// Whether the times count: at no pair more than kMostStolen was stolen.
  [[nodiscard]] bool isValid() const noexcept;
  [[nodiscard]] double worstStolenShare() const noexcept;
};

/// Times queries of all methods at the same poses, in one run.
///
/// Method: pair by pair; the poses, each as often as there are repetitions, are shuffled, and cut
/// into blocks of kBlock. In a block each method gets all of its poses, one method after the other,
/// in another order each time: whatever slows the machine down for a while slows all of them, and
/// no query finds in the caches what another method has just read at the same pose. Queries begin
/// with nothing from the one before. A query during which the system gave the processor to another
/// process is asked again, later in the block: the time would be that one's. A pair during which
/// more than kMostStolen of the processor's time was stolen is taken again, up to three times.
[[nodiscard]] models::Result<PerformanceBenchmark> benchmarkPerformance(
    const PerformanceSettings& settings);

}  // namespace tactus::studies
