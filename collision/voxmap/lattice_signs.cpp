#include "collision/voxmap/lattice_signs.hpp"

namespace tactus::collision {

namespace {

// Distances of a batch are good to a millionth of a few steps; this is more, for both of a pair.
constexpr double kRoundUp = 1.0 + 1e-4;

}  // namespace

void LatticeSigns::apply(std::span<float> distances, const std::array<std::int32_t, 3>& size,
                         double step, const std::function<bool(std::size_t)>& isInside) {
  const auto sizeX = static_cast<std::uint32_t>(size[0]);
  const auto sizeY = static_cast<std::uint32_t>(size[1]);
  const auto sizeZ = static_cast<std::uint32_t>(size[2]);
  const auto enough = static_cast<float>(step * kRoundUp);
  isSeen_.assign(distances.size(), 0);
  for (std::uint32_t seed = 0; seed < distances.size(); ++seed) {
    if (isSeen_[seed] != 0) continue;
    isSeen_[seed] = 1;
    together_.assign(1, seed);
    std::uint32_t furthest = seed;
    for (std::size_t next = 0; next < together_.size(); ++next) {
      const std::uint32_t at = together_[next];
      if (distances[at] > distances[furthest]) furthest = at;
      const auto reach = [&](std::uint32_t neighbour) {
        if (isSeen_[neighbour] != 0 || !(distances[at] + distances[neighbour] > enough)) return;
        isSeen_[neighbour] = 1;
        together_.push_back(neighbour);
      };
      const std::uint32_t x = at % sizeX;
      const std::uint32_t y = at / sizeX % sizeY;
      const std::uint32_t z = at / (sizeX * sizeY);
      if (x > 0) reach(at - 1);
      if (x + 1 < sizeX) reach(at + 1);
      if (y > 0) reach(at - sizeX);
      if (y + 1 < sizeY) reach(at + sizeX);
      if (z > 0) reach(at - sizeX * sizeY);
      if (z + 1 < sizeZ) reach(at + sizeX * sizeY);
    }
    if (!isInside(furthest)) continue;
    // seen points keep their distances unsigned until all that hang together are found
    for (const std::uint32_t at : together_)
      distances[at] = -distances[at];
  }
}

}  // namespace tactus::collision
