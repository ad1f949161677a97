#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/study_commands.hpp"
#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "studies/power/stated_effects.hpp"
#include "studies/power/study_power.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::app {
namespace {

using models::Result;
using studies::Outcome;
using studies::PowerCase;
using studies::PowerPoint;
using studies::StudyProtocol;

// Even, for pairs; beyond the last a study takes months.
constexpr std::array<std::uint32_t, 9> kParticipants = {8, 12, 16, 20, 24, 32, 40, 48, 64};
constexpr std::uint32_t kStudies = 2000;
constexpr double kWanted = 0.8;

/// What is asked of an outcome, its curve, and the name of its test.
struct OutcomePower {
  Outcome outcome;
  PowerCase asked;
  std::vector<PowerPoint> curve;
};

std::size_t contrastsOf(const StudyProtocol& protocol, const std::string& factor) {
  for (const studies::ProtocolFactor& one : protocol.factors) {
    const std::size_t levels = one.facts.levels.size();
    if (one.facts.name == factor) return levels * (levels - 1) / 2;
  }
  return 1;
}

/// How many p values are corrected together with that of an outcome.
std::size_t familyOf(const StudyProtocol& protocol, const Outcome& outcome) {
  if (outcome.family.empty()) return 1;
  std::size_t size = 0;
  for (const Outcome& other : protocol.outcomes) {
    if (other.family == outcome.family) size += contrastsOf(protocol, other.factor);
  }
  return size;
}

std::uint32_t trialsOf(const StudyProtocol& protocol, const Outcome& outcome) {
  if (outcome.source == studies::OutcomeSource::Answer) return 1;
  std::uint32_t trials = 0;
  for (const studies::ProtocolBlock& block : protocol.blocks) {
    if (block.isPractice == outcome.isOfPractice) trials += block.trials;
  }
  return std::max(1U, trials);
}

PowerCase caseOf(const StudyProtocol& protocol, const studies::StatedEffect& effect,
                 const Outcome& outcome) {
  PowerCase asked;
  asked.effect = effect;
  asked.scale = outcome.scale;
  asked.equivalence = outcome.equivalence;
  asked.isPlayedInPairs = protocol.players == 2;
  asked.trials = trialsOf(protocol, outcome);
  asked.alpha = protocol.alpha;
  asked.family = familyOf(protocol, outcome);
  return asked;
}

const char* testOf(const PowerCase& asked) {
  if (asked.equivalence) return "equivalence (two one-sided t)";
  if (asked.scale == studies::OutcomeScale::Ordinal) return "signed rank";
  if (asked.scale == studies::OutcomeScale::Time) return "paired Prentice-Wilcoxon";
  return "one-sample t";
}

/// The fewest participants that suffice, with the correction of the family; 0 if none do.
std::uint32_t enough(const OutcomePower& power) {
  const auto found = std::ranges::find_if(
      power.curve, [](const PowerPoint& point) { return point.strictest >= kWanted; });
  return found == power.curve.end() ? 0 : found->participants;
}

Json powerJson(const StudyProtocol& protocol, const std::vector<OutcomePower>& powers) {
  Json outcomes = Json::array();
  for (const OutcomePower& power : powers) {
    Json curve = Json::array();
    for (const PowerPoint& point : power.curve) {
      curve.push_back({{"participants", point.participants},
                       {"power", point.power},
                       {"low", point.low},
                       {"high", point.high},
                       {"power_strictest", point.strictest}});
    }
    const std::uint32_t fewest = enough(power);
    outcomes.push_back({{"outcome", power.outcome.name},
                        {"label", power.outcome.label},
                        {"basis", power.asked.effect.basis},
                        {"difference", power.asked.effect.difference},
                        {"test", testOf(power.asked)},
                        {"trials", power.asked.trials},
                        {"family_size", power.asked.family},
                        {"curve", curve},
                        {"participants_for_0.8", fewest == 0 ? Json(nullptr) : Json(fewest)}});
  }
  return {{"protocol", protocol.name},
          {"hash", protocol.hash},
          {"alpha", protocol.alpha},
          {"unit_of_analysis", protocol.players == 2 ? "pair" : "participant"},
          {"studies", kStudies},
          {"seed", protocol.seed},
          {"outcomes", outcomes}};
}

void printTable(const std::vector<OutcomePower>& powers) {
  fmt::print("{:<40}", "participants");
  for (const std::uint32_t participants : kParticipants)
    fmt::print(" {:>5}", participants);
  fmt::print("\n");
  for (const OutcomePower& power : powers) {
    fmt::print("{:<40}", power.outcome.label);
    for (const PowerPoint& point : power.curve)
      fmt::print(" {:>5.2f}", point.power);
    fmt::print("  {}\n", testOf(power.asked));
    if (power.asked.family > 1) {
      fmt::print("{:<40}", fmt::format("  at alpha / {}, first in its family", power.asked.family));
      for (const PowerPoint& point : power.curve)
        fmt::print(" {:>5.2f}", point.strictest);
      fmt::print("\n");
    }
    fmt::print("  stated: {}\n", power.asked.effect.basis);
  }
  fmt::print("Shares of {} made-up studies; each is off by up to 0.02.\n", kStudies);
}

}  // namespace

ExitCode runStudyPower(const StudyPowerRequest& request) {
  const Result<StudyProtocol> read = studies::findProtocol(request.protocol);
  if (!read) {
    complain(read.error().sentence);
    return ExitCode::BadInput;
  }
  const StudyProtocol& protocol = read.value();
  const models::FileLabel label(protocol.file);
  const Result<models::TomlText> toml = models::readToml(protocol.text, label);
  const Result<std::vector<studies::StatedEffect>> effects =
      toml ? studies::statedEffects(toml.value(), label) : toml.error();
  if (!effects) {
    complain(effects.error().sentence);
    return ExitCode::BadInput;
  }
  if (effects.value().empty()) {
    complain(
        fmt::format("{}: the protocol states no effects; add a table [[power]] for an "
                    "outcome, as in the shipped protocol dof-game.",
                    label.text()));
    return ExitCode::BadInput;
  }
  std::vector<OutcomePower> powers;
  for (const studies::StatedEffect& effect : effects.value()) {
    for (const Outcome& outcome : protocol.outcomes) {
      if (outcome.name != effect.outcome || outcome.scale == studies::OutcomeScale::Kinds) continue;
      OutcomePower power{
          .outcome = outcome, .asked = caseOf(protocol, effect, outcome), .curve = {}};
      power.curve = studies::powerCurve(power.asked, kParticipants, kStudies, protocol.seed);
      powers.push_back(std::move(power));
    }
  }
  if (request.asJson) {
    printJson(powerJson(protocol, powers));
  } else {
    printTable(powers);
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
