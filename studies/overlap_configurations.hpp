#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/exact/exact_body.hpp"
#include "models/mesh/result.hpp"

namespace tactus::studies {

/// How two solids are to stand to each other.
struct WantedStand {
  enum class Kind : std::uint8_t {
    Gap,      ///< apart, by a share of the smaller one's box diagonal
    Overlap,  ///< overlapping, by a share of the smaller one's volume
  };
  Kind kind = Kind::Overlap;
  double share = 0.01;

  [[nodiscard]] bool operator==(const WantedStand&) const noexcept = default;
};

/// "d0.05" for a gap of 0.05, "v0.01" for an overlap of 0.01; and back.
[[nodiscard]] std::string nameOf(const WantedStand& wanted);
[[nodiscard]] std::optional<WantedStand> standFromName(std::string_view name);

/// The classes of the performance benchmark, gaps first.
[[nodiscard]] std::vector<WantedStand> benchmarkStands();

/// A pose at which two solids stand as wanted.
struct OverlapConfiguration {
  WantedStand wanted;
  /// tx ty tz qw qx qy qz of B in A's frame, of twelve decimals, so that the text is the pose.
  std::array<double, 7> pose{};
  double exact = 0.0;  ///< the gap [m] or the overlap [m^3] at that very pose

  [[nodiscard]] Eigen::Isometry3d aFromB() const;
};

/// All configurations of two models.
struct ConfigurationSet {
  std::string a, b;  ///< built-in models, "rhino@20000"
  std::uint64_t seed = 0;
  std::vector<OverlapConfiguration> configurations;
};

/// Two solids whose stands are looked for, with what shares are of.
class ConfigurationFinder {
 public:
  /// Both bodies must be Solid, and outlive the finder.
  ConfigurationFinder(const collision::ExactBody& a, const collision::ExactBody& b);

  /// A configuration by random numbers of this seed; none if no direction led to one.
  ///
  /// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 6.3:
  /// the sphere method of configurations, with the distance wanted. How ours differs: gaps and
  /// overlaps are exact ones, and overlaps are looked for in the same way.
  ///
  /// Method: B gets a random rotation and a random direction from A's middle. It comes nearer along
  /// it in steps until the gap is smaller, or the overlap larger, than wanted; between the last two
  /// steps the place is found by false position (Illinois), which bisection secures. What jumps
  /// there, as the overlap of faces does, gets another direction.
  [[nodiscard]] std::optional<OverlapConfiguration> find(const WantedStand& wanted,
                                                         std::uint64_t seed) const;

  /// The grid method of the same chapter: B, turned by `turn`, begins with its middle at a place
  /// from A's middle and comes nearer on the straight line. None if it begins too near.
  ///
  /// How ours differs: cells that are empty of configurations are not known beforehand; the first
  /// step inward finds them out.
  [[nodiscard]] std::optional<OverlapConfiguration> findFrom(const WantedStand& wanted,
                                                             const Eigen::Quaterniond& turn,
                                                             const Eigen::Vector3d& place) const;

  /// Middles this far from each other are of solids that are apart [m].
  [[nodiscard]] double farApart() const noexcept { return farApart_; }

  /// The exact gap [m] or overlap [m^3] at a pose.
  [[nodiscard]] double measure(WantedStand::Kind kind, const Eigen::Isometry3d& aFromB) const;

  /// What a share is of: the smaller box diagonal [m] or the smaller volume [m^3].
  [[nodiscard]] double whole(WantedStand::Kind kind) const noexcept {
    return kind == WantedStand::Kind::Gap ? smallerDiagonal_ : smallerVolume_;
  }

 private:
  /// On the line between two distances of the middles; at `outer` B is not near enough.
  struct Line {
    Eigen::Quaterniond turn;
    Eigen::Vector3d direction;
    double outer = 0.0, step = 0.0;
    double excessOutside = 0.0;
  };
  [[nodiscard]] std::optional<OverlapConfiguration> findOn(const WantedStand& wanted,
                                                           const Line& line) const;
  /// How much nearer than wanted B is: below 0 outside of the place, above 0 inside.
  [[nodiscard]] double excessOf(const OverlapConfiguration& configuration) const;

  const collision::ExactBody& a_;
  const collision::ExactBody& b_;
  double smallerDiagonal_, smallerVolume_;
  double farApart_;  ///< middles this far from each other are of solids that are apart
};

/// A configuration has the wanted share up to this part of it.
inline constexpr double kShareTolerance = 1e-3;

/// The seed of one configuration of a set. It depends on nothing but its own place, so that any
/// part of a set can be made anew, anywhere, in any order.
[[nodiscard]] std::uint64_t seedOf(const ConfigurationSet& set, const WantedStand& wanted,
                                   std::size_t number);

enum class ConfigurationMethod : std::uint8_t {
  Sphere,  ///< a random rotation and direction each: as many configurations as wanted
  Grid,    ///< of some random rotations, from each cell of a grid around A: as many as there are
};

/// What a set is made of.
struct ConfigurationPlan {
  std::string a, b;  ///< built-in models, "rhino@20000"
  std::vector<WantedStand> stands;
  std::size_t posesPerStand = 0;  ///< by the grid: rotations
  std::uint64_t seed = 1;
  ConfigurationMethod method = ConfigurationMethod::Sphere;
  std::size_t cells = 0;  ///< of the grid, along each axis

  /// Places to look for one at, stand by stand.
  [[nodiscard]] std::size_t candidates() const noexcept {
    const std::size_t perPose =
        method == ConfigurationMethod::Grid ? cells * cells * cells : std::size_t{1};
    return stands.size() * posesPerStand * perPose;
  }
  [[nodiscard]] const WantedStand& standOf(std::size_t candidate) const noexcept {
    return stands[candidate * stands.size() / candidates()];
  }
};

/// One of a plan's candidates; it depends on nothing but its number.
[[nodiscard]] std::optional<OverlapConfiguration> findCandidate(const ConfigurationFinder& finder,
                                                                const ConfigurationPlan& plan,
                                                                std::size_t candidate);

/// What a plan without the places comes to: the sphere method must have found all, the grid method
/// leaves out what it did not find.
[[nodiscard]] models::Result<ConfigurationSet> setOf(
    const ConfigurationPlan& plan, const std::vector<std::optional<OverlapConfiguration>>& found);

/// A plan's two solids.
struct PlannedBodies {
  std::unique_ptr<collision::ExactBody> a, b;
};
[[nodiscard]] models::Result<PlannedBodies> bodiesOf(const ConfigurationPlan& plan,
                                                     unsigned threads);

/// Finds all of a plan, stand by stand. The same for any `threads` (0: one a core). `onFound` is
/// told how many there are, from any thread; may be empty.
[[nodiscard]] models::Result<ConfigurationSet> findConfigurations(
    const ConfigurationPlan& plan, unsigned threads = 0,
    const std::function<void(std::size_t)>& onFound = {});

/// The plans of the committed set.
[[nodiscard]] std::vector<ConfigurationPlan> benchmarkPlans();

/// Sets as text: a line `tactus-configurations 1`, comments behind #, and for each set a line
/// `pair A B seed N` with lines `CLASS tx ty tz qw qx qy qz EXACT` below it.
[[nodiscard]] std::string textOf(const std::vector<ConfigurationSet>& sets);
[[nodiscard]] models::Result<std::vector<ConfigurationSet>> readConfigurations(
    std::string_view text);

/// The text of the committed set, studies/configurations/performance.txt, which is in the program.
[[nodiscard]] std::string_view committedConfigurations();

}  // namespace tactus::studies
