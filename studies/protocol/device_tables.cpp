#include <algorithm>
#include <set>
#include <utility>

#include "haptics/devices/device_spec.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::inQuotes;
using models::Result;
using models::say;
using models::SceneValue;
using models::TomlTable;

struct DeviceWords {
  std::optional<std::size_t> dof;
};

Keys keysOf(ProtocolDevice& d, DeviceWords& words) {
  return {{"level", SceneValue(&d.level)},
          {"profile", SceneValue(&d.profile)},
          {"dof", SceneValue(models::WordValue{[&words](std::size_t k) { words.dof = k; },
                                               models::kSceneLevelNames})},
          {"devices", &d.specs}};
}

const ProtocolFactor* factorOf(const StudyProtocol& p, FactorKind kind) {
  const auto found = std::ranges::find(p.factors, kind, &ProtocolFactor::kind);
  return found == p.factors.end() ? nullptr : &*found;
}

/// Nobody can hold one device in two hands, whichever the seats are.
bool areDistinct(ProtocolFile& file, const ProtocolDevice& device, const TomlTable& table,
                 std::set<std::string>& serials) {
  const std::uint64_t line = file.lineOf("device", table.index, "devices");
  std::set<haptics::Hand> hands;
  for (const std::string& spec : device.specs) {
    const Result<haptics::HandSpec> parsed = haptics::parseHandSpec(spec);
    if (!parsed)
      return file.fail(line, parsed.error().sentence.substr(0, parsed.error().sentence.size() - 1));
    const haptics::Hand hand = parsed.value().hand;
    if (!hands.insert(hand).second) {
      return file.fail(line, say("the hand '", haptics::nameOf(hand),
                                 "' has two devices; leave one, or name the other hand"));
    }
    const haptics::DeviceSpec& one = parsed.value().device;
    if (one.name.empty() || one.kind == haptics::DeviceKind::Simulated) continue;
    const std::string text = haptics::toText(one);
    if (!serials.insert(text).second) {
      return file.fail(line, say("the device ", inQuotes(text),
                                 " is in two hands; give each hand the serial number of its own"));
    }
  }
  return true;
}

}  // namespace

TableKind deviceTable() {
  ProtocolDevice device;
  DeviceWords words;
  return {"device", true, namesOf(keysOf(device, words))};
}

bool readDevices(ProtocolFile& file, StudyProtocol& p) {
  const ProtocolFactor* levels = factorOf(p, FactorKind::Device);
  std::set<std::string> serials;
  for (const TomlTable* table : file.tables("device")) {
    ProtocolDevice device;
    DeviceWords words;
    if (!file.take("device", table->index, keysOf(device, words), {})) return false;
    if (words.dof) device.dof = static_cast<models::SceneLevel>(*words.dof);
    const bool isLevel =
        levels != nullptr && std::ranges::find(levels->facts.levels, device.level,
                                               &FactorLevel::name) != levels->facts.levels.end();
    if (levels == nullptr ? !device.level.empty() : !isLevel) {
      return file.fail(file.lineOf("device", table->index, "level"),
                       say("the factor 'device' has no level ", inQuotes(device.level),
                           "; name one of its levels"));
    }
    if (const Result<haptics::DeviceProfile> profile = haptics::findProfile(device.profile);
        !profile) {
      return file.fail(file.lineOf("device", table->index, "profile"),
                       profile.error().sentence.substr(0, profile.error().sentence.size() - 1));
    }
    if (!areDistinct(file, device, *table, serials)) return false;
    p.devices.push_back(std::move(device));
  }
  if (levels == nullptr) return true;
  const std::uint64_t line =
      file.lineOf("factor", static_cast<std::size_t>(levels - p.factors.data()), "levels");
  for (const FactorLevel& level : levels->facts.levels) {
    if (std::ranges::find(p.devices, level.name, &ProtocolDevice::level) == p.devices.end()) {
      return file.fail(line, say("nothing says which devices the level '", level.name,
                                 "' has; add a [[device]] with level = \"", level.name, "\""));
    }
  }
  return true;
}

}  // namespace tactus::studies
