#include <algorithm>
#include <utility>

#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::inQuotes;
using models::PlaceValue;
using models::RealValue;
using models::say;
using models::SceneValue;
using models::TomlTable;
using models::wordFor;

constexpr double kMostPlace = 100.0;  // [m]

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

bool hasHand(const StudyProtocol& p, models::HandName name) {
  return std::ranges::find(p.scene.hands, name, &models::SceneHand::name) != p.scene.hands.end();
}

std::string handsOfScene(const StudyProtocol& p) {
  std::string text = "it has";
  for (const models::SceneHand& hand : p.scene.hands) {
    text += say(text.ends_with("has") ? " '" : ", '",
                models::kHandNames[static_cast<std::size_t>(hand.name)], "'");
  }
  return text;
}

bool readTargets(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("target")) {
    TaskTarget target;
    if (!file.take("target", table->index, keysOf(target), {"hand", "position_m"})) return false;
    if (!hasHand(p, target.hand)) {
      return file.fail(file.lineOf("target", table->index, "hand"),
                       say("the scene '", p.scene.name, "' has no such hand; ", handsOfScene(p)));
    }
    if (std::ranges::find(p.task.targets, target.hand, &TaskTarget::hand) != p.task.targets.end()) {
      return file.fail(file.lineOf("target", table->index, "hand"),
                       "this hand has a target already; leave one of them out");
    }
    p.task.targets.push_back(target);
  }
  return true;
}

bool readSides(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("side")) {
    TaskSide side;
    Words hands;
    if (!file.take("side", table->index, keysOf(side, hands), {"name", "hands"})) return false;
    for (const std::string& word : hands) {
      const auto found = std::ranges::find(models::kHandNames, word);
      const auto name = static_cast<models::HandName>(found - models::kHandNames.begin());
      if (found == models::kHandNames.end() || !hasHand(p, name)) {
        return file.fail(file.lineOf("side", table->index, "hands"),
                         say("the scene '", p.scene.name, "' has no hand ", inQuotes(word), "; ",
                             handsOfScene(p)));
      }
      const bool isTaken = std::ranges::find(side.hands, name) != side.hands.end() ||
                           std::ranges::any_of(p.task.sides, [&](const TaskSide& other) {
                             return std::ranges::find(other.hands, name) != other.hands.end();
                           });
      if (isTaken) {
        return file.fail(
            file.lineOf("side", table->index, "hands"),
            say("the hand '", word, "' is named twice; give each side hands of its own"));
      }
      side.hands.push_back(name);
    }
    if (std::ranges::find(p.task.sides, side.name, &TaskSide::name) != p.task.sides.end()) {
      return file.fail(
          file.lineOf("side", table->index, "name"),
          say("the side ", inQuotes(side.name), " is there twice; give it another name"));
    }
    p.task.sides.push_back(std::move(side));
  }
  if (p.task.sides.empty()) {
    TaskSide all{"front", {}};
    for (const models::SceneHand& hand : p.scene.hands)
      all.hands.push_back(hand.name);
    p.task.sides.push_back(std::move(all));
  }
  return true;
}

bool readWells(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("well")) {
    TaskWell well;
    if (!file.take("well", table->index, keysOf(well), {"side", "body"})) return false;
    Words sides, bodies;
    for (const TaskSide& side : p.task.sides)
      sides.push_back(side.name);
    for (const models::SceneBody& body : p.scene.bodies)
      bodies.push_back(body.name);
    if (!file.isKnown(well.side, sides, file.lineOf("well", table->index, "side"), "side") ||
        !file.isKnown(well.body, bodies, file.lineOf("well", table->index, "body"), "body"))
      return false;
    if (std::ranges::find(p.task.wells, well.side, &TaskWell::side) != p.task.wells.end()) {
      return file.fail(file.lineOf("well", table->index, "side"),
                       say("the side ", inQuotes(well.side), " has a well already; leave one out"));
    }
    p.task.wells.push_back(std::move(well));
  }
  return true;
}

/// That a task has what it needs.
bool isComplete(ProtocolFile& file, const StudyProtocol& p) {
  const std::uint64_t line = file.lineOf("task", 0, "kind");
  const std::size_t targets = p.task.targets.size();
  switch (p.task.kind) {
    case TaskKind::Pocket:
      if (p.task.wells.size() != p.task.sides.size())
        return file.fail(line, "each side needs one well; add a [[well]]");
      break;
    case TaskKind::Dock:
    case TaskKind::Press:
      if (targets != 1) return file.fail(line, "this task needs one [[target]]");
      break;
    case TaskKind::Join:
      if (targets != 2) return file.fail(line, "this task needs two [[target]]");
      break;
  }
  return true;
}

}  // namespace

std::vector<TableKind> taskTables() {
  ProtocolTask task;
  TaskTarget target;
  TaskWell well;
  TaskSide side;
  Words hands;
  return {{"task", false, namesOf(keysOf(task))},
          {"target", true, namesOf(keysOf(target))},
          {"well", true, namesOf(keysOf(well))},
          {"side", true, namesOf(keysOf(side, hands))}};
}

bool readTask(ProtocolFile& file, StudyProtocol& p) {
  if (file.tables("task").empty())
    return file.fail(1, "there is no [task]; add one that says what to do");
  if (!file.take("task", 0, keysOf(p.task), {"kind"})) return false;
  return readTargets(file, p) && readSides(file, p) && readWells(file, p) && isComplete(file, p);
}

}  // namespace tactus::studies
