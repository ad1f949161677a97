#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "app/cache_info.hpp"
#include "app/recording_info.hpp"
#include "models/report/mesh_report.hpp"
#include "models/report/repair.hpp"

namespace tactus::app {
namespace {

Json placesOf(const models::Flaw& flaw) {
  Json places = Json::array();
  for (const Eigen::Vector3d& place : flaw.places)
    places.push_back(toJson(place));
  return places;
}

Json rowsOf(const Eigen::Matrix3d& matrix) {
  Json rows = Json::array();
  for (int row = 0; row < 3; ++row) {
    rows.push_back(toJson(Eigen::Vector3d(matrix.row(row).transpose())));
  }
  return rows;
}

/// What kind of length `min_thickness` is; null if there is none.
Json nameOf(models::ThicknessSource source) {
  switch (source) {
    case models::ThicknessSource::FacingWall:
      return "wall";
    case models::ThicknessSource::Width:
      return "width";
    case models::ThicknessSource::Unknown:
      break;
  }
  return {};
}

/// What `build` would say to the surface's inside.
std::string_view nameOf(const models::MeshReport& report) {
  if (report.isFlat()) return "flat";
  switch (report.solidity) {
    case models::Solidity::Solid:
      return "solid";
    case models::Solidity::InsideOut:
      return "inside_out";
    case models::Solidity::Open:
      break;
  }
  return "open";
}

Json describe(const SourcedModel& source, const models::MeshReport& report, double reportSeconds) {
  Json json;
  json["model"] = source.name;
  json["format"] = source.format ? std::string(models::nameOf(*source.format)) : "builtin";
  json["clean"] = report.isClean();
  json["closed"] = report.closed;
  // null: the surface is open and has no clear inside
  json["outward_oriented"] = report.orientationKnown ? Json(report.outwardOriented) : Json();
  json["triangles"] = report.triangles;
  json["vertices"] = report.vertices;
  json["distinct_vertices"] = report.distinctVertices;
  json["unused_vertices"] = report.unusedVertices;
  json["merged_by_rounding"] = report.mergedByRounding;
  json["polygons"] = source.polygons;
  json["components"] = report.components;
  json["inverted_components"] = report.invertedComponents;
  json["holes"] = report.holes;

  const std::pair<const char*, const models::Flaw*> flaws[] = {
      {"boundary_edges", &report.boundaryEdges},
      {"nonmanifold_edges", &report.nonManifoldEdges},
      {"nonmanifold_vertices", &report.nonManifoldVertices},
      {"misoriented_edges", &report.misorientedEdges},
      {"duplicate_triangles", &report.duplicateTriangles},
      {"degenerate_triangles", &report.degenerateTriangles},
      {"self_intersections", &report.selfIntersections}};
  Json places;
  for (const auto& [key, flaw] : flaws) {
    json[key] = flaw->count;
    if (flaw->count > 0) places[key] = placesOf(*flaw);
  }
  json["self_intersections_complete"] = report.selfIntersectionsComplete;
  json["places"] = places.is_null() ? Json::object() : places;

  json["lower"] = toJson(report.bounds.lower);
  json["upper"] = toJson(report.bounds.upper);
  json["diagonal"] = report.bounds.diagonal();
  // Of an open surface these depend on where the coordinate origin happens to be.
  const bool isBounded = report.solidity != models::Solidity::Open;
  json["solidity"] = nameOf(report);
  json["volume"] = isBounded ? Json(report.mass.volume) : Json();
  json["volume_error"] = isBounded ? Json(report.volumeError) : Json();
  json["signed_volume"] = isBounded ? Json(report.signedVolume) : Json();
  json["centre"] = isBounded ? toJson(report.mass.centre) : Json();
  json["inertia"] = isBounded ? rowsOf(report.mass.inertia) : Json();
  json["min_thickness"] = report.thicknessKnown ? Json(report.minThickness) : Json();
  json["thickness_source"] = nameOf(report.thicknessSource);
  json["thinnest_place"] = report.thicknessKnown ? toJson(report.thinnestPlace) : Json();
  json["advice"] = models::adviceOn(report);
  json["mesh_bytes"] = source.mesh.bytes();
  json["load_seconds"] = source.seconds;
  json["load_peak_bytes"] = source.peakBytes;
  json["report_seconds"] = reportSeconds;
  return json;
}

}  // namespace

ExitCode runInfo(const InfoRequest& request) {
  if (isRecording(request.model)) return runRecordingInfo(request);
  if (isCacheName(request.model)) return runCacheInfo(request);
  const models::Result<SourcedModel> source = openModel(request.model, request.size);
  if (!source) {
    complain(source.error().sentence);
    return ExitCode::BadInput;
  }
  const auto start = std::chrono::steady_clock::now();
  models::MeshReport report = models::reportOn(source.value().mesh);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.leftByRepair = models::whatRepairLeaves(source.value().mesh, report);
  if (request.asJson) {
    printJson(describe(source.value(), report, seconds));
  } else {
    const std::string text = fmt::format("{}\n{}", source.value().name, models::toText(report));
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
