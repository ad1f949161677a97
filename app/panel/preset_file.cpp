#include "app/panel/preset_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "haptics/tick/tick_parameters.hpp"
#include "models/files/toml_entries.hpp"

namespace tactus::app {
namespace {

using haptics::TickParameters;
using models::Done;
using models::Result;

std::string nameAt(std::size_t index) {
  return haptics::parameterName(index).data();
}

/// What a pause or a step would be in another session nobody means to keep.
bool isOfMoment(std::string_view name) {
  return name == "is_paused" || name == "steps";
}

/// Before the point; empty of what is shared.
std::string_view groupOf(std::string_view name) {
  const std::size_t point = name.find('.');
  return point == std::string_view::npos ? std::string_view() : name.substr(0, point);
}

std::set<std::string, std::less<>> groupsOf(const haptics::TickSetup& setup) {
  std::set<std::string, std::less<>> groups = {"", "gravity"};
  for (const haptics::TickHand& hand : setup.hands)
    groups.emplace(haptics::nameOf(hand.hand));
  for (const std::size_t material : setup.materialOf) {
    if (material < haptics::kMostMaterials) groups.insert(fmt::format("material{}", material));
  }
  return groups;
}

}  // namespace

std::string presetText(const TickParameters& parameters, const haptics::TickSetup& setup) {
  const std::set<std::string, std::less<>> groups = groupsOf(setup);
  std::string shared = "# Parameters of Tactus; see docs/panel.md.\n";
  std::string tables;
  std::string last;
  for (std::size_t index = 0; index < haptics::parameterCount(); ++index) {
    const std::string name = nameAt(index);
    const std::string group(groupOf(name));
    if (isOfMoment(name) || !groups.contains(group)) continue;
    const std::string value = models::tomlNumber(haptics::parameterAt(parameters, index));
    if (group.empty()) {
      shared += fmt::format("{} = {}\n", name, value);
      continue;
    }
    if (group != last) tables += fmt::format("\n[{}]\n", group);
    last = group;
    tables += fmt::format("{} = {}\n", name.substr(group.size() + 1), value);
  }
  return shared + tables;
}

Result<Done> readPreset(const std::string& text, const std::string& file,
                        TickParameters& parameters) {
  const models::FileLabel label(file);
  const Result<models::TomlText> read = models::readToml(text, label);
  if (!read) return read.error();
  std::vector<std::string> known;
  for (std::size_t index = 0; index < haptics::parameterCount(); ++index) {
    if (const std::string name = nameAt(index); !isOfMoment(name)) known.push_back(name);
  }
  TickParameters changed = parameters;
  for (const models::TomlEntry& entry : read.value().entries) {
    const std::string path = models::pathOf(entry);
    if (std::ranges::find(known, path) == known.end())
      return models::unknownKey(label, entry, known);
    const double* number = std::get_if<double>(&entry.value);
    if (number == nullptr || !std::isfinite(*number)) {
      return label.atLine(models::Reason::BadValue, entry.line,
                          fmt::format("'{}' is not a finite number", path));
    }
    haptics::setParameter(changed, haptics::parameterNamed(path), *number);
  }
  parameters = changed;
  return Done{};
}

}  // namespace tactus::app
