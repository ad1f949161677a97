#include <fmt/format.h>

#include <utility>

#include "app/commands.hpp"
#include "app/output_place.hpp"
#include "models/report/repair.hpp"

namespace tactus::app {

ExitCode runConvert(const ConvertRequest& request) {
  if (const models::Result<models::Done> place =
          checkOutputPlace(request.output, {".obj", ".ply"}, request.overwrites);
      !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  models::Result<SourcedModel> source = openModel(request.model, request.size);
  if (!source) {
    complain(source.error().sentence);
    return ExitCode::BadInput;
  }
  models::Mesh mesh = std::move(source.value().mesh);
  Json steps = Json::array();
  if (request.repairs) {
    models::Repaired repaired = models::repair(mesh);
    mesh = std::move(repaired.mesh);
    for (const models::RepairStep& step : repaired.steps) {
      steps.push_back(step.what);
      fmt::print(stderr, "repair: {}\n", step.what);
    }
    if (repaired.steps.empty()) fmt::print(stderr, "repair: nothing to mend\n");
  }
  models::WriteSettings settings;
  settings.overwrites = request.overwrites;
  if (request.writesAscii) settings.plyEncoding = models::PlyEncoding::Ascii;
  const models::Result<models::Done> written = models::writeMesh(mesh, request.output, settings);
  if (!written) {
    complain(written.error().sentence);
    // A name that cannot be written to was refused above; by now it is a disk that is full.
    return written.error().reason == models::Reason::CannotWrite ? ExitCode::WorkFailed
                                                                 : ExitCode::BadInput;
  }
  if (request.asJson) {
    printJson({{"model", request.model},
               {"file", request.output},
               {"triangles", mesh.triangles.size()},
               {"vertices", mesh.positions.size()},
               {"repairs", steps}});
  } else {
    fmt::print("{}: {} triangle{}, {} vertices\n", request.output, mesh.triangles.size(),
               mesh.triangles.size() == 1 ? "" : "s", mesh.positions.size());
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
