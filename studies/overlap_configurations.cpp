#include "studies/overlap_configurations.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include "collision/cache/xxhash64.hpp"
#include "collision/exact/exact_distance.hpp"
#include "collision/exact/exact_overlap.hpp"
#include "models/builtin.hpp"
#include "models/files/words.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/report/mass_properties.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

using collision::ExactBody;
using models::Error;
using models::Found;
using models::Reason;
using models::Result;

// A step inward is this part of the way from apart to concentric: finer ones find more shallow
// places of hollow shapes, and take longer.
constexpr int kStepsInward = 24;

// Halving 24 times leaves nothing of a step; false position takes about six.
constexpr int kMostRefinements = 24;

// Some directions have no place for a large overlap, as a ring's axis has.
constexpr int kMostDirections = 64;

constexpr int kDecimals = 12;

std::string decimals(double value) {
  std::array<char, 40> text{};
  const auto [end, code] = std::to_chars(text.data(), text.data() + text.size(), value,
                                         std::chars_format::general, kDecimals);
  return {text.data(), end};
}

/// What is left of a number once it was written.
double asWritten(double value) {
  const std::string text = decimals(value);
  double read = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return read;
}

std::string shortest(double value) {
  std::array<char, 40> text{};
  const auto [end, code] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

/// Of B with this rotation, its middle `apart` from A's along `direction`.
OverlapConfiguration standing(const ExactBody& a, const ExactBody& b, const WantedStand& wanted,
                              const Eigen::Quaterniond& turn, const Eigen::Vector3d& direction,
                              double apart) {
  const Eigen::Vector3d middleA = a.mesh.origin + a.bounds.centre();
  const Eigen::Vector3d middleB = b.mesh.origin + b.bounds.centre();
  const Eigen::Vector3d shift = middleA + apart * direction - turn * middleB;
  OverlapConfiguration configuration;
  configuration.wanted = wanted;
  configuration.pose = {asWritten(shift.x()), asWritten(shift.y()), asWritten(shift.z()),
                        asWritten(turn.w()),  asWritten(turn.x()),  asWritten(turn.y()),
                        asWritten(turn.z())};
  return configuration;
}

Error notRight(std::int64_t line, const std::string& what) {
  return {Reason::Malformed, line,
          "Line " + std::to_string(line) + " of the configurations: " + what + "."};
}

/// "rhino@20000"
Result<models::Mesh> makeNamed(const std::string& label) {
  const std::size_t at = label.find('@');
  std::size_t triangles = models::kDefaultTriangles;
  if (at != std::string::npos)
    std::from_chars(label.data() + at + 1, label.data() + label.size(), triangles);
  return models::makeBuiltin(std::string_view(label).substr(0, at), triangles);
}

/// The numbers of a line behind its class.
bool readNumbers(models::Words& words, OverlapConfiguration& configuration) {
  for (double& value : configuration.pose) {
    if (words.number(value) != Found::Value || !std::isfinite(value)) return false;
  }
  const bool hasExact = words.number(configuration.exact) == Found::Value;
  const double norm = Eigen::Map<const Eigen::Vector4d>(configuration.pose.data() + 3).norm();
  return hasExact && std::isfinite(configuration.exact) && std::abs(norm - 1.0) < 1e-6 &&
         words.done();
}

}  // namespace

std::string nameOf(const WantedStand& wanted) {
  return (wanted.kind == WantedStand::Kind::Gap ? "d" : "v") + shortest(wanted.share);
}

std::optional<WantedStand> standFromName(std::string_view name) {
  if (name.empty() || (name.front() != 'd' && name.front() != 'v')) return std::nullopt;
  WantedStand wanted;
  wanted.kind = name.front() == 'd' ? WantedStand::Kind::Gap : WantedStand::Kind::Overlap;
  const auto [end, code] =
      std::from_chars(name.data() + 1, name.data() + name.size(), wanted.share);
  const bool isShare = code == std::errc() && end == name.data() + name.size() &&
                       wanted.share > 0.0 && wanted.share < 1.0;
  return isShare ? std::optional(wanted) : std::nullopt;
}

std::vector<WantedStand> benchmarkStands() {
  using Kind = WantedStand::Kind;
  return {{Kind::Gap, 0.01},     {Kind::Gap, 0.05},     {Kind::Overlap, 0.001},
          {Kind::Overlap, 0.01}, {Kind::Overlap, 0.03}, {Kind::Overlap, 0.1}};
}

Eigen::Isometry3d OverlapConfiguration::aFromB() const {
  Eigen::Isometry3d isometry = Eigen::Isometry3d::Identity();
  isometry.linear() =
      Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized().toRotationMatrix();
  isometry.translation() = Eigen::Vector3d(pose[0], pose[1], pose[2]);
  return isometry;
}

ConfigurationFinder::ConfigurationFinder(const ExactBody& a, const ExactBody& b)
    : a_(a),
      b_(b),
      smallerDiagonal_(std::min(a.bounds.diagonal(), b.bounds.diagonal())),
      smallerVolume_(std::min(models::massProperties(a.mesh, 1).volume,
                              models::massProperties(b.mesh, 1).volume)),
      // one is within half a diagonal of its middle, and so is the other
      farApart_(0.5 * (a.bounds.diagonal() + b.bounds.diagonal())) {}

double ConfigurationFinder::measure(WantedStand::Kind kind, const Eigen::Isometry3d& aFromB) const {
  if (kind == WantedStand::Kind::Gap) return collision::exactDistance(a_, b_, aFromB, 1).distance;
  return collision::exactOverlap(a_, b_, aFromB, 1).volume;
}

double ConfigurationFinder::excessOf(const OverlapConfiguration& configuration) const {
  const double aim = configuration.wanted.share * whole(configuration.wanted.kind);
  return configuration.wanted.kind == WantedStand::Kind::Gap ? aim - configuration.exact
                                                             : configuration.exact - aim;
}

std::optional<OverlapConfiguration> ConfigurationFinder::find(const WantedStand& wanted,
                                                              std::uint64_t seed) const {
  const double aim = wanted.share * whole(wanted.kind);
  RandomStream random(seed);
  for (int attempt = 0; attempt < kMostDirections; ++attempt) {
    Line line;
    line.turn = random.rotation();
    line.direction = random.direction();
    line.outer = farApart_ + (wanted.kind == WantedStand::Kind::Gap ? 2.0 * aim : 0.0);
    line.step = line.outer / kStepsInward;
    line.excessOutside = -aim;
    if (const std::optional<OverlapConfiguration> found = findOn(wanted, line)) return found;
  }
  return std::nullopt;
}

std::optional<OverlapConfiguration> ConfigurationFinder::findFrom(
    const WantedStand& wanted, const Eigen::Quaterniond& turn, const Eigen::Vector3d& place) const {
  Line line;
  line.turn = turn;
  line.outer = place.norm();
  line.step = farApart_ / kStepsInward;
  if (!(line.outer > 0.0)) return std::nullopt;
  line.direction = place / line.outer;
  OverlapConfiguration there = standing(a_, b_, wanted, turn, line.direction, line.outer);
  there.exact = measure(wanted.kind, there.aFromB());
  line.excessOutside = excessOf(there);
  if (!(line.excessOutside < 0.0)) return std::nullopt;
  return findOn(wanted, line);
}

std::optional<OverlapConfiguration> ConfigurationFinder::findOn(const WantedStand& wanted,
                                                                const Line& line) const {
  const double aim = wanted.share * whole(wanted.kind);
  OverlapConfiguration found;
  const auto excess = [&](double apart) {
    found = standing(a_, b_, wanted, line.turn, line.direction, apart);
    found.exact = measure(wanted.kind, found.aFromB());
    return excessOf(found);
  };
  double outer = line.outer;
  double excessOutside = line.excessOutside;
  double inner = outer;
  double excessInside = excessOutside;
  while (inner > 0.0 && excessInside < 0.0) {
    outer = inner;
    excessOutside = excessInside;
    inner = std::max(0.0, inner - line.step);
    excessInside = excess(inner);
  }
  if (excessInside < 0.0) return std::nullopt;
  if (std::abs(found.exact - aim) <= kShareTolerance * aim) return found;
  int side = 0;  // of the last place: the end that stays twice counts half, so that both move
  for (int k = 0; k < kMostRefinements; ++k) {
    const bool halves = k % 4 == 3;  // secures the progress where the overlap bends sharply
    const double share = halves ? 0.5 : excessInside / (excessInside - excessOutside);
    const double middle = inner + share * (outer - inner);
    const double value = excess(middle);
    if (std::abs(found.exact - aim) <= kShareTolerance * aim) return found;
    if (value > 0.0) {
      inner = middle;
      excessInside = value;
      if (side == 1) excessOutside *= 0.5;
      side = 1;
    } else {
      outer = middle;
      excessOutside = value;
      if (side == -1) excessInside *= 0.5;
      side = -1;
    }
  }
  return std::nullopt;
}

std::uint64_t seedOf(const ConfigurationSet& set, const WantedStand& wanted, std::size_t number) {
  const std::string place =
      set.a + ' ' + set.b + ' ' + nameOf(wanted) + ' ' + std::to_string(number);
  return collision::xxhash64(std::as_bytes(std::span(place)), set.seed);
}

std::optional<OverlapConfiguration> findCandidate(const ConfigurationFinder& finder,
                                                  const ConfigurationPlan& plan,
                                                  std::size_t candidate) {
  const ConfigurationSet set{plan.a, plan.b, plan.seed, {}};
  const WantedStand& wanted = plan.standOf(candidate);
  const std::size_t number = candidate % (plan.candidates() / plan.stands.size());
  if (plan.method == ConfigurationMethod::Sphere)
    return finder.find(wanted, seedOf(set, wanted, number));
  const std::size_t perRotation = plan.cells * plan.cells * plan.cells;
  const Eigen::Quaterniond turn =
      RandomStream(seedOf(set, wanted, number / perRotation)).rotation();
  Eigen::Vector3d place;
  std::size_t cell = number % perRotation;
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = static_cast<double>(cell % plan.cells) + 0.5;
    place(axis) = finder.farApart() * (2.0 * middle / static_cast<double>(plan.cells) - 1.0);
    cell /= plan.cells;
  }
  return finder.findFrom(wanted, turn, place);
}

Result<PlannedBodies> bodiesOf(const ConfigurationPlan& plan, unsigned threads) {
  PlannedBodies bodies;
  for (const auto& [body, name] : {std::pair(&bodies.a, &plan.a), std::pair(&bodies.b, &plan.b)}) {
    Result<models::Mesh> mesh = makeNamed(*name);
    if (!mesh) return mesh.error();
    *body = std::make_unique<ExactBody>(std::move(mesh).value(), std::vector<Eigen::Vector3f>(),
                                        threads);
  }
  return bodies;
}

Result<ConfigurationSet> setOf(const ConfigurationPlan& plan,
                               const std::vector<std::optional<OverlapConfiguration>>& found) {
  ConfigurationSet set{plan.a, plan.b, plan.seed, {}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const std::optional<OverlapConfiguration>& configuration = found[i]) {
      set.configurations.push_back(*configuration);
    } else if (plan.method == ConfigurationMethod::Sphere) {
      return Error{Reason::BadValue, static_cast<std::int64_t>(i),
                   "No pose of " + plan.a + " and " + plan.b + " was found for the class " +
                       nameOf(plan.standOf(i)) + "."};
    }
  }
  return set;
}

Result<ConfigurationSet> findConfigurations(const ConfigurationPlan& plan, unsigned threads,
                                            const std::function<void(std::size_t)>& onFound) {
  const Result<PlannedBodies> bodies = bodiesOf(plan, threads);
  if (!bodies) return bodies.error();
  const ConfigurationFinder finder(*bodies.value().a, *bodies.value().b);
  std::vector<std::optional<OverlapConfiguration>> found(plan.candidates());
  std::atomic<std::size_t> done = 0;
  models::parallelFor(found.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      found[i] = findCandidate(finder, plan, i);
      const std::size_t sofar = ++done;
      if (onFound) onFound(sofar);
    }
  });
  return setOf(plan, found);
}

std::vector<ConfigurationPlan> benchmarkPlans() {
  struct Pair {
    const char* a;
    const char* b;
    std::size_t poses;
  };
  // Round and thin, smooth and sharp, alike and unlike in size; of the large ones fewer poses,
  // because each takes seconds to find.
  constexpr std::array kPairs = {
      Pair{"rhino@20000", "bear@20000", 24},     Pair{"monkey@20000", "turtle@20000", 24},
      Pair{"gear@20000", "gear-mate@20000", 24}, Pair{"bolt@20000", "nut@20000", 24},
      Pair{"hand-left@20000", "well@20000", 24}, Pair{"rhino@100000", "rabbit@100000", 16},
      Pair{"bolt@100000", "gear@100000", 16},    Pair{"hand-right@100000", "duck@100000", 16},
  };
  std::vector<ConfigurationPlan> plans;
  plans.reserve(kPairs.size());
  for (const Pair& pair : kPairs) {
    plans.push_back(
        {.a = pair.a, .b = pair.b, .stands = benchmarkStands(), .posesPerStand = pair.poses});
  }
  return plans;
}

namespace {
constexpr std::string_view kFirstLine = "tactus-configurations 1";
}

std::string textOf(const std::vector<ConfigurationSet>& sets) {
  std::string text(kFirstLine);
  text +=
      "\n# Poses of B in A's frame [m]: dX with a gap of X of the smaller box diagonal, vX with "
      "an\n"
      "# overlap of X of the smaller volume, by the exact reference: EXACT in m and m^3.\n"
      "# CLASS tx ty tz qw qx qy qz EXACT\n";
  for (const ConfigurationSet& set : sets) {
    text += "pair " + set.a + ' ' + set.b + " seed " + std::to_string(set.seed) + '\n';
    for (const OverlapConfiguration& configuration : set.configurations) {
      text += nameOf(configuration.wanted);
      for (const double value : configuration.pose)
        text += ' ' + decimals(value);
      text += ' ' + decimals(configuration.exact) + '\n';
    }
  }
  return text;
}

Result<std::vector<ConfigurationSet>> readConfigurations(std::string_view text) {
  std::vector<ConfigurationSet> sets;
  std::int64_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (number == 1) {
      if (line != kFirstLine) return notRight(1, "it is not '" + std::string(kFirstLine) + "'");
      continue;
    }
    models::Words words(line);
    const std::string_view first = words.next();
    if (first.empty() || first.front() == '#') continue;
    if (first == "pair") {
      ConfigurationSet set;
      set.a = words.next();
      set.b = words.next();
      std::int64_t seed = -1;
      if (set.b.empty() || words.next() != "seed" || words.integer(seed) != Found::Value ||
          seed < 0 || !words.done()) {
        return notRight(number, "it is not 'pair A B seed N'");
      }
      set.seed = static_cast<std::uint64_t>(seed);
      sets.push_back(std::move(set));
      continue;
    }
    const std::optional<WantedStand> wanted = standFromName(first);
    if (!wanted) return notRight(number, "'" + std::string(first) + "' is no class");
    if (sets.empty()) return notRight(number, "no pair was named before it");
    OverlapConfiguration configuration;
    configuration.wanted = *wanted;
    if (!readNumbers(words, configuration)) {
      return notRight(number, "a class is followed by a pose and one more number");
    }
    sets.back().configurations.push_back(configuration);
  }
  if (number == 0) return notRight(1, "there is nothing");
  return sets;
}

}  // namespace tactus::studies
