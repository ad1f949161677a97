#include "app/cache_info.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/figures_text.hpp"
#include "app/object_source.hpp"
#include "collision/cache/object_cache.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using collision::Heat;
using collision::SectionEntry;
using collision::SectionFile;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

/// Reads what queries do not, and whether the mesh is the one that the cache is named after.
Result<Done> checkAll(const SectionFile& file, const CollisionObject& object) {
  for (const SectionEntry& section : file.sections()) {
    const auto bytes = file.checked(section.name, section.elementBytes);
    if (!bytes) return bytes.error();
  }
  const Result<collision::SolidMesh> solid = object.cold->solid();
  if (!solid) return solid.error();
  const auto packing = object.cold->packing();
  if (!packing) return packing.error();
  // another builder hashes other things
  const bool isComparable = file.head().builderVersion == collision::kBuilderVersion;
  if (isComparable && collision::identityOf(solid.value(), object.parameters) != object.identity) {
    return file.label().whole(Reason::Malformed,
                              "the cache is damaged (it is named after another mesh); build it "
                              "again");
  }
  return Done{};
}

Json describe(const InfoRequest& request, const SectionFile& file, const CollisionObject& object) {
  Json sections = Json::array();
  for (const SectionEntry& section : file.sections()) {
    sections.push_back({{"name", section.name},
                        {"bytes", section.bytes},
                        {"elements", section.elements()},
                        {"offset", section.offset},
                        {"hot", section.heat == Heat::Hot}});
  }
  Json json;
  json["model"] = request.model;
  json["format"] = "tactus";
  json["format_version"] = file.head().formatVersion;
  json["builder_version"] = file.head().builderVersion;
  json["stale"] = file.head().builderVersion != collision::kBuilderVersion;
  json["identity"] = object.identity.text();
  json["bytes"] = file.head().fileBytes;
  json.update(figuresJson(object.figures));
  json["parameters"] = parametersJson(object.parameters);
  json["depths"] = depthsJson(object);
  json["voxmap"] = voxmapJson(object);
  json["points"] = object.pointshell.pointCount();
  json["pointshell"] = pointshellJson(object.pointshell);
  json["sections"] = sections;
  return json;
}

void printText(const InfoRequest& request, const SectionFile& file, const CollisionObject& object) {
  std::string text = fmt::format(
      "{}: cache, {} bytes, format {}, builder {}{}\n{}{}{}{}\n{:<18} {:>12} {:>12}\n",
      request.model, models::grouped(file.head().fileBytes), file.head().formatVersion,
      file.head().builderVersion,
      file.head().builderVersion != collision::kBuilderVersion
          ? " (not today's: built anew when used)"
          : "",
      figuresText(object.parameters, object.figures), depthsText(object), voxmapText(object),
      pointshellText(object.pointshell), "section", "elements", "bytes");
  for (const SectionEntry& section : file.sections()) {
    text +=
        fmt::format("{:<18} {:>12} {:>12}  {}\n", section.name, models::grouped(section.elements()),
                    models::grouped(section.bytes), section.heat == Heat::Hot ? "hot" : "cold");
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

ExitCode runCacheInfo(const InfoRequest& request) {
  const auto refuse = [](const Error& error) {
    complain(error.sentence);
    return exitCodeOf(error);
  };
  if (request.size.scale || request.size.fit) {
    complain(
        fmt::format("{}: a cache has the size that it was built with; --scale and --fit are "
                    "for 'tactus build'.",
                    models::printable(request.model)));
    return ExitCode::BadInput;
  }
  const Result<std::shared_ptr<const SectionFile>> file = SectionFile::open(request.model);
  if (!file) return refuse(file.error());
  const Result<CollisionObject> object = collision::readObject(file.value());
  if (!object) return refuse(object.error());
  if (const Result<Done> sound = checkAll(*file.value(), object.value()); !sound) {
    return refuse(sound.error());
  }
  if (request.asJson) {
    printJson(describe(request, *file.value(), object.value()));
  } else {
    printText(request, *file.value(), object.value());
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
