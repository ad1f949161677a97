#include "models/sculpt/sculpted_models.hpp"

#include <array>
#include <utility>

#include "models/sculpt/animals.hpp"
#include "models/sculpt/hands.hpp"
#include "models/sculpt/sculpture_mesher.hpp"

namespace tactus::models {

std::span<const SculptedModel> sculptedModels() {
  static constexpr std::array<SculptedModel, 8> kModels{{
      {"hand-left", "a left hand, curled as for grasping, 177 mm long", handLeft, handRight},
      {"hand-right", "a right hand, the mirror image of the left one, 177 mm long", handRight},
      {"rhino", "a standing rhinoceros, 98 mm long", rhino},
      {"bear", "a sitting teddy bear, 74 mm tall", bear},
      {"rabbit", "a sitting rabbit with upright ears, 85 mm tall", rabbit},
      {"duck", "a standing duck, 66 mm tall", duck},
      {"turtle", "a standing turtle, 91 mm long", turtle},
      {"monkey", "a sitting monkey with a curled tail, 69 mm tall", monkey},
  }};
  return kModels;
}

Mesh meshModel(const SculptedModel& model, std::size_t triangles, unsigned threads) {
  if (model.mirrored == nullptr) return meshSculpture(model.make(), triangles, threads);
  Mesh mesh = meshSculpture(model.mirrored(), triangles, threads);
  mesh.origin.x() = -mesh.origin.x();
  for (Eigen::Vector3f& p : mesh.positions)
    p.x() = -p.x();
  for (Triangle& t : mesh.triangles)
    std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace tactus::models
