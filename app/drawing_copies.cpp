#include "app/drawing_copies.hpp"

#include <utility>

#include "render/coarse_copy.hpp"

namespace tactus::app {
namespace {

constexpr double kMostOff = 1.0 / 250.0;  // of the box's diagonal
constexpr std::size_t kMost = 3000;       // triangles of one object
constexpr std::size_t kFewest = 90;

std::shared_ptr<const models::Mesh> copyOf(const std::shared_ptr<const models::Mesh>& mesh) {
  std::shared_ptr<const models::Mesh> best = mesh;
  const double mostOff = kMostOff * mesh->bounds().diagonal();
  for (std::size_t wanted = kMost; wanted >= kFewest; wanted /= 2) {
    if (best->triangles.size() <= wanted) continue;
    render::CoarseCopy copy = render::coarseCopy(*mesh, wanted);
    // The first is taken however far it is off: more triangles would not be drawn in time.
    if (copy.farthest > mostOff && wanted != kMost) break;
    best = std::make_shared<const models::Mesh>(std::move(copy.mesh));
  }
  return best;
}

}  // namespace

std::vector<std::shared_ptr<const models::Mesh>> drawingCopies(const LoadedScene& loaded) {
  std::vector<std::shared_ptr<const models::Mesh>> copies;
  copies.reserve(loaded.meshes.size());
  for (const std::shared_ptr<const models::Mesh>& mesh : loaded.meshes)
    copies.push_back(copyOf(mesh));
  return copies;
}

}  // namespace tactus::app
