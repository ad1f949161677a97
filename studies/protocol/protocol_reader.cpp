#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "collision/cache/xxhash64.hpp"
#include "models/mesh/wording.hpp"
#include "models/scene/scene_values.hpp"
#include "studies/power/stated_effects.hpp"
#include "studies/protocol/protocol_tables.hpp"

namespace tactus::studies {
namespace {

using models::FileLabel;
using models::RealValue;
using models::Reason;
using models::Result;
using models::say;
using models::SceneValue;
using models::TomlText;
using models::wholeFor;

constexpr std::uint64_t kFewestTriangles = 1000, kMostTriangles = 1'000'000;

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

bool knowsAll(ProtocolFile& file) {
  StudyProtocol top;
  TopWords words;
  std::vector<TableKind> kinds = {{"", false, namesOf(keysOf(top, words))}};
  const auto add = [&kinds](std::vector<TableKind> more) {
    kinds.insert(kinds.end(), more.begin(), more.end());
  };
  add({factorTable(), deviceTable()});
  add(taskTables());
  add({blockTable(), itemTable()});
  add(outcomeTables());
  add({{"power", true, {}}, psychophysicsTable()});
  const auto& effects = statedEffectKeys();
  return file.knowsAll(kinds, Words(effects.begin(), effects.end()));
}

models::Scene atStudyResolution(const StudyProtocol& p, models::Scene scene) {
  for (models::SceneBody& body : scene.bodies) {
    if (p.spheres != 0) {
      body.model.spheres = std::min(body.model.spheres, p.spheres);
      if (body.model.points) body.model.points = std::min(*body.model.points, p.spheres);
    }
    if (p.triangles != 0 && body.model.source.starts_with("builtin:")) {
      body.model.source =
          say(body.model.source.substr(0, body.model.source.find('@')), "@", p.triangles);
    }
  }
  // What is recorded of a scene is its text.
  Result<models::Scene> again = models::parseScene(models::sceneText(scene), scene.file);
  return again ? std::move(again).value() : scene;
}

bool readTop(ProtocolFile& file, StudyProtocol& p) {
  TopWords words;
  if (!file.take("", 0, keysOf(p, words), {"title", "scene"})) return false;
  for (const std::string& paragraph : words.consent)
    p.consent += say(paragraph, "\n\n");
  for (const std::string& paragraph : words.instructions)
    p.instructions += say(paragraph, "\n\n");
  Result<models::Scene> scene = models::findScene(p.sceneName);
  if (!scene) {
    return file.fail(file.lineOf("", 0, "scene"),
                     say("the scene cannot be had: ",
                         scene.error().sentence.substr(0, scene.error().sentence.size() - 1)),
                     Reason::UnknownName);
  }
  p.scene = atStudyResolution(p, std::move(scene).value());
  return true;
}

bool readAll(ProtocolFile& file, StudyProtocol& p) {
  return knowsAll(file) && readTop(file, p) && readFactors(file, p) && readDevices(file, p) &&
         readTask(file, p) && readBlocks(file, p) && readItems(file, p) && readOutcomes(file, p) &&
         checkEffects(file, p) && readExclusions(file, p) && readPsychophysics(file, p) &&
         isPossible(file, p);
}

std::string hashOf(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::uint64_t hash = collision::xxhash64(std::as_bytes(std::span(text)));
  std::string digits(16, '0');
  for (std::size_t k = digits.size(); k-- > 0; hash >>= 4U)
    digits[k] = kHex[hash & 15U];
  return digits;
}

}  // namespace

Result<StudyProtocol> parseProtocol(std::string_view text, std::string_view file) {
  const Result<TomlText> toml = models::readToml(text, FileLabel(file));
  if (!toml) return toml.error();
  ProtocolFile tables(file, toml.value());
  StudyProtocol protocol;
  if (!readAll(tables, protocol)) return tables.error();
  protocol.file = file;
  protocol.text = text;
  protocol.name = std::filesystem::path(file).stem().string();
  protocol.hash = hashOf(text);
  return protocol;
}

Result<StudyProtocol> findProtocol(std::string_view nameOrFile) {
  const Result<models::FoundText> found =
      models::findText(nameOrFile, "protocol", "studies/protocol", shippedProtocols());
  if (!found) return found.error();
  return parseProtocol(found.value().text, found.value().file);
}

}  // namespace tactus::studies
