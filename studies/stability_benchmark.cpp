#include "studies/stability_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "haptics/profiles/hand_defaults.hpp"
#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"
#include "response/stability/stability_advisor.hpp"

namespace tactus::studies {
namespace {

using haptics::Grasp;
using response::ForceParameters;

constexpr std::array kGrasps = {Grasp::Bias, Grasp::Loose, Grasp::Normal, Grasp::Firm};
constexpr double kTolerance = 1.02;  // of the critical factor
constexpr double kLeastFactor = 0.05;

// The region, by factors: from what the theory calls passive of any device to the ends of the
// sliders [N/m, N s/m].
constexpr double kSoftest = 50.0, kStiffest = 5000.0;
constexpr double kLeastDamped = 0.01, kMostDamped = 30.0;

/// One of the runs that a profile has to stand.
struct Trial {
  HeldShape shape = HeldShape::Plane;
  Grasp grasp = Grasp::Bias;
  std::uint32_t extraDelayTicks = 0;
  std::uint64_t seed = 1;
};

/// The hardest first, so that the critical factor is soon near.
std::vector<Trial> trialsOf(const StabilitySettings& settings) {
  std::vector<Trial> trials;
  for (const HeldShape shape : settings.shapes) {
    const bool isShort = shape == HeldShape::RhinoPair && settings.isPairShort;
    for (std::uint64_t seed = 1; seed <= (isShort ? 1 : settings.seeds); ++seed) {
      for (const std::uint32_t extra : {1U, 0U}) {
        for (const Grasp grasp : kGrasps) {
          if (isShort && (grasp != Grasp::Bias || extra == 0)) continue;
          trials.push_back({shape, grasp, extra, seed});
        }
      }
    }
  }
  return trials;
}

/// A profile's examination.
class Examiner {
 public:
  Examiner(ProfileStability& result, const RhinoPair* rhinos, response::ContactScratch* scratch)
      : result_(&result), rhinos_(rhinos), scratch_(scratch) {}

  HoldRecord run(const Trial& trial, double factor, bool isPassivityOn) {
    const HoldCase how = caseOf(trial, multiplied(result_->defaults, factor), isPassivityOn);
    HoldRecord record;
    record.shape = trial.shape;
    record.grasp = trial.grasp;
    record.extraDelayTicks = trial.extraDelayTicks;
    record.seed = trial.seed;
    record.factor = factor;
    record.isPassivityOn = isPassivityOn;
    record.figures = hold(how, rhinos_, scratch_);
    record.limit = limitsOf(how, record.figures).excessRms;
    judge(record);
    return record;
  }

  /// The same with what the ideal run shows.
  HoldRecord against(HoldRecord record) {
    const Trial trial{record.shape, record.grasp, record.extraDelayTicks, record.seed};
    HoldCase how =
        caseOf(trial, multiplied(result_->defaults, record.factor), record.isPassivityOn);
    how.isIdeal = true;
    const HoldFigures ideal = hold(how, rhinos_, scratch_);
    // an ideal that is stopped is none
    if (!ideal.isInterrupted) record.idealRms = ideal.rms;
    judge(record);
    return record;
  }

  const HoldRecord& keep(const HoldRecord& record) {
    result_->runs.push_back(record);
    return result_->runs.back();
  }

  /// The least factor up to `high`, where it failed, at which this fails.
  HoldRecord leastFailing(const Trial& trial, double low, HoldRecord failed, bool isAgainstIdeal) {
    double high = failed.factor;
    while (high > low * kTolerance) {
      const double middle = std::sqrt(low * high);
      HoldRecord record = run(trial, middle, false);
      if (!record.isCalm && isAgainstIdeal && hangsOnIdeal(record)) record = against(record);
      keep(record);
      if (record.isCalm) {
        low = middle;
      } else {
        high = middle;
        failed = record;
      }
    }
    return failed;
  }

  /// Fails for its rms alone.
  static bool hangsOnIdeal(const HoldRecord& record) {
    return record.idealRms == 0.0 && !record.figures.isInterrupted &&
           record.figures.work <= HoldLimits{}.work;
  }

 private:
  static void judge(HoldRecord& record) {
    record.isCalm = !record.figures.isInterrupted && record.excess() <= record.limit &&
                    record.figures.work <= HoldLimits{}.work;
  }
  HoldCase caseOf(const Trial& trial, const ForceParameters& parameters, bool isPassivityOn) const {
    HoldCase how;
    how.profile = result_->profile;
    how.parameters = parameters;
    how.parameters.isPassivityOn = isPassivityOn;
    how.shape = trial.shape;
    how.grasp = trial.grasp;
    how.extraDelayTicks = trial.extraDelayTicks;
    how.seed = trial.seed;
    return how;
  }

  ProfileStability* result_;
  const RhinoPair* rhinos_;
  response::ContactScratch* scratch_;
};

/// All runs at the defaults, as they are without the controller.
std::vector<HoldRecord> atDefaults(Examiner& examiner, const std::vector<Trial>& trials,
                                   ProfileStability& result) {
  std::vector<HoldRecord> alone;
  for (const Trial& trial : trials) {
    const HoldRecord guarded = examiner.keep(examiner.run(trial, 1.0, true));
    const HoldFigures& figures = guarded.figures;
    if (figures.contactTicks > 0) {
      result.passivityShare =
          std::max(result.passivityShare, static_cast<double>(figures.passivityTicks) /
                                              static_cast<double>(figures.contactTicks));
    }
    alone.push_back(guarded);
    if (!figures.hasPassivityActed) continue;
    alone.back() = examiner.keep(examiner.run(trial, 1.0, false));
  }
  // The largest excess over its limit: no run's is above what it is beside a silent ideal.
  std::vector<std::size_t> order(alone.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  const auto share = [&](std::size_t i) { return alone[i].excess() / alone[i].limit; };
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return share(a) > share(b); });
  // below this nobody asks how silent the ideal is
  constexpr double kSmallShare = 0.05;
  for (const std::size_t i : order) {
    if (share(i) <= std::max(result.excessRmsShare, kSmallShare)) {
      result.excessRmsShare = std::max(result.excessRmsShare, share(i));
      if (alone[i].isCalm) break;
    }
    alone[i] = examiner.against(alone[i]);
    examiner.keep(alone[i]);
    result.excessRmsShare = std::max(result.excessRmsShare, share(i));
  }
  for (const HoldRecord& record : alone)
    result.mostWork = std::max(result.mostWork, record.figures.work);
  return alone;
}

void findCritical(Examiner& examiner, const std::vector<Trial>& trials,
                  const std::vector<HoldRecord>& alone, ProfileStability& result) {
  const double most = mostFactor(result.defaults);
  std::optional<HoldRecord> worst;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const double below = worst ? worst->factor / kTolerance : most;
    HoldRecord failed = alone[i];
    double low = kLeastFactor;
    if (alone[i].isCalm) {
      if (below <= 1.0) continue;  // another one fails at the defaults
      failed = examiner.keep(examiner.run(trials[i], below, false));
      low = 1.0;
    } else if (below < 1.0) {
      failed = examiner.keep(examiner.run(trials[i], below, false));
    }
    if (failed.isCalm) continue;
    const HoldRecord first = failed;
    failed = examiner.leastFailing(trials[i], low, failed, false);
    if (Examiner::hangsOnIdeal(failed)) {
      failed = examiner.keep(examiner.against(failed));
      if (failed.isCalm) {
        const double excused = failed.factor;
        failed = examiner.keep(examiner.against(first));
        if (failed.isCalm) continue;
        failed = examiner.leastFailing(trials[i], excused, failed, true);
      }
    }
    worst = failed;
  }
  result.isBeyondRange = !worst.has_value();
  result.criticalFactor = worst ? worst->factor : most;
  if (worst) result.weakest = *worst;
}

/// From one end to the other by factors, the middle of a cell.
double along(double low, double high, int cell, int cells) {
  const double u = (cell + 0.5) / cells;
  return low * models::elementary::exp(u * models::elementary::log(high / low));
}

std::vector<RegionCell> regionOf(const ProfileStability& result, int cells) {
  std::vector<RegionCell> region;
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      RegionCell cell;
      cell.stiffness = along(kSoftest, kStiffest, column, cells);
      cell.damping = along(kLeastDamped, kMostDamped, row, cells);
      HoldCase how;
      how.profile = result.profile;
      how.parameters = result.defaults;
      how.parameters.isPassivityOn = false;
      how.parameters.stiffness = cell.stiffness;
      how.parameters.damping = cell.damping;
      how.grasp = Grasp::Bias;
      const HoldFigures figures = hold(how, nullptr, nullptr);
      const HoldLimits limits = limitsOf(how, figures);
      cell.isCalm =
          !figures.isInterrupted && figures.rms <= limits.excessRms && figures.work <= limits.work;
      region.push_back(cell);
    }
  }
  return region;
}

void examine(const StabilitySettings& settings, const RhinoPair* rhinos, ProfileStability& result) {
  std::unique_ptr<response::ContactScratch> scratch;
  if (rhinos != nullptr) {
    scratch = std::make_unique<response::ContactScratch>(
        std::span<const response::ContactSolid>(&rhinos->solid, 1));
  }
  const response::HandSetup setup = haptics::handSetupFor(result.profile);
  result.passiveRatio =
      response::adviceFor(setup.shifts, result.defaults.stiffness, result.defaults.damping)
          .passiveRatio;
  Examiner examiner(result, rhinos, scratch.get());
  const std::vector<Trial> trials = trialsOf(settings);
  const std::vector<HoldRecord> alone = atDefaults(examiner, trials, result);
  findCritical(examiner, trials, alone, result);
  if (settings.regionCells > 0) result.region = regionOf(result, settings.regionCells);
}

}  // namespace

double HoldRecord::excess() const noexcept {
  return std::max(0.0, figures.rms - idealRms);
}

std::string_view nameOf(Grasp grasp) noexcept {
  switch (grasp) {
    case Grasp::Bias:
      return "bias";
    case Grasp::Loose:
      return "loose";
    case Grasp::Normal:
      return "normal";
    case Grasp::Firm:
      return "firm";
  }
  return "?";
}

std::string describe(const HoldRecord& record) {
  return std::string(nameOf(record.shape)) + ", " + std::string(nameOf(record.grasp)) + " hand, " +
         (record.extraDelayTicks > 0 ? "a tick more" : "its own delay") + ", seed " +
         std::to_string(record.seed);
}

StabilitySettings stabilitySettings(bool quick) {
  StabilitySettings settings;
  for (const models::ShippedText& shipped : haptics::shippedProfiles())
    settings.profiles.emplace_back(shipped.name);
  settings.shapes.assign(kHeldShapes.begin(), kHeldShapes.end());
  if (quick) {
    settings.seeds = 1;
    settings.spheres = 2'000;
    settings.isPairShort = true;
  }
  return settings;
}

double mostFactor(const ForceParameters& parameters) noexcept {
  double most = 1e9;
  for (const response::ParameterRange& range : response::kForceParameterRanges) {
    const bool isRaised = range.value == &ForceParameters::stiffness ||
                          range.value == &ForceParameters::damping ||
                          range.value == &ForceParameters::turnStiffness ||
                          range.value == &ForceParameters::turnDamping;
    const double value = parameters.*range.value;
    if (isRaised && value > 0.0) most = std::min(most, range.high / value);
  }
  return most;
}

ForceParameters multiplied(ForceParameters parameters, double factor) noexcept {
  parameters.stiffness *= factor;
  parameters.damping *= factor;
  parameters.turnStiffness *= factor;
  parameters.turnDamping *= factor;
  return parameters;
}

models::Result<StabilityBenchmark> benchmarkStability(const StabilitySettings& settings) {
  StabilityBenchmark benchmark;
  benchmark.settings = settings;
  for (const std::string& name : settings.profiles) {
    models::Result<haptics::DeviceProfile> profile = haptics::findProfile(name);
    if (!profile) return profile.error();
    ProfileStability result;
    result.name = name;
    result.profile = std::move(profile).value();
    result.defaults = haptics::defaultParametersFor(result.profile);
    benchmark.profiles.push_back(std::move(result));
  }
  std::optional<RhinoPair> rhinos;
  if (std::ranges::find(settings.shapes, HeldShape::RhinoPair) != settings.shapes.end()) {
    models::Result<RhinoPair> made = makeRhinoPair(settings.spheres, settings.threads);
    if (!made) return made.error();
    rhinos = std::move(made).value();
  }
  models::parallelFor(benchmark.profiles.size(), 1, settings.threads,
                      [&](std::size_t begin, std::size_t end) {
                        for (std::size_t i = begin; i < end; ++i) {
                          examine(settings, rhinos ? &*rhinos : nullptr, benchmark.profiles[i]);
                          if (settings.onProfile) settings.onProfile(benchmark.profiles[i].name);
                        }
                      });
  return benchmark;
}

}  // namespace tactus::studies
