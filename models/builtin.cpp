#include "models/builtin.hpp"

#include <string>
#include <vector>

#include "models/parametric/parametric_models.hpp"
#include "models/sculpt/sculpted_models.hpp"

namespace tactus::models {
namespace {

std::vector<Builtin> collectBuiltins() {
  std::vector<Builtin> all;
  for (const ParametricModel& model : parametricModels()) {
    all.push_back({model.name, model.description});
  }
  for (const SculptedModel& model : sculptedModels()) {
    all.push_back({model.name, model.description});
  }
  return all;
}

}  // namespace

std::span<const Builtin> builtins() {
  static const std::vector<Builtin> kAll = collectBuiltins();
  return kAll;
}

Result<Mesh> makeBuiltin(std::string_view name, std::size_t triangles, unsigned threads) {
  if (triangles < kFewestTriangles || triangles > kMostTriangles) {
    return Error{
        Reason::BadValue, -1,
        "builtin:" + std::string(name) + "@" + std::to_string(triangles) +
            ": built-in models have 1000 to 1000000 triangles; ask for a number in between."};
  }
  for (const ParametricModel& model : parametricModels()) {
    if (model.name == name) return model.make(triangles);
  }
  for (const SculptedModel& model : sculptedModels()) {
    if (model.name == name) return meshModel(model, triangles, threads);
  }
  return Error{Reason::UnknownName, -1, "There is no built-in model '" + std::string(name) + "'."};
}

}  // namespace tactus::models
