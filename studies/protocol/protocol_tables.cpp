#include "studies/protocol/protocol_tables.hpp"

#include <algorithm>
#include <utility>

#include "models/mesh/nearest_name.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::studies {
namespace {

using models::Error;
using models::inQuotes;
using models::nearestName;
using models::Reason;
using models::say;
using models::SceneValue;
using models::TomlEntry;
using models::TomlTable;

std::string takeValue(const TomlEntry& entry, const ProtocolValue& value) {
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

}  // namespace

std::vector<std::string_view> namesOf(const Keys& keys) {
  std::vector<std::string_view> names;
  names.reserve(keys.size());
  for (const ProtocolKey& key : keys)
    names.push_back(key.name);
  return names;
}

bool ProtocolFile::fail(std::uint64_t line, std::string_view what, Reason reason) {
  error_ = label_.atLine(reason, line, what);
  return false;
}

bool ProtocolFile::fail(Error error) {
  error_ = std::move(error);
  return false;
}

std::vector<const TomlTable*> ProtocolFile::tables(std::string_view name) const {
  std::vector<const TomlTable*> found;
  for (const TomlTable& table : toml_.tables) {
    if (table.name == name) found.push_back(&table);
  }
  return found;
}

const TomlEntry* ProtocolFile::entry(std::string_view table, std::size_t index,
                                     std::string_view key) const {
  for (const TomlEntry& one : toml_.entries) {
    if (one.table == table && one.index == index && one.key == key) return &one;
  }
  return nullptr;
}

std::uint64_t ProtocolFile::lineOf(std::string_view table, std::size_t index,
                                   std::string_view key) const {
  const TomlEntry* found = entry(table, index, key);
  if (found != nullptr) return found->line;
  for (const TomlTable& one : toml_.tables) {
    if (one.name == table && one.index == index) return one.line;
  }
  return 1;
}

bool ProtocolFile::knowsAll(const std::vector<TableKind>& kinds, const Words& otherPaths) {
  Words names, paths = otherPaths;
  for (const TableKind& kind : kinds) {
    if (!kind.name.empty()) names.emplace_back(kind.name);
    for (const std::string_view key : kind.keys)
      paths.push_back(kind.name.empty() ? std::string(key) : say(kind.name, ".", key));
  }
  for (const TomlTable& table : toml_.tables) {
    const auto kind = std::ranges::find(kinds, table.name, &TableKind::name);
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
    return fail(models::unknownKey(label_, one, paths));
  }
  return true;
}

bool ProtocolFile::take(std::string_view table, std::size_t index, const Keys& keys,
                        std::initializer_list<std::string_view> demanded) {
  for (const std::string_view key : demanded) {
    if (entry(table, index, key) != nullptr) continue;
    return fail(lineOf(table, index, {}),
                table.empty() ? say("there is no key '", key, "' before the first table; add it")
                              : say("'", table, ".", key, "' is missing; add it"));
  }
  for (const TomlEntry& one : toml_.entries) {
    if (one.table != table || one.index != index) continue;
    const auto key = std::ranges::find(keys, one.key, &ProtocolKey::name);
    const std::string trouble = key == keys.end() ? std::string() : takeValue(one, key->value);
    if (!trouble.empty()) return fail(one.line, say("'", models::pathOf(one), "' ", trouble));
  }
  return true;
}

bool ProtocolFile::isKnown(const std::string& name, const Words& known, std::uint64_t line,
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

}  // namespace tactus::studies
