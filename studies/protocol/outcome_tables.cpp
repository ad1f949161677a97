#include <algorithm>
#include <array>
#include <utility>

#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/measures/measure_columns.hpp"
#include "studies/power/stated_effects.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::inQuotes;
using models::OptionalReal;
using models::Result;
using models::say;
using models::SceneValue;
using models::TomlTable;
using models::wordFor;

constexpr std::array<std::string_view, 3> kSources = {"measure", "answer", "counts"};
constexpr std::array<std::string_view, 4> kScales = {"interval", "ordinal", "time", "kinds"};

Keys keysOf(Outcome& o, Numbers& bounds) {
  return {{"name", SceneValue(&o.name)},
          {"label", SceneValue(&o.label)},
          {"source", SceneValue(wordFor(o.source, kSources))},
          {"scale", SceneValue(wordFor(o.scale, kScales))},
          {"factor", SceneValue(&o.factor)},
          {"family", SceneValue(&o.family)},
          {"primary", SceneValue(&o.isPrimary)},
          {"practice", SceneValue(&o.isOfPractice)},
          {"equivalence", &bounds}};
}

Keys keysOf(ExclusionRule& r) {
  return {{"rule", SceneValue(&r.rule)},
          {"measure", SceneValue(&r.measure)},
          {"below", SceneValue(OptionalReal{r.below, -1e9, 1e9})},
          {"above", SceneValue(OptionalReal{r.above, -1e9, 1e9})}};
}

bool isItem(const StudyProtocol& p, const std::string& name) {
  return std::ranges::any_of(p.items,
                             [&](const ProtocolItem& item) { return item.item.name == name; });
}

}  // namespace

std::vector<TableKind> outcomeTables() {
  Outcome outcome;
  Numbers bounds;
  ExclusionRule rule;
  return {{"outcome", true, namesOf(keysOf(outcome, bounds))},
          {"exclusion", true, namesOf(keysOf(rule))}};
}

bool readOutcomes(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("outcome")) {
    Outcome outcome;
    Numbers bounds;
    if (!file.take("outcome", table->index, keysOf(outcome, bounds), {"name", "label", "factor"}))
      return false;
    if (!bounds.empty()) {
      if (bounds.size() != 2 || !(bounds[0] < bounds[1])) {
        return file.fail(file.lineOf("outcome", table->index, "equivalence"),
                         "'outcome.equivalence' must be two numbers, the lower one first");
      }
      outcome.equivalence = EquivalenceBounds{bounds[0], bounds[1]};
    }
    Words known;
    if (outcome.source == OutcomeSource::Measure) {
      for (const MeasureColumn& column : measureColumns())
        known.push_back(column.name);
    } else if (outcome.source == OutcomeSource::Answer) {
      for (const ProtocolItem& item : p.items)
        known.push_back(item.item.name);
    } else {
      known = {"pocketed"};
    }
    const std::uint64_t nameLine = file.lineOf("outcome", table->index, "name");
    if (outcome.source != OutcomeSource::Answer &&
        std::ranges::find(known, outcome.name) == known.end() && isItem(p, outcome.name)) {
      return file.fail(nameLine, say("the outcome ", inQuotes(outcome.name),
                                     " is an item; set source = \"answer\""));
    }
    if (!file.isKnown(outcome.name, known, nameLine, "outcome")) return false;
    Words factors;
    for (const ProtocolFactor& one : p.factors)
      factors.push_back(one.facts.name);
    if (!file.isKnown(outcome.factor, factors, file.lineOf("outcome", table->index, "factor"),
                      "factor"))
      return false;
    const bool isTwice = std::ranges::any_of(p.outcomes, [&](const Outcome& other) {
      return other.name == outcome.name && other.source == outcome.source &&
             other.factor == outcome.factor && other.isOfPractice == outcome.isOfPractice;
    });
    if (isTwice) {
      return file.fail(file.lineOf("outcome", table->index, "name"),
                       say("the outcome ", inQuotes(outcome.name),
                           " is declared twice; leave one out, or every test would count double"));
    }
    p.outcomes.push_back(std::move(outcome));
  }
  if (!p.factors.empty() &&
      std::ranges::none_of(p.outcomes, [](const Outcome& o) { return o.isPrimary; })) {
    return file.fail(file.lineOfFirst("outcome"),
                     "no outcome is primary; set primary = true of one [[outcome]]");
  }
  return true;
}

/// Who asks for the power reads them again; here they are only checked.
bool checkEffects(ProtocolFile& file, const StudyProtocol& p) {
  const Result<std::vector<StatedEffect>> effects = statedEffects(file.toml(), file.label());
  if (!effects) {
    return file.fail(effects.error());
  }
  Words known;
  for (const Outcome& outcome : p.outcomes) {
    if (outcome.scale != OutcomeScale::Kinds) known.push_back(outcome.name);
  }
  for (std::size_t i = 0; i < effects.value().size(); ++i) {
    if (!file.isKnown(effects.value()[i].outcome, known, file.lineOf("power", i, "outcome"),
                      "outcome"))
      return false;
  }
  return true;
}

bool readExclusions(ProtocolFile& file, StudyProtocol& p) {
  Words measures;
  for (const MeasureColumn& column : measureColumns())
    measures.push_back(column.name);
  for (const TomlTable* table : file.tables("exclusion")) {
    ExclusionRule rule;
    if (!file.take("exclusion", table->index, keysOf(rule), {"rule"})) return false;
    if (!rule.measure.empty() &&
        !file.isKnown(rule.measure, measures, file.lineOf("exclusion", table->index, "measure"),
                      "measure"))
      return false;
    if (!rule.measure.empty() && !rule.below && !rule.above)
      return file.fail(table->line, "'exclusion.measure' needs 'below' or 'above'");
    p.exclusions.push_back(std::move(rule));
  }
  return true;
}

}  // namespace tactus::studies
