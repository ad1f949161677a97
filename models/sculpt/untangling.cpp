#include "models/sculpt/untangling.hpp"

#include <cstddef>

namespace tactus::models {
namespace {

// A fold of a few triangles is flat after some rounds; a wider patch needs more, as its smooth
// state comes in from the border by about a ring a round.
constexpr int kRoundsPerRing = 6;

}  // namespace

void untangle(SurfaceMesh& mesh, const std::vector<std::uint32_t>& crossing, int rings) {
  std::vector<std::uint8_t> isMarked(mesh.vertexCount(), 0);
  std::vector<std::uint32_t> patch;
  const auto mark = [&](std::uint32_t v) {
    if (isMarked[v] != 0) return;
    isMarked[v] = 1;
    patch.push_back(v);
  };
  for (const std::uint32_t t : crossing) {
    for (std::uint32_t k = 0; k < 3; ++k)
      mark(mesh.from(3 * t + k));
  }
  std::size_t first = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const std::size_t last = patch.size();
    for (; first < last; ++first) {
      const std::uint32_t start = mesh.outgoing(patch[first]);
      std::uint32_t h = start;
      do {
        mark(mesh.to(h));
        h = mesh.aroundFrom(h);
      } while (h != start);
    }
  }
  for (int round = 0; round < kRoundsPerRing * (rings + 1); ++round) {
    for (const std::uint32_t v : patch) {
      Eigen::Vector3f sum = Eigen::Vector3f::Zero();
      float neighbours = 0.0F;
      const std::uint32_t start = mesh.outgoing(v);
      std::uint32_t h = start;
      do {
        sum += mesh.position[mesh.to(h)];
        neighbours += 1.0F;
        h = mesh.aroundFrom(h);
      } while (h != start);
      mesh.position[v] = sum / neighbours;
    }
  }
}

}  // namespace tactus::models
