#include <algorithm>
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
using models::wholeFor;
using models::wordFor;

constexpr double kLongest = 3600.0;          // of a trial [s]
constexpr std::uint64_t kMostTrials = 1000;  // of a block: a day

Keys keysOf(ProtocolBlock& b) {
  return {{"name", SceneValue(&b.name)},
          {"practice", SceneValue(&b.isPractice)},
          {"trials", SceneValue(wholeFor(b.trials, 1, kMostTrials))},
          {"limit_s", SceneValue(RealValue{b.limitSeconds, 0.1, kLongest})},
          {"ends", SceneValue(wordFor(b.ends, kBlockEndNames))},
          {"most_attempts", SceneValue(wholeFor(b.mostAttempts, 1, 20))},
          {"break_s", SceneValue(RealValue{b.breakSeconds, 0.0, kLongest})}};
}

}  // namespace

TableKind blockTable() {
  ProtocolBlock block;
  return {"block", true, namesOf(keysOf(block))};
}

bool readBlocks(ProtocolFile& file, StudyProtocol& p) {
  for (const TomlTable* table : file.tables("block")) {
    ProtocolBlock block;
    if (!file.take("block", table->index, keysOf(block), {"name", "limit_s"})) return false;
    if (block.mostAttempts > 1 && !block.isPractice) {
      return file.fail(
          file.lineOf("block", table->index, "most_attempts"),
          "only practice is repeated until it succeeds; leave it out or set practice = true");
    }
    if (block.ends == BlockEnd::EachPocketed && p.task.kind != TaskKind::Pocket) {
      return file.fail(file.lineOf("block", table->index, "ends"),
                       "nothing can be pocketed in this task");
    }
    if (std::ranges::find(p.blocks, block.name, &ProtocolBlock::name) != p.blocks.end()) {
      return file.fail(
          file.lineOf("block", table->index, "name"),
          say("the block ", inQuotes(block.name),
              " is there twice; give it another name, by which tables tell them apart"));
    }
    p.blocks.push_back(std::move(block));
  }
  if (std::ranges::none_of(p.blocks, [](const ProtocolBlock& b) { return !b.isPractice; })) {
    return file.fail(file.lineOf("block", 0, "practice"),
                     "nothing is measured; add a [[block]] that is no practice");
  }
  return true;
}

}  // namespace tactus::studies
