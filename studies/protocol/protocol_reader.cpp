#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "collision/cache/xxhash64.hpp"
#include "haptics/devices/device_spec.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "haptics/session/scene_session.hpp"
#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/measures/measure_columns.hpp"
#include "studies/power/stated_effects.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {
namespace {

using models::Error;
using models::FileLabel;
using models::inQuotes;
using models::nearestName;
using models::OptionalReal;
using models::PlaceValue;
using models::RealValue;
using models::Reason;
using models::Result;
using models::say;
using models::SceneValue;
using models::TomlEntry;
using models::TomlTable;
using models::TomlText;
using models::wholeFor;
using models::wordFor;

constexpr double kMostPlace = 100.0;         // [m]
constexpr double kLongest = 3600.0;          // of a trial [s]
constexpr std::uint64_t kMostTrials = 1000;  // of a block: a day
constexpr std::size_t kMostLevels = 8;       // letters stay readable, orders short
constexpr std::size_t kMostConditions = 12;
constexpr double kLeastComparison = 10.0, kMostComparison = 1e4;  // [N/m], as the reference
constexpr std::uint64_t kFewestTriangles = 1000, kMostTriangles = 1'000'000;

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;
/// What a protocol has beyond a scene: lists of any length.
using Value = std::variant<SceneValue, Words*, Numbers*>;
struct Key {
  std::string_view name;
  Value value;
};
using Keys = std::vector<Key>;

struct FactorWords {
  Words levels, labels;
  bool isBetween = false;
};

constexpr std::array<std::string_view, 3> kSources = {"measure", "answer", "counts"};
constexpr std::array<std::string_view, 4> kScales = {"interval", "ordinal", "time", "kinds"};
constexpr std::array<std::string_view, 3> kAnswers = {"likert", "tlx", "text"};

struct DeviceWords {
  std::optional<std::size_t> dof;
};

/// What participants read, a paragraph each.
struct TopWords {
  Words consent, instructions;
};

Keys keysOf(StudyProtocol& p, TopWords& words) {
  return {{"title", SceneValue(&p.title)},
          {"instructions_version", SceneValue(&p.instructionsVersion)},
          {"consent", &words.consent},
          {"instructions", &words.instructions},
          {"scene", SceneValue(&p.sceneName)},
          {"seed", SceneValue(wholeFor(p.seed, 0, 1'000'000'000))},
          {"players", SceneValue(wholeFor(p.players, 1, 2))},
          {"alpha", SceneValue(RealValue{p.alpha, 1e-4, 0.5})},
          {"spheres", SceneValue(wholeFor(p.spheres, 10, 10'000'000))},
          {"triangles", SceneValue(wholeFor(p.triangles, kFewestTriangles, kMostTriangles))}};
}
Keys keysOf(ProtocolFactor& f, FactorWords& words) {
  return {{"name", SceneValue(wordFor(f.kind, kFactorKindNames))},
          {"label", SceneValue(&f.facts.label)},
          {"levels", &words.levels},
          {"labels", &words.labels},
          {"between", SceneValue(&words.isBetween)},
          {"opposed", SceneValue(&f.isOpposed)}};
}
Keys keysOf(ProtocolDevice& d, DeviceWords& words) {
  return {{"level", SceneValue(&d.level)},
          {"profile", SceneValue(&d.profile)},
          {"dof", SceneValue(models::WordValue{[&words](std::size_t k) { words.dof = k; },
                                               models::kSceneLevelNames})},
          {"devices", &d.specs}};
}
Keys keysOf(ProtocolTask& t) {
  return {{"kind", SceneValue(wordFor(t.kind, kTaskKindNames))},
          {"within_m", SceneValue(RealValue{t.withinDistance, 1e-5, 1.0})},
          {"within_rad", SceneValue(RealValue{t.withinAngle, 1e-3, 4.0})},
          {"hold_s", SceneValue(RealValue{t.holdSeconds, 0.0, 10.0})}};
}
Keys keysOf(TaskTarget& t) {
  return {{"hand", SceneValue(wordFor(t.hand, models::kHandNames))},
          {"position_m", SceneValue(PlaceValue{t.position, kMostPlace})},
          {"orientation", SceneValue(models::TurnValue{t.orientation})},
          {"approach_m", SceneValue(PlaceValue{t.approach, kMostPlace})}};
}
Keys keysOf(TaskWell& w) {
  return {{"side", SceneValue(&w.side)},
          {"body", SceneValue(&w.body)},
          {"radius_m", SceneValue(RealValue{w.radius, 1e-3, 10.0})},
          {"height_m", SceneValue(RealValue{w.height, 1e-3, 10.0})},
          {"direction", SceneValue(models::DirectionValue{w.direction})}};
}
Keys keysOf(TaskSide& s, Words& hands) {
  return {{"name", SceneValue(&s.name)}, {"hands", &hands}, {"turned", SceneValue(&s.isTurned)}};
}
Keys keysOf(ProtocolBlock& b) {
  return {{"name", SceneValue(&b.name)},
          {"practice", SceneValue(&b.isPractice)},
          {"trials", SceneValue(wholeFor(b.trials, 1, kMostTrials))},
          {"limit_s", SceneValue(RealValue{b.limitSeconds, 0.1, kLongest})},
          {"ends", SceneValue(wordFor(b.ends, kBlockEndNames))},
          {"most_attempts", SceneValue(wholeFor(b.mostAttempts, 1, 20))},
          {"break_s", SceneValue(RealValue{b.breakSeconds, 0.0, kLongest})}};
}
Keys keysOf(ProtocolItem& i) {
  return {{"name", SceneValue(&i.item.name)},
          {"kind", SceneValue(wordFor(i.item.kind, kAnswers))},
          {"question", SceneValue(&i.item.question)},
          {"least", SceneValue(RealValue{i.item.least, -1000.0, 1000.0})},
          {"most", SceneValue(RealValue{i.item.most, -1000.0, 1000.0})},
          {"least_label", SceneValue(&i.item.leastLabel)},
          {"most_label", SceneValue(&i.item.mostLabel)},
          {"when", SceneValue(wordFor(i.when, kItemTimeNames))}};
}
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
Keys keysOf(ProtocolPsychophysics& p) {
  return {{"method", SceneValue(wordFor(p.method, kPsychophysicsMethodNames))},
          {"reference_n_per_m", SceneValue(RealValue{p.reference, 10.0, 1e4})},
          {"comparisons_n_per_m", &p.comparisons},
          {"repeats", SceneValue(wholeFor(p.repeats, 1, kMostTrials))},
          {"start_n_per_m", SceneValue(RealValue{p.start, 1.0, 1e4})},
          {"step_n_per_m", SceneValue(RealValue{p.step, 0.1, 1e4})},
          {"reversals", SceneValue(wholeFor(p.reversals, 2, 100))}};
}

std::string takeValue(const TomlEntry& entry, const Value& value) {
  if (const auto* words = std::get_if<Words*>(&value)) {
    if (const auto* texts = std::get_if<Words>(&entry.value)) {
      **words = *texts;
      return {};
    }
    // stiffnesses are levels, too
    if (const auto* numbers = std::get_if<Numbers>(&entry.value)) {
      for (const double number : *numbers) {
        std::string text = models::tomlNumber(number);
        if (text.ends_with(".0")) text.resize(text.size() - 2);
        (*words)->push_back(std::move(text));
      }
      return {};
    }
    return "must be a list of texts or numbers";
  }
  if (const auto* numbers = std::get_if<Numbers*>(&value)) {
    const auto* list = std::get_if<Numbers>(&entry.value);
    if (list == nullptr || list->empty()) return "must be a list of numbers";
    **numbers = *list;
    return {};
  }
  return models::takeSceneValue(entry, std::get<SceneValue>(value));
}

class ProtocolReader {
 public:
  ProtocolReader(std::string_view file, const TomlText& toml) : label_(file), toml_(toml) {}

  Result<StudyProtocol> read() {
    if (knowsAll() && readTop() && readFactors() && readDevices() && readTask() && readBlocks() &&
        readItems() && readOutcomes() && readEffects() && readRest() && isPossible())
      return std::move(p_);
    return error_;
  }

 private:
  bool fail(std::uint64_t line, std::string_view what, Reason reason = Reason::BadValue) {
    error_ = label_.atLine(reason, line, what);
    return false;
  }
  bool failWhole(std::string_view what) {
    error_ = label_.whole(Reason::BadValue, what);
    return false;
  }
  std::vector<const TomlTable*> tables(std::string_view name) const {
    std::vector<const TomlTable*> found;
    for (const TomlTable& table : toml_.tables) {
      if (table.name == name) found.push_back(&table);
    }
    return found;
  }
  const TomlEntry* entry(std::string_view table, std::size_t index, std::string_view key) const {
    for (const TomlEntry& one : toml_.entries) {
      if (one.table == table && one.index == index && one.key == key) return &one;
    }
    return nullptr;
  }
  std::uint64_t lineOf(std::string_view table, std::size_t index, std::string_view key) const {
    const TomlEntry* found = entry(table, index, key);
    if (found != nullptr) return found->line;
    for (const TomlTable& one : toml_.tables) {
      if (one.name == table && one.index == index) return one.line;
    }
    return 1;
  }

  bool knowsAll() {
    struct Kind {
      std::string_view name;
      bool isArray;
      Keys keys;
    };
    StudyProtocol top;
    ProtocolFactor factor;
    FactorWords factorWords;
    ProtocolDevice device;
    DeviceWords deviceWords;
    TopWords topWords;
    TaskTarget target;
    TaskWell well;
    TaskSide side;
    Words hands;
    ProtocolBlock block;
    ProtocolItem item;
    Outcome outcome;
    Numbers bounds;
    ExclusionRule rule;
    ProtocolPsychophysics psychophysics;
    const std::vector<Kind> kinds = {{"", false, keysOf(top, topWords)},
                                     {"factor", true, keysOf(factor, factorWords)},
                                     {"device", true, keysOf(device, deviceWords)},
                                     {"task", false, keysOf(top.task)},
                                     {"target", true, keysOf(target)},
                                     {"well", true, keysOf(well)},
                                     {"side", true, keysOf(side, hands)},
                                     {"block", true, keysOf(block)},
                                     {"item", true, keysOf(item)},
                                     {"outcome", true, keysOf(outcome, bounds)},
                                     {"exclusion", true, keysOf(rule)},
                                     {"power", true, {}},
                                     {"psychophysics", false, keysOf(psychophysics)}};
    Words names, paths;
    for (const Kind& kind : kinds) {
      if (!kind.name.empty()) names.emplace_back(kind.name);
      for (const Key& key : kind.keys)
        paths.push_back(kind.name.empty() ? std::string(key.name) : say(kind.name, ".", key.name));
    }
    paths.insert(paths.end(), statedEffectKeys().begin(), statedEffectKeys().end());
    for (const TomlTable& table : toml_.tables) {
      const auto kind = std::ranges::find(kinds, table.name, &Kind::name);
      if (kind == kinds.end()) {
        const std::string nearest = nearestName(table.name, names);
        std::string sentence = say("there is no table ", inQuotes(table.name));
        if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
        return fail(table.line, sentence, Reason::UnknownName);
      }
      if (kind->isArray != table.isInArray) {
        return fail(table.line, kind->isArray
                                    ? say("write [[", table.name, "]], for there may be several")
                                    : say("write [", table.name, "], for there is one"));
      }
    }
    for (const TomlEntry& one : toml_.entries) {
      if (std::ranges::find(paths, models::pathOf(one)) != paths.end()) continue;
      error_ = models::unknownKey(label_, one, paths);
      return false;
    }
    return true;
  }

  /// All entries of one table, and the keys that must be there.
  bool take(std::string_view table, std::size_t index, const Keys& keys,
            std::initializer_list<std::string_view> demanded) {
    for (const std::string_view key : demanded) {
      if (entry(table, index, key) != nullptr) continue;
      return table.empty() ? failWhole(say("there is no key '", key, "'; add it"))
                           : fail(lineOf(table, index, {}),
                                  say("'", table, ".", key, "' is missing; add it"));
    }
    for (const TomlEntry& one : toml_.entries) {
      if (one.table != table || one.index != index) continue;
      const auto key = std::ranges::find(keys, one.key, &Key::name);
      const std::string trouble = key == keys.end() ? std::string() : takeValue(one, key->value);
      if (!trouble.empty()) return fail(one.line, say("'", models::pathOf(one), "' ", trouble));
    }
    return true;
  }

  bool readTop() {
    TopWords words;
    if (!take("", 0, keysOf(p_, words), {"title", "scene"})) return false;
    for (const std::string& paragraph : words.consent)
      p_.consent += say(paragraph, "\n\n");
    for (const std::string& paragraph : words.instructions)
      p_.instructions += say(paragraph, "\n\n");
    Result<models::Scene> scene = models::findScene(p_.sceneName);
    if (!scene) {
      return fail(lineOf("", 0, "scene"),
                  say("the scene cannot be had: ",
                      scene.error().sentence.substr(0, scene.error().sentence.size() - 1)),
                  Reason::UnknownName);
    }
    p_.scene = atStudyResolution(std::move(scene).value());
    return true;
  }

  models::Scene atStudyResolution(models::Scene scene) const {
    for (models::SceneBody& body : scene.bodies) {
      if (p_.spheres != 0) {
        body.model.spheres = std::min(body.model.spheres, p_.spheres);
        if (body.model.points) body.model.points = std::min(*body.model.points, p_.spheres);
      }
      if (p_.triangles != 0 && body.model.source.starts_with("builtin:")) {
        body.model.source =
            say(body.model.source.substr(0, body.model.source.find('@')), "@", p_.triangles);
      }
    }
    // What is recorded of a scene is its text.
    Result<models::Scene> again = models::parseScene(models::sceneText(scene), scene.file);
    return again ? std::move(again).value() : scene;
  }

  bool readFactors() {
    for (const TomlTable* table : tables("factor")) {
      ProtocolFactor factor;
      FactorWords words;
      if (!take("factor", table->index, keysOf(factor, words), {"name", "levels"})) return false;
      const std::uint64_t line = lineOf("factor", table->index, "levels");
      if (words.levels.size() < 2 || words.levels.size() > kMostLevels) {
        return fail(line,
                    say("a factor has two to ", kMostLevels, " levels; one alone is no factor"));
      }
      if (!words.labels.empty() && words.labels.size() != words.levels.size()) {
        return fail(lineOf("factor", table->index, "labels"),
                    "there must be one label for each level");
      }
      factor.facts.name = kFactorKindNames[static_cast<std::size_t>(factor.kind)];
      if (factor.facts.label.empty()) factor.facts.label = factor.facts.name;
      factor.facts.isWithin = !words.isBetween;
      for (std::size_t k = 0; k < words.levels.size(); ++k) {
        if (std::ranges::count(words.levels, words.levels[k]) > 1)
          return fail(line, say("the level ", inQuotes(words.levels[k]), " is there twice"));
        if (!isLevelOf(factor.kind, words.levels[k], line)) return false;
        factor.facts.levels.push_back({words.levels[k], std::string(1, static_cast<char>('A' + k)),
                                       words.labels.empty() ? words.levels[k] : words.labels[k]});
      }
      for (const ProtocolFactor& other : p_.factors) {
        if (other.kind == factor.kind)
          return fail(table->line, say("the factor '", factor.facts.name, "' is there twice"));
      }
      p_.factors.push_back(std::move(factor));
    }
    return true;
  }

  bool isLevelOf(FactorKind kind, const std::string& level, std::uint64_t line) {
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
          return fail(line, say("the level ", inQuotes(level), " is no stiffness in N/m"));
        return true;
      }
      case FactorKind::Device:
        return true;  // [[device]] says what it is
    }
    if (std::ranges::find(known, level) != known.end()) return true;
    const std::string nearest = nearestName(level, known);
    std::string sentence = say("there is no level ", inQuotes(level), " of this factor");
    if (!nearest.empty()) sentence += say("; the nearest is '", nearest, "'");
    return fail(line, sentence, Reason::UnknownName);
  }

  const ProtocolFactor* factor(FactorKind kind) const {
    const auto found = std::ranges::find(p_.factors, kind, &ProtocolFactor::kind);
    return found == p_.factors.end() ? nullptr : &*found;
  }

  bool readDevices() {
    const ProtocolFactor* levels = factor(FactorKind::Device);
    for (const TomlTable* table : tables("device")) {
      ProtocolDevice device;
      DeviceWords words;
      if (!take("device", table->index, keysOf(device, words), {})) return false;
      if (words.dof) device.dof = static_cast<models::SceneLevel>(*words.dof);
      const bool isLevel =
          levels != nullptr && std::ranges::find(levels->facts.levels, device.level,
                                                 &FactorLevel::name) != levels->facts.levels.end();
      if (levels == nullptr ? !device.level.empty() : !isLevel) {
        return fail(lineOf("device", table->index, "level"),
                    say("the factor 'device' has no level ", inQuotes(device.level),
                        "; name one of its levels"));
      }
      if (const Result<haptics::DeviceProfile> profile = haptics::findProfile(device.profile);
          !profile) {
        return fail(lineOf("device", table->index, "profile"),
                    profile.error().sentence.substr(0, profile.error().sentence.size() - 1));
      }
      if (!areDistinct(device, *table)) return false;
      p_.devices.push_back(std::move(device));
    }
    if (levels == nullptr) return true;
    for (const FactorLevel& level : levels->facts.levels) {
      if (std::ranges::find(p_.devices, level.name, &ProtocolDevice::level) == p_.devices.end()) {
        return failWhole(say("nothing says which devices the level '", level.name,
                             "' has; add a [[device]] with level = \"", level.name, "\""));
      }
    }
    return true;
  }

  /// Nobody can hold one device in two hands, whichever the seats are.
  bool areDistinct(const ProtocolDevice& device, const TomlTable& table) {
    const std::uint64_t line = lineOf("device", table.index, "devices");
    std::set<haptics::Hand> hands;
    for (const std::string& spec : device.specs) {
      const Result<haptics::HandSpec> parsed = haptics::parseHandSpec(spec);
      if (!parsed)
        return fail(line, parsed.error().sentence.substr(0, parsed.error().sentence.size() - 1));
      const haptics::Hand hand = parsed.value().hand;
      if (!hands.insert(hand).second) {
        return fail(line, say("the hand '", haptics::nameOf(hand),
                              "' has two devices; leave one, or name the other hand"));
      }
      const haptics::DeviceSpec& one = parsed.value().device;
      if (one.name.empty() || one.kind == haptics::DeviceKind::Simulated) continue;
      const std::string text = haptics::toText(one);
      if (!serials_.insert(text).second) {
        return fail(line, say("the device ", inQuotes(text),
                              " is in two hands; give each hand the serial number of its own"));
      }
    }
    return true;
  }

  bool hasHand(models::HandName name) const {
    return std::ranges::find(p_.scene.hands, name, &models::SceneHand::name) !=
           p_.scene.hands.end();
  }

  std::string handsOfScene() const {
    std::string text = "it has";
    for (const models::SceneHand& hand : p_.scene.hands) {
      text += say(text.ends_with("has") ? " '" : ", '",
                  models::kHandNames[static_cast<std::size_t>(hand.name)], "'");
    }
    return text;
  }

  bool readTask() {
    if (tables("task").empty())
      return failWhole("there is no [task]; add one that says what to do");
    if (!take("task", 0, keysOf(p_.task), {"kind"})) return false;
    for (const TomlTable* table : tables("target")) {
      TaskTarget target;
      if (!take("target", table->index, keysOf(target), {"hand", "position_m"})) return false;
      if (!hasHand(target.hand)) {
        return fail(lineOf("target", table->index, "hand"),
                    say("the scene '", p_.scene.name, "' has no such hand; ", handsOfScene()));
      }
      if (std::ranges::find(p_.task.targets, target.hand, &TaskTarget::hand) !=
          p_.task.targets.end()) {
        return fail(lineOf("target", table->index, "hand"),
                    "this hand has a target already; leave one of them out");
      }
      p_.task.targets.push_back(target);
    }
    for (const TomlTable* table : tables("side")) {
      TaskSide side;
      Words hands;
      if (!take("side", table->index, keysOf(side, hands), {"name", "hands"})) return false;
      for (const std::string& word : hands) {
        const auto found = std::ranges::find(models::kHandNames, word);
        const auto name = static_cast<models::HandName>(found - models::kHandNames.begin());
        if (found == models::kHandNames.end() || !hasHand(name)) {
          return fail(lineOf("side", table->index, "hands"),
                      say("the scene '", p_.scene.name, "' has no hand ", inQuotes(word), "; ",
                          handsOfScene()));
        }
        const bool isTaken = std::ranges::find(side.hands, name) != side.hands.end() ||
                             std::ranges::any_of(p_.task.sides, [&](const TaskSide& other) {
                               return std::ranges::find(other.hands, name) != other.hands.end();
                             });
        if (isTaken) {
          return fail(lineOf("side", table->index, "hands"),
                      say("the hand '", word, "' is named twice; give each side hands of its own"));
        }
        side.hands.push_back(name);
      }
      if (std::ranges::find(p_.task.sides, side.name, &TaskSide::name) != p_.task.sides.end()) {
        return fail(lineOf("side", table->index, "name"),
                    say("the side ", inQuotes(side.name), " is there twice; give it another name"));
      }
      p_.task.sides.push_back(std::move(side));
    }
    for (const TomlTable* table : tables("well")) {
      TaskWell well;
      if (!take("well", table->index, keysOf(well), {"side", "body"})) return false;
      Words sides, bodies;
      for (const TaskSide& side : p_.task.sides)
        sides.push_back(side.name);
      for (const models::SceneBody& body : p_.scene.bodies)
        bodies.push_back(body.name);
      if (!isKnown(well.side, sides, lineOf("well", table->index, "side"), "side") ||
          !isKnown(well.body, bodies, lineOf("well", table->index, "body"), "body"))
        return false;
      if (std::ranges::find(p_.task.wells, well.side, &TaskWell::side) != p_.task.wells.end()) {
        return fail(lineOf("well", table->index, "side"),
                    say("the side ", inQuotes(well.side), " has a well already; leave one out"));
      }
      p_.task.wells.push_back(std::move(well));
    }
    if (p_.task.sides.empty()) {
      TaskSide all{"front", {}};
      for (const models::SceneHand& hand : p_.scene.hands)
        all.hands.push_back(hand.name);
      p_.task.sides.push_back(std::move(all));
    }
    const std::uint64_t line = lineOf("task", 0, "kind");
    const std::size_t targets = p_.task.targets.size();
    switch (p_.task.kind) {
      case TaskKind::Pocket:
        if (p_.task.wells.size() != p_.task.sides.size())
          return fail(line, "each side needs one well; add a [[well]]");
        break;
      case TaskKind::Dock:
      case TaskKind::Press:
        if (targets != 1) return fail(line, "this task needs one [[target]]");
        break;
      case TaskKind::Join:
        if (targets != 2) return fail(line, "this task needs two [[target]]");
        break;
    }
    return true;
  }

  bool readBlocks() {
    for (const TomlTable* table : tables("block")) {
      ProtocolBlock block;
      if (!take("block", table->index, keysOf(block), {"name", "limit_s"})) return false;
      if (block.mostAttempts > 1 && !block.isPractice) {
        return fail(
            lineOf("block", table->index, "most_attempts"),
            "only practice is repeated until it succeeds; leave it out or set practice = true");
      }
      if (block.ends == BlockEnd::EachPocketed && p_.task.kind != TaskKind::Pocket)
        return fail(lineOf("block", table->index, "ends"), "nothing can be pocketed in this task");
      if (std::ranges::find(p_.blocks, block.name, &ProtocolBlock::name) != p_.blocks.end()) {
        return fail(lineOf("block", table->index, "name"),
                    say("the block ", inQuotes(block.name),
                        " is there twice; give it another name, by which tables tell them apart"));
      }
      p_.blocks.push_back(std::move(block));
    }
    if (std::ranges::none_of(p_.blocks, [](const ProtocolBlock& b) { return !b.isPractice; }))
      return failWhole("nothing is measured; add a [[block]] that is no practice");
    return true;
  }

  bool readItems() {
    for (const TomlTable* table : tables("item")) {
      ProtocolItem item;
      if (!take("item", table->index, keysOf(item), {"name", "kind", "question"})) return false;
      if (!(item.item.least < item.item.most))
        return fail(table->line, "'item.least' must be below 'item.most'");
      for (const ProtocolItem& other : p_.items) {
        if (other.item.name == item.item.name) {
          return fail(lineOf("item", table->index, "name"),
                      say("the item ", inQuotes(item.item.name), " is there twice"));
        }
      }
      p_.items.push_back(std::move(item));
    }
    return true;
  }

  bool isItem(const std::string& name) const {
    return std::ranges::any_of(p_.items,
                               [&](const ProtocolItem& item) { return item.item.name == name; });
  }

  bool readOutcomes() {
    for (const TomlTable* table : tables("outcome")) {
      Outcome outcome;
      Numbers bounds;
      if (!take("outcome", table->index, keysOf(outcome, bounds), {"name", "label", "factor"}))
        return false;
      if (!bounds.empty()) {
        if (bounds.size() != 2 || !(bounds[0] < bounds[1])) {
          return fail(lineOf("outcome", table->index, "equivalence"),
                      "'outcome.equivalence' must be two numbers, the lower one first");
        }
        outcome.equivalence = EquivalenceBounds{bounds[0], bounds[1]};
      }
      Words known;
      if (outcome.source == OutcomeSource::Measure) {
        for (const MeasureColumn& column : measureColumns())
          known.push_back(column.name);
      } else if (outcome.source == OutcomeSource::Answer) {
        for (const ProtocolItem& item : p_.items)
          known.push_back(item.item.name);
      } else {
        known = {"pocketed"};
      }
      const std::uint64_t nameLine = lineOf("outcome", table->index, "name");
      if (outcome.source != OutcomeSource::Answer &&
          std::ranges::find(known, outcome.name) == known.end() && isItem(outcome.name)) {
        return fail(nameLine, say("the outcome ", inQuotes(outcome.name),
                                  " is an item; set source = \"answer\""));
      }
      if (!isKnown(outcome.name, known, nameLine, "outcome")) return false;
      Words factors;
      for (const ProtocolFactor& one : p_.factors)
        factors.push_back(one.facts.name);
      if (!isKnown(outcome.factor, factors, lineOf("outcome", table->index, "factor"), "factor"))
        return false;
      const bool isTwice = std::ranges::any_of(p_.outcomes, [&](const Outcome& other) {
        return other.name == outcome.name && other.source == outcome.source &&
               other.factor == outcome.factor && other.isOfPractice == outcome.isOfPractice;
      });
      if (isTwice) {
        return fail(lineOf("outcome", table->index, "name"),
                    say("the outcome ", inQuotes(outcome.name),
                        " is declared twice; leave one out, or every test would count double"));
      }
      p_.outcomes.push_back(std::move(outcome));
    }
    if (!p_.factors.empty() &&
        std::ranges::none_of(p_.outcomes, [](const Outcome& o) { return o.isPrimary; }))
      return failWhole("no outcome is primary; set primary = true of one [[outcome]]");
    return true;
  }

  /// Who asks for the power reads them again; here they are only checked.
  bool readEffects() {
    const Result<std::vector<StatedEffect>> effects = statedEffects(toml_, label_);
    if (!effects) {
      error_ = effects.error();
      return false;
    }
    Words known;
    for (const Outcome& outcome : p_.outcomes) {
      if (outcome.scale != OutcomeScale::Kinds) known.push_back(outcome.name);
    }
    for (std::size_t i = 0; i < effects.value().size(); ++i) {
      if (!isKnown(effects.value()[i].outcome, known, lineOf("power", i, "outcome"), "outcome"))
        return false;
    }
    return true;
  }

  bool isKnown(const std::string& name, const Words& known, std::uint64_t line,
               std::string_view what) {
    if (std::ranges::find(known, name) != known.end()) return true;
    const std::string nearest = nearestName(name, known);
    std::string sentence = say("there is no ", what, " ", inQuotes(name));
    if (!nearest.empty()) {
      sentence += say("; the nearest is '", nearest, "'");
    } else if (!known.empty()) {
      sentence += "; there is";
      for (const std::string& one : known)
        sentence += say(one == known.front() ? " '" : ", '", one, "'");
    }
    return fail(line, sentence, Reason::UnknownName);
  }

  bool readRest() {
    Words measures;
    for (const MeasureColumn& column : measureColumns())
      measures.push_back(column.name);
    for (const TomlTable* table : tables("exclusion")) {
      ExclusionRule rule;
      if (!take("exclusion", table->index, keysOf(rule), {"rule"})) return false;
      if (!rule.measure.empty() &&
          !isKnown(rule.measure, measures, lineOf("exclusion", table->index, "measure"), "measure"))
        return false;
      if (!rule.measure.empty() && !rule.below && !rule.above)
        return fail(table->line, "'exclusion.measure' needs 'below' or 'above'");
      p_.exclusions.push_back(std::move(rule));
    }
    if (!tables("psychophysics").empty()) {
      p_.psychophysics.emplace();
      if (!take("psychophysics", 0, keysOf(*p_.psychophysics), {"method", "reference_n_per_m"}))
        return false;
      if (p_.psychophysics->method == PsychophysicsMethod::ConstantStimuli &&
          p_.psychophysics->comparisons.empty()) {
        return fail(tables("psychophysics").front()->line,
                    "constant stimuli need 'comparisons_n_per_m'; add them");
      }
      for (const double comparison : p_.psychophysics->comparisons) {
        if (comparison >= kLeastComparison && comparison <= kMostComparison) continue;
        return fail(
            lineOf("psychophysics", 0, "comparisons_n_per_m"),
            say("each of 'comparisons_n_per_m' must be from ", models::tomlNumber(kLeastComparison),
                " to ", models::tomlNumber(kMostComparison), " N/m"));
      }
    }
    if (p_.psychophysics.has_value() != (p_.task.kind == TaskKind::Press)) {
      return fail(
          lineOf("task", 0, "kind"),
          "the task \"press\" and a table [psychophysics] belong together; add what is missing");
    }
    return true;
  }

  /// A design that orders can be made for.
  bool isPossible() {
    std::size_t conditions = 1;
    std::size_t opposed = 0, within = 0;
    for (std::size_t k = 0; k < p_.factors.size(); ++k) {
      const ProtocolFactor& one = p_.factors[k];
      if (one.facts.isWithin) {
        conditions *= one.facts.levels.size();
        ++within;
      }
      if (!one.isOpposed) continue;
      ++opposed;
      const std::uint64_t line = lineOf("factor", k, "opposed");
      if (p_.players != 2) return fail(line, "only two players can be opposed; set players = 2");
      if (one.facts.levels.size() != 2 || !one.facts.isWithin) {
        return fail(line,
                    "players are opposed in two levels, each of which both come to; leave "
                    "two levels and no 'between'");
      }
    }
    if (conditions > kMostConditions) {
      return fail(lineOf("factor", p_.factors.size() - 1, "levels"),
                  say("each participant would meet ", conditions, " conditions, more than ",
                      kMostConditions, "; drop levels or make a factor between participants"));
    }
    if (p_.players == 2 && (opposed != 1 || within != 1)) {
      return fail(lineOf("", 0, "players"),
                  "two players need one factor within participants, with opposed = true; another "
                  "one would have to be between participants");
    }
    if (p_.task.sides.size() != p_.players) {
      return fail(lineOf("", 0, "players"),
                  say("each player needs a side: 'players' is ", p_.players, ", and there is ",
                      models::counted(p_.task.sides.size(), "side", "sides"),
                      "; change it, or add or remove a [[side]]"));
    }
    for (const TaskSide& side : p_.task.sides) {
      const auto hand = std::ranges::find(p_.factors, FactorKind::Hand, &ProtocolFactor::kind);
      if (hand == p_.factors.end() || side.hands.size() == 1) continue;
      return fail(lineOf("factor", static_cast<std::size_t>(hand - p_.factors.begin()), "name"),
                  say("the factor 'hand' says which hand of a person holds the only handle, and "
                      "the side '",
                      side.name, "' has ", side.hands.size(),
                      "; take a scene with one hand a side, or drop the factor"));
    }
    for (const ProtocolFactor& one : p_.factors) {
      if (one.kind != FactorKind::Law && one.kind != FactorKind::Method) continue;
      for (const FactorLevel& level : one.facts.levels) {
        models::SceneContact contact = p_.scene.contact;
        if (one.kind == FactorKind::Law) {
          contact.law =
              static_cast<models::SceneLaw>(std::ranges::find(models::kSceneLawNames, level.name) -
                                            models::kSceneLawNames.begin());
        } else {
          contact.method =
              level.name == "vps" ? models::SceneMethod::Voxmap : models::SceneMethod::InnerSpheres;
        }
        if (!haptics::lawOf(contact)) {
          return failWhole(
              say("the level '", level.name, "' does not go with the scene's contact"));
        }
      }
    }
    return true;
  }

  FileLabel label_;
  const TomlText& toml_;
  StudyProtocol p_;
  std::set<std::string> serials_;
  Error error_;
};

std::string hashOf(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::uint64_t hash = collision::xxhash64(std::as_bytes(std::span(text)));
  std::string digits(16, '0');
  for (std::size_t k = digits.size(); k-- > 0; hash >>= 4U)
    digits[k] = kHex[hash & 15U];
  return digits;
}

/// What was done, for who was not there.
std::vector<std::string> procedureOf(const StudyProtocol& protocol) {
  std::vector<std::string> said;
  said.push_back(protocol.players == 2
                     ? std::string("Two play each round, one under each condition; then they swap "
                                   "seats, and play under the other one.")
                     : std::string("One plays at a time, in each period under one condition; in "
                                   "which order, the plan balances."));
  for (const ProtocolBlock& block : protocol.blocks) {
    std::string line = say("'", block.name, "'", block.isPractice ? " (practice)" : "", ": ");
    const bool hasStimuli = protocol.psychophysics && !block.isPractice &&
                            protocol.psychophysics->method == PsychophysicsMethod::ConstantStimuli;
    line += hasStimuli ? say(protocol.psychophysics->comparisons.size(), " comparisons, each ",
                             protocol.psychophysics->repeats, " times")
                       : models::counted(block.trials, "round", "rounds");
    line += say(" of at most ", models::tomlNumber(block.limitSeconds), " s");
    if (block.ends == BlockEnd::EachPocketed) line += ", until everybody has pocketed something";
    if (block.ends == BlockEnd::Success) line += ", until it is done";
    if (block.mostAttempts > 1) line += say(", up to ", block.mostAttempts, " attempts");
    if (block.breakSeconds > 0.0)
      line += say("; then a break of ", models::tomlNumber(block.breakSeconds), " s");
    said.push_back(line + ".");
  }
  return said;
}

}  // namespace

Result<StudyProtocol> parseProtocol(std::string_view text, std::string_view file) {
  const Result<TomlText> toml = models::readToml(text, FileLabel(file));
  if (!toml) return toml.error();
  Result<StudyProtocol> read = ProtocolReader(file, toml.value()).read();
  if (!read) return read;
  StudyProtocol& protocol = read.value();
  protocol.file = file;
  protocol.text = text;
  protocol.name = std::filesystem::path(file).stem().string();
  protocol.hash = hashOf(text);
  return read;
}

Result<StudyProtocol> findProtocol(std::string_view nameOrFile) {
  const Result<models::FoundText> found =
      models::findText(nameOrFile, "protocol", "studies/protocol", shippedProtocols());
  if (!found) return found.error();
  return parseProtocol(found.value().text, found.value().file);
}

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
