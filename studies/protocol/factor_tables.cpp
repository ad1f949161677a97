#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::inQuotes;
using models::nearestName;
using models::Reason;
using models::say;
using models::SceneValue;
using models::TomlTable;
using models::wordFor;

constexpr std::size_t kMostLevels = 8;  // letters stay readable, orders short

struct FactorWords {
  Words levels, labels;
  bool isBetween = false;
};

Keys keysOf(ProtocolFactor& f, FactorWords& words) {
  return {{"name", SceneValue(wordFor(f.kind, kFactorKindNames))},
          {"label", SceneValue(&f.facts.label)},
          {"levels", &words.levels},
          {"labels", &words.labels},
          {"between", SceneValue(&words.isBetween)},
          {"opposed", SceneValue(&f.isOpposed)}};
}

bool isLevelOf(ProtocolFile& file, FactorKind kind, const std::string& level, std::uint64_t line) {
  std::vector<std::string> known;
  const auto add = [&known](auto words) { known.assign(words.begin(), words.end()); };
  switch (kind) {
    case FactorKind::Dof:
      add(std::span(models::kSceneLevelNames));
      break;
    case FactorKind::Method:
      add(std::span(models::kSceneMethodNames));
      break;
    case FactorKind::Law:
      add(std::span(models::kSceneLawNames));
      break;
    case FactorKind::Hand:
      known = {std::string(kDominantHand), std::string(kOtherHand)};
      break;
    case FactorKind::Stiffness: {
      double value = 0.0;
      const auto [end, code] = std::from_chars(level.data(), level.data() + level.size(), value);
      if (code != std::errc() || end != level.data() + level.size() || !(value > 0.0))
        return file.fail(line, say("the level ", inQuotes(level), " is no stiffness in N/m"));
      return true;
    }
    case FactorKind::Device:
      return true;  // [[device]] says what it is
  }
  if (std::ranges::find(known, level) != known.end()) return true;
  const std::string nearest = nearestName(level, known);
  std::string sentence = say("there is no level ", inQuotes(level), " of this factor");
  if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
  return file.fail(line, sentence, Reason::UnknownName);
}

}  // namespace

TableKind factorTable() {
  ProtocolFactor factor;
  FactorWords words;
  return {"factor", true, namesOf(keysOf(factor, words))};
}

bool readFactors(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("factor")) {
    ProtocolFactor factor;
    FactorWords words;
    if (!file.take("factor", table->index, keysOf(factor, words), {"name", "levels"})) return false;
    const std::uint64_t line = file.lineOf("factor", table->index, "levels");
    if (words.levels.size() < 2 || words.levels.size() > kMostLevels) {
      return file.fail(line,
                       say("a factor has two to ", kMostLevels, " levels; one alone is no factor"));
    }
    if (!words.labels.empty() && words.labels.size() != words.levels.size()) {
      return file.fail(file.lineOf("factor", table->index, "labels"),
                       "there must be one label for each level");
    }
    factor.facts.name = kFactorKindNames[static_cast<std::size_t>(factor.kind)];
    if (factor.facts.label.empty()) factor.facts.label = factor.facts.name;
    factor.facts.isWithin = !words.isBetween;
    for (std::size_t k = 0; k < words.levels.size(); ++k) {
      if (std::ranges::count(words.levels, words.levels[k]) > 1)
        return file.fail(line, say("the level ", inQuotes(words.levels[k]), " is there twice"));
      if (!isLevelOf(file, factor.kind, words.levels[k], line)) return false;
      factor.facts.levels.push_back({words.levels[k], std::string(1, static_cast<char>('A' + k)),
                                     words.labels.empty() ? words.levels[k] : words.labels[k]});
    }
    for (const ProtocolFactor& other : p.factors) {
      if (other.kind == factor.kind)
        return file.fail(table->line, say("the factor '", factor.facts.name, "' is there twice"));
    }
    p.factors.push_back(std::move(factor));
  }
  return true;
}

}  // namespace tactus::studies
