#include "models/files/vertex_welder.hpp"

#include <bit>

namespace tactus::models {
namespace {

constexpr std::size_t kFirstSlots = 64;

// One more than MeshBuilder accepts, so that it sees the overflow.
constexpr std::uint32_t kMostVertices = 0xFFFFFFFF;

std::uint64_t mix(std::uint64_t x) {
  // Finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
  // generators", 2014): every input bit reaches every output bit, so regular grids do not cluster.
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t hashOf(const Eigen::Vector3d& p) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (int axis = 0; axis < 3; ++axis)
    hash = mix(hash ^ std::bit_cast<std::uint64_t>(p[axis]));
  return hash;
}

}  // namespace

std::uint32_t VertexWelder::add(const Eigen::Vector3d& position,
                                std::vector<Eigen::Vector3d>& positions) {
  if (2 * (positions.size() + 1) > slots_.size()) grow(positions);
  const Eigen::Vector3d p(position.x() + 0.0, position.y() + 0.0, position.z() + 0.0);  // -0 to 0
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hashOf(p) & mask;
  while (slots_[slot] != 0) {
    const std::uint32_t vertex = slots_[slot] - 1;
    if (positions[vertex] == p) return vertex;
    slot = (slot + 1) & mask;
  }
  if (positions.size() >= kMostVertices) return kMostVertices - 1;
  positions.push_back(p);
  slots_[slot] = static_cast<std::uint32_t>(positions.size());
  return slots_[slot] - 1;
}

void VertexWelder::grow(const std::vector<Eigen::Vector3d>& positions) {
  const std::size_t size = slots_.empty() ? kFirstSlots : 2 * slots_.size();
  slots_.clear();
  slots_.shrink_to_fit();  // the old table is rebuilt from the positions, not copied
  slots_.resize(size, 0);
  for (std::size_t vertex = 0; vertex < positions.size(); ++vertex) {
    std::size_t slot = hashOf(positions[vertex]) & (size - 1);
    while (slots_[slot] != 0)
      slot = (slot + 1) & (size - 1);
    slots_[slot] = static_cast<std::uint32_t>(vertex + 1);
  }
}

}  // namespace tactus::models
