// What a protocol says to who analyses its data.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/files/toml_entries.hpp"
#include "models/mesh/wording.hpp"
#include "studies/measures/measure_columns.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {
namespace {

using models::say;

std::string shortNumber(double number) {
  std::string text = models::tomlNumber(number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// "3 min", "45 s".
std::string lasting(double seconds) {
  const double minutes = seconds / 60.0;
  const bool areWhole = minutes >= 1.0 && minutes == std::floor(minutes);
  return areWhole ? say(shortNumber(minutes), " min") : say(shortNumber(seconds), " s");
}

std::string goalOf(const ProtocolTask& task) {
  constexpr double kMillimetres = 1e3, kDegrees = 57.295779513082323;
  const auto near = [&task] {
    return say(" (within ", shortNumber(task.withinDistance * kMillimetres), " mm and ",
               shortNumber(std::round(task.withinAngle * kDegrees * 10.0) / 10.0), "\u00b0, for ",
               lasting(task.holdSeconds), ")");
  };
  switch (task.kind) {
    case TaskKind::Pocket:
      return "Each player pushes objects into a well of their own; what lies in it at the end of a "
             "round counts.";
    case TaskKind::Dock:
      return say("The object in the hand is brought to a given place and held there", near(), ".");
    case TaskKind::Join:
      return say("The objects in both hands are brought together at given places and held there",
                 near(), ".");
    case TaskKind::Press:
      return "An object is pressed down twice, each time against another stiffness; then the "
             "question is which of the two felt stiffer.";
  }
  return {};
}

std::string roundsOf(const StudyProtocol& protocol, const ProtocolBlock& block) {
  std::string line = say("Block '", block.name, "'", block.isPractice ? " (practice)" : "", ": ");
  const bool hasStimuli = protocol.psychophysics && !block.isPractice &&
                          protocol.psychophysics->method == PsychophysicsMethod::ConstantStimuli;
  line += hasStimuli ? say(protocol.psychophysics->comparisons.size(), " comparisons, each ",
                           protocol.psychophysics->repeats, " times,")
                     : models::counted(block.trials, "round", "rounds");
  line += say(" of at most ", lasting(block.limitSeconds));
  if (block.ends == BlockEnd::EachPocketed) line += ", until everybody has pocketed something";
  if (block.ends == BlockEnd::Success) line += ", until it is done";
  if (block.mostAttempts > 1) line += say(", up to ", block.mostAttempts, " attempts");
  if (block.breakSeconds > 0.0) line += say("; then a break of ", lasting(block.breakSeconds));
  return line + ".";
}

std::string questionsOf(const StudyProtocol& protocol) {
  std::string line;
  const auto add = [&](ItemTime when, const char* then) {
    const auto count = std::ranges::count(protocol.items, when, &ProtocolItem::when);
    if (count == 0) return;
    line += say(line.empty() ? "" : ", ", static_cast<std::size_t>(count), " ", then);
  };
  add(ItemTime::Begin, "at the beginning");
  add(ItemTime::Period, "after each period");
  add(ItemTime::End, "at the end");
  return line.empty() ? line : say("Questions to each participant: ", line, ".");
}

/// What was done, for who was not there.
std::vector<std::string> procedureOf(const StudyProtocol& protocol) {
  std::vector<std::string> said;
  said.push_back(protocol.players == 2
                     ? std::string("Two play each round, one under each condition; then they swap "
                                   "seats, and play under the other one.")
                     : std::string("One plays at a time, in each period under one condition; in "
                                   "which order, the plan balances."));
  said.push_back(goalOf(protocol.task));
  std::string scene = say("The scene is '", protocol.scene.name, "'");
  if (protocol.spheres != 0)
    scene += say("; its models have at most ", protocol.spheres, " spheres");
  if (protocol.triangles != 0) {
    scene += say(protocol.spheres != 0 ? " and " : "; its models have at most ", protocol.triangles,
                 " triangles");
  }
  said.push_back(scene + ".");
  for (const ProtocolBlock& block : protocol.blocks)
    said.push_back(roundsOf(protocol, block));
  if (std::string questions = questionsOf(protocol); !questions.empty())
    said.push_back(std::move(questions));
  return said;
}

}  // namespace

StudyFacts factsOf(const StudyProtocol& protocol, std::uint32_t participants, std::uint64_t seed,
                   bool isSimulated, std::string_view version) {
  StudyFacts facts;
  facts.protocol = protocol.name;
  facts.title = protocol.title;
  facts.protocolHash = protocol.hash;
  facts.softwareVersion = version;
  facts.seed = seed;
  facts.isSimulated = isSimulated;
  facts.isPlayedInPairs = protocol.players == 2;
  facts.alpha = protocol.alpha;
  facts.participantsPlanned = participants;
  for (const ProtocolFactor& factor : protocol.factors)
    facts.factors.push_back(factor.facts);
  facts.measures = measureColumns();
  for (const ProtocolItem& item : protocol.items)
    facts.items.push_back(item.item);
  facts.outcomes = protocol.outcomes;
  for (const ExclusionRule& rule : protocol.exclusions)
    facts.exclusionRules.push_back(rule.rule);
  facts.procedure = procedureOf(protocol);
  return facts;
}

}  // namespace tactus::studies
