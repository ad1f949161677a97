#include <algorithm>

#include "haptics/session/scene_session.hpp"
#include "models/mesh/wording.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::say;

constexpr std::size_t kMostConditions = 12;

}  // namespace

bool isPossible(ProtocolFile& file, const StudyProtocol& p) {
  std::size_t conditions = 1;
  std::size_t opposed = 0, within = 0;
  for (std::size_t k = 0; k < p.factors.size(); ++k) {
    const ProtocolFactor& one = p.factors[k];
    if (one.facts.isWithin) {
      conditions *= one.facts.levels.size();
      ++within;
    }
    if (!one.isOpposed) continue;
    ++opposed;
    const std::uint64_t line = file.lineOf("factor", k, "opposed");
    if (p.players != 2) return file.fail(line, "only two players can be opposed; set players = 2");
    if (one.facts.levels.size() != 2 || !one.facts.isWithin) {
      return file.fail(line,
                       "players are opposed in two levels, each of which both come to; leave "
                       "two levels and no 'between'");
    }
  }
  if (conditions > kMostConditions) {
    return file.fail(file.lineOf("factor", p.factors.size() - 1, "levels"),
                     say("each participant would meet ", conditions, " conditions, more than ",
                         kMostConditions, "; drop levels or make a factor between participants"));
  }
  if (p.players == 2 && (opposed != 1 || within != 1)) {
    return file.fail(
        file.lineOf("", 0, "players"),
        "two players need one factor within participants, with opposed = true; another "
        "one would have to be between participants");
  }
  if (p.task.sides.size() != p.players) {
    return file.fail(file.lineOf("", 0, "players"),
                     say("each player needs a side: 'players' is ", p.players, ", and there is ",
                         models::counted(p.task.sides.size(), "side", "sides"),
                         "; change it, or add or remove a [[side]]"));
  }
  for (const TaskSide& side : p.task.sides) {
    const auto hand = std::ranges::find(p.factors, FactorKind::Hand, &ProtocolFactor::kind);
    if (hand == p.factors.end() || side.hands.size() == 1) continue;
    return file.fail(
        file.lineOf("factor", static_cast<std::size_t>(hand - p.factors.begin()), "name"),
        say("the factor 'hand' says which hand of a person holds the only handle, and "
            "the side '",
            side.name, "' has ", side.hands.size(),
            "; take a scene with one hand a side, or drop the factor"));
  }
  for (const ProtocolFactor& one : p.factors) {
    if (one.kind != FactorKind::Law && one.kind != FactorKind::Method) continue;
    for (const FactorLevel& level : one.facts.levels) {
      models::SceneContact contact = p.scene.contact;
      if (one.kind == FactorKind::Law) {
        contact.law = static_cast<models::SceneLaw>(
            std::ranges::find(models::kSceneLawNames, level.name) - models::kSceneLawNames.begin());
      } else {
        contact.method =
            level.name == "vps" ? models::SceneMethod::Voxmap : models::SceneMethod::InnerSpheres;
      }
      if (!haptics::lawOf(contact)) {
        const auto index = static_cast<std::size_t>(&one - p.factors.data());
        return file.fail(file.lineOf("factor", index, "levels"),
                         say("the level '", level.name, "' does not go with the scene's contact"));
      }
    }
  }
  return true;
}

}  // namespace tactus::studies
