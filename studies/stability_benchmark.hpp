#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/contact_hold.hpp"

namespace tactus::studies {

/// How a profile is examined.
struct StabilitySettings {
  std::vector<std::string> profiles;  ///< of the shipped ones
  std::vector<HeldShape> shapes;      ///< closed ones first: the pair of rhinos costs most
  std::uint64_t seeds = 8;            ///< 1 to this
  std::uint64_t spheres = 10'000;     ///< of a rhino
  /// Of the pair of rhinos only the hardest hand is asked: bias, with a tick more of delay.
  bool isPairShort = false;
  /// Cells along each axis of the region; 0: no region.
  int regionCells = 0;
  unsigned threads = 0;  ///< 0: one a core; the figures are the same for any number
  std::function<void(const std::string& profile)> onProfile;  ///< when one is done; by any thread
};

/// What `tactus bench stability` examines: all profiles, eight seeds, rhinos of 10,000 spheres;
/// `quick`: one seed, 2,000 spheres and of the pair the hardest hand alone.
[[nodiscard]] StabilitySettings stabilitySettings(bool quick);

/// One run with its verdict.
struct HoldRecord {
  HeldShape shape = HeldShape::Plane;
  haptics::Grasp grasp = haptics::Grasp::Bias;
  std::uint32_t extraDelayTicks = 0;
  std::uint64_t seed = 1;
  double factor = 1.0;  ///< on stiffness and damping, of shifts and turns
  bool isPassivityOn = false;
  HoldFigures figures;
  double idealRms = 0.0;  ///< of the same run at 16 kHz; 0 where it was not needed [N]
  double limit = 0.0;     ///< of the excess [N]
  bool isCalm = true;

  [[nodiscard]] double excess() const noexcept;  ///< [N]
};

/// A cell of the region: stiffness against damping.
struct RegionCell {
  double stiffness = 0.0, damping = 0.0;
  bool isCalm = false;
};

struct ProfileStability {
  std::string name;
  haptics::DeviceProfile profile;
  response::ForceParameters defaults;
  double criticalFactor = 1.0;  ///< least at which a run is not calm
  /// No run failed up to the factor at which a parameter reaches the end of its range; that is
  /// then the critical one.
  bool isBeyondRange = false;
  double passiveRatio = 0.0;
  double excessRmsShare = 0.0;  ///< largest excess over its limit at the defaults
  double passivityShare = 0.0;  ///< largest share of a run's contact ticks, controller on
  double mostWork = 0.0;        ///< at the defaults [J]
  HoldRecord weakest;           ///< what failed at the critical factor
  std::vector<HoldRecord> runs;
  std::vector<RegionCell> region;

  [[nodiscard]] double margin() const noexcept { return criticalFactor; }
  [[nodiscard]] double criticalStiffness() const noexcept {
    return criticalFactor * defaults.stiffness;
  }
};

struct StabilityBenchmark {
  StabilitySettings settings;
  std::vector<ProfileStability> profiles;
};

/// How far stiffness and damping of a profile may be raised together before a hold is not calm.
///
/// Definition (docs/stability.md): a run of hold() fails if the rms of its force is above that of
/// the same run at 16 kHz without delay by more than limitsOf() says, if the hand gets more than 1
/// mJ, or if the order of safety stopped it. The critical factor is the least, with the passivity
/// controller off, at which one of hands x contacts x delays x seeds fails.
///
/// Method:
/// - all runs at the defaults, with the controller; where it did something, again without
/// - then each in turn: is it calm just below the least critical factor so far? If not, bisection
///   by factors between 1 and there to 2 %. So a run that fails, is calm again at a larger factor
///   and at the one that was asked would be missed; none was seen on a ladder of factors.
/// - the ideal run costs sixteen times one: it is asked where the verdict hangs on it. In a
///   bisection it counts as silent, which is stricter, and is run where that ends; if it excuses
///   the run, the bisection is done again with it.
/// Profiles run side by side, what belongs to one in a fixed order.
[[nodiscard]] models::Result<StabilityBenchmark> benchmarkStability(
    const StabilitySettings& settings);

/// "edge, bias hand, a tick more, seed 3".
[[nodiscard]] std::string describe(const HoldRecord& record);
[[nodiscard]] std::string_view nameOf(haptics::Grasp grasp) noexcept;

/// The largest factor that no parameter's range cuts.
[[nodiscard]] double mostFactor(const response::ForceParameters& parameters) noexcept;
/// The same with stiffness and damping, of shifts and turns, times `factor`.
[[nodiscard]] response::ForceParameters multiplied(response::ForceParameters parameters,
                                                   double factor) noexcept;

}  // namespace tactus::studies
