#include "models/files/toml_entries.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::RealValue;
using models::say;
using models::SceneValue;
using models::wholeFor;
using models::wordFor;

constexpr double kLeastComparison = 10.0, kMostComparison = 1e4;  // [N/m], as the reference
constexpr std::uint64_t kMostRepeats = 1000;

Keys keysOf(ProtocolPsychophysics& p) {
  return {{"method", SceneValue(wordFor(p.method, kPsychophysicsMethodNames))},
          {"reference_n_per_m", SceneValue(RealValue{p.reference, 10.0, 1e4})},
          {"comparisons_n_per_m", &p.comparisons},
          {"repeats", SceneValue(wholeFor(p.repeats, 1, kMostRepeats))},
          {"start_n_per_m", SceneValue(RealValue{p.start, 1.0, 1e4})},
          {"step_n_per_m", SceneValue(RealValue{p.step, 0.1, 1e4})},
          {"reversals", SceneValue(wholeFor(p.reversals, 2, 100))}};
}

}  // namespace

TableKind psychophysicsTable() {
  ProtocolPsychophysics psychophysics;
  return {"psychophysics", false, namesOf(keysOf(psychophysics))};
}

bool readPsychophysics(ProtocolFile& file, StudyProtocol& p) {
  if (!file.tables("psychophysics").empty()) {
    p.psychophysics.emplace();
    if (!file.take("psychophysics", 0, keysOf(*p.psychophysics), {"method", "reference_n_per_m"}))
      return false;
    if (p.psychophysics->method == PsychophysicsMethod::ConstantStimuli &&
        p.psychophysics->comparisons.empty()) {
      return file.fail(file.tables("psychophysics").front()->line,
                       "constant stimuli need 'comparisons_n_per_m'; add them");
    }
    for (const double comparison : p.psychophysics->comparisons) {
      if (comparison >= kLeastComparison && comparison <= kMostComparison) continue;
      return file.fail(
          file.lineOf("psychophysics", 0, "comparisons_n_per_m"),
          say("each of 'comparisons_n_per_m' must be from ", models::tomlNumber(kLeastComparison),
              " to ", models::tomlNumber(kMostComparison), " N/m"));
    }
  }
  if (p.psychophysics.has_value() != (p.task.kind == TaskKind::Press)) {
    return file.fail(
        file.lineOf("task", 0, "kind"),
        "the task \"press\" and a table [psychophysics] belong together; add what is missing");
  }
  return true;
}

}  // namespace tactus::studies
