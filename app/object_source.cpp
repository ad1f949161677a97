#include "app/object_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "app/build_progress.hpp"
#include "app/figures_text.hpp"
#include "app/interruption.hpp"
#include "app/model_source.hpp"
#include "app/user_cache.hpp"
#include "collision/cache/object_cache.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using collision::BuildEnd;
using collision::BuildParameters;
using collision::CollisionObject;
using collision::SolidMesh;
using models::Error;
using models::Reason;
using models::Result;

/// Once a run: each start would pack the models anew, and nobody would know why.
void complainOfNoCache() {
  static std::once_flag said;
  std::call_once(said, [] {
    const std::string folder = userCacheFolder().string();
    complain(
        fmt::format("What was packed cannot be kept{}, so the next start packs it again; set "
                    "XDG_CACHE_HOME to a folder that can be written.",
                    folder.empty() ? "" : " in " + models::printable(folder)));
  });
}

/// From the user's cache folder, or built and put there.
Result<CollisionObject> foundOrBuilt(SolidMesh solid, const std::string& name,
                                     const BuildParameters& parameters,
                                     const BuildWatcher& watcher) {
  const collision::ContentIdentity identity = collision::identityOf(solid, parameters);
  const std::filesystem::path file = userCacheFile(identity);
  if (!file.empty()) {
    Result<CollisionObject> found = collision::readObject(file);
    // one that is damaged or was renamed is built again
    if (found && found.value().identity == identity) {
      markUsed(file);
      return found;
    }
  }
  Result<CollisionObject> built = buildShown(std::move(solid), name, parameters, watcher);
  if (!built) return built;
  const collision::BuildFigures& figures = built.value().figures;
  if (figures.filled() < kWellFilled) {
    complain(
        fmt::format("{}: only {:.1f} % of it is filled; what is thin pushes too little or not "
                    "at all, unless it gets more spheres.",
                    models::printable(name), 100.0 * figures.filled()));
  }
  // What was built can be used whether this works or not; from the file it needs less memory.
  if (!makeUserCacheFolder() || !collision::writeObject(built.value(), file, true)) {
    complainOfNoCache();
    return built;
  }
  forgetOldCaches(file.parent_path());
  Result<CollisionObject> mapped = collision::readObject(file);
  return mapped ? mapped : built;
}

/// A cache that was named.
Result<NamedObject> findCache(const std::string& name) {
  Result<std::shared_ptr<const collision::SectionFile>> file = collision::SectionFile::open(name);
  if (!file) return file.error();
  const bool isStale = file.value()->head().builderVersion != collision::kBuilderVersion;
  Result<CollisionObject> object = collision::readObject(std::move(file).value());
  if (!object) return object.error();
  NamedObject found{
      .name = name, .cache = {}, .solid = {}, .parameters = object.value().parameters};
  if (isStale) {
    Result<SolidMesh> solid = object.value().cold->solid();
    if (!solid) return solid.error();
    found.solid = std::move(solid).value();
  } else {
    found.cache = std::move(object).value();
  }
  return found;
}

}  // namespace

Result<NamedObject> findObject(const std::string& name, const BuildParameters& parameters,
                               const SizeOptions& size) {
  if (isCacheName(name) && !size.scale && !size.fit) return findCache(name);
  Result<SourcedModel> source = openModel(name, size);
  if (!source) return source.error();
  return NamedObject{
      .name = name,
      .cache = {},
      .solid = {std::move(source.value().mesh), std::move(source.value().remainders)},
      .parameters = parameters};
}

Result<CollisionObject> openObject(NamedObject found, const BuildWatcher& watcher) {
  if (found.cache) return *std::move(found.cache);
  return foundOrBuilt(std::move(found.solid), found.name, found.parameters, watcher);
}

Result<CollisionObject> openObject(const std::string& name, const BuildParameters& parameters,
                                   const SizeOptions& size, const BuildWatcher& watcher) {
  Result<NamedObject> found = findObject(name, parameters, size);
  if (!found) return found.error();
  return openObject(std::move(found).value(), watcher);
}

Result<CollisionObject> buildShown(SolidMesh solid, const std::string& name,
                                   const BuildParameters& parameters, const BuildWatcher& watcher) {
  const models::Bounds bounds = solid.mesh.bounds();
  const double longest = bounds.isEmpty() ? 0.0 : (bounds.upper - bounds.lower).maxCoeff();
  collision::BuildSettings settings;
  settings.parameters = parameters;
  collision::BuildOutcome outcome;
  bool isCancelled = false;
  if (watcher) {
    settings.progress = [&](const collision::BuildProgress& progress) {
      isCancelled = isCancelled || !watcher(progress);
      return !isCancelled;
    };
    outcome = collision::buildObject(std::move(solid), settings);
  } else {
    const Interruption interruption;
    BuildProgressLine line(models::printable(name));
    settings.progress = [&line](const collision::BuildProgress& progress) {
      line.show(progress);
      return !Interruption::wasAsked();
    };
    outcome = collision::buildObject(std::move(solid), settings);
    isCancelled = Interruption::wasAsked();
  }
  const std::string shown = models::printable(name);
  if (isCancelled) outcome.end = BuildEnd::Cancelled;
  switch (outcome.end) {
    case BuildEnd::Built:
      break;
    case BuildEnd::Open:
      return aboutOpenSurface(name);
    case BuildEnd::InsideOut:
      return aboutInsideOut(name);
    case BuildEnd::NothingFits:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: no sphere fits into it; is it flat?", shown)};
    case BuildEnd::Overfull:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: the spheres found take more than the solid's volume, so the "
                               "surface is not what its edges say; see 'tactus info', mend it with "
                               "'tactus convert --repair', or try --packing voxel.",
                               shown)};
    case BuildEnd::VoxelsTooSmall:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: its voxmap would need more than a gigabyte; choose a larger "
                               "--voxel.",
                               shown)};
    case BuildEnd::BytesTooFew:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: no voxmap of it fits into {} bytes; give --voxmap-bytes more.",
                               shown, parameters.voxmapBytes)};
    case BuildEnd::VoxelsTooLarge:
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: a voxel of {:g} m is longer than the object, which is {:.3g} m "
                               "long; choose a smaller --voxel.",
                               shown, parameters.voxelSize, longest)};
    case BuildEnd::Cancelled:
      return Error{Reason::Cancelled, -1,
                   fmt::format("{}: stopped before it was built; nothing was written.", shown)};
  }
  if (outcome.copies > 0) {
    complain(fmt::format("{}: {} of its triangles {} on the corners of others and {} passed over.",
                         shown, outcome.copies, outcome.copies == 1 ? "lies" : "lie",
                         outcome.copies == 1 ? "was" : "were"));
  }
  if (!outcome.unclean.empty()) {
    complain(
        fmt::format("{}: not clean, as {}; winding numbers told what is inside, see "
                    "'tactus info'.",
                    shown, outcome.unclean));
  }
  return std::move(outcome.object);
}

Error aboutOpenSurface(const std::string& name) {
  return {Reason::BadValue, -1,
          fmt::format("{}: the surface is not closed, so it has no volume; see 'tactus info', or "
                      "mend it with 'tactus convert --repair'.",
                      models::printable(name))};
}

Error aboutInsideOut(const std::string& name) {
  return {Reason::BadValue, -1,
          fmt::format("{}: the surface is turned inside out; mend it with 'tactus convert "
                      "--repair'.",
                      models::printable(name))};
}

ExitCode exitCodeOf(const Error& error) noexcept {
  switch (error.reason) {
    case Reason::Cancelled:
    case Reason::CannotWrite:
      return ExitCode::WorkFailed;
    default:
      return ExitCode::BadInput;
  }
}

}  // namespace tactus::app
