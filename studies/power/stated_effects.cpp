#include "studies/power/stated_effects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace tactus::studies {
namespace {

using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;
using models::TomlEntry;

struct NumberKey {
  const char* name;
  double StatedEffect::* member;
};

constexpr std::array kNumbers = {NumberKey{"mean", &StatedEffect::mean},
                                 NumberKey{"difference", &StatedEffect::difference},
                                 NumberKey{"sd_participant", &StatedEffect::sdParticipant},
                                 NumberKey{"sd_response", &StatedEffect::sdResponse},
                                 NumberKey{"sd_round", &StatedEffect::sdRound},
                                 NumberKey{"sd_contest", &StatedEffect::sdContest},
                                 NumberKey{"sd_trial", &StatedEffect::sdTrial}};

/// What is wrong with an entry, or nothing.
std::string take(const TomlEntry& entry, StatedEffect& effect) {
  if (entry.key == "outcome" || entry.key == "basis") {
    const auto* words = std::get_if<std::string>(&entry.value);
    if (words == nullptr || words->empty()) return "must be a text";
    (entry.key == "outcome" ? effect.outcome : effect.basis) = *words;
    return {};
  }
  if (entry.key == "scale") {
    const auto* ends = std::get_if<std::vector<double>>(&entry.value);
    if (ends == nullptr || ends->size() != 2 || !((*ends)[0] < (*ends)[1]))
      return "must be two numbers, the lower one first";
    effect.least = (*ends)[0];
    effect.most = (*ends)[1];
    return {};
  }
  const auto* number = std::get_if<double>(&entry.value);
  if (number == nullptr || !std::isfinite(*number)) return "must be a number";
  if (entry.key.starts_with("sd_") && *number < 0.0) return "must not be below 0";
  if (entry.key == "limit") {
    if (!(*number > 0.0)) return "must be above 0";
    effect.limit = *number;
    return {};
  }
  const auto key = std::ranges::find(kNumbers, std::string_view(entry.key), &NumberKey::name);
  effect.*(key->member) = *number;
  return {};
}

}  // namespace

const std::vector<std::string>& statedEffectKeys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names = {"power.outcome", "power.basis", "power.limit", "power.scale"};
    for (const NumberKey& key : kNumbers)
      names.push_back(std::string("power.") + key.name);
    return names;
  }();
  return keys;
}

Result<std::vector<StatedEffect>> statedEffects(const models::TomlText& toml,
                                                const FileLabel& label) {
  std::vector<StatedEffect> effects;
  for (const models::TomlTable& table : toml.tables) {
    if (table.name != "power") continue;
    if (!table.isInArray) {
      return label.atLine(Reason::Malformed, table.line,
                          "write [[power]], for there may be several.");
    }
    StatedEffect effect;
    bool hasDifference = false;
    for (const TomlEntry& entry : toml.entries) {
      if (entry.table != "power" || entry.index != table.index) continue;
      if (std::ranges::find(statedEffectKeys(), models::pathOf(entry)) == statedEffectKeys().end())
        return models::unknownKey(label, entry, statedEffectKeys());
      hasDifference = hasDifference || entry.key == "difference";
      const std::string trouble = take(entry, effect);
      if (!trouble.empty()) {
        return label.atLine(Reason::BadValue, entry.line,
                            "'" + models::pathOf(entry) + "' " + trouble + ".");
      }
    }
    if (effect.outcome.empty() || effect.basis.empty() || !hasDifference) {
      return label.atLine(Reason::BadValue, table.line,
                          "a table [[power]] needs 'outcome', 'difference' and 'basis' (where the "
                          "numbers come from); add what is missing.");
    }
    effects.push_back(effect);
  }
  return effects;
}

}  // namespace tactus::studies
