#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/commands.hpp"
#include "app/figures_text.hpp"
#include "app/object_source.hpp"
#include "app/output_place.hpp"
#include "app/user_cache.hpp"
#include "collision/cache/object_cache.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::app {
namespace {

using collision::CollisionObject;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;

/// Whether the place for the cache is good, asked before the work.
Result<Done> checkPlace(const BuildRequest& request) {
  if (!request.output) {
    if (makeUserCacheFolder()) return Done{};
    return Error{
        Reason::CannotWrite, -1,
        fmt::format("{}: the folder for caches cannot be made; name a file with -o.",
                    userCacheFolder().empty() ? "~/.cache/tactus" : userCacheFolder().string())};
  }
  // a cache may be replaced, everything else is kept
  const bool replaces = request.overwrites || collision::isSectionFile(*request.output);
  return checkOutputPlace(*request.output, {".tactus"}, replaces);
}

Result<std::uint64_t> write(const CollisionObject& object, const std::filesystem::path& file,
                            bool overwrites) {
  const auto tried = [&] {
    return collision::writeObject(object, file, overwrites || collision::isSectionFile(file));
  };
  Result<std::uint64_t> written = tried();
  // somebody else has built it meanwhile
  if (!written && written.error().reason == Reason::AlreadyExists) written = tried();
  return written;
}

}  // namespace

ExitCode runBuild(const BuildRequest& request) {
  if (const Result<Done> place = checkPlace(request); !place) {
    complain(place.error().sentence);
    return request.output ? ExitCode::BadInput : exitCodeOf(place.error());
  }
  Result<SourcedModel> source = openModel(request.model, request.size);
  if (!source) {
    complain(source.error().sentence);
    return ExitCode::BadInput;
  }
  const double diagonal = source.value().mesh.bounds().diagonal();
  if (std::fabs(request.parameters.pointsOffset) > diagonal) {
    complain(
        fmt::format("{}: its points cannot lie {:g} m off the surface of an object of {:.3g} m; "
                    "choose a smaller --points-offset.",
                    models::printable(request.model), request.parameters.pointsOffset, diagonal));
    return ExitCode::BadInput;
  }
  const Result<CollisionObject> built =
      buildShown({std::move(source.value().mesh), std::move(source.value().remainders)},
                 request.model, request.parameters);
  if (!built) {
    complain(built.error().sentence);
    return exitCodeOf(built.error());
  }
  const CollisionObject& object = built.value();
  const std::string file =
      request.output ? *request.output : userCacheFile(object.identity).string();
  const Result<std::uint64_t> bytes =
      write(object, file, request.overwrites || !request.output.has_value());
  if (!bytes) {
    complain(bytes.error().sentence);
    return exitCodeOf(bytes.error());
  }
  if (!request.output) forgetOldCaches(userCacheFolder());
  if (request.asJson) {
    Json json;
    json["model"] = request.model;
    json.update(figuresJson(object.figures));
    json["depths"] = depthsJson(object);
    json["voxmap"] = voxmapJson(object);
    json["points"] = object.pointshell.pointCount();
    json["pointshell"] = pointshellJson(object.pointshell);
    json["bytes"] = bytes.value();
    json["file"] = file;
    json["identity"] = object.identity.text();
    printJson(json);
  } else {
    fmt::print("{}{}{}{}{}: {} bytes\n", figuresText(object.parameters, object.figures),
               depthsText(object), voxmapText(object), pointshellText(object.pointshell), file,
               models::grouped(bytes.value()));
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
