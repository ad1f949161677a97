#include <algorithm>
#include <array>
#include <utility>

#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::inQuotes;
using models::RealValue;
using models::say;
using models::SceneValue;
using models::TomlTable;
using models::wordFor;

constexpr std::array<std::string_view, 3> kAnswers = {"likert", "tlx", "text"};

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

}  // namespace

TableKind itemTable() {
  ProtocolItem item;
  return {"item", true, namesOf(keysOf(item))};
}

bool readItems(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("item")) {
    ProtocolItem item;
    if (!file.take("item", table->index, keysOf(item), {"name", "kind", "question"})) return false;
    if (!(item.item.least < item.item.most))
      return file.fail(table->line, "'item.least' must be below 'item.most'");
    for (const ProtocolItem& other : p.items) {
      if (other.item.name == item.item.name) {
        return file.fail(file.lineOf("item", table->index, "name"),
                         say("the item ", inQuotes(item.item.name), " is there twice"));
      }
    }
    p.items.push_back(std::move(item));
  }
  return true;
}

}  // namespace tactus::studies
